"""The trays of an evening, counted as people count them: the croupier at the tablet by PIN, and the
pit boss who looks on and signs beside.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from casino.simulate.books.chips import change, into_tray_by_rows, worth
from casino.simulate.books.rules import NotPlayable, Posted
from casino.simulate.clients import Client, Refused
from casino.simulate.people import BOSS, MANAGER, PINS, Person

OPENER, CLOSER = "opener", "closer"
UNCOUNTED, FROZEN = "table.not_counted", "table.being_counted"
RUNS = "count.running"
RUNNING = ("begun", "entered", "again")
ENTRIES_MOST = 2  # one that is far from the books is counted again, once
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
    """The tray of a table by our own books. `moves`: all that went into it since the table has
    opened, in minor units.
    """

    def __init__(self, row: Row, posted: Posted, boss: Person) -> None:
        self.row, self.posted, self.boss = row, posted, boss
        self.minor = 0  # at the last count
        self.moves: Callable[[], int] = lambda: 0
        self._moved = 0  # of that, before the last count

    @property
    def lies(self) -> int:
        """What lies there now, in minor units."""
        return self.minor + self.moves() - self._moved

    def open(self, counters: Counters) -> Row:
        """Count it before its table opens: as it was left, or else the chips of its float. Raises
        Refused, NotPlayable.
        """
        try:
            begun = begin(counters, self.row, OPENER)
        except Refused as refused:
            if refused.code != RUNS:
                raise
            give_up(self.boss, self.row)  # one of an evening that was killed
            begun = begin(counters, self.row, OPENER)
        newest = last_counted(self.boss, self.row)
        self.minor = worth(newest["entries"][-1]["lines"]) if newest else self._float(begun)
        return self._count(counters, begun)

    def count(self, counters: Counters, purpose: str) -> Row:
        """Count what lies there. Raises Refused, NotPlayable."""
        begun = begin(counters, self.row, purpose)
        moved = self.moves()
        self.minor, self._moved = self.minor + moved - self._moved, moved
        return self._count(counters, begun)

    def _count(self, counters: Counters, begun: Row) -> Row:
        return enter(counters, begun, change(self.minor, self._values(begun)))

    def _values(self, begun: Row) -> list[int]:
        return values_of(self.posted, self.row, begun["gaming_day"])

    def _float(self, begun: Row) -> int:
        name = self.row["posted"].get(FLOAT)
        if name is None:
            raise NotPlayable(f"{self.row['name']} was never counted, and names no float.")
        return worth(self.posted.on_day(FLOAT, name, begun["gaming_day"])["lines"])


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


def enter(counters: Counters, begun: Row, lines: list[dict[str, int]]) -> Row:
    """One enters what was counted, the other signs it; where it is to be counted again they do.
    Gives the count as it is signed. Raises Refused.
    """
    where = f"counts/{begun['id']}/"
    signed: Row = begun
    for number in range(1, ENTRIES_MOST + 1):
        counters.counter.post(f"{where}enter/", {"lines": lines, "secret": counters.counter_pin})
        seen = {"entry": number, "ok": True, "person": None, "username": counters.named}
        signed = counters.witness.post(f"{where}witness/", seen | {"secret": counters.witness_pin})
        if signed["state"] == "signed":
            break
    counters.counter.tally.count("counts of trays")
    return signed


def give_up(boss: Person, row: Row) -> None:
    """End the count of a tray that somebody has begun and left. Raises Refused."""
    for state in RUNNING:
        for one in boss.client.every("counts/", table=row["id"], state=state):
            if one["place_kind"] == "tray":
                boss.post(f"counts/{one['id']}/give-up/")


def last_counted(boss: Person, row: Row) -> Row | None:
    """The newest count of a tray that both have signed. Raises Refused, Unreachable."""
    counts = boss.client.every("counts/", table=row["id"], state="signed")
    return next((one for one in counts if one["place_kind"] == "tray"), None)


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
    enter(counters, begun, change(minor, values_of(posted, row, begun["gaming_day"])))


def _by_rounds(boss: Person, row: Row) -> int:
    newest = last_counted(boss, row)
    if newest is None:
        raise NotPlayable(f"{row['name']} is open, and was never counted.")
    since = newest["signed"]["signed_at"]
    rounds = boss.client.every("rounds/", session=row["session"]["id"])
    ended = [one for one in rounds if one["state"] == "settled" and one["ended_at"] > since]
    moved = (boss.client.get(f"rounds/{one['id']}/")["lines"] for one in ended)
    return worth(newest["entries"][-1]["lines"]) + sum(map(into_tray_by_rows, moved))
