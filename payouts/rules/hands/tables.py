"""Lookup tables for poker hands of five, six and seven cards, built in memory when the module is
imported (about 0.1 s).

Note [Ranks]
    There are 7 462 different hands (HAND-2). Sorted from the weakest, the place of a hand is its
    rank: 1 is 7-5-4-3-2
    of mixed suits, 7 462 the royal flush. Only five-card hands are judged by the rules of poker; a
    hand of six or
    seven cards has by definition the highest rank among the hands that remain when one of its cards
    is left out
    (HAND-4).

Note [Flush wins]
    Seven cards with five of one suit can hold no four of a kind and no full house: either needs at
    least three cards
    outside of that suit (each rank is in it once) and only two are left. So the cards of the suit
    alone decide, and
    they are a set of ranks: 8 192 sets.

Note [Perfect index]
    Without a flush only the number of cards of each rank matters. The ranks are cut into halves: 2
    to 8 and 9 to A.
    Written in base 5, the numbers of cards of a half are one small number, and it is the sum of one
    power of five per
    card. A hand of n cards with h cards in the high half has n - h in the low half, and *every*
    such pair of halves
    is a hand. So the hands with h high cards are a full rectangle: a row per high half, a column
    per low half. ROWS
    says where a row starts, COLUMNS the place in it, and their sum is a different place for every
    hand with no place
    unused: 6 175 + 18 395 + 49 205 places for five, six and seven cards.

Note [Keys]
    The key of a card holds its power of five, a counter of its suit and a bit of its own; keys are
    added. From the
    lowest bit: 17 bits low half, 15 bits high half, 4 x 4 bits suits, 52 bits cards, a suit after
    the other. Suit
    counters start at 3, so a fifth card of a suit sets a counter's highest bit. A card that is
    added twice carries
    its bit upwards, which always leaves fewer bits set than cards were added.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import IntEnum
from itertools import chain, combinations, combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from payouts.rules.hands.cards import DECK, RANKS

Ints = NDArray[np.int64]


class Category(IntEnum):
    """What a hand is called (HAND-1), low to high."""

    HIGH_CARD = 0
    ONE_PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9


COUNTS = (5, 6, 7)
LOW_RANKS, HIGH_RANKS = range(7), range(7, 13)
HIGH_SHIFT, SUIT_SHIFT, CARD_SHIFT = 17, 32, 48
LOW_MASK, HIGH_MASK, SUIT_MASK = (1 << 17) - 1, (1 << 15) - 1, (1 << 13) - 1
SUIT_START, FLUSH_BITS = 0x3333 << SUIT_SHIFT, 0x8888 << SUIT_SHIFT

WHEEL = (3, 2, 1, 0, 12)
_ACE_HIGH_WHEEL = (12, 3, 2, 1, 0)
_CATEGORY_OF_SHAPE = {
    (1, 1, 1, 1, 1): Category.HIGH_CARD,
    (2, 1, 1, 1): Category.ONE_PAIR,
    (2, 2, 1): Category.TWO_PAIR,
    (3, 1, 1): Category.THREE_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (4, 1): Category.FOUR_OF_A_KIND,
}


def _weight(rank: int) -> int:
    power: int = 5 ** (rank - HIGH_RANKS.start if rank in HIGH_RANKS else rank)
    return power << HIGH_SHIFT if rank in HIGH_RANKS else power


WEIGHTS: Ints = np.array([_weight(rank) for rank in range(len(RANKS))])


def multisets(ranks: Iterable[int], size: int) -> Ints:
    """Every choice of `size` ranks, each at most four times: one row each, ranks ascending."""
    chosen = list(combinations_with_replacement(ranks, size))
    rows = np.fromiter(chain.from_iterable(chosen), np.int64, len(chosen) * size).reshape(
        len(chosen), size
    )
    return rows[(rows[:, 4:] != rows[:, :-4]).all(axis=1)] if size > 4 else rows


def judge(ranks: Sequence[int], *, suited: bool) -> tuple[Category, tuple[int, ...]]:
    """The category of five cards (HAND-1) and their ranks in the order in which they are compared
    (HAND-2, HAND-3).
    """
    count = Counter(ranks)
    groups = sorted(count, key=lambda rank: (count[rank], rank), reverse=True)
    category = _CATEGORY_OF_SHAPE[tuple(count[rank] for rank in groups)]
    order = tuple(chain.from_iterable([rank] * count[rank] for rank in groups))
    if category is not Category.HIGH_CARD:
        return category, order
    if order == _ACE_HIGH_WHEEL:
        order = WHEEL
    if order == WHEEL or order[0] - order[4] == 4:
        if not suited:
            return Category.STRAIGHT, order
        return (
            Category.ROYAL_FLUSH if order[0] == len(RANKS) - 1 else Category.STRAIGHT_FLUSH
        ), order
    return (Category.FLUSH if suited else Category.HIGH_CARD), order


_mixed = {tuple(ranks): judge(ranks, suited=False) for ranks in multisets(range(13), 5).tolist()}
_suited = {ranks: judge(ranks, suited=True) for ranks in combinations(range(13), 5)}
_judged = sorted([*_mixed.values(), *_suited.values()])
_rank_of = {hand: place for place, hand in enumerate(_judged, start=1)}

TOP_RANK = len(_judged)
# By rank, from 1: the category of a hand and the ranks of its five cards, the most significant
# first.
CATEGORIES: NDArray[np.uint8] = np.array([0, *(category for category, _ in _judged)], np.uint8)
FIVES: tuple[tuple[int, ...], ...] = ((), *(order for _, order in _judged))


def _index_tables() -> tuple[dict[int, Ints], Ints, int]:
    """`ROWS` by number of cards, `COLUMNS`, and the number of places; see Note [Perfect index]."""
    low = [WEIGHTS[multisets(LOW_RANKS, size)].sum(axis=1) for size in range(8)]
    high = [WEIGHTS[multisets(HIGH_RANKS, size)].sum(axis=1) >> HIGH_SHIFT for size in range(8)]
    columns = np.zeros(max(int(codes.max()) for codes in low) + 1, np.int64)
    for codes in low:
        columns[codes] = np.arange(len(codes))
    rows, start = {}, 0
    for count in COUNTS:
        rows[count] = np.zeros(max(int(codes.max()) for codes in high) + 1, np.int64)
        for in_high in range(count + 1):
            width = len(low[count - in_high])
            rows[count][high[in_high]] = start + width * np.arange(len(high[in_high]))
            start += width * len(high[in_high])
    return rows, columns, start


ROWS, COLUMNS, PLACES = _index_tables()


def places(count: int, codes: Ints) -> Ints:
    """The places in `MIXED` of hands of `count` cards, given as sums of `WEIGHTS`."""
    place: Ints = ROWS[count][codes >> HIGH_SHIFT] + COLUMNS[codes & LOW_MASK]
    return place


def _mixed_ranks() -> NDArray[np.uint16]:
    """The ranks of all hands without a flush, by place; see Note [Ranks]."""
    ranks = np.zeros(PLACES, np.uint16)
    five = np.array(list(_mixed))
    ranks[places(5, WEIGHTS[five].sum(axis=1))] = [_rank_of[hand] for hand in _mixed.values()]
    for count in (6, 7):
        weights = WEIGHTS[multisets(range(13), count)]
        codes = weights.sum(axis=1)
        ranks[places(count, codes)] = ranks[places(count - 1, codes[:, None] - weights)].max(axis=1)
    return ranks


def _suited_ranks() -> NDArray[np.uint16]:
    """The ranks of five, six and seven cards of one suit, by the set of their ranks as bits; 0 for
    fewer cards or more.
    """
    ranks = np.zeros(1 << 13, np.uint16)
    bits = 1 << np.arange(13)
    for five, hand in _suited.items():
        ranks[bits[list(five)].sum()] = _rank_of[hand]
    sets = np.arange(1 << 13)
    for count in (6, 7):
        chosen = sets[np.bitwise_count(sets) == count][:, None]
        ranks[chosen[:, 0]] = np.where(chosen & bits, ranks[chosen & ~bits], 0).max(axis=1)
    return ranks


MIXED = _mixed_ranks()
SUITED = _suited_ranks()

# The keys of Note [Keys]. For NumPy the part that fits 64 bits and the cards' own bits lie apart.
KEY = [
    (1 << (CARD_SHIFT + 13 * (card % 4) + card // 4))
    + (1 << (SUIT_SHIFT + 4 * (card % 4)))
    + _weight(card // 4)
    for card in DECK
]
KEYS: Ints = np.array([key & ((1 << CARD_SHIFT) - 1) for key in KEY])
CARD_BITS: Ints = np.array([key >> CARD_SHIFT for key in KEY])

_arrays: list[NDArray[Any]] = [
    WEIGHTS,
    CATEGORIES,
    COLUMNS,
    *ROWS.values(),
    MIXED,
    SUITED,
    KEYS,
    CARD_BITS,
]
for _array in _arrays:
    _array.setflags(write=False)

# The same for one hand at a time. Python's lists beat arrays there; equal numbers share one object,
# which keeps the lists inside the processor's cache, and the keys of two cards come added already:
# PAIR_KEYS[first][second].
_shared = list(range(PLACES))
FIRST_KEYS = [SUIT_START + key for key in KEY]
PAIR_KEYS = [[first + second for second in KEY] for first in KEY]
ROW_LISTS: dict[int, list[int]] = {
    count: [_shared[start] for start in row.tolist()] for count, row in ROWS.items()
}
COLUMN_LIST: list[int] = [_shared[place] for place in COLUMNS.tolist()]
MIXED_LIST: list[int] = [_shared[rank] for rank in MIXED.tolist()]
SUITED_LIST: list[int] = [_shared[rank] for rank in SUITED.tolist()]
# From the counter bit that a flush sets to the place of that suit's cards in the key.
CARDS_OF_FLUSH = {1 << (SUIT_SHIFT + 4 * suit + 3): CARD_SHIFT + 13 * suit for suit in range(4)}
