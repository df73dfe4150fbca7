"""An evening at a table of Black Jack, planned from the seed alone: a shoe of six decks, boxes with
their owners, and co-players who stake beside them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from casino.simulate.books.blackjack import Laid, stays
from casino.simulate.cards import DECK, luck
from casino.simulate.games.blackjack.coup import Player
from casino.simulate.games.blackjack.guests import HABITS, chances, stake
from casino.simulate.plan import COMES, GOES, Guest, RoundPlan, Royal, TablePlan

DECKS, CUT = 6, 104  # the shoe is shuffled anew when no more cards than these are left
STANDING = 3  # places for those who own no box
JOINED, OVER = 2, 4  # on a box besides its owner; per cent of such stakes are as high as may be


@dataclass(frozen=True)
class BlackjackRound(RoundPlan):
    """One round: boxes with all that was offered, and what was dealt and done."""

    linked: ClassVar[bool] = False

    def to_data(self) -> dict[str, Any]:
        """As plain JSON, for the history."""
        hands = {
            str(box): [" ".join(hand) for hand in hands] for box, hands in self.deal.hands.items()
        }
        acts = [list(one) for one in self.deal.acts]
        return super().to_data() | {"hands": hands, "bank": " ".join(self.deal.bank), "acts": acts}

    def place_of(self, line: Mapping[str, Any], guests: Mapping[str, str]) -> tuple[int, str]:
        """By guest too: several stake on one box (BOX-2)."""
        return line["box"], f"{line['kind']} {guests.get(line['guest'], 'nobody')}"


@dataclass
class BlackjackPlan(TablePlan):
    """Rounds of a table, out of one shoe after the other."""

    standing: dict[int, Guest] = field(default_factory=dict)
    shoe: list[str] = field(default_factory=list)
    shoes: int = 0  # so far

    habits: ClassVar = HABITS

    def _round(self, chance: Any, number: int, royal: Royal | None, mishap: str) -> RoundPlan:
        goes, comes = self._moves(chance, None)
        if len(self.shoe) <= CUT:
            self._shuffle()
        offered = {box: self._on_box(chance, box) for box in sorted(self.seats)}
        staked = {box: _staying(stays(self.rules, laid)) for box, laid in offered.items()}
        habits = {one.name: one.habit for one in self._guests()}
        coup = Player(chance, self.rules, self.shoe, staked, habits).play()
        boxes = tuple(one for laid in offered.values() for one in laid)
        return BlackjackRound(self.table, number, comes, goes, boxes, coup, mishap)

    def _shuffle(self) -> None:
        self.shoes += 1
        self.shoe = list(DECK) * DECKS
        luck(self.seed, self.table, "six decks", self.shoes).shuffle(self.shoe)

    def _guests(self) -> list[Guest]:
        return [*self.seats.values(), *self.standing.values()]

    def _moves(
        self, chance: Any, needed: int | None
    ) -> tuple[tuple[Guest, ...], tuple[Guest, ...]]:
        """Who leaves and who comes, those who stand there too; each has a place of their own from
        the shoe on.
        """
        goes, comes = super()._moves(chance, needed)
        for place in range(1, STANDING + 1):
            guest = self.standing.get(place)
            if guest and chances(chance, GOES):
                goes = (*goes, self.standing.pop(place))
            elif guest is None and chances(chance, COMES):
                new = self._guest(chance, 0)
                new = new._replace(seated=False, distance=self.layout + place)
                self.standing[place] = new
                comes = (*comes, new)
        return goes, comes

    def _guest(self, chance: Any, box: int) -> Guest:
        return super()._guest(chance, box)._replace(distance=box)

    def _on_box(self, chance: Any, box: int) -> list[Laid]:
        """What is offered on a box: its owner's stake, and those of others, also above the box
        maximum.
        """
        owner, most = self.seats[box], self.rules.amounts[-1]
        found = [_laid(box, owner, stake(chance, owner.habit, self.rules))]
        others = [one for one in self._guests() if one.box != box]
        chance.shuffle(others)
        for guest in [one for one in others if chances(chance, one.habit.joins)][:JOINED]:
            amount = stake(chance, guest.habit, self.rules)
            found.append(_laid(box, guest, most if chances(chance, OVER) else amount))
        return found


def _laid(box: int, guest: Guest, amount: int) -> Laid:
    owner = guest.box == box
    return Laid(box, guest.name, amount, owner=owner, seated=guest.seated, distance=guest.distance)


def _staying(stays: Mapping[str, int]) -> dict[str, int]:
    return {guest: amount for guest, amount in stays.items() if amount}
