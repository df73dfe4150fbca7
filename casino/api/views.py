"""What every view of the API is made of: a reader of pages of a list, a runner of commands."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, ClassVar
from uuid import UUID

from django.core import signing
from django.db.models import Model, Q, QuerySet
from django.utils import translation
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.api.schemas.common import Nothing
from casino.api.schemas.read import Body, key_of, read_body, read_query
from casino.api.who import AccessScope, Holds, access_scope_of
from casino.text.request_errors import BODY_MOST, CursorRefused
from payouts.commands import request_fingerprint, run_once
from payouts.rules.plain import DataRefused, Json, check_data
from tables.models import Round

# with the id of one of several rounds behind it, a key is still one that `run_once` takes
KEY_MOST = 163


class OnlyJson(BaseContentNegotiation):
    """Whatever is asked for, the answer is JSON; so a refusal never depends on what a caller
    accepts.
    """

    def select_parser(self, request: Request, parsers: Iterable[Any]) -> Any:
        """The parser of the body's media type, if there is one."""
        kind = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == kind), None)

    def select_renderer(
        self, request: Request, renderers: Iterable[Any], format_suffix: str | None = None
    ) -> Any:
        """The first."""
        first = next(iter(renderers))
        return first, first.media_type


class HouseView(APIView):
    """A view of the API. `rights`: by method, the permissions of which one is enough; `feeds`:
    methods open to card feeds.
    """

    permission_classes = (Holds,)
    content_negotiation_class = OnlyJson
    http_method_names = ["get", "head", "post"]
    rights: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    feeds: ClassVar[tuple[str, ...]] = ()
    body_most = BODY_MOST
    takes_queued: ClassVar[bool] = False  # as `casino/devices/alone.py` has it

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Let nobody in who may not; speak the language of who is signed in at a tablet."""
        super().initial(request, *args, **kwargs)
        self.scope: AccessScope = access_scope_of(request)
        if self.scope.device is not None:
            language = self.scope.person.language if self.scope.person else ""
            translation.activate(
                language or translation.get_language_from_request(request._request)
            )
        handler = getattr(self, str(request.method).lower(), None)
        self.values = read_query(getattr(handler, "query", Nothing), request)

    def page(
        self,
        rows: QuerySet[Any],
        order: tuple[str, ...],
        show: Callable[[list[Any]], Sequence[object]],
    ) -> Response:
        """One page in a fixed order and the cursor of the next: new rows move nobody's place.
        `show` gives plain data.
        """
        limit = self.values["limit"]
        found = list(_after(rows, order, self.values["cursor"]).order_by(*order)[: limit + 1])
        shown = found[:limit]
        after = None
        if len(found) > len(shown):
            place = [_plain(getattr(shown[-1], name.lstrip("-"))) for name in order]
            after = signing.dumps(place, salt=_salt(rows.model, order))
        return Response({"results": show(shown), "next": after})

    def sent(self, request: Request, structure: type[Body]) -> Body:
        """The body's fields. Raises what `read_body` and the parser raise."""
        return read_body(structure, request.data)

    def once(
        self, request: Request, name: str, work: Callable[[], Json], **about: object
    ) -> Response:
        """Carry a command out once under the caller's key; a repeat gets the first answer. `about`:
        the rows of the address.

        Raises KeyRefused, DataRefused, what `run_once` and the work raise.
        """
        done = run_once(self.key(request), self.print_of(request, name, about), work)
        return Response({"replayed": done.replayed, "answer": done.body})

    def once_for_round(
        self,
        request: Request,
        name: str,
        work: Callable[[], Json],
        *,
        round_id: UUID,
        **about: object,
    ) -> Response:
        """As `once`, and how the round stands now: a repeat that comes late may find it changed
        since its first answer.
        """
        done = run_once(
            self.key(request), self.print_of(request, name, {"round": round_id, **about}), work
        )
        present: Any = done.body
        if done.replayed or "state" not in present:
            present = Round.objects.filter(pk=round_id).values("state", "revision").first() or {}
        state = {"state": present.get("state"), "revision": present.get("revision", 0)}
        return Response({"replayed": done.replayed, "answer": done.body, "present": state})

    def key(self, request: Request) -> str:
        """The caller's key, as it is stored. Raises KeyRefused."""
        return stored_key(self.scope, key_of(request))

    def print_of(self, request: Request, name: str, about: Mapping[str, object]) -> bytes:
        """What "the same request" means: command, caller, addressed rows and body. Raises
        DataRefused.
        """
        return self.print_for(name, about, request.data)

    def print_for(self, name: str, about: Mapping[str, object], body: object) -> bytes:
        """As `print_of`, for a part of the body. Raises DataRefused."""
        asked = [{key: str(value) for key, value in about.items()}, body]
        try:
            return request_fingerprint(name, self.scope.caller, asked)
        except DataRefused:
            check_data(body, "body")  # says where in the body it is
            raise


def stored_key(scope: AccessScope, key: str) -> str:
    """The key as it is stored: each caller's keys are their own, whatever others make up."""
    whole = f"{scope.caller}:{key}"
    return whole if len(whole) <= KEY_MOST else f"{scope.caller}:{sha256(key.encode()).hexdigest()}"


def _after(rows: QuerySet[Any], order: tuple[str, ...], cursor: str) -> QuerySet[Any]:
    if not cursor:
        return rows
    try:
        place = signing.loads(cursor, salt=_salt(rows.model, order))
    except signing.BadSignature as error:
        raise CursorRefused from error
    later, same = Q(), Q()
    for name, value in zip(order, place, strict=True):
        column = name.lstrip("-")
        later |= same & Q(**{f"{column}__{'lt' if name.startswith('-') else 'gt'}": value})
        same &= Q(**{column: value})
    return rows.filter(later)


def _salt(model: type[Model], order: tuple[str, ...]) -> str:
    return f"api.cursor.{model.__name__}.{'.'.join(order)}"


def _plain(value: Any) -> str | int:
    return (
        value
        if isinstance(value, int)
        else value.isoformat()
        if hasattr(value, "isoformat")
        else str(value)
    )
