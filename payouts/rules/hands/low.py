"""Low hands (HAND-5): ace-to-five (Razz), ace-to-six, deuce-to-seven, and the low half of hi-lo
games, eight or better.

As in `hands`, a *rank* is a whole number and the better hand has the higher one, here the lower
cards; 1 is the worst hand there is. Ranks compare within one kind of low only. Cards are written
and refused as in `cards`. The order of the hands comes from pokerkit's lookups; ace-to-six, which
it lacks, is built with its means.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from pokerkit import EightOrBetterLookup, Label, Lookup, RegularLookup, Standard2Lookup

from payouts.errors import Refused, mark
from payouts.rules.hands.cards import Cards, card_texts, check_cards, parse_cards, safe_text
from payouts.rules.hands.ranks import two_and_three

_QUALIFIERS = (7, 8)


class Low(StrEnum):
    """The kinds of low: which hand is best, and whether straights and flushes count against a
    hand."""

    ACE_TO_FIVE = "ace_to_five"
    ACE_TO_SIX = "ace_to_six"
    DEUCE_TO_SEVEN = "deuce_to_seven"
    EIGHT_OR_BETTER = "eight_or_better"


class LowUnknown(Refused):
    """There is no such kind of low. Data: `low`."""

    code = "hand.low_unknown"
    rule = "HAND-5"
    sentence = mark("“%(low)s” is not a kind of low hand.")
    remedy = mark("Choose ace-to-five, ace-to-six, deuce-to-seven or eight or better.")


class LowQualifierUnknown(Refused):
    """The highest card of a qualifying low cannot be this one. Data: `low_qualifier`."""

    code = "hand.low_qualifier_unknown"
    rule = "HAND-5"
    sentence = mark("“%(low_qualifier)s” cannot be the highest card of a qualifying low.")
    remedy = mark("Set 8, or 7 in a house that plays seven or better.")


@dataclass(frozen=True, slots=True)
class LowHand:
    """The five cards that count, as they are compared: groups first, then from the highest card
    down.

    `hole` are those of `cards` that are hole cards, in the same order. `rank` compares hands of one
    kind of low.
    """

    rank: int
    cards: tuple[str, ...]
    hole: tuple[str, ...]


class _AceToSixLookup(RegularLookup):
    """Aces always low, so that K-Q-J-T-A is no straight; straights and flushes count against the
    hand.
    """

    def _add_entries(self) -> None:
        mixed, suited = (False,), (True,)
        self._add_multisets(Counter({1: 5}), mixed, Label.HIGH_CARD)
        self._add_multisets(Counter({2: 1, 1: 3}), mixed, Label.ONE_PAIR)
        self._add_multisets(Counter({2: 2, 1: 1}), mixed, Label.TWO_PAIR)
        self._add_multisets(Counter({3: 1, 1: 2}), mixed, Label.THREE_OF_A_KIND)
        self._add_straights(5, mixed, Label.STRAIGHT, wrap=False)
        self._add_multisets(Counter({1: 5}), suited, Label.FLUSH)
        self._add_multisets(Counter({3: 1, 2: 1}), mixed, Label.FULL_HOUSE)
        self._add_multisets(Counter({4: 1, 1: 1}), mixed, Label.FOUR_OF_A_KIND)
        self._add_straights(5, suited, Label.STRAIGHT_FLUSH, wrap=False)


# Each with its number of different hands: pokerkit counts them from 0, the best low.
_LOOKUPS: dict[Low, tuple[Lookup, int]] = {
    Low.ACE_TO_FIVE: (RegularLookup(), 6175),
    Low.ACE_TO_SIX: (_AceToSixLookup(), 7462),
    Low.DEUCE_TO_SEVEN: (Standard2Lookup(), 7462),
    Low.EIGHT_OR_BETTER: (EightOrBetterLookup(), 56),
}


def best_low(low: Low, hole: Cards, board: Cards = (), *, low_qualifier: int = 8) -> LowHand | None:
    """The best low of five to seven hole and board cards together, in any mix; None when eight or
    better finds no low.

    `low_qualifier`, 8 or 7, is the highest card that a qualifying low may hold; a house posts it in
    `HandRules`, and only eight or better has it. Where several fives are worth the same, the one
    with more hole cards is taken. Also refuses with `LowUnknown` and `LowQualifierUnknown`.

    >>> best_low(Low.ACE_TO_FIVE, "As 2d 3h 4c 5s Kd Kh").cards
    ('5s', '4c', '3h', '2d', 'As')
    """
    hole_ids, board_ids = parse_cards(hole), parse_cards(board)
    ids = check_cards(hole_ids + board_ids, (5, 6, 7))
    _check_kind(low, low_qualifier)
    if low is Low.EIGHT_OR_BETTER:
        ids = _at_most(low_qualifier, ids)
    return _best(low, combinations(sorted(ids), 5), hole_ids)


def best_omaha_low(hole: Cards, board: Cards, *, low_qualifier: int = 8) -> LowHand | None:
    """The best qualifying low of exactly two of four hole and exactly three of three to five board
    cards, or None.

    These five are chosen apart from those of the high hand. Refuses as `best_low` does.

    >>> best_omaha_low("As 2d Kh Kc", "3s 4d 8h 8c Ks").cards
    ('8h', '4d', '3s', '2d', 'As')
    """
    hole_ids, board_ids = parse_cards(hole, (4,)), parse_cards(board, (3, 4, 5))
    check_cards(hole_ids + board_ids)
    _check_kind(Low.EIGHT_OR_BETTER, low_qualifier)
    fives = two_and_three(_at_most(low_qualifier, hole_ids), _at_most(low_qualifier, board_ids))
    return _best(Low.EIGHT_OR_BETTER, fives, hole_ids)


def _best(low: Low, fives: Iterable[tuple[int, ...]], hole: tuple[int, ...]) -> LowHand | None:
    ranked = [(_rank(low, five), len(set(five) & set(hole)), five) for five in fives]
    rank, _, five = max(ranked, default=(0, 0, ()))
    if not rank:
        return None
    five = _as_compared(low, five)
    return LowHand(rank, card_texts(five), card_texts([card for card in five if card in hole]))


def _rank(low: Low, five: tuple[int, ...]) -> int:
    """The rank of five cards, 0 for none."""
    lookup, hands = _LOOKUPS[low]
    entry = lookup.get_entry_or_none("".join(card_texts(five)))
    return 0 if entry is None else hands - entry.index


def _as_compared(low: Low, five: tuple[int, ...]) -> tuple[int, ...]:
    times = Counter(card // 4 for card in five)
    height = (lambda card: card // 4) if low is Low.DEUCE_TO_SEVEN else _pips
    return tuple(
        sorted(five, key=lambda card: (times[card // 4], height(card), card), reverse=True)
    )


def _at_most(pips: int, ids: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(card for card in ids if _pips(card) <= pips)


def _pips(card: int) -> int:
    """The ace counts 1, the king 13."""
    return (card // 4 + 1) % 13 + 1


def _check_kind(low: Low, low_qualifier: int) -> None:
    if type(low) is not Low:
        raise LowUnknown(low=safe_text(low))
    if type(low_qualifier) is not int or low_qualifier not in _QUALIFIERS:
        raise LowQualifierUnknown(low_qualifier=safe_text(low_qualifier))
