"""The floor as it is shown: a tile for each table, from what the selectors read."""

from collections.abc import Container, Mapping
from dataclasses import replace
from datetime import date, datetime
from itertools import groupby
from typing import Any, NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.text import floor as floor_texts
from casino.text.formats import format_money, range_text
from jackpot.models.states import QUIET, Phase
from payouts.models import House, PostedTable
from payouts.rules.rulesets.calendar import HouseCalendar, closed_days
from tables.games import GAMES
from tables.kinds import KINDS
from tables.selectors.floor import (
    FloorJackpot,
    FloorTable,
    floor_jackpots,
    floor_tables,
    posted_for,
)

COMPACT_FROM = 25  # more tables than this stand in smaller tiles


class Dot(NamedTuple):
    """One box of a table: `empty`, `occupied` or `coin`."""

    box: int
    state: str


class Tile(NamedTuple):
    """One table as it is shown. `result` is None where nothing was entered that says one; `late`:
    its round takes long.

    `held`: in which phase its jackpot is while that is not open; in state `blocked` no round may
    begin.
    """

    table: FloorTable
    game: str
    state: str
    word: str
    running: str
    limits: str
    level: str
    late: bool
    result: str | None
    partial: str
    dots: list[Dot]
    dots_text: str
    jackpot: FloorJackpot | None
    held: str
    stacks: bool
    players_least: int


def tiles(
    house: House,
    tables: list[FloorTable],
    jackpots: Mapping[Any, FloorJackpot],
    silent: Container[UUID] = (),
) -> list[Tile]:
    """The tables as tiles, in their order; open ones of `silent` in that state. One statement, for
    limits and calendars.
    """
    kinds = {"calendar", *(game.sign_kind for game in GAMES.values())}
    posted = _Posted(house, posted_for(tables, house_id=house.pk, kinds=tuple(sorted(kinds))))
    return [
        _tile(house, one, posted, jackpots.get(one.jackpot_id), silent=one.id in silent)
        for one in tables
    ]


class LinkedJackpot(NamedTuple):
    """A jackpot, its phase in words, and the names of its tables."""

    row: FloorJackpot
    phase: str
    linked: list[str]


class Floor(NamedTuple):
    """The whole floor by pit, its jackpots, and the moment that all of it was read at (None without
    a table).

    `held`: a jackpot is in a phase in which somebody has something to do.
    """

    pits: list[tuple[str, list[Tile]]]
    jackpots: list[LinkedJackpot]
    held: bool
    compact: bool
    now: datetime | None
    open_tables: int
    tables: int


def floor(house: House, silent: Container[UUID] = ()) -> Floor:
    """Three statements."""
    tables, jackpots = floor_tables(house_id=house.pk), floor_jackpots(house_id=house.pk)
    shown = tiles(house, tables, jackpots, silent)
    pits = [
        (name, list(found))
        for (_pk, name), found in groupby(
            shown, key=lambda tile: (tile.table.pit_id, tile.table.pit)
        )
    ]
    linked = {
        pk: [tile.table.name for tile in shown if tile.table.jackpot_id == pk] for pk in jackpots
    }
    return Floor(
        pits,
        [
            LinkedJackpot(one, floor_texts.say(Phase, one.phase), linked[pk])
            for pk, one in jackpots.items()
        ],
        held=any(one.phase not in QUIET for one in jackpots.values()),
        compact=len(shown) >= COMPACT_FROM,
        now=tables[0].now if tables else None,
        open_tables=sum(1 for tile in shown if tile.table.session_id),
        tables=len(shown),
    )


