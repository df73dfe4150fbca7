"""What cards count at Black Jack (BJ-1, BJ-4, BJ-10). A hand is counted by ranks: how many aces,
twos … nines and ten-values it has, in this order.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tables.games.blackjack.rules import DOUBLES

ACE, TEN = 0, 9  # places in a hand counted by ranks
RANKS = range(10)
MOST = 21

Counts = tuple[int, ...]


class Points(NamedTuple):
    """`total`: the best total, above 21 when the hand is bust. `soft`: an ace counts 11 in it."""

    total: int
    soft: bool


def place_of(card: int) -> int:
    """The place of a card (0 to 51) in a hand counted by ranks: aces first, tens and pictures last.

    >>> place_of(51), place_of(0), place_of(35)  # As, 2c, Tc .. Kh count ten
    (0, 1, 9)
    """
    rank = card // 4  # from the two up
    return ACE if rank == 12 else min(rank + 1, TEN)


_PIPS = tuple(place_of(card) + 1 for card in range(52))
_LEAST_ACE = 48


def counted(cards: Sequence[int]) -> Counts:
    """How many of each rank some cards are."""
    counts = [0] * 10
    for card in cards:
        counts[place_of(card)] += 1
    return tuple(counts)


def points(counts: Sequence[int]) -> Points:
    """What a hand counts: aces 1, one of them 11 where that does not pass 21 (BJ-1, BJ-10)."""
    hard = sum(place * count for place, count in enumerate(counts, 1))
    return _points(hard, ace=counts[ACE] > 0)


def points_of(cards: Sequence[int]) -> Points:
    """The same of cards, which is faster.

    >>> points_of((51, 20))  # ace and seven
    Points(total=18, soft=True)
    """
    return _points(sum([_PIPS[card] for card in cards]), ace=max(cards) >= _LEAST_ACE)


def _points(hard: int, *, ace: bool) -> Points:
    soft = ace and hard <= MOST - 10
    return Points(hard + 10 if soft else hard, soft)


def is_blackjack(counts: Sequence[int]) -> bool:
    """Whether two cards are an ace and a ten-value: a Black Jack, but on a split hand (BJ-4,
    BJ-7)."""
    return counts[ACE] == 1 and counts[TEN] == 1 and sum(counts) == 2


def may_double(counts: Sequence[int], *, soft: bool, split: bool) -> bool:
    """Whether two cards count what may be doubled: 9, 10 or 11 without an ace counted 11, or a
    Black Jack as 11 (BJ-5, BJ-6). `soft`: the house takes ace-8 and ace-9 for 9 and 10. `split`:
    the hand is one of a split, where ace and ten are no Black Jack.
    """
    if sum(counts) != 2:
        return False
    if is_blackjack(counts):
        return not split
    total, with_ace = points(counts)
    return total - 10 * with_ace in DOUBLES and (soft or not with_ace)


def bank_stands(held: Points, *, hits_soft_17: bool) -> bool:
    """Whether the bank draws no more: from 17 on, with the one exception that a house may post
    (BJ-1).
    """
    return held.total > 17 or (held.total == 17 and not (held.soft and hits_soft_17))
