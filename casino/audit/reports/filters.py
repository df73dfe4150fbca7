"""What somebody asks of a report, read from an address; what cannot be is refused, with what to do
about it.
"""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from django.utils.text import capfirst
from django.utils.translation import gettext

from casino.audit.reports.errors import (
    FilterNotTaken,
    FilterUnknown,
    RangeTooLong,
    RangeWrong,
)
from casino.audit.reports.shape import Kind, Query
from casino.people.models import Person
from casino.text.floor import colon
from casino.text.formats import digits_of
from casino.text.typed import day_of, minor_typed
from casino.text.vocabulary import TABLES, TITLES
from payouts.errors import mark
from payouts.models import House, PostedState, PostedTable
from tables.games import GAMES
from tables.models import Table

FIELDS = {
    "table": mark("Table"),
    "game": mark("Game"),
    "croupier": mark("Croupier"),
    "version": mark("Version"),
    "person": mark("Person"),
    "by": mark("Lines by"),
    "least": mark("From an amount of"),
}
SPANS = {
    "hour": mark("Hour"),
    "day": mark("Day"),
    "month": mark("Month"),
    "game": mark("Game"),
}
POSTED = TITLES | TABLES
LEAST = 1000  # whole units of the currency, where nobody says another amount


def query_of(kind: Kind, house: House, asked: Mapping[str, str], today: date) -> Query:
    """The query that an address asks for; without days, of `today`.

    Raises RangeWrong, RangeTooLong, FilterUnknown, FilterNotTaken, AmountRefused.
    """
    first, last = _days(kind, asked, today)
    zone, change = ZoneInfo(house.time_zone), house.gaming_day_change
    for field in FIELDS:
        if asked.get(field, "").strip() and field not in kind.takes:
            raise FilterNotTaken(field=field)
    return Query(
        house_id=house.pk,
        first=first,
        last=last,
        since=datetime.combine(first, change, zone),
        until=datetime.combine(last + timedelta(days=1), change, zone),
        table=_found("table", asked, Table.objects.filter(house=house)),
        croupier=_found("croupier", asked, Person.objects.filter(house=house)),
        version=_found("version", asked, PostedTable.objects.filter(house=house)),
        person=_found("person", asked, Person.objects.filter(house=house)),
        game=_game(asked),
        by=_span(kind, asked),
        least_minor=_least(kind, house, asked),
    )


def _days(kind: Kind, asked: Mapping[str, str], today: date) -> tuple[date, date]:
    texts = [asked.get(name, "").strip() for name in ("from", "to")]
    if not any(texts):
        return today, today
    first, last = (day_of(text) for text in texts)
    if first is None or last is None or first > last:
        raise RangeWrong(first=texts[0][:20] or "–", last=texts[1][:20] or "–")
    days = (last - first).days + 1
    if days > kind.days_most:
        raise RangeTooLong(most=kind.days_most, days=days)
    return first, last


def _found(field: str, asked: Mapping[str, str], rows: Any) -> UUID | None:
    """The id that a filter names, if the house has a row of it."""
    text = asked.get(field, "").strip()
    if not text:
        return None
    try:
        pk = UUID(text)
    except ValueError:
        pk = None
    if pk is None or not rows.filter(pk=pk).exists():
        raise FilterUnknown(field=field, text=text[:40])
    return pk


def _game(asked: Mapping[str, str]) -> str | None:
    game = asked.get("game", "").strip()
    if game and game not in GAMES:
        raise FilterUnknown(field="game", text=game[:40])
    return game or None


def _span(kind: Kind, asked: Mapping[str, str]) -> str | None:
    if "by" not in kind.takes:
        return None
    span = asked.get("by", "").strip() or "day"
    if span not in SPANS:
        raise FilterUnknown(field="by", text=span[:40])
    return span


def _least(kind: Kind, house: House, asked: Mapping[str, str]) -> int | None:
    """The least amount in minor units, however its thousands and decimals are written."""
    if "least" not in kind.takes:
        return None
    text = asked.get("least", "").strip()
    return minor_typed(text, house) if text else LEAST * int(10 ** digits_of(house.currency))


class Choice(NamedTuple):
    """One choice of a filter: its value and what it is called."""

    value: str
    name: str


def choices(kind: Kind, house: House) -> dict[str, list[Choice]]:
    """By filter of the report what the house has to choose from. A statement for each of them."""
    found: dict[str, list[Choice]] = {}
    if "table" in kind.takes:
        rows = (
            Table.objects.filter(house=house).order_by("position", "name").values_list("pk", "name")
        )
        found["table"] = [Choice(str(pk), name) for pk, name in rows]
    if "game" in kind.takes:
        played = set(Table.objects.filter(house=house).values_list("game", flat=True))
        found["game"] = [
            Choice(code, gettext(game.title)) for code, game in GAMES.items() if code in played
        ]
    if "croupier" in kind.takes:
        people = Person.objects.filter(house=house, roles__contains=["croupier"]).values_list(
            "pk", "full_name"
        )
        found["croupier"] = [Choice(str(pk), name) for pk, name in people]
    if "person" in kind.takes:
        everybody = (
            Person.objects.filter(house=house).order_by("full_name").values_list("pk", "full_name")
        )
        found["person"] = [Choice(str(pk), name) for pk, name in everybody]
    if "version" in kind.takes:
        approved = PostedTable.objects.filter(house=house, state=PostedState.APPROVED)
        versions = approved.order_by("kind", "name", "-version")
        found["version"] = [Choice(str(row.pk), _version(row)) for row in versions.defer("data")]
    return found


def names(query: Query) -> dict[str, str]:
    """What the filters of a query that are ids stand for."""
    told: dict[str, str] = {}
    if query.table:
        told["table"] = Table.objects.get(pk=query.table).name
    if query.game:
        told["game"] = gettext(GAMES[query.game].title)
    if query.croupier:
        told["croupier"] = Person.objects.get(pk=query.croupier).full_name
    if query.person:
        told["person"] = Person.objects.get(pk=query.person).full_name
    if query.version:
        told["version"] = _version(PostedTable.objects.defer("data").get(pk=query.version))
    return told


def _version(row: PostedTable) -> str:
    """A version of what is posted: of what kind, its name and number."""
    words = {"name": row.name, "version": row.version}
    kind = capfirst(gettext(POSTED[row.kind])) if row.kind in POSTED else row.kind
    return colon(kind, gettext("%(name)s, version %(version)s") % words)