def clock(seconds: int | None) -> str:
    """Minutes and seconds: 1:05; from an hour on 1:00:05."""
    if seconds is None:
        return ""
    minutes, rest = divmod(max(0, seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def _tile(
    house: House,
    table: FloorTable,
    posted: "_Posted",
    jackpot: FloorJackpot | None,
    *,
    silent: bool,
) -> Tile:
    table = replace(table, boxes=posted.places(table))
    state = "silent" if silent and table.session_id else _state(table, posted, jackpot)
    result = None
    if table.result_minor is not None:
        result = format_money(table.result_minor, house.currency, house.locale)
    dots = (
        [Dot(box, _dot(table, box)) for box in range(1, table.boxes + 1)]
        if table.session_id
        else []
    )
    return Tile(
        table=table,
        game=_(GAMES[table.game].title) if table.game in GAMES else table.game,
        state=state,
        word=_(floor_texts.TABLE_STATES[state]),
        running=clock(table.running_s),
        late=table.running_s is not None
        and table.long_s is not None
        and table.running_s > table.long_s,
        limits=posted.limits(table),
        level=floor_texts.level(table.entry_level or ""),
        result=result,
        partial=_partial(table),
        dots=dots,
        dots_text=_dots_text(table),
        jackpot=jackpot,
        held=(
            floor_texts.say(Phase, jackpot.phase) if jackpot and jackpot.phase != Phase.OPEN else ""
        ),
        stacks=_stacks(table),
        players_least=GAMES[table.game].players_least if table.game in GAMES else 1,
    )


def _partial(table: FloorTable) -> str:
    """Of what the result is, where it is not of all rounds; or why there is none."""
    if table.counting:
        return _("while the tray is counted")
    if not 0 < table.told < table.rounds:
        return ""
    return _("from %(told)s of %(rounds)s rounds") % {"told": table.told, "rounds": table.rounds}


def _stacks(table: FloorTable) -> bool:
    """Whether guests play hands there, with chips at their seats."""
    return table.game in GAMES and GAMES[table.game].stacks


def _state(table: FloorTable, posted: "_Posted", jackpot: FloorJackpot | None) -> str:
    if table.round_id:
        return "running"
    if table.session_id:
        if table.opened_for != table.day:
            return "day_over"
        return "blocked" if jackpot and not jackpot.takes_rounds else "open"
    return "closed_day" if posted.is_closed_day(table) else "closed"


class _Posted:
    """What posted versions say of tables, each version read once however many tables it counts
    at."""

    def __init__(self, house: House, rows: Mapping[str, PostedTable]) -> None:
        self.house, self.rows = house, rows
        self.sign_of: dict[tuple[UUID, str], tuple[str, int]] = {}
        self.closed_of: dict[tuple[UUID, date], bool] = {}

    def limits(self, table: FloorTable) -> str:
        """What its sign says, without the currency: the page names it once."""
        return self._sign(table)[0]

    def places(self, table: FloorTable) -> int:
        """How many of its boxes or seats are played."""
        return min(table.boxes, self._sign(table)[1])

    def _sign(self, table: FloorTable) -> tuple[str, int]:
        game = GAMES.get(table.game)
        if game is None:
            return "", table.boxes
        kind = game.sign_kind
        row = self.rows.get(table.versions.get(kind, "")) or self.rows.get(
            f"{kind}:{table.posted.get(kind)}"
        )
        if row is None:
            return "", table.boxes
        key = row.pk, game.code
        if key not in self.sign_of:
            posted = KINDS[kind].read(row.data)
            low, high = game.sign(posted)
            greatest = None if high is None else _short(high, self.house)
            limits = range_text(_short(low, self.house), greatest)
            self.sign_of[key] = limits, game.places_at(posted)
        return self.sign_of[key]

    def is_closed_day(self, table: FloorTable) -> bool:
        """Whether the table's calendar has the house closed today."""
        row = self.rows.get(f"calendar:{table.posted.get('calendar')}")
        if row is None:
            return False
        if (row.pk, table.day) not in self.closed_of:
            days = closed_days(HouseCalendar.from_data(row.data), table.day.year)
            self.closed_of[row.pk, table.day] = table.day in days
        return self.closed_of[row.pk, table.day]


def _short(amount_minor: int, house: House) -> str:
    """An amount without currency, and without hundredths when it has none."""
    figure = format_money(amount_minor, "", house.locale)
    return figure[:-3] if figure.endswith((".00", ",00")) else figure


def _dot(table: FloorTable, box: int) -> str:
    if box in table.coins:
        return "coin"
    return "occupied" if box in table.occupied else "empty"


def _dots_text(table: FloorTable) -> str:
    """What the dots say, for who does not see them."""
    if not table.session_id:
        return ""
    taken = len(table.occupied)
    if _stacks(table):
        words = ngettext(
            "%(taken)s of %(boxes)s seat taken", "%(taken)s of %(boxes)s seats taken", table.boxes
        )
    else:
        words = ngettext(
            "%(taken)s of %(boxes)s box occupied",
            "%(taken)s of %(boxes)s boxes occupied",
            table.boxes,
        )
    words %= {"taken": taken, "boxes": table.boxes}
    if table.coins:
        words += ", " + _("coin on: %(boxes)s") % {"boxes": floor_texts.box_list(table.coins)}
    return words
