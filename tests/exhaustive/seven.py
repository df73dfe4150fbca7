"""Every seven-card hand there is, ranked by our tables in bulk and by phevaluator's own code, and counted by category."""

from collections.abc import Iterator
from functools import partial
from itertools import chain, combinations, starmap
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from phevaluator import _pheval  # the C code under its public functions: six times as fast, 134 million times

from payouts.rules.hands.cards import card_texts
from payouts.rules.hands.ranks import Category, rank_bulk

HANDS = comb(52, 7)
PUBLISHED = {
    Category.HIGH_CARD: 23_294_460,
    Category.ONE_PAIR: 58_627_800,
    Category.TWO_PAIR: 31_433_400,
    Category.THREE_OF_A_KIND: 6_461_620,
    Category.STRAIGHT: 6_180_020,
    Category.FLUSH: 4_047_644,
    Category.FULL_HOUSE: 3_473_184,
    Category.FOUR_OF_A_KIND: 224_848,
    Category.STRAIGHT_FLUSH: 37_260,
    Category.ROYAL_FLUSH: 4_324,
}
RANKS = 7_462  # phevaluator counts from the royal flush, 1, down to 7 462


class Share(NamedTuple):
    """What came of one share of the hands: hands by rank, and the first one on which the two disagree."""

    counts: NDArray[np.int64]
    disagreement: str


def shares() -> Iterator[tuple[int, int]]:
    """The two highest cards of a hand: all hands that share them are one share of the work; the largest shares first."""
    return ((first, second) for second in range(50, 4, -1) for first in range(second + 1, 52))


def fives() -> NDArray[np.uint8]:
    """All fives of the cards 0 to 49, highest card first, the fives of the lowest cards last."""
    cards = chain.from_iterable(combinations(range(49, -1, -1), 5))
    return np.fromiter(cards, np.uint8, 5 * comb(50, 5)).reshape(-1, 5)


def compare(share: tuple[int, int], lower: NDArray[np.uint8]) -> Share:
    """Rank all hands of a share both ways."""
    first, second = share
    size = comb(second, 5)
    hands = np.empty((size, 7), np.uint8)
    hands[:, :2] = share
    hands[:, 2:] = lower[-size:]  # the fives below the second card
    ours = rank_bulk(hands)
    ranked = starmap(partial(_pheval.evaluate_7cards, first, second), combinations(range(second - 1, -1, -1), 5))
    theirs = np.fromiter(ranked, np.uint16, size)
    wrong = np.flatnonzero(ours + theirs != RANKS + 1)
    found = f"{' '.join(card_texts(hands[wrong[0]].tolist()))}: {ours[wrong[0]]}" if len(wrong) else ""
    return Share(np.bincount(ours, minlength=RANKS + 1), found)
