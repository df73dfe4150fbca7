"""Poker hands (HAND-1 to HAND-4): what some cards are worth, the five that count, and how many
hands there are of each worth.

A *rank* is a whole number from 1 to 7 462: the higher hand has the higher rank and hands that tie
have the same (HAND-2). Ranks of five, six and seven cards, of hold'em, stud, draw and Omaha,
compare with each other. The lows of HAND-5 are in `low_hands`.

`rank` and `best_hand` take cards as `"As Kd"`, `["As", "Kd"]` or card numbers; `rank_ids` and
`rank_bulk` take numbers and are fast. Whatever else comes is refused with `CardUnknown`,
`CardTwice` or `CardCount`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from payouts.errors import Refused, mark
from payouts.rules.hands import tables
from payouts.rules.hands.cards import (
    DECK,
    CardCount,
    Cards,
    CardUnknown,
    card_texts,
    check_cards,
    parse_cards,
    safe_text,
)
from payouts.rules.hands.tables import (
    CARD_SHIFT,
    CARDS_OF_FLUSH,
    COLUMN_LIST,
    COUNTS,
    FIRST_KEYS,
    FLUSH_BITS,
    HIGH_MASK,
    HIGH_SHIFT,
    LOW_MASK,
    MIXED_LIST,
    PAIR_KEYS,
    SUIT_MASK,
    SUIT_START,
    SUITED_LIST,
    TOP_RANK,
)
from payouts.rules.hands.tables import Category as Category  # it is made there, and belongs here

Ints = NDArray[np.int64]
Ranks = NDArray[np.uint16]
Ids = NDArray[np.uint8]

_SEVEN_ROWS = tables.ROW_LISTS[7]
_LISTS = (list, tuple)
_ONE_SUITED = (Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)
_CATEGORIES = tuple(Category)
_CATEGORY_OF: tuple[Category, ...] = tuple(
    _CATEGORIES[number] for number in tables.CATEGORIES.tolist()
)
# hands at a time in bulk: what the work on them needs stays in the processor's cache
_CHUNK = 1 << 15


class RankUnknown(Refused):
    """A number is not the rank of a hand. Data: `rank`."""

    code = "hand.rank_unknown"
    rule = "HAND-2"
    sentence = mark("“%(rank)s” is not the rank of a poker hand.")
    remedy = mark(
        "Ranks are whole numbers from 1 to 7462: take them from the functions that rank cards."
    )


class CategoryUnknown(Refused):
    """What was announced is not a category. Data: `category`."""

    code = "hand.category_unknown"
    rule = "HAND-1"
    sentence = mark("“%(category)s” is not a category of poker hands.")
    remedy = mark("Choose one from high card to royal flush.")


@dataclass(frozen=True, slots=True)
class Hand:
    """The five cards that count, most significant first: a full house's three before its pair, the
    ace of A-2-3-4-5 last.

    `hole` are those of `cards` that are hole cards, in the same order. `rank` compares hands and
    `category` names them.
    """

    rank: int
    category: Category
    cards: tuple[str, ...]
    hole: tuple[str, ...]


def rank(cards: Cards) -> int:
    """The rank of the best five of five, six or seven cards (HAND-2, HAND-4).

    >>> rank("As Ks Qs Js Ts"), rank("Ah Ad 9s 9c 4h 3c 2d") == rank(["As", "Ac", "9d", "9h", "4s"])
    (7462, True)
    """
    return _rank(parse_cards(cards, COUNTS))


def rank_ids(ids: Sequence[int]) -> int:
    """The same as `rank`, made for a list or tuple of seven card numbers: checked and ranked in
    half a microsecond.

    The keys of the cards are added, which shows a card that is there twice (Note [Keys] in
    `hand_tables`). `DECK[a] is a` holds only for the whole numbers from 0 to 51, of which Python
    keeps one object each: not for True, 1.0 or -1. What does not pass goes the long way, to be
    ranked or refused there.
    """
    try:
        a, b, c, d, e, f, g = ids
        key = PAIR_KEYS[a][b] + PAIR_KEYS[c][d] + PAIR_KEYS[e][f] + FIRST_KEYS[g]
    except (TypeError, ValueError, IndexError):
        return rank(ids)
    if (
        (key >> CARD_SHIFT).bit_count() != 7
        or DECK[a] is not a
        or DECK[b] is not b
        or DECK[c] is not c
        or DECK[d] is not d
        or DECK[e] is not e
        or DECK[f] is not f
        or DECK[g] is not g
        or ids.__class__ not in _LISTS
    ):
        return rank(ids)
    flush = key & FLUSH_BITS
    if flush:
        return SUITED_LIST[key >> CARDS_OF_FLUSH[flush] & SUIT_MASK]
    return MIXED_LIST[_SEVEN_ROWS[key >> HIGH_SHIFT & HIGH_MASK] + COLUMN_LIST[key & LOW_MASK]]


def category_of(rank: int) -> Category:
    """The category of a rank (HAND-1). Refuses with `RankUnknown`."""
    if type(rank) is not int or not 1 <= rank <= TOP_RANK:
        raise RankUnknown(rank=safe_text(rank))
    return _CATEGORY_OF[rank]


def best_hand(hole: Cards, board: Cards = ()) -> Hand:
    """The best five of hole and board cards together, five to seven, in any mix (HAND-4, HAND-6).

    Draw and stud hands are all hole cards. Where cards of equal rank could serve, hole cards are
    taken before board cards, then spades, hearts, diamonds, clubs: the answer never depends on the
    order of the input. So `hole` is empty only where no hole card can be among the best five, as in
    a community royal (PRG-4); whether the board alone is worth as much, `rank(board)` tells.

    >>> best_hand("As 4d", "Ks Qs Js Ts 2h").hole
    ('As',)
    """
    hole_ids, board_ids = parse_cards(hole), parse_cards(board)
    best = _rank(check_cards(hole_ids + board_ids, COUNTS))
    return hand_of(best, _pick(best, hole_ids, board_ids), hole_ids)


def spoken_hand(
    hole: Cards, board: Cards, announced: Category, *, cards_speak: bool = True
) -> Hand:
    """The hand that counts after its owner announced a category (HAND-6): what the cards make,
    whatever they said.

    Where a house posts `HandRules.cards_speak` as false a lower announcement binds: the best five
    of that category count. An announcement of more than the cards make never counts. Also refuses
    with `CategoryUnknown`.

    >>> spoken_hand("As Ah", "Ad 7c 7d 3s 2h", Category.THREE_OF_A_KIND, cards_speak=False).cards
    ('As', 'Ah', 'Ad', '7d', '3s')
    """
    if type(announced) is not Category:
        raise CategoryUnknown(category=safe_text(announced))
    best = best_hand(hole, board)
    if cards_speak or announced >= best.category:
        return best
    hole_ids = parse_cards(hole)
    fives = combinations(sorted(hole_ids + parse_cards(board)), 5)
    ranked = [(_rank(five), len(set(five) & set(hole_ids)), five) for five in fives]
    said, _, five = max(
        (hand for hand in ranked if _CATEGORY_OF[hand[0]] is announced), default=(0, 0, ())
    )
    return hand_of(said, _pick(said, five, ()), hole_ids) if said else best


def best_omaha(hole: Cards, board: Cards) -> Hand:
    """The best five of exactly two of four hole cards and exactly three of three to five board
    cards (HAND-4).

    >>> best_omaha("As Kd 7h 2c", "Ks Qs Js Ts 9s").category.name
    'STRAIGHT'
    """
    hole_ids, board_ids = parse_cards(hole, (4,)), parse_cards(board, (3, 4, 5))
    check_cards(hole_ids + board_ids)
    best, five = max((_rank(five), five) for five in two_and_three(hole_ids, board_ids))
    return hand_of(best, _pick(best, five, ()), hole_ids)


def two_and_three(hole: Iterable[int], board: Iterable[int]) -> list[tuple[int, ...]]:
    """Every choice of two hole and three board cards, the same list in whatever order they come."""
    return [
        two + three
        for two in combinations(sorted(hole), 2)
        for three in combinations(sorted(board), 3)
    ]


def hand_of(rank: int, five: tuple[int, ...], hole: tuple[int, ...]) -> Hand:
    """A hand from its rank and its five cards in order."""
    return Hand(
        rank,
        _CATEGORY_OF[rank],
        card_texts(five),
        card_texts([card for card in five if card in hole]),
    )


def rank_bulk(hands: Ids) -> Ranks:
    """The ranks of many hands: an array of `uint8` card numbers with a row of five, six or seven
    for each hand.

    The cards are *not* looked at: check what comes from outside with `check_bulk` first. A wrong
    card gives a wrong rank, never a crash. Refuses with `CardUnknown` what is not such an array,
    with `CardCount` other numbers of columns.
    """
    ranks = np.empty(len(_table(hands)), np.uint16)
    for start in range(0, len(hands), _CHUNK):
        ranks[start : start + _CHUNK] = _rank_chunk(hands[start : start + _CHUNK])
    return ranks


def check_bulk(hands: Ids) -> None:
    """Refuse what `rank_bulk` refuses, and hands with an unknown card (`CardUnknown`) or with a
    card twice (`CardTwice`).
    """
    for start in range(0, len(_table(hands)), _CHUNK):
        chunk = hands[start : start + _CHUNK]
        count = chunk.shape[1]
        bits = sum(tables.CARD_BITS.take(chunk[:, column], mode="clip") for column in range(count))
        if chunk.max() >= len(DECK) or (np.bitwise_count(bits) != count).any():
            for row in chunk.tolist():
                parse_cards(row)


def _rank(ids: tuple[int, ...]) -> int:
    """The rank of five to seven cards that were checked."""
    key = sum((tables.KEY[card] for card in ids), SUIT_START)
    flush = key & FLUSH_BITS
    if flush:
        return SUITED_LIST[key >> CARDS_OF_FLUSH[flush] & SUIT_MASK]
    return MIXED_LIST[
        tables.ROW_LISTS[len(ids)][key >> HIGH_SHIFT & HIGH_MASK] + COLUMN_LIST[key & LOW_MASK]
    ]


def _pick(rank: int, hole: tuple[int, ...], board: tuple[int, ...]) -> tuple[int, ...]:
    """The five cards that make the rank, the most significant first; hole cards go before board
    cards that would serve as well.
    """
    cards = sorted(hole, reverse=True) + sorted(board, reverse=True)
    if _CATEGORY_OF[rank] in _ONE_SUITED:
        suits = [card % 4 for card in cards]
        cards = [card for card in cards if suits.count(card % 4) >= 5]
    five = []
    for wanted in tables.FIVES[rank]:
        five.append(next(card for card in cards if card // 4 == wanted))
        cards.remove(five[-1])
    return tuple(five)


def _table(hands: Ids) -> Ids:
    if not isinstance(hands, np.ndarray) or hands.dtype != np.uint8 or hands.ndim != 2:
        raise CardUnknown(card=safe_text(hands))
    if hands.shape[1] not in COUNTS:
        raise CardCount(given=hands.shape[1], wanted="5-7")
    return hands


def _rank_chunk(hands: Ids) -> Ranks:
    # Indices are clipped, not checked: NumPy then skips a pass over them, and numbers that are no
    # cards stay within the tables.
    count = hands.shape[1]
    keys = tables.KEYS.take(hands[:, 0], mode="clip")
    for column in range(1, count):
        keys += tables.KEYS.take(hands[:, column], mode="clip")
    keys += SUIT_START
    places = tables.ROWS[count].take(keys >> HIGH_SHIFT & HIGH_MASK, mode="clip")
    places += tables.COLUMNS.take(keys & LOW_MASK, mode="clip")
    ranks = tables.MIXED.take(places, mode="clip")
    flushes = np.flatnonzero(keys & FLUSH_BITS)
    if len(flushes):
        ranks[flushes] = _suited_ranks(hands[flushes])
    return ranks


def _suited_ranks(hands: Ids) -> Ranks:
    """The ranks of hands that hold a flush: only that suit's set of ranks is one of five or
    more."""
    bits = tables.CARD_BITS.take(hands, mode="clip").sum(axis=1)
    ranks: Ranks = np.max(
        [tables.SUITED[bits >> 13 * suit & SUIT_MASK] for suit in range(4)], axis=0
    )
    return ranks


def ways_without_flush(chosen: Ints) -> Ints:
    """In how many ways each choice of ranks can have its suits, without five of one suit.

    By the number of cards of one suit: a rank that is there k times has C(3, k) ways without that
    suit and C(3, k - 1) with it. Multiplied out over the ranks, the ways with five or more are
    flushes, of four suits.
    """
    times = (chosen[:, :, None] == np.arange(13)).sum(axis=1)
    without = np.array([comb(3, k) for k in range(5)])[times]
    with_one = np.array([0, *(comb(3, k - 1) for k in range(1, 5))])[times]
    ways = np.zeros((len(chosen), chosen.shape[1] + 1), np.int64)
    ways[:, 0] = 1
    for column in range(13):
        more = ways[:, :-1] * with_one[:, column, None]
        ways *= without[:, column, None]
        ways[:, 1:] += more
    every: Ints = np.array([comb(4, k) for k in range(5)])[times].prod(axis=1)
    flushes: Ints = 4 * ways[:, 5:].sum(axis=1)
    return every - flushes
