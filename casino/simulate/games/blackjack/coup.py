"""One round of Black Jack, played out of a shoe (BJ-2): boxes decide in their order, co-players
follow or do not, the bank draws last.
"""

import random  # noqa: TID251  (only its type: the caller brings the chance)
from collections.abc import Mapping

from casino.simulate.books.blackjack import (
    DOUBLE,
    EVEN_MONEY,
    INSURANCE,
    MOST,
    SPLIT,
    Act,
    BlackjackRules,
    Coup,
    draws,
    natural,
    pips,
    points,
)
from casino.simulate.games.blackjack import guests
from casino.simulate.games.blackjack.guests import Habit, chances

STANDS_IN = 25  # per cent: another stakes what a co-player does not


class Player:
    """Plays one round. `staked`: by box what stays of each guest's stake, the owner first."""

    def __init__(
        self,
        chance: random.Random,
        rules: BlackjackRules,
        shoe: list[str],
        staked: Mapping[int, Mapping[str, int]],
        habits: Mapping[str, Habit],
    ) -> None:
        self.chance, self.rules, self.shoe, self.habits = chance, rules, shoe, habits
        self.staked = staked
        # by box and hand: what each guest has on it, without what doubles that
        self.on = {(box, 1): dict(stakes) for box, stakes in staked.items()}
        self.coup = Coup({}, [], [])

    def play(self) -> Coup:
        """Deal, let everybody decide, and draw for the bank."""
        hands, bank = self.coup.hands, self.coup.bank
        for box in self.staked:
            hands[box] = [[self.shoe.pop()]]
        bank.append(self.shoe.pop())
        for box in self.staked:
            hands[box][0].append(self.shoe.pop())
        if bank[0][0] == "A":
            for box in self.staked:
                self._offer(box)
        for box in self.staked:
            self._box(box)
        if self._waits() or self._asks():
            while draws(self.rules, bank):
                bank.append(self.shoe.pop())
        return self.coup

    def _offer(self, box: int) -> None:
        """Insurance and even money, each for themselves (BJ-8, BJ-9)."""
        hand = self.coup.hands[box][0]
        for guest, amount in self.staked[box].items():
            if natural(hand) and chances(self.chance, self.habits[guest].evens):
                self._act(box, guest, EVEN_MONEY)
            elif chances(self.chance, self.habits[guest].insures):
                self._insure(box, guest, amount)

    def _insure(self, box: int, guest: str, amount: int) -> None:
        """Half of so much, in steps."""
        half = amount // 2 // self.rules.insurance_step * self.rules.insurance_step
        if half:
            self._act(box, guest, INSURANCE, amount=half)

    def _box(self, box: int) -> None:
        hands, bank = self.coup.hands[box], self.coup.bank[0]
        owner, *_others = self.staked[box]
        habit = self.habits[owner]
        if natural(hands[0]):
            evened = {
                one.guest for one in self.coup.acts if one[:3] == (box, one.guest, EVEN_MONEY)
            }
            if owner not in evened and guests.dares(self.chance, habit, hands[0]):
                self._together(box, 1, DOUBLE, but=evened, stands_in=False)
                hands[0].append(self.shoe.pop())
            return
        if guests.splits(self.chance, habit, hands[0], bank):
            self._together(box, 1, SPLIT)
            first, second = hands[0]
            hands[:] = [[first, self.shoe.pop()], [second, self.shoe.pop()]]
        for hand in range(1, len(hands) + 1):
            self._hand(box, hand, owner)

    def _hand(self, box: int, number: int, owner: str) -> None:
        hands, bank, habit = self.coup.hands[box], self.coup.bank[0], self.habits[owner]
        hand = hands[number - 1]
        if len(hands) > 1 and hand[0][0] == "A":
            return  # each of the split aces has one card (BJ-7)
        if guests.doubles(self.chance, habit, hand, bank):
            self._together(box, number, DOUBLE)
            hand.append(self.shoe.pop())
            return
        while guests.draws(self.chance, habit, hand, bank):
            hand.append(self.shoe.pop())

    def _together(
        self,
        box: int,
        hand: int,
        act: str,
        *,
        but: frozenset[str] | set[str] = frozenset(),
        stands_in: bool = True,
    ) -> None:
        """The owner doubles or splits; each co-player follows, leaves it, or another stakes it in
        their place (BJ-5, BJ-6, BJ-7).
        """
        owner, *others = self.on[box, hand]
        self._stake(box, hand, act, owner, owner)
        for guest in others:
            if guest not in but and chances(self.chance, self.habits[guest].follows):
                self._stake(box, hand, act, guest, guest)
            elif stands_in and chances(self.chance, STANDS_IN):
                names = sorted(name for name in self.habits if name != guest)
                self._stake(box, hand, act, self.chance.choice(names), guest)

    def _stake(self, box: int, hand: int, act: str, guest: str, source: str) -> None:
        amount = self.on[box, hand][source]
        self._act(box, guest, act, source=source, hand=hand)
        if act == SPLIT:
            second = self.on.setdefault((box, 2), {})
            second[guest] = second.get(guest, 0) + amount
        insured = any(one[:3] == (box, guest, INSURANCE) for one in self.coup.acts)
        if insured and chances(self.chance, self.habits[guest].insures):
            self._insure(box, guest, amount)

    def _act(
        self, box: int, guest: str, act: str, *, source: str = "", hand: int = 1, amount: int = 0
    ) -> None:
        cards = tuple(self.coup.hands[box][hand - 1])
        self.coup.acts.append(Act(box, guest, act, source or guest, hand, amount, cards))

    def _waits(self) -> bool:
        """Whether a hand is compared with the bank's total."""
        return any(
            points(hand).total <= MOST
            and not (natural(hand) and len(hands) == 1 and len(hand) == 2)
            for hands in self.coup.hands.values()
            for hand in hands
        )

    def _asks(self) -> bool:
        """Whether it matters only if the bank has a Black Jack: for insurance, and for one of a box
        that was not paid yet (BJ-4).
        """
        evened = [one.box for one in self.coup.acts if one.act == EVEN_MONEY]
        waiting = [
            box
            for box, hands in self.coup.hands.items()
            if len(hands) == 1 and natural(hands[0]) and evened.count(box) < len(self.staked[box])
        ]
        insured = any(one.act == INSURANCE for one in self.coup.acts)
        return insured or (bool(waiting) and pips(self.coup.bank[0]) >= 10)
