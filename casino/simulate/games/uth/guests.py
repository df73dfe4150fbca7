"""Guests with habits: what they stake, whether they lay a coin, and how they play the cards they
see.
"""

import random  # noqa: TID251  (only its type: the caller brings the chance)
from collections.abc import Sequence
from typing import NamedTuple

from casino.simulate.books.hands import FLUSH, ONE_PAIR, STRAIGHT, TWO_PAIR, VALUES, best, five
from casino.simulate.books.uth import GameRules

Cards = Sequence[str]


class Habit(NamedTuple):
    """A kind of guest. Chances are per cent; `level` is where between minimum and maximum they
    stake, in per cent.
    """

    name: str
    level: tuple[int, int]
    trips: int
    coin: int
    brave: int  # how often they raise a hand that a careful guest would check
    second_box: int  # how often they also play the free box beside them, blind


HABITS = (
    Habit("careful", (0, 10), 10, 20, 0, 0),
    Habit("regular", (0, 40), 40, 60, 10, 0),
    Habit("jackpot hunter", (0, 20), 20, 100, 20, 10),
    Habit("high roller", (60, 100), 50, 50, 30, 25),
    Habit("lover of Trips", (10, 50), 100, 30, 10, 0),
)


def stake(chance: random.Random, habit: Habit, limits: tuple[int, int], step: int) -> int:
    """An amount within the limits and on the step, where the guest's habit lies."""
    low, high = limits
    from_, to = (low + (high - low) * per_cent // 100 for per_cent in habit.level)
    steps = (max(to, low) - low) // step - (first := (from_ - low) // step)
    return low + (first + chance.randint(0, max(steps, 0))) * step


def decide(chance: random.Random, rules: GameRules, habit: Habit, hole: Cards, board: Cards) -> int:
    """The Play as a multiple of the Ante, 0 for none, in the order of the round (UTH-3, UTH-9)."""
    multiples = rules.multiples
    brave = chance.randint(1, 100) <= habit.brave
    before = [multiple for multiple in (4, 3) if multiple in multiples]
    if before and (_raises_blind(hole) or (brave and max(VALUES[card[0]] for card in hole) >= 11)):
        return chance.choice(before) if brave else before[0]
    if 2 in multiples and _raises_flop(hole, board[:3]):
        return 2
    last = min(multiples)
    return last if brave or _calls(hole, board) else 0


def _raises_blind(hole: Cards) -> bool:
    """Whether two cards alone are worth the highest Play: a pair from threes, any ace, a good king,
    queen or jack.
    """
    high, low = sorted((VALUES[card[0]] for card in hole), reverse=True)
    suited = hole[0][1] == hole[1][1]
    if high == low:
        return high >= 3
    least = {14: (2, 2), 13: (2, 5), 12: (6, 8), 11: (8, 10)}.get(high)
    return least is not None and low >= least[0 if suited else 1]


def _raises_flop(hole: Cards, flop: Cards) -> bool:
    """Two pair or better, a pair with a card of one's own, or four to a flush with a ten or
    higher."""
    strength = five((*hole, *flop))
    if strength[0] >= TWO_PAIR:
        return True
    if strength[0] == ONE_PAIR:
        return strength[1] in {VALUES[card[0]] for card in hole} and strength[1] > 2
    for suit in {card[1] for card in hole}:
        own = [VALUES[card[0]] for card in hole if card[1] == suit]
        if len(own) + sum(card[1] == suit for card in flop) >= 4 and max(own) >= 10:
            return True
    return False


def _calls(hole: Cards, board: Cards) -> bool:
    """At the end: anything of one's own, or over a board that threatens little a high card that few
    dealers beat.
    """
    strength, lying = best((*hole, *board)), five(board)
    if strength[0] in (STRAIGHT, FLUSH) or strength[:2] > lying[:2]:
        return True
    threatened = max(sum(card[1] == suit for card in board) for suit in "cdhs") >= 4
    return not threatened and max(VALUES[card[0]] for card in hole) >= 13
