"""What happens at a table, planned from the seed alone: who sits there, what is staked, dealt,
decided, and done wrong.

Nothing that the service answers changes the plan, so the same seed is the same evening, however
slow the machine is.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from casino.simulate.books.rules import GameRules, JackpotRules
from casino.simulate.books.uth import Box
from casino.simulate.cards import Deal, deal, luck
from casino.simulate.guests import HABITS, Guest, decide, stake

FAST, FULL_CARDS, JACKPOT_ONLY = "fast", "full_cards", "jackpot_only"
LEVELS = (FULL_CARDS, FAST, FAST, FULL_CARDS, FAST, JACKPOT_ONLY)  # of the tables, in turns

MISTAPPED, REOPENED, VOIDED, CORRECTED = "mistapped", "reopened", "voided", "corrected"
OFF_STEP, WITHDRAWN, OFFLINE, HANDED_OVER = "off step", "withdrawn", "offline", "handed over"
MISHAPS = (CORRECTED, MISTAPPED, HANDED_OVER, REOPENED, OFF_STEP, OFFLINE, VOIDED, WITHDRAWN)
EVERY = 3  # one round of so many has a mishap
SPELL = 3  # rounds of an offline spell
COMES, GOES = 15, 5  # per cent a round

CALLED, SHOWN, FALSE_CALL = "called", "shown", "false call"


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
    """One round of one table."""

    table: int
    number: int
    comes: tuple[Guest, ...]
    goes: tuple[Guest, ...]
    boxes: tuple[Box, ...]
    deal: Deal
    mishap: str = ""
    royal: str = ""  # how the croupier tells of the royal flush, or of what they take for one
    royal_box: int = 0
    together: bool = False  # all tables lock this round before any of them ends it

    @property
    def coins(self) -> int:
        """How many coins lie there."""
        return sum(box.coin for box in self.boxes)

    def to_data(self) -> dict[str, Any]:
        """As plain JSON, for the history."""
        return {
            "table": self.table,
            "round": self.number,
            "boxes": [list(box) for box in self.boxes],
            "board": " ".join(self.deal.board),
            "dealer": " ".join(self.deal.dealer),
            "holes": {str(box): " ".join(hole) for box, hole in self.deal.holes.items()},
            "mishap": self.mishap,
            "royal": self.royal,
        }


@dataclass
class TablePlan:
    """The evening of one table (numbered from 1), round by round."""

    seed: int
    table: int
    layout: int  # boxes of the table
    level: str
    rules: GameRules
    jackpot: JackpotRules | None
    royals: Iterable[Royal] = ()
    offline: bool = False  # whether the house lets the table play without the server
    mistakes: bool = True
    seats: dict[int, Guest] = field(default_factory=dict)
    numbered: int = 0  # guests so far

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
        goes, comes = self._moves(chance, royal.box if royal else None)
        boxes = self._stakes(chance, royal, coins=mishap != OFFLINE)
        stacked = royal.box if royal and not royal.false_call else None
        cards = deal(chance, [box.box for box in boxes], royal_box=stacked)
        played = tuple(self._decided(chance, box, cards, stays=box.box == stacked) for box in boxes)
        how = ""
        if royal:
            how = FALSE_CALL if royal.false_call else chance.choice((CALLED, SHOWN))
        at, together = royal.box if royal else 0, number in self._together
        return RoundPlan(self.table, number, comes, goes, played, cards, mishap, how, at, together)

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
                self.numbered += 1
                self.seats[box] = Guest(f"{self.table}-{self.numbered}", box, chance.choice(HABITS))
                comes.append(self.seats[box])
        return tuple(goes), tuple(comes)

    def _stakes(self, chance: Any, royal: Royal | None, *, coins: bool) -> list[Box]:
        found: list[Box] = []
        for box, guest in sorted(self.seats.items()):
            habit, needed = guest.habit, royal is not None and royal.box == box
            coin = (
                coins
                and self.jackpot is not None
                and (chance.randint(1, 100) <= habit.coin or needed)
            )
            if self.level == JACKPOT_ONLY:
                if coin:
                    found.append(Box(box, guest.name, 0, 0, coin, 0))
                continue
            ante = stake(chance, habit, self.rules.ante, self.rules.step)
            if needed:
                # Blind pays a royal flush 500:1: with a high Ante that empties the tray
                ante = self.rules.ante[0]
            trips = stake(chance, habit, self.rules.trips, self.rules.step)
            found.append(
                Box(
                    box,
                    guest.name,
                    ante,
                    trips if chance.randint(1, 100) <= habit.trips else 0,
                    coin,
                    0,
                )
            )
            beside = box + 1
            free = beside <= self.layout and beside not in self.seats
            if chance.randint(1, 100) <= habit.second_box and free and not needed:
                found.append(
                    Box(beside, guest.name, ante, 0, coin, max(self.rules.multiples), blind=True)
                )
        return found or self._stakes_of_one(coins=coins)

    def _stakes_of_one(self, *, coins: bool) -> list[Box]:
        """Where nobody laid anything the first guest does: a round is somebody's."""
        box, guest = min(self.seats.items())
        if self.level == JACKPOT_ONLY:
            return [Box(box, guest.name, 0, 0, coins, 0)]
        return [Box(box, guest.name, self.rules.ante[0], 0, coin=False, play=0)]

    def _decided(self, chance: Any, box: Box, cards: Deal, *, stays: bool) -> Box:
        """The box with its Play; whoever is to show a royal flush stays in."""
        if box.blind or not box.ante:
            return box
        guest = self.seats[box.box]
        play = decide(chance, self.rules, guest.habit, cards.holes[box.box], cards.board)
        return box._replace(
            play=play or (min(self.rules.multiples) if stays or not self.rules.folds else 0)
        )


def digest(told: Iterable[Mapping[str, Any]]) -> str:
    """A short sign of a history: the same plans and amounts, the same sign."""
    lines = sorted(json.dumps(one, sort_keys=True) for one in told)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
