"""The trays of an evening, counted as people count them: the croupier at the tablet by PIN, and the
pit boss who looks on and signs beside.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from casino.simulate.books.chips import (
    CLOSER,
    OPENER,
    BookedCount,
    Pieces,
    TrayBook,
    TrayMoves,
    change,
    into_tray_by_rows,
    worth,
)
from casino.simulate.books.rules import NotPlayable, Posted
from casino.simulate.clients import Client, Refused
from casino.simulate.counting.amiss import FELL, MISCOUNTED, OVERLOOKED
from casino.simulate.people import BOSS, MANAGER, PINS, Person

UNCOUNTED, FROZEN = "table.not_counted", "table.being_counted"
RUNS = "count.running"
RUNNING = ("begun", "entered", "again")
ENTRIES_MOST = 2  # one that is far from the books is counted again, once
STACK = 20
CHIPS, RULES, FLOAT = "chip_set", "cage_rules", "tray_float"
COUNTED_BY = (CHIPS, RULES, FLOAT)
Row = Mapping[str, Any]


class Counters(NamedTuple):
    """Who counts, and who signs beside them: each with the client that they do it at. `named`: the
    witness at a tablet, where somebody else is signed in.
    """

    counter: Client
    counter_pin: str
    witness: Client
    witness_pin: str
    named: str = ""


def at_tablet(client: Client, croupier: str) -> Counters:
    """A croupier and the pit boss, at the tablet of the table."""
    return Counters(client, PINS[croupier], client, PINS[BOSS], named=BOSS)


def at_office(boss: Person, manager: Person) -> Counters:
    """Where nobody deals: pit boss and manager, each at their own desk."""
    return Counters(boss.client, PINS[BOSS], manager.client, PINS[MANAGER])


class Tray:
    """The tray of a table with our book of it. `croupier`: who has the table; `rows`: its counts as
    the house gives them.
    """

    def __init__(self, row: Row, posted: Posted, boss: Person) -> None:
        self.row, self.posted, self.boss = row, posted, boss
        self.name = str(row["name"])
        self.kinds: tuple[str, ...] = ()  # of mistakes
        self.book = TrayBook(TrayMoves)
        self.rows: list[Row] = []
        self.rules: Row = {}
        self.counters: Callable[[], Counters]

    def played(self, rounds: Callable[[], TrayMoves], counters: Callable[[], Counters]) -> None:
        """From now on it is played at its table: what its rounds move, and who counts there."""
        self.book.rounds, self.counters = rounds, counters

    def open(self, counters: Counters, kinds: tuple[str, ...] = ()) -> None:
        """Count it before its table opens: as it was left, or else the chips of its float. Raises
        Refused, NotPlayable.
        """
        self.kinds = kinds
        try:
            begun = begin(counters, self.row, OPENER)
        except Refused as refused:
            if refused.code != RUNS:
                raise
            give_up(self.boss, self.row)  # one of an evening that was killed
            begun = begin(counters, self.row, OPENER)
        newest = last_counted(self.boss, self.row)
        day = begun["gaming_day"]
        self.rules = self.posted.on_day(RULES, self.row["posted"][RULES], day)
        minor = worth(newest["entries"][-1]["lines"]) if newest else self._float(day)
        fell = self._few(minor, day) if FELL in kinds else 0
        self.book.begin(minor, fell)
        if fell:
            self._amiss(counters, FELL)
        self._count(counters, begun)

    def count(self, purpose: str) -> None:
        """Count what lies there. Raises Refused, NotPlayable."""
        counters = self.counters()
        begun = begin(counters, self.row, purpose)
        first = self._overlooked(begun) if purpose == CLOSER else None
        if first:
            self._amiss(counters, OVERLOOKED)
        if purpose != CLOSER and len(self.rows) == 1 and MISCOUNTED in self.kinds:
            few = self._few(self.book.lies, begun["gaming_day"])
            self._amiss(counters, MISCOUNTED)
            self._count(counters, begun, missing=few)
            self.book.amiss.append(MISCOUNTED)  # the next count shows the other half
        else:
            self._count(counters, begun, first=first)

    def _count(
        self, counters: Counters, begun: Row, missing: int = 0, first: Pieces | None = None
    ) -> None:
        lines = change(self.book.lies - missing, self._values(begun["gaming_day"]))
        signed = enter(counters, begun, first or lines, lines)
        self.rows.append(signed)
        over = worth(first) if first else None
        self.book.count(begun["id"], begun["purpose"], worth(lines), over)

    def _overlooked(self, begun: Row) -> Pieces | None:
        """What is counted at first, where a stack is overlooked that is too much not to be counted
        again.
        """
        if OVERLOOKED not in self.kinds:
            return None
        lines = change(self.book.lies, self._values(begun["gaming_day"]))
        for line in reversed(lines):
            if line["pieces"] >= STACK:
                line["pieces"] -= STACK
                value = STACK * line["value_minor"]
                return lines if value >= 2 * self.rules["count_again_from_minor"] else None
        return None

    def _amiss(self, counters: Counters, kind: str) -> None:
        self.book.amiss.append(kind)
        happens(counters.counter, kind)

    def _few(self, minor: int, day: str) -> int:
        """A few pieces of one denomination, worth enough to be explained, and too little to be
        counted again; 0 where there are none such.
        """
        least = int(self.rules["explain_from_minor"])
        most = int(self.rules["count_again_from_minor"])
        for value in sorted(self._values(day), reverse=True):
            few = -(-least // value) * value
            if few < most and few <= minor:
                return few
        return 0

    def _values(self, day: str) -> list[int]:
        return values_of(self.posted, self.row, day)

    def _float(self, day: str) -> int:
        name = self.row["posted"].get(FLOAT)
        if name is None:
            raise NotPlayable(f"{self.name} was never counted, and names no float.")
        return worth(self.posted.on_day(FLOAT, name, day)["lines"])

    def expected(self, counted: BookedCount) -> int:
        """How often it must have been entered."""
        first = counted.value if counted.first is None else counted.first
        is_far = abs(first - counted.recorded) >= int(self.rules["count_again_from_minor"])
        return ENTRIES_MOST if is_far else 1


def happens(client: Client, kind: str) -> None:
    """Somebody does something amiss."""
    client.tally.count(f"amiss: {kind}")


def is_counted(row: Row, posted: Posted) -> bool:
    """Whether a table opens and closes on its counts alone. Raises NotPlayable."""
    name = row["posted"].get(RULES)
    return bool(name and posted.released_last(RULES, name)["counts_required"])


def values_of(posted: Posted, row: Row, day: str) -> list[int]:
    """The denominations of a table's chips, in minor units. Raises NotPlayable."""
    chips = posted.on_day(CHIPS, row["posted"][CHIPS], day)
    return [chip["value_minor"] for chip in chips["denominations"]]


