"""How often seven cards make each class, and how often the board alone makes the very same hand:
exact, by the functions that settle.

All 133 784 560 seven-card hands are covered by 53 924 of them, each standing for those that differ
from it only in suits that decide nothing. Every one of them is ranked, and so is each of its 21
possible boards.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from payouts.rules.hands.ranks import Category, category_of, rank_bulk, ways_without_flush
from payouts.rules.hands.tables import multisets

Ints = NDArray[np.int64]
Hands = NDArray[np.uint8]

HANDS = comb(52, 7)
BOARDS = comb(7, 5)  # ways in which seven cards can lie: five on the board, two in the hand
DEALS = HANDS * BOARDS


class ClassCount(NamedTuple):
    """Of all `HANDS`, how many are of the class; of all `DEALS` (hand and board), in how many the
    board alone makes the hand.
    """

    hands: int
    deals_on_board: int

    @property
    def probability(self) -> Fraction:
        """How often a box makes the class."""
        return Fraction(self.hands, HANDS)

    @property
    def probability_on_board(self) -> Fraction:
        """How often it does without needing a hole card."""
        return Fraction(self.deals_on_board, DEALS)


@cache
def class_counts() -> dict[Category, ClassCount]:
    """The counts of all classes; computed once, in well under a second.

    >>> class_counts()[Category.ROYAL_FLUSH]
    ClassCount(hands=4324, deals_on_board=4324)
    """
    totals = {category: [0, 0] for category in Category}
    for hands, weights in (_mixed(), _suited()):
        ranks = rank_bulk(hands)
        boards = np.stack(
            [rank_bulk(hands[:, list(board)]) == ranks for board in combinations(range(7), 5)]
        )
        on_board = boards.sum(axis=0) * weights
        for rank in np.unique(ranks):
            total = totals[category_of(int(rank))]
            chosen = ranks == rank
            total[0] += int(weights[chosen].sum())
            total[1] += int(on_board[chosen].sum())
    return {category: ClassCount(*total) for category, total in totals.items()}


def _mixed() -> tuple[Hands, Ints]:
    """A hand without a flush for every choice of seven ranks, and for how many hands without a
    flush it stands.
    """
    ranks = multisets(range(13), 7)
    # Suits in turn: equal ranks lie side by side, so no card comes twice, and no suit has more than
    # two.
    hands = (ranks * 4 + np.arange(7) % 4).astype(np.uint8)
    return hands, ways_without_flush(ranks)


def _suited() -> tuple[Hands, Ints]:
    """A hand for every set of five, six or seven ranks in one suit, and for how many hands with
    just these cards of a suit it stands.
    """
    hands, weights = [], []
    for size in (5, 6, 7):
        for ranks in combinations(range(13), size):
            others = [4 * rank + 1 for rank in range(7 - size)]
            hands.append([*(4 * rank for rank in ranks), *others])
            weights.append(4 * comb(39, 7 - size))
    return np.array(hands, np.uint8), np.array(weights)
