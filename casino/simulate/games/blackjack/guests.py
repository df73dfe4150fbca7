"""Guests of Black Jack with habits: what they stake, and how they play the cards they see: by the
usual book for a bank that takes its second card last, with a mistake now and then.
"""

import random  # noqa: TID251  (only its type: the caller brings the chance)
from collections.abc import Sequence
from typing import NamedTuple

from casino.simulate.books.blackjack import MOST, BlackjackRules, natural, pips, points

Cards = Sequence[str]


class Habit(NamedTuple):
    """A kind of guest. Chances are per cent; `level` is where between minimum and maximum they
    stake, in per cent.
    """

    name: str
    level: tuple[int, int]
    joins: int  # how often they also stake on a box that is another's
    errs: int
    insures: int
    evens: int  # how often they take even money
    follows: int  # how often they do what the owner of the box does
    dares: int  # how often they double a Black Jack as 11


HABITS = (
    Habit("careful", (0, 5), 10, 5, 40, 80, 40, 0),
    Habit("regular", (0, 15), 30, 10, 20, 40, 70, 10),
    Habit("high roller", (20, 60), 40, 10, 30, 50, 80, 30),
    Habit("gambler", (0, 30), 40, 30, 60, 20, 90, 60),
)

# Of a pair: which first cards of the bank it is split against.
SPLITS = {11: range(2, 11), 9: (2, 3, 4, 5, 6, 8, 9), 8: range(2, 10), 7: range(2, 8)}
SPLITS |= {6: range(2, 7), 4: (5, 6), 3: range(2, 8), 2: range(2, 8)}
DOUBLES = {11: range(2, 10), 10: range(2, 10), 9: range(3, 7)}


def chances(chance: random.Random, per_cent: int) -> bool:
    """Whether something happens that happens so often."""
    return chance.randint(1, 100) <= per_cent


def stake(chance: random.Random, habit: Habit, rules: BlackjackRules) -> int:
    """An amount that may be staked, where the guest's habit lies."""
    low, high = (per_cent * (len(rules.amounts) - 1) // 100 for per_cent in habit.level)
    return rules.amounts[chance.randint(low, high)]


def splits(chance: random.Random, habit: Habit, hand: Cards, bank: str) -> bool:
    """Whether two first cards are split: those of equal points may be (BJ-7)."""
    if len({pips(card) for card in hand}) > 1:
        return False
    right = pips(bank) in SPLITS.get(pips(hand[0]), ())
    return right is not chances(chance, habit.errs // 2)


def doubles(chance: random.Random, habit: Habit, hand: Cards, bank: str) -> bool:
    """Whether two cards are doubled: 9, 10 or 11 without an ace may be (BJ-6)."""
    total, soft = points(hand)
    if soft or total not in DOUBLES:
        return False
    return (pips(bank) in DOUBLES[total]) is not chances(chance, habit.errs)


def draws(chance: random.Random, habit: Habit, hand: Cards, bank: str) -> bool:
    """Whether the guest says “card” (BJ-10)."""
    (total, soft), other = points(hand), pips(bank)
    if soft:
        right = total < 18 or (total == 18 and other > 8)
    elif total == 12:
        right = other not in (4, 5, 6)
    else:
        right = total < 12 or (total < 17 and other > 6)
    errs = 11 < total < 18 and chances(chance, habit.errs)
    return total < MOST and right is not errs


def dares(chance: random.Random, habit: Habit, hand: Cards) -> bool:
    """Whether a Black Jack is taken for 11 and doubled (BJ-5)."""
    return natural(hand) and chances(chance, habit.dares)