def begin(counters: Counters, row: Row, purpose: str) -> Row:
    """From now on nothing moves the tray. Raises Refused."""
    begun: Row = counters.counter.post(f"tables/{row['id']}/counts/", {"purpose": purpose})
    return begun


def enter(counters: Counters, begun: Row, first: Pieces, lines: Pieces) -> Row:
    """One enters what was counted, the other signs it; where it is to be counted again they do.
    Gives the count as it is signed. Raises Refused.
    """
    where = f"counts/{begun['id']}/"
    signed: Row = begun
    for number in range(1, ENTRIES_MOST + 1):
        entered = {"lines": first if number == 1 else lines, "secret": counters.counter_pin}
        counters.counter.post(f"{where}enter/", entered)
        seen = {"entry": number, "ok": True, "person": None, "username": counters.named}
        signed = counters.witness.post(f"{where}witness/", seen | {"secret": counters.witness_pin})
        if signed["state"] == "signed":
            break
    counters.counter.tally.count("counts of trays")
    return signed


def give_up(boss: Person, row: Row) -> None:
    """End the count of a tray that somebody has begun and left. Raises Refused."""
    for state in RUNNING:
        for count in boss.client.every("counts/", table=row["id"], state=state):
            if count["place_kind"] == "tray":
                boss.post(f"counts/{count['id']}/give-up/")


def last_counted(boss: Person, row: Row) -> Row | None:
    """The newest count of a tray that both have signed. Raises Refused, Unreachable."""
    counts = boss.client.every("counts/", table=row["id"], state="signed")
    return next((count for count in counts if count["place_kind"] == "tray"), None)


def close_by_books(boss: Person, manager: Person, row: Row, lies: int | None = None) -> None:
    """Count the closer of an open table at which nobody is left who knows what lies in its tray: as
    its last count and the rounds since then say, if not `lies` (minor units). Raises Refused,
    NotPlayable.
    """
    give_up(boss, row)
    minor = _by_rounds(boss, row) if lies is None else lies
    posted = Posted(manager.client.every("posted-tables/", kind=CHIPS))
    counters = at_office(boss, manager)
    begun = begin(counters, row, CLOSER)
    lines = change(minor, values_of(posted, row, begun["gaming_day"]))
    enter(counters, begun, lines, lines)


def _by_rounds(boss: Person, row: Row) -> int:
    newest = last_counted(boss, row)
    if newest is None:
        raise NotPlayable(f"{row['name']} is open, and was never counted.")
    since = newest["signed"]["signed_at"]
    rounds = boss.client.every("rounds/", session=row["session"]["id"])
    minor = worth(newest["entries"][-1]["lines"])
    for played in rounds:
        if played["state"] == "settled" and played["ended_at"] > since:
            minor += into_tray_by_rows(boss.client.get(f"rounds/{played['id']}/")["lines"])
    return minor
