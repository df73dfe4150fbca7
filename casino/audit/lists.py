"""What the desk finds, kind by kind: each a page of rows in a fixed order and the cursor of the
next; indexes lead to all.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.core import signing
from django.db import connection, transaction
from django.db.models import Q
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.audit import found as audit_found
from casino.audit.found import Found
from casino.audit.hands import hands
from casino.audit.rounds import rounds
from casino.audit.search import Asked
from casino.devices.models import Device
from casino.people.models import Person
from casino.records import labels
from jackpot.models import Award, Hit
from payouts.errors import mark
from payouts.models import House, PostedTable
from tables.models import Hand, Round, Table

PAGE, FEW = 50, 5
TIMEOUT_MS = 5_000  # of one list: a wider question is for a report
_SALT = "audit.cursor."


class Kind(NamedTuple):
    """One kind of record: by which filters it is found; `bare`: whether it is listed where nothing
    was asked for.
    """

    code: str
    rows: Callable[[Asked, Sequence[Any], int], list[Found]]
    answers: frozenset[str]
    bare: bool = True


class Listed(NamedTuple):
    """A page of one kind. `after`: the cursor of the next, empty at the end."""

    kind: str
    title: str
    rows: list[Found]
    after: str


class Passed(NamedTuple):
    """A kind that was not looked through, and by what of what was given it cannot be searched."""

    kind: str
    title: str
    fields: list[str]


def passed(asked: Asked) -> list[Passed]:
    """The kinds that cannot answer what was asked, of the one that was chosen or of all; nobody is
    to take that for nothing.
    """
    kinds = [one for one in KINDS if one.code == asked.kind] or list(KINDS)
    missing = [(one, sorted(_unanswered(one, asked), key=list(FIELDS).index)) for one in kinds]
    return [
        Passed(one.code, labels.kind(one.code), [_(FIELDS[name]) for name in names])
        for one, names in missing
        if names
    ]


def search(asked: Asked, cursor: str = "") -> list[Listed]:
    """A page of the kind that was asked for, or some rows of each kind that can answer. Raises
    Http404 for a bad cursor.

    An id that no record has (`record_of`) finds nothing, whatever else was said.
    """
    if asked.ident:
        return []
    kinds = [one for one in KINDS if one.code == asked.kind] or [
        one for one in KINDS if _answers(one, asked)
    ]
    limit = PAGE if len(kinds) == 1 else FEW
    place = _place(kinds[0].code, cursor) if cursor and len(kinds) == 1 else []
    with transaction.atomic(), connection.cursor() as link:
        link.execute(f"SET LOCAL statement_timeout = {TIMEOUT_MS}")
        found = [
            _listed(one, asked, place, limit)
            for one in kinds
            if asked.kind != one.code or _answers(one, asked)
        ]
    return [one for one in found if one.rows or len(kinds) == 1]


def record_of(asked: Asked) -> str:
    """The address of the record that has the id; empty where none of the house has."""
    here = {"house": asked.house, "pk": asked.ident}
    if asked.ident and (
        award := Award.objects.filter(
            Q(pk=asked.ident) | Q(slip=asked.ident), house=asked.house
        ).first()
    ):
        return audit_found.slip_page(award)
    for model, page in _PAGES if asked.ident else ():
        if model.objects.filter(**here).exists():
            return reverse(page, args=[asked.ident])
    return ""


def _answers(kind: Kind, asked: Asked) -> bool:
    return not _unanswered(kind, asked) and (
        bool(asked.given) or kind.bare or asked.kind == kind.code
    )


def _unanswered(kind: Kind, asked: Asked) -> frozenset[str]:
    """What was given and the kind is not found by. A name that somebody has is asked of what people
    do, too.
    """
    answers = kind.answers | ({"name"} if asked.people and "person" in kind.answers else set())
    return asked.given - {"ident"} - answers


def _listed(kind: Kind, asked: Asked, place: Sequence[Any], limit: int) -> Listed:
    rows = kind.rows(asked, place, limit + 1)
    more = (
        signing.dumps(list(rows[limit - 1].place), salt=_SALT + kind.code)
        if len(rows) > limit
        else ""
    )
    return Listed(kind.code, labels.kind(kind.code), rows[:limit], more)


def _place(code: str, cursor: str) -> Sequence[Any]:
    try:
        place: list[Any] = signing.loads(cursor, salt=_SALT + code)
    except signing.BadSignature as error:
        raise Http404 from error
    return place


_DATED = frozenset({"days", "at", "table", "amount_minor", "number", "person"})
KINDS = (
    Kind("rounds", rounds, _DATED),
    Kind("hands", hands, _DATED),
    Kind("hits", audit_found.hits, _DATED),
    Kind("slips", audit_found.slips, _DATED | {"slip"}),
    Kind("transfers", audit_found.transfers, _DATED),
    Kind(
        "accounts", audit_found.accounts, frozenset({"table", "number", "amount_minor"}), bare=False
    ),
    Kind("acts", audit_found.asked_acts, frozenset({"days", "at", "person"})),
    Kind("people", audit_found.people, frozenset({"name", "person"}), bare=False),
    Kind("devices", audit_found.devices, frozenset({"name", "table", "person"}), bare=False),
    Kind("posted", audit_found.posted, frozenset({"name", "number", "person"}), bare=False),
)
FIELDS = {
    "table": mark("Table"),
    "person": mark("Person"),
    "days": mark("Gaming day"),
    "at": mark("Time"),
    "number": mark("No."),
    "slip": mark("Slip"),
    "amount_minor": mark("Amount"),
    "name": mark("Name"),
}
_PAGES: tuple[tuple[Any, str], ...] = (
    (Round, "audit-round"),
    (Hand, "audit-hand"),
    (Hit, "audit-hit"),
    (Device, "audit-device"),
    (PostedTable, "audit-posted"),
    (Person, "audit-person"),
)


def tables_of(house: House) -> list[tuple[UUID, str]]:
    """The house's tables, to choose from."""
    return list(
        Table.objects.filter(house=house).order_by("position", "name").values_list("pk", "name")
    )
