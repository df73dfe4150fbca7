"""What a hand of Black Jack is worth behind the bank's first card, by the best play (BJ-3 to BJ-6).

Everything is whole numbers: a value is kept times the number of ways in which the next `DEALT`
cards can come, and becomes a fraction at the very end.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import perm
from typing import NamedTuple, Protocol

from tables.games.blackjack.edge.bank import BLACKJACK, BUST, CARDS, NOTHING, Bank, with_card
from tables.games.blackjack.points import MOST, RANKS, Counts, may_double, points
from tables.games.blackjack.rules import BlackjackRules

DEALT = 40  # more cards than a hand and the bank can draw: 21 aces at most, and 11 of the bank


class Action(NamedTuple):
    """What to do with a hand, and its value times the ways of the next cards up to `DEALT`."""

    value: int
    name: str  # stand, hit, double


class Plan(Protocol):
    """What somebody does with a hand whose cards they know."""

    def act(self, hand: Counts) -> str:
        """stand, hit or double."""


@dataclass
class Hands:
    """The values of hands behind one first card of the bank, by the best play, or by a `plan`.

    `away`: cards of the box's other hands, that are gone too. `split`: ace and ten are no Black
    Jack. `lost`: what a Black Jack of the bank takes of the hand's stake, 1 or nothing; `doubled`:
    and of the stake that doubles it (BJ-4).
    """

    bank: Bank
    rules: BlackjackRules
    away: Counts = NOTHING
    split: bool = False
    lost: int = 1
    plan: Plan | None = None
    _known: dict[Counts, Action] = field(default_factory=dict)

    @property
    def doubled(self) -> int:
        """What a Black Jack of the bank takes of a doubling stake."""
        return 1 if self.rules.bank_blackjack_takes == "all" else 0

    def act(self, hand: Counts) -> str:
        """The best play."""
        return self.best(hand).name

    def value(self, hand: Counts) -> Fraction:
        """What a unit staked on the hand wins on average."""
        return Fraction(self.best(hand).value, self._scale(hand))

    def stand(self, hand: Counts) -> Fraction:
        """The same, if no card is drawn: what a split ace is worth with its one card."""
        return Fraction(self._stand(hand, self.lost), self._scale(hand))

    def best(self, hand: Counts) -> Action:
        """The best play of a hand that is not bust, or what the plan says."""
        known = self._known.get(hand)
        if known is None:
            if self.plan is not None:
                name = self.plan.act(hand)
                known = Action(self._acts(hand)[name](), name)
            else:
                known = max(Action(work(), name) for name, work in self._acts(hand).items())
            self._known[hand] = known
        return known

    def _acts(self, hand: Counts) -> dict[str, Callable[[], int]]:
        total = points(hand).total
        acts: dict[str, Callable[[], int]] = {}
        if total > 11:  # below, a card costs nothing
            acts["stand"] = lambda: self._stand(hand, self.lost)
        if total < MOST:
            acts["hit"] = lambda: self._hit(hand)
        if may_double(hand, soft=self.rules.double_soft, split=self.split):
            acts["double"] = lambda: self._double(hand)
        return acts

    def _gone(self, hand: Counts) -> Counts:
        return tuple(map(int.__add__, hand, self.away))

    def _scale(self, hand: Counts) -> int:
        drawn = sum(hand)
        return perm(CARDS - 1 - drawn - sum(self.away), DEALT - drawn)

    def _stand(self, hand: Counts, lost: int) -> int:
        ways = self.bank.endings(self._gone(hand))
        total = points(hand).total
        won = ways[BUST - 17] + sum(ways[: max(total - 17, 0)])
        beaten = sum(ways[max(total - 16, 0) : 5]) + lost * ways[BLACKJACK - 17]
        drawn = sum(hand)
        cards = CARDS - 1 - drawn - sum(self.away) - self.bank.longest
        return (won - beaten) * perm(cards, DEALT - drawn - self.bank.longest)

    def _hit(self, hand: Counts) -> int:
        return sum(
            left * (self.best(after).value if points(after).total <= MOST else -self._scale(after))
            for left, after in self._next(hand)
        )

    def _double(self, hand: Counts) -> int:
        value = 0
        for left, after in self._next(hand):
            if points(after).total > MOST:
                value -= 2 * left * self._scale(after)
            else:
                value += left * (self._stand(after, self.lost) + self._stand(after, self.doubled))
        return value

    def _next(self, hand: Counts) -> Iterator[tuple[int, Counts]]:
        left = self.bank.left(self._gone(hand))
        return ((left[place], with_card(hand, place)) for place in RANKS if left[place])
