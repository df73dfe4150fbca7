"""Poker hands, ranked a second time: written from the rulebook (HAND-1 to HAND-4), not from the
service's own tables.

Plain and slow: every five of the seven cards are looked at.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from casino.simulate.cards import RANKS

NAMES = (
    "high_card",
    "one_pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
)
HIGH_CARD, ONE_PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL = (
    range(10)
)
VALUES = {rank: place for place, rank in enumerate(RANKS, 2)}
WHEEL = (14, 5, 4, 3, 2)

Strength = tuple[int, ...]


class Made(NamedTuple):
    """What a box's seven cards make: comparable strength, and whether the board alone makes exactly
    that (PRG-3, PRG-4).
    """

    strength: Strength
    on_board: bool

    @property
    def category(self) -> int:
        """The category, 0 to 9 (HAND-1)."""
        return self.strength[0]

    @property
    def name(self) -> str:
        """Its name as the API writes it."""
        return NAMES[self.category]

    @property
    def own_royal(self) -> bool:
        """A royal flush that uses a hole card (PRG-3)."""
        return self.category == ROYAL and not self.on_board


def five(cards: Sequence[str]) -> Strength:
    """The strength of five cards: category, then ranks, the largest group first (HAND-2); an ace
    may be low (HAND-3).

    >>> five(["Ah", "2c", "3d", "4s", "5h"]) < five(["2c", "3d", "4s", "5h", "6h"])
    True
    """
    groups = Counter(VALUES[card[0]] for card in cards)
    ranks = tuple(sorted(groups, key=lambda rank: (groups[rank], rank), reverse=True))
    sizes = tuple(groups[rank] for rank in ranks)
    flush = len({card[1] for card in cards}) == 1
    top = 5 if ranks == WHEEL else ranks[0] if len(ranks) == 5 and ranks[0] - ranks[4] == 4 else 0
    if top:
        return (ROYAL if top == 14 else STRAIGHT_FLUSH, top) if flush else (STRAIGHT, top)
    by_sizes = {
        (4, 1): QUADS,
        (3, 2): FULL_HOUSE,
        (3, 1, 1): THREE,
        (2, 2, 1): TWO_PAIR,
        (2, 1, 1, 1): ONE_PAIR,
    }
    return (FLUSH if flush else by_sizes.get(sizes, HIGH_CARD), *ranks)


def best(cards: Sequence[str]) -> Strength:
    """The best five of five to seven cards (HAND-4)."""
    return max(five(chosen) for chosen in combinations(cards, 5))


def made(hole: Sequence[str], board: Sequence[str]) -> Made:
    """What two hole cards make with five on the board."""
    strength = best((*hole, *board))
    return Made(strength, strength == five(board))
