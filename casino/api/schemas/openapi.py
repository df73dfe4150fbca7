"""The API described: each operation says what it takes and answers, from the structures that read
and write it.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema

from casino.api.schemas.common import Nothing, Paging, Problem
from casino.api.schemas.fields import hints_of, object_of, ref, schema_of
from casino.api.schemas.read import KEY_PATTERN
from casino.api.schemas.rounds import Present, Round

ID = "6f0d2c1e-5a74-4c7e-9b57-1c1f8f6f2a10"  # in examples
TWO_IDS = [ID, "c2b7e0a4-93d1-4f08-8a6c-5e21d7b4f9c3"]
View = TypeVar("View", bound=Callable[..., Any])

PROBLEM = "application/problem+json"
_READ = {
    400: "The request cannot be understood.",
    401: "Nobody is signed in.",
    403: "The caller may not do this.",
    404: "There is no such thing within the caller's reach.",
    503: "Nothing is known or was done: ask again, a command under the same key (Retry-After).",
}
_RULE = {422: "A rule refuses it: `code` and `rule` say which."}
_COMMAND = _READ | {
    409: (
        "It does not fit how things stand, or the same request is still being carried out"
        " (Retry-After)."
    ),
    413: "The body is too large.",
    415: "The body is not JSON.",
    **_RULE,
}


def command(
    name: str,
    summary: str,
    answer: type,
    body: type = Nothing,
    example: Mapping[str, Any] = MappingProxyType({}),
    *,
    bare: bool = False,
) -> Callable[[View], View]:
    """Describe a POST. `bare`: what it answers stands alone, without key and replay around it."""
    return extend_schema(
        operation_id=name,
        summary=summary,
        description=summary + ".",
        parameters=[_KEY],
        request={"application/json": object_of(body)},
        responses={200: ref(answer) if bare else _envelope(answer)} | _problems(_COMMAND),
        examples=[OpenApiExample(name, value=dict(example), request_only=True)],
    )


def listing(name: str, summary: str, item: type, query: type = Paging) -> Callable[[View], View]:
    """Describe a GET that gives a page."""
    page = {
        "type": "object",
        "required": ["results", "next"],
        "properties": {
            "results": {"type": "array", "items": ref(item)},
            "next": {"type": ["string", "null"], "description": "The cursor of the next page."},
        },
    }
    return _get(name, summary, page, query)


def one(
    name: str,
    summary: str,
    answer: type,
    query: type = Nothing,
    *,
    or_else: type | None = None,
    of_a_game: bool = False,
) -> Callable[[View], View]:
    """Describe a GET that gives one thing. `or_else`: what it gives of another kind of it;
    `of_a_game`: it is refused at a table of another game.
    """
    answers = [ref(each) for each in (answer, or_else) if each is not None]
    given = answers[0] if or_else is None else {"oneOf": answers}
    return _get(name, summary, given, query, _READ | (_RULE if of_a_game else {}))


def _get(
    name: str,
    summary: str,
    answer: Mapping[str, Any],
    query: type,
    problems: Mapping[int, str] = MappingProxyType(_READ),
) -> Callable[[View], View]:
    parameters = [OpenApiParameter(one, schema_of(hint)) for one, hint in hints_of(query).items()]
    described = extend_schema(
        operation_id=name,
        summary=summary,
        description=summary + ".",
        parameters=parameters,
        request=None,
        responses={200: answer} | _problems(problems),
    )

    def describe(view: View) -> View:
        view.query = query  # type: ignore[attr-defined]  # by which its address is read
        return described(view)

    return describe


_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 8, "maxLength": 200, "pattern": KEY_PATTERN},
    OpenApiParameter.HEADER,
    required=True,
    description=(
        "A new one for each new request; a request that is repeated keeps its key and gets the"
        " first answer."
    ),
)


def _envelope(answer: type) -> dict[str, Any]:
    """Around what a command answers; a command to a round says as well how it stands now."""
    properties: dict[str, Any] = {
        "replayed": {
            "type": "boolean",
            "description": "Whether this was carried out before, under the same key.",
        },
        "answer": ref(answer),
    }
    if answer is Round:
        properties["present"] = ref(Present)
    return {"type": "object", "required": list(properties), "properties": properties}


def _problems(codes: Mapping[int, str]) -> dict[Any, Any]:
    return {
        (code, PROBLEM): OpenApiResponse(ref(Problem), description=description)
        for code, description in codes.items()
    }


class _OfficeScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "casino.api.who.OfficeAuthentication"
    name = "office"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        from django.conf import settings

        return {
            "type": "apiKey",
            "in": "cookie",
            "name": settings.SESSION_COOKIE_NAME,
            "description": (
                "A signed-in person's session. A command also sends the CSRF cookie's token as"
                " X-CSRFToken."
            ),
        }
