"""The pit's dashboard as it is shown: tiles with the one thing that stands out, jackpots, and what
waits for somebody.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple
from uuid import UUID

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from casino.people.context import HouseClock
from casino.people.models import Person
from casino.people.permissions import RUN_FLOOR
from casino.pit import labels
from casino.pit.board import read
from casino.pit.board.read import Claimed, LiveTable, Panel, Watch
from casino.pit.board.waiting import SEVERITIES
from casino.pit.board.waits import Mark, Waits
from casino.pit.corrections import waiting_notice
from casino.pit.floor import show
from casino.pit.models import ShiftHandOver
from casino.pit.shifts import shift_newest
from casino.text import floor as floor_texts
from casino.text.alerts import ALARM, WARN
from casino.text.formats import format_money
from casino.text.vocabulary import OF_GAMES
from casino.text.wording import guest_name
from jackpot.models import Phase
from payouts.models import House
from tables.selectors.calls import Call, calls_open
from tables.selectors.floor import FloorJackpot
from tables.selectors.stays import time_unpaid

# from so many tables on tiles are smaller on a small screen, and small on any
DENSE_FROM, COMPACT_FROM = 13, 25


class Drawn(NamedTuple):
    """All that a tile shows, and nothing else: two that are equal look the same, in one language
    and zone.

    From `long_s` seconds on since `since` the time stands out: the browser sees to that.
    """

    id: UUID
    name: str
    limits: str
    state: str
    is_open: bool
    has_rounds: bool
    marks: tuple[Mark, ...]
    icon: str
    word: str
    since: datetime | None
    long_s: int | None
    dots: tuple[show.Dot, ...]
    dots_text: str
    held: str
    an_hour: int | None
    result: str
    partial: str
    # at a table where guests play hands with chips
    stacks: bool = False
    variant: str = ""
    rake: str = ""
    unpaid: str = ""
    # of its tray
    counted_at: datetime | None = None
    counting: bool = False

    @property
    def has_jackpot_mark(self) -> bool:
        """Whether its foot says how the jackpot stands: not where its state says so."""
        return bool(self.held) and (self.state != "blocked" or bool(self.marks))


class BoardTile(NamedTuple):
    """A table on the dashboard. `drawn.marks`: the worst first; without one, `drawn.word` says how
    it stands.
    """

    tile: show.Tile
    drawn: Drawn

    @property
    def html(self) -> SafeString:
        """The tile as it is sent. Those that look as they have looked before are not drawn
        again."""
        return _html(self.drawn, get_language() or "", get_current_timezone_name())


# of one or two kilobytes: sixty tables in four languages, and what they showed a while ago
@lru_cache(maxsize=2_048)
def _html(one: Drawn, _language: str, _zone: str) -> SafeString:
    return render_to_string("pit/board/_tile.html", {"one": one})


class Group(NamedTuple):
    """The tables of a pit, or of a game, and in words how many there are and are open."""

    name: str
    tiles: list[BoardTile]
    counted: str


class Totals(NamedTuple):
    """Of the gaming day: open tables, all tables, rounds, result in words, and of which tables it
    is not.
    """

    open: int
    tables: int
    rounds: int
    result: str
    partial: str


class JackpotPanel(NamedTuple):
    """A jackpot of `pit/board/_jackpot.html`, as the floor shows it and with what it waits for, in
    words.
    """

    row: FloorJackpot
    phase: str
    linked: list[str]
    panel: Panel
    confirmed: int
    lit: int
    new: str
    stuck: list[str]
    claims: str
    places: list[str]


class Board(NamedTuple):
    """Everything on the dashboard. `may_run`: the person who looks may act on the floor."""

    house: House
    groups: list[Group]
    by_game: bool
    size: str
    jackpots: list[JackpotPanel]
    waiting: Waits
    totals: Totals
    audit: Watch
    shift: ShiftHandOver | None
    here: HouseClock
    may_run: bool


def board(house: House, person: Person, *, by_game: bool = False) -> Board:
    """A fixed number of statements however many tables there are."""
    floor = show.floor(house)
    tiles = [tile for _pit, row in floor.pits for tile in row]
    live = read.live_tables(house_id=house.pk)
    calls = calls_open([tile.table.session_id for tile in tiles if tile.table.session_id])
    watched = read.watch()
    jackpots = {one.row.id: one.row for one in floor.jackpots}
    waiting = Waits(house, person, tiles, jackpots, calls, watched)
    unpaid = time_unpaid(house_id=house.pk)
    shown = [
        _tile(house, tile, live[tile.table.id], calls, waiting, unpaid=unpaid) for tile in tiles
    ]
    return Board(
        house,
        _groups(shown, by_game=by_game),
        by_game,
        "compact" if len(shown) >= COMPACT_FROM else "dense" if len(shown) >= DENSE_FROM else "",
        jackpots_drawn(house, floor.jackpots, read.panels(house_id=house.pk)),
        waiting,
        _totals(house, floor),
        watched,
        shift_newest(house_id=house.pk),
        HouseClock.at(house),
        person.has_perm(RUN_FLOOR),
    )


ICONS = {
    "open": "ring",
    "running": "lock",
    "blocked": "coins",
    "day_over": "warn",
    "closed_day": "day",
    "closed": "ring",
}


def _tile(
    house: House,
    tile: show.Tile,
    live: LiveTable,
    calls: Mapping[UUID, Call],
    waiting: Waits,
    *,
    unpaid: Mapping[UUID, int],
) -> BoardTile:
    table = tile.table
    unpaid_minor = unpaid.get(table.session_id, 0) if table.session_id else 0
    marks = _marks(tile, live, calls, waiting)
    drawn = Drawn(
        id=table.id,
        name=table.name,
        limits=tile.limits,
        state=tile.state,
        is_open=table.session_id is not None,
        has_rounds=table.rounds > 0,
        marks=tuple(sorted(marks, key=lambda one: SEVERITIES.index(one.severity))),
        icon="chip" if table.counting else ICONS[tile.state],
        word=_word(tile, live),
        since=live.hand_since or live.since,
        long_s=_long(tile),
        dots=tuple(tile.dots),
        dots_text=tile.dots_text,
        held=tile.held,
        an_hour=live.an_hour,
        result="–" if table.result_minor is None else _signed(house, table.result_minor),
        partial=tile.partial,
        stacks=tile.stacks,
        variant=floor_texts.say(OF_GAMES["variant"], live.variant) if live.variant else "",
        rake=_rake(house, tile, live),
        unpaid=_short(house, unpaid_minor) if unpaid_minor else "",
        counted_at=table.counted_at,
        counting=table.counting,
    )
    return BoardTile(tile, drawn)


def _rake(house: House, tile: show.Tile, live: LiveTable) -> str:
    """What was taken out of its pots; nothing while the tray is counted."""
    if not tile.stacks or live.rake_minor is None or tile.table.counting:
        return ""
    return _short(house, live.rake_minor)


def _word(tile: show.Tile, live: LiveTable) -> str:
    if tile.table.counting:
        return _("Tray being counted")
    return _("Hand runs") if live.hand_since else tile.word


def _long(tile: show.Tile) -> int | None:
    """From how many seconds on it stands as it does for longer than usual; a table without guests,
    or that is on hold, stands as long as it may.
    """
    table = tile.table
    if table.round_id:
        return table.long_s
    plays = len(table.occupied) >= tile.players_least
    return table.idle_s if table.session_id and plays and tile.state != "blocked" else None


def _marks(
    tile: show.Tile, live: LiveTable, calls: Mapping[UUID, Call], waiting: Waits
) -> Iterable[Mark]:
    table, since = tile.table, live.since
    call = calls.get(table.session_id) if table.session_id else None
    if call:
        yield Mark(WARN if call.taken_at else ALARM, "bell", call.reason_text, call.at)
    if asked := waiting.at["approvals"].get(table.id):
        yield Mark("appr", "code", _("To be signed"), asked)
    if table.session_id and live.silent:
        yield Mark(WARN, "offline", _("Offline"), live.tablet_at)
    if came := waiting.at["clarify"].get(table.id):
        yield Mark(WARN, "warn", _("To be clarified"), came)
    yield from waiting.told.get(table.id, ())
    if tile.late:
        yield Mark(WARN, "clock", _("takes long"), since)
    if tile.state == "day_over":
        yield Mark(WARN, "warn", tile.word, since)


def _signed(house: House, amount_minor: int) -> str:
    """A result without currency and hundredths, with its sign."""
    text = _short(house, amount_minor)
    return f"+{text}" if amount_minor > 0 else text


def _short(house: House, amount_minor: int) -> str:
    """An amount without currency, and without hundredths when it has none."""
    text = format_money(amount_minor, "", house.locale)
    return text[:-3] if text.endswith((".00", ",00")) else text


def _groups(shown: list[BoardTile], *, by_game: bool) -> list[Group]:
    """By pit in the order of the pits, or by game in that of its first table; within, places never
    change.
    """
    if not by_game:
        return [
            _group(name, list(row))
            for (_pk, name), row in groupby(
                shown, key=lambda one: (one.tile.table.pit_id, one.tile.table.pit)
            )
        ]
    games: dict[str, list[BoardTile]] = {}
    for one in shown:
        games.setdefault(one.tile.game, []).append(one)
    return [_group(name, row) for name, row in games.items()]


def _group(name: str, tiles: list[BoardTile]) -> Group:
    count = ngettext("%(count)s table", "%(count)s tables", len(tiles)) % {"count": len(tiles)}
    opened = sum(1 for one in tiles if one.tile.table.session_id)
    return Group(name, tiles, f"{count} · " + _("%(count)s open") % {"count": opened})


def _totals(house: House, floor: show.Floor) -> Totals:
    tables = [tile.table for _pit, row in floor.pits for tile in row]
    results = [table.result_minor for table in tables if table.result_minor is not None]
    result = _signed(house, sum(results)) if results else "–"
    counting = sum(table.counting for table in tables)
    partial = ngettext(
        "without %(count)s table whose tray is counted",
        "without %(count)s tables whose trays are counted",
        counting,
    )
    return Totals(
        open=floor.open_tables,
        tables=floor.tables,
        rounds=sum(table.rounds for table in tables),
        result=result,
        partial=partial % {"count": counting} if counting else "",
    )


def jackpots_drawn(
    house: House, jackpots: Iterable[show.LinkedJackpot], panels: Mapping[UUID, Panel]
) -> list[JackpotPanel]:
    """What the board shows of each jackpot."""
    found = []
    for row, phase, linked in jackpots:
        panel = panels[row.id]
        inner = panel.kept_phase or row.phase
        count = len(panel.claims)
        claims = ngettext(
            "%(count)s claim is to be looked at.", "%(count)s claims are to be looked at.", count
        )
        found.append(
            JackpotPanel(
                row,
                phase
                + (f" · {labels.phase(inner)}" if panel.kept_phase not in ("", Phase.OPEN) else ""),
                linked,
                panel,
                confirmed=panel.gate_displays - len(panel.unconfirmed),
                lit=panel.shows - len(panel.dark) - len(panel.new),
                new=", ".join(panel.new),
                stuck=_stuck(house, row, panel),
                claims=claims % {"count": count},
                places=[_place(one) for one in panel.claims],
            )
        )
    return found


def _place(one: Claimed) -> str:
    """Where a claim is to be looked at, and who is there."""
    box = (
        _("%(table)s, Box %(box)s") % {"table": one.table, "box": one.box} if one.box else one.table
    )
    return " · ".join(
        part for part in (box, guest_name(one.guest) if one.guest else "", one.croupier) if part
    )


def _stuck(house: House, row: FloorJackpot, panel: Panel) -> list[str]:
    """Why a jackpot does not go on by itself, in the control room's words: below zero, a correction
    that waits, no true claim, a payment turned down.
    """
    found = []
    if row.sum_minor < 0:
        found.append(floor_texts.below_zero(-row.sum_minor, house))
    found += [waiting_notice(*one) for one in panel.corrections]
    if panel.untrue and not panel.corrections:
        found.append(_(floor_texts.UNTRUE))
    elif panel.turned_down:
        found.append(floor_texts.turned_down(*panel.turned_down))
    return found
