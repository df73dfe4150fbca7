"""Who calls, what they may do, and which rows they reach. Nothing is open that does not say for
whom."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet
from django.http import HttpResponse
from rest_framework.authentication import CSRFCheck, SessionAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from structlog.contextvars import bind_contextvars

from casino.devices.models import FEED, Device
from casino.devices.signin import is_attended
from casino.people.models import Person
from casino.people.permissions import DEAL, RUN_FLOOR, SET_UP
from casino.people.refusals import SignInRequired
from casino.people.signin import step_missing
from casino.text.request_errors import ForeignPage, HouseNeeded
from tables.errors import TableUnknown
from tables.models import Table
from tables.services.rounds.much_won import OFFICE, TABLET

if TYPE_CHECKING:
    from rest_framework.views import APIView

Row = TypeVar("Row", bound=Model)


class OfficeAuthentication(SessionAuthentication):
    """A person's session in a browser, with both factors proved, and the CSRF token for every
    command.

    Raises SignInRequired, ForeignPage.
    """

    def authenticate(self, request: Request) -> tuple[Person, None] | None:
        """The person, or None if nobody is signed in."""
        person = getattr(request._request, "user", None)
        if not isinstance(person, Person):
            return None
        try:
            if step_missing(person) is not None:
                raise SignInRequired
            self.enforce_csrf(request)
        except (SignInRequired, ForeignPage):
            request.user, request.auth = None, None  # type: ignore[assignment]  # settled: nobody
            raise
        bind_contextvars(user_id=str(person.pk))
        return person, None

    def enforce_csrf(self, request: Request) -> None:
        """Raise ForeignPage unless a command carries the token of this browser's cookie."""
        check = CSRFCheck(lambda _request: HttpResponse())
        check.process_request(request._request)
        if check.process_view(request._request, HttpResponse, (), {}):
            raise ForeignPage


class Holds(BasePermission):
    """The caller holds one of the permissions that the view names for the method (`rights`)."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """A method that the view does not have passes, to be answered 405; one without rights does
        not.
        """
        method = "get" if request.method == "HEAD" else str(request.method).lower()
        device: Any = request.auth
        if device is not None and device.kind == FEED:
            return method in getattr(view, "feeds", ())
        if not isinstance(request.user, Person):
            return False
        if method not in view.http_method_names or not hasattr(view, method):
            return True
        rights: dict[str, tuple[str, ...]] = getattr(view, "rights", {})
        return any(_has_right(request, right) for right in rights.get(method, ()))


def _has_right(request: Request, right: str) -> bool:
    if right == DEAL and request.auth is None:
        return False
    if right == SET_UP and request.auth is not None:
        return False
    return bool(request.user.has_perm(right))


@dataclass(frozen=True, slots=True)
class AccessScope:
    """What a caller reaches: rows of their house, or of all for a person without one; from a device
    those of its table alone.
    """

    person: Person | None
    device: Device | None
    house_id: UUID | None

    @property
    def actor(self) -> UUID:
        """Who commands: the person, or the card feed itself."""
        person, device = self.person, self.device
        if person is not None:
            return person.pk
        if device is None:
            raise SignInRequired
        return device.pk

    @property
    def caller(self) -> UUID:
        """Whose keys the commands come under. A device's are its own, whoever is signed in at it:
        what it sent before a hand-over and repeats after it is still the same command.
        """
        return self.device.pk if self.device is not None else self.actor

    @property
    def table_id(self) -> UUID | None:
        """The one table that is reached, for a device."""
        return self.device.table_id if self.device else None

    @property
    def supervisor(self) -> bool:
        """Whether the person acts for the croupier on duty."""
        return self.person is not None and self.person.has_perm(RUN_FLOOR)

    @property
    def entered(self) -> str:
        """Where a result is entered: at a table's tablet, or in the office."""
        return OFFICE if self.device is None else TABLET

    @property
    def must_deal(self) -> UUID | None:
        """Who must have the table for what is asked: the person themselves, nobody for a
        supervisor."""
        return None if self.supervisor else self.actor

    @property
    def proof_place(self) -> dict[str, Any]:
        """Where a PIN is typed, as `run_signed` has it."""
        if self.device is None:
            return {}
        return {"place": str(self.device.pk), "slowly": is_attended(self.device)}

    def house(self) -> UUID:
        """The house in which a command acts. Raises HouseNeeded."""
        if self.house_id is None:
            raise HouseNeeded
        return self.house_id

    def check_table(self, table_id: UUID | str) -> None:
        """Raise TableUnknown for another table than the device's."""
        if self.device is not None and str(self.device.table_id) != str(table_id):
            raise TableUnknown

    def rows(self, rows: QuerySet[Row], table: str = "", *, jackpot: str = "") -> QuerySet[Row]:
        """Those of the rows that are reached; `table` names their column of the table, where they
        have one, or `jackpot` that of the jackpot: from a device the one that its table is linked
        to.
        """
        if self.house_id is not None:
            rows = rows.filter(house_id=self.house_id)
        if self.device is not None and table:
            rows = rows.filter(**{table: self.table_id})
        if self.device is not None and jackpot:
            linked = Table.objects.filter(pk__in=[self.table_id]).values("jackpot_id")
            rows = rows.filter(**{f"{jackpot}__in": linked})
        return rows


def access_scope_of(request: Request) -> AccessScope:
    """What the caller of a request reaches."""
    device: Any = request.auth
    person = request.user if isinstance(request.user, Person) else None
    house_id = device.house_id if device is not None else person.house_id if person else None
    return AccessScope(person, device, house_id)
