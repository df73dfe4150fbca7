"""What happens at a table, planned from the seed alone: who sits there, what is staked, dealt,
decided, and done wrong. What belongs to one game is planned by its own module (`games`).

Nothing that the service answers changes the plan, so the same seed is the same evening, however
slow the machine is.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, ClassVar, NamedTuple

from casino.simulate.books.rules import JackpotRules
from casino.simulate.cards import luck

FAST, FULL_CARDS, JACKPOT_ONLY = "fast", "full_cards", "jackpot_only"

MISTAPPED, REOPENED, VOIDED, CORRECTED = "mistapped", "reopened", "voided", "corrected"
OFF_STEP, WITHDRAWN, OFFLINE, HANDED_OVER = "off step", "withdrawn", "offline", "handed over"
MISHAPS = (CORRECTED, MISTAPPED, HANDED_OVER, REOPENED, OFF_STEP, OFFLINE, VOIDED, WITHDRAWN)
EVERY = 3  # one round of so many has a mishap
SPELL = 3  # rounds of an offline spell
COMES, GOES = 15, 5  # per cent a round

CALLED, SHOWN, FALSE_CALL = "called", "shown", "false call"


class Guest(NamedTuple):
    """Somebody at a table. `name` is ours alone: the house knows guests as numbers. `box` 0: who
    stands there and owns none.
    """

    name: str
    box: int
    habit: Any
    seated: bool = True
    distance: int = 0


@dataclass(frozen=True)
class Royal:
    """A royal flush on demand: at which table (from 1), which box, in which round; or a call that
    proves wrong.
    """

    table: int
    box: int
    round: int
    false_call: bool = False


@dataclass(frozen=True)
class RoundPlan:
    """One round of one table. `boxes` and `deal`: what its game stakes, and what is dealt."""

    table: int
    number: int
    comes: tuple[Guest, ...]
    goes: tuple[Guest, ...]
    boxes: tuple[Any, ...]
    deal: Any
    mishap: str = ""
    royal: str = ""  # how the croupier tells of the royal flush, or of what they take for one
    royal_box: int = 0
    together: bool = False  # all tables of the jackpot lock this round before any of them ends it

    linked: ClassVar[bool] = True  # to the jackpot

    @property
    def coins(self) -> int:
        """How many coins lie there."""
        return 0

    def to_data(self) -> dict[str, Any]:
        """As plain JSON, for the history."""
        return {
            "table": self.table,
            "round": self.number,
            "boxes": [list(box) for box in self.boxes],
            "mishap": self.mishap,
        }

    def place_of(self, line: Mapping[str, Any], guests: Mapping[str, str]) -> tuple[int, str]:
        """Which of our lines a line of the service is; `guests`: our names by the house's ids."""
        return line["box"], line["kind"]


@dataclass
class TablePlan:
    """The evening of one table (numbered from 1), round by round, as its game plays it."""

    seed: int
    table: int
    layout: int  # boxes of the table
    level: str
    rules: Any
    jackpot: JackpotRules | None
    royals: Iterable[Royal] = ()
    offline: bool = False  # whether the house lets the table play without the server
    mistakes: bool = True
    seats: dict[int, Guest] = field(default_factory=dict)
    numbered: int = 0  # guests so far

    habits: ClassVar[Sequence[Any]] = ()

    def __post_init__(self) -> None:
        every = list(self.royals)
        self._own: Mapping[int, Royal] = {
            one.round: one for one in every if one.table == self.table
        }
        self._together = {one.round for one in every}

    def rounds(self) -> Iterator[RoundPlan]:
        """One after the other, without end."""
        spell = 0
        for number in count(1):
            chance = luck(self.seed, self.table, number)
            royal = self._own.get(number)
            mishap = self._mishap(number)
            if mishap == OFFLINE and not self._quiet(number, SPELL + 1):
                mishap = ""
            spell = SPELL if mishap == OFFLINE else max(spell - 1, 0)
            yield self._round(chance, number, royal, OFFLINE if spell else mishap)

    def _quiet(self, number: int, rounds: int) -> bool:
        """Whether no round from here on is one that all tables play together."""
        return not self._together & set(range(number, number + rounds))

    def _mishap(self, number: int) -> str:
        if not self.mistakes or number in self._together or number % EVERY != self.table % EVERY:
            return ""
        # coins alone are nothing to play without the server
        offline = self.offline and self.level != JACKPOT_ONLY
        order = [one for one in MISHAPS if offline or one != OFFLINE]
        # each table has them all, and three have soon had them together
        place = (number - 1) // EVERY * 5 + self.table
        mishap = order[place % len(order)]
        return "" if mishap == MISTAPPED and self.level == JACKPOT_ONLY else mishap

    def _round(self, chance: Any, number: int, royal: Royal | None, mishap: str) -> RoundPlan:
        """One round, as the game plays it."""
        raise NotImplementedError

    def _moves(
        self, chance: Any, needed: int | None
    ) -> tuple[tuple[Guest, ...], tuple[Guest, ...]]:
        """Who leaves and who comes before this round; somebody sits at the needed box."""
        goes = []
        for box, guest in sorted(self.seats.items()):
            if len(self.seats) > 2 and box != needed and chance.randint(1, 100) <= GOES:
                goes.append(guest)
                del self.seats[box]
        first = not self.numbered
        comes = []
        for box in range(1, self.layout + 1):
            wanted = box == needed or chance.randint(1, 100) <= (70 if first else COMES)
            wanted = wanted or (box == self.layout and not self.seats)  # somebody always plays
            if box not in self.seats and wanted:
                self.seats[box] = self._guest(chance, box)
                comes.append(self.seats[box])
        return tuple(goes), tuple(comes)

    def _guest(self, chance: Any, box: int) -> Guest:
        self.numbered += 1
        return Guest(f"{self.table}-{self.numbered}", box, chance.choice(self.habits))


def digest(told: Iterable[Mapping[str, Any]]) -> str:
    """A short sign of a history: the same plans and amounts, the same sign."""
    lines = sorted(json.dumps(one, sort_keys=True) for one in told)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
