"""The betting of a hand of no limit as it happens at the table: who posts, folds, calls, raises or
is all-in; and what its dealer enters of it.
"""

from collections import deque
from collections.abc import Mapping
from random import Random  # noqa: TID251  (from the seed)
from typing import Any, NamedTuple

from casino.simulate.books.poker import PostedAtTable
from casino.simulate.books.pots import SeatChips, from_button

STREETS, DRAW_STREETS = 4, 2
RAISES_MOST = 3
FOLDS, RAISES, ALL_IN, WALK = 0.35, 0.2, 0.1, 0.06  # shares of what a guest does
PASSED = 0.2  # of hands in which nobody has to open
DEAD = 0.08  # of hands in which somebody makes good a missed small blind


class DealtIn(NamedTuple):
    """Who is dealt in: by seat the chips before the hand, in minor units. `calm`: nobody raises,
    and nobody is all-in; `showdown`: two are left in the end; `passes`: all may pass.
    """

    stacks: Mapping[int, int]
    button: int
    calm: bool = False
    showdown: bool = False
    passes: bool = False


class HandBetting:
    """One hand. `chips`: what each seat has put in; `streets` as they are entered."""

    def __init__(self, chance: Random, posted: PostedAtTable, dealt: DealtIn) -> None:
        self.chance = chance
        self.posted = posted
        self.dealt = dealt
        self.order = [seat for seat in from_button(dealt.button) if seat in dealt.stacks]
        self.chips = {seat: SeatChips() for seat in self.order}
        self.streets: list[dict[str, Any]] = []
        self.dead: dict[str, int] = {}
        self.raised = self.passed = False
        self._all_fold = not (dealt.calm or dealt.showdown) and chance.random() < WALK

    @property
    def left(self) -> list[int]:
        """The seats that have not folded."""
        return [seat for seat in self.order if not self.chips[seat].folded]

    @property
    def flop(self) -> bool:
        """Whether one was dealt."""
        return self.posted.draws or not self._alone

    @property
    def walk(self) -> bool:
        """Whether everybody folded to the blind; where all may pass, the first bet opens."""
        return self._alone and not self.raised and not self.posted.passes

    @property
    def _alone(self) -> bool:
        """Whether one is left after the first street."""
        return bool(self.streets) and len(self.streets[0]["folds"]) == len(self.order) - 1

    def play(self) -> "HandBetting":
        """From the posts to the last bet."""
        for seat in self.order:
            self.chips[seat].ante = min(self.posted.ante, self._behind(seat))
        if self.dealt.passes and all(map(self._can_bet, self.order)):
            self.passed = self.chance.random() < PASSED
        if self.passed:
            return self
        self._make_good()
        self._street(self._blinds())
        most = DRAW_STREETS if self.posted.draws else STREETS
        while len(self.streets) < most and sum(map(self._can_bet, self.left)) > 1:
            self._street(dict.fromkeys(self.order, 0))
        return self

    def _behind(self, seat: int) -> int:
        """What a seat has yet, in minor units."""
        return self.dealt.stacks[seat] - self.chips[seat].total

    def _can_bet(self, seat: int) -> bool:
        return self._behind(seat) > 0

    def _make_good(self) -> None:
        """Somebody who missed the small blind posts it dead; where all may pass there is none."""
        able = [seat for seat in self.order[2:] if self._behind(seat) > 2 * self.posted.blind]
        if self.dealt.calm or self.posted.passes or not self.posted.small:
            return
        if able and self.chance.random() < DEAD:
            seat = self.chance.choice(able)
            self.chips[seat].dead = self.posted.small
            self.dead[str(seat)] = self.posted.small

    def _blinds(self) -> dict[int, int]:
        paid = dict.fromkeys(self.order, 0)
        first, second = self.order[:2] if len(self.order) > 2 else self.order[::-1]
        self._put(first, self.posted.small, paid)
        self._put(second, self.posted.blind, paid)
        return paid

    def _put(self, seat: int, minor: int, paid: dict[int, int]) -> None:
        minor = min(minor, self._behind(seat))
        self.chips[seat].live += minor
        paid[seat] += minor

    def _street(self, paid: dict[int, int]) -> None:
        folds: dict[str, int] = {}
        posts = 2 if not self.streets and len(self.order) > 2 else 0
        due = deque([*self.order[posts:], *self.order[:posts]])
        raises = 0
        # a blind that is short lowers the call of nobody
        least = 0 if self.streets else self.posted.blind
        while due and len(self.left) > 1:
            seat = due.popleft()
            if self.chips[seat].folded or not self._can_bet(seat):
                continue
            most = max(least, *paid.values())
            others = [other for other in self.left if other != seat and self._can_bet(other)]
            may_raise = bool(others) and raises < RAISES_MOST
            act = self._act(most - paid[seat], may_raise=may_raise)
            if act == "fold":
                self.chips[seat].folded = True
                folds[str(seat)] = paid[seat]
                continue
            if act == "call":
                self._put(seat, most - paid[seat], paid)
                continue
            more = self.posted.blind * self.chance.randint(1, 5)
            self._put(
                seat, self._behind(seat) if act == "all-in" else most + more - paid[seat], paid
            )
            if paid[seat] > most:
                raises += 1
                self.raised = self.raised or not self.streets
                place = self.order.index(seat)
                due = deque([*self.order[place + 1 :], *self.order[:place]])
        self.streets.append({"to_minor": max(paid.values()), "folds": folds})

    def _act(self, owed: int, *, may_raise: bool) -> str:
        """`fold`, `call` (also of nothing), `raise` or `all-in`."""
        may_fold = owed and not (self.dealt.showdown and len(self.left) == 2)
        if self._all_fold:
            return "fold" if may_fold else "call"
        act = self.chance.random()
        if may_fold and act < FOLDS:
            return "fold"
        if self.dealt.calm or not may_raise:
            return "call"
        act = self.chance.random()
        if act < ALL_IN:
            return "all-in"
        return "raise" if act < ALL_IN + RAISES else "call"
