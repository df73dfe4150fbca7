"""The chips of a tray a second time: how an amount lies there in pieces, what rounds have moved
into it, and how far it is from the books of the house when something was done amiss.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from casino.simulate.books.lines import Lines
from casino.simulate.books.rules import NotPlayable

Row = Mapping[str, Any]
Pieces = list[dict[str, int]]
OPENER, RELIEF, CLOSER = "opener", "relief", "closer"


def change(minor: int, values: Iterable[int]) -> Pieces:
    """So much in pieces of a chip set, the highest first; each denomination is named, also of 0
    pieces. An empty tray is never below nothing. Raises NotPlayable.

    >>> [tuple(line.values()) for line in change(1_250, [250, 500, 1_000])]
    [(1000, 1), (500, 0), (250, 1)]
    """
    lines = []
    rest = max(minor, 0)
    for value in sorted(values, reverse=True):
        pieces, rest = divmod(rest, value)
        lines.append({"value_minor": value, "pieces": pieces})
    if rest:
        raise NotPlayable(f"The chips that are posted cannot make up {minor / 100:.2f}.")
    return lines


def worth(lines: Iterable[Row]) -> int:
    """What pieces are worth together, in minor units."""
    return sum(line["value_minor"] * line["pieces"] for line in lines)


def into_tray(lines: Lines) -> int:
    """What a round has moved into the tray, in minor units: what was staked, less what was paid.
    The meter is paid by a slip, so its winner's line has no prize.
    """
    return sum(line.stake - line.paid for line in lines.values())


def into_tray_by_rows(rows: Iterable[Row]) -> int:
    """The same of a round as the API gives it."""
    return sum(row["stake_minor"] - row["paid_minor"] for row in rows)


class TrayMoves(NamedTuple):
    """What rounds and buy-ins have moved into a tray since its table has opened, in minor units: in
    chips, and as it was entered.
    """

    chips: int = 0
    entered: int = 0


@dataclass
class BookedCount:
    """A signed count by our own book, in minor units. `recorded`: what the books of the house had
    then; `entered`: all that was entered until then; `first`: of an entry that was counted again;
    `amiss`: what was done amiss before it.
    """

    id: str
    purpose: str
    value: int
    recorded: int
    entered: int
    first: int | None = None
    amiss: tuple[str, ...] = ()

    @property
    def difference(self) -> int:
        """How far it is from the books, as it was signed."""
        return self.value - self.recorded


@dataclass
class TrayBook:
    """One tray of an evening. `rounds`: what they have moved; `beside`: what buy-ins and mishaps
    have; `cash` lies in the drop box, and `sold` was entered of it (minor units).
    """

    rounds: Callable[[], TrayMoves]
    opened: int = 0  # what lay there at the beginning
    recorded: int = 0  # by the books of the house, at the last count
    beside: TrayMoves = field(default_factory=TrayMoves)
    cash: int = 0
    sold: int = 0
    tips: int = 0
    counts: list[BookedCount] = field(default_factory=list)
    amiss: list[str] = field(default_factory=list)  # since the last count
    _entered: int = 0  # until the last count

    @property
    def moved(self) -> TrayMoves:
        """Everything since the beginning."""
        rounds = self.rounds()
        return TrayMoves(rounds.chips + self.beside.chips, rounds.entered + self.beside.entered)

    @property
    def lies(self) -> int:
        """What lies there now."""
        return self.opened + self.moved.chips

    def begin(self, recorded: int, fell: int = 0) -> None:
        """It is counted for the first time; so much fell out of it since it was counted before."""
        self.opened, self.recorded = recorded - fell, recorded

    def move(self, chips: int, entered: int, amiss: str = "") -> None:
        """Something beside the rounds moves it, and is entered so."""
        self.beside = TrayMoves(self.beside.chips + chips, self.beside.entered + entered)
        if amiss:
            self.amiss.append(amiss)

    def sell(self, minor: int, *, entered: bool = True, amiss: str = "") -> None:
        """A guest buys chips for cash."""
        self.cash += minor
        self.sold += minor if entered else 0
        self.move(-minor, -minor if entered else 0, amiss)

    def count(
        self, count_id: str, purpose: str, value: int, first: int | None = None
    ) -> BookedCount:
        """Both have signed that so much lies there."""
        entered = self.moved.entered
        recorded = self.recorded + entered - self._entered
        counted = BookedCount(
            id=count_id,
            purpose=purpose,
            value=value,
            recorded=recorded,
            entered=entered,
            first=first,
            amiss=tuple(self.amiss),
        )
        self.counts.append(counted)
        self.recorded, self._entered = value, entered
        self.amiss = []
        return counted

    def left(self, counted: BookedCount) -> int:
        """What is left of the difference of a count: what came after a closer is set back."""
        after = self.moved.entered - counted.entered if counted.purpose == CLOSER else 0
        return counted.difference - after

    @property
    def result(self) -> int:
        """What the table has won, counted: drop and closer less opener (RES-1)."""
        return self.cash + self.counts[-1].value - self.counts[0].value

    @property
    def differences(self) -> int:
        """What is left of all differences within the session, of the drop box too."""
        return sum(map(self.left, self.counts[1:])) + self.cash - self.sold
