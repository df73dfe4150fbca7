"""The settlement sheet of a session, for paper: how its result comes about, its trays by the piece,
who counted and signed, what came later (RES-1).
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from casino.cage.differences import counted_place
from casino.cage.show import Chip, chips_of
from casino.people.models import Person
from casino.people.pages.page import allowed, page, row_of
from casino.people.permissions import VIEW_COUNT
from casino.records.labels import NOUNS
from payouts.models import Count, CountBack, CountLine
from payouts.models.count import RUNNING
from tables.games import GAMES
from tables.models import Difference, TableSession
from tables.rules.pairs import CLASSES
from tables.selectors.settlements import SettledCount, TableSettlement, settled_counts, settlement


class SheetLine(NamedTuple):
    """A figure (minor units); None: nobody has counted it, or it is not shown yet."""

    label: str
    minor: int | None


class TrayLine(NamedTuple):
    """Pieces of a denomination at the opener and at the closer; None: there was no opener."""

    chip: Chip
    opener: int | None
    closer: int

    @property
    def opener_minor(self) -> int | None:
        """What the opener's pieces are worth."""
        return None if self.opener is None else self.opener * self.chip.value_minor

    @property
    def closer_minor(self) -> int:
        """What the closer's pieces are worth."""
        return self.closer * self.chip.value_minor


class CountedLine(NamedTuple):
    """A signed count in words; `explanation`: its class, or where its difference stands."""

    row: SettledCount
    what: str
    explanation: str


class LateLine(NamedTuple):
    """What came after a count and set its difference back (minor units)."""

    what: str
    at: datetime
    minor: int


@require_GET
def sheet(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The sheet; until the session is closed on a signed closer it says so, with status 404."""
    person = allowed(request, VIEW_COUNT)
    rows = TableSession.objects.select_related("house", "table", "opened_by", "closed_by")
    session = row_of(person, rows, pk)
    settled = settlement(session)
    if settled is not None:
        return _sheet(request, person, session, settled)
    context = {"session": session, "settled": None}
    response = page(request, person, "cage/settlement.html", context, session.house)
    response.status_code = 404
    return response


def _sheet(
    request: HttpRequest, person: Person, session: TableSession, settled: TableSettlement
) -> HttpResponse:
    counts = settled_counts(session)
    blind = settled.dropped_minor is None or _box_runs(session)
    telling, _slash, rounds = settled.coverage.partition("/")
    context = {
        "session": session,
        "settled": settled,
        "game": _(GAMES[settled.game].title),
        "sums": _sums(settled),
        "compared": _compared(settled, blind=blind),
        "beside": _beside(settled, blind=blind),
        "is_blind": blind,
        "is_untold": telling != rounds,
        "coverage": _("%(told)s of %(rounds)s") % {"told": telling, "rounds": rounds},
        "trays": _trays(session, counts),
        "counts": [_counted(row) for row in counts],
        "late": _late(counts),
    }
    return page(request, person, "cage/settlement.html", context, session.house)


def _box_runs(session: TableSession) -> bool:
    """Whether a drop box of the table is counted: nobody is shown what should lie in it (DRP-4)."""
    boxes = Count.objects.filter(place_id=session.table_id, place_kind=Count.Place.DROP)
    return boxes.filter(state__in=RUNNING).exists()


def _sums(settled: TableSettlement) -> list[SheetLine]:
    """What the counted result is the sum of."""
    return [
        SheetLine(_("Drop, counted"), settled.dropped_minor),
        SheetLine(f"+ {_('Closing tray')}", settled.closer_minor),
        SheetLine(f"+ {_('Credits')}", settled.credited_minor),
        SheetLine(f"− {_('Opening tray')}", settled.opener_minor),
        SheetLine(f"− {_('Fills')}", settled.filled_minor),
    ]


def _compared(settled: TableSettlement, *, blind: bool) -> list[SheetLine]:
    """Counted beside recorded. What is recorded says, with the trays, what should lie in a drop box
    that nobody has counted yet.
    """
    return [
        SheetLine(f"= {_('Result, counted')}", settled.counted_minor),
        SheetLine(_("Result, recorded"), None if blind else settled.recorded_minor),
        SheetLine(_("Difference"), None if blind else settled.difference_minor),
    ]


def _beside(settled: TableSettlement, *, blind: bool) -> list[SheetLine]:
    return [
        SheetLine(_("Drop, recorded"), None if blind else settled.sold_minor),
        SheetLine(_("Tips"), settled.tipped_minor),
        SheetLine(_("Set back"), settled.set_back_minor),
    ]


def _trays(session: TableSession, counts: list[SettledCount]) -> list[TrayLine]:
    """By falling value each denomination that was counted at either."""
    entries = {row.count_id: row.entry_id for row in counts}
    opener, closer = (
        entries.get(count) if count else None for count in (session.opener_id, session.closer_id)
    )
    pieces: dict[int | None, dict[int, int]] = {opener: {}, closer: {}}
    for line in CountLine.objects.filter(entry__in=[entry for entry in pieces if entry]):
        pieces[line.entry_id][line.value_minor] = line.pieces
    values = sorted(pieces[opener] | pieces[closer], reverse=True)
    chips: Mapping[int, Chip] = chips_of(session.house, values)
    return [
        TrayLine(
            chips[value],
            opener=None if opener is None else pieces[opener].get(value, 0),
            closer=pieces[closer].get(value, 0),
        )
        for value in values
    ]


def _counted(row: SettledCount) -> CountedLine:
    explanation = ""
    if row.code:
        explanation = _(CLASSES[row.code])
    elif row.state:
        explanation = str(Difference.State(row.state).label)
    return CountedLine(row, counted_place(row.place, row.purpose), explanation)


def _late(counts: list[SettledCount]) -> list[LateLine]:
    rows: Any = CountBack.objects.filter(count__in=[row.count_id for row in counts])
    return [
        LateLine(_(NOUNS[row.subject_kind]), row.at, row.amount_minor)
        for row in rows.order_by("at", "pk")
    ]
