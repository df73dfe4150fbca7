"""Lows: the order of every kind against a second judgement of all different hands, their choice of cards, and what is
refused.
"""

from collections import Counter
from itertools import combinations, combinations_with_replacement
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from payouts.rules.hands.cards import DECK, TEXTS, CardCount, CardTwice, CardUnknown, card_texts, parse_cards
from payouts.rules.hands.low import Low, LowQualifierUnknown, LowUnknown, best_low, best_omaha_low
from tests.payouts.rules.anything import ANYTHING
from tests.turns import each

REFUSED = CardUnknown, CardTwice, CardCount, LowUnknown, LowQualifierUnknown
STRAIGHT, FLUSH = 4, 5

seven = st.lists(st.sampled_from(DECK), min_size=7, max_size=7, unique=True)
nine = st.lists(st.sampled_from(DECK), min_size=9, max_size=9, unique=True)
kinds = st.sampled_from(Low)


def badness(low: Low, five: tuple[int, ...]) -> tuple[Any, ...] | None:
    """What makes a low worse, most important first; None when it does not qualify. Judged without tables."""
    heights = sorted((card // 4 + 2 if low is Low.DEUCE_TO_SEVEN else (card // 4 + 1) % 13 + 1) for card in five)
    times = Counter(heights)
    groups = sorted(((count, height) for height, count in times.items()), reverse=True)
    shape = [count for count, _ in groups]
    if low is Low.EIGHT_OR_BETTER:
        return None if shape[0] > 1 or heights[-1] > 8 else tuple(reversed(heights))
    category = [[1] * 5, [2, 1, 1, 1], [2, 2, 1], [3, 1, 1], None, None, [3, 2], [4, 1]].index(shape)
    straight = shape[0] == 1 and heights[4] - heights[0] == 4
    suited = len({card % 4 for card in five}) == 1
    if low is not Low.ACE_TO_FIVE and (straight or suited):
        category = 8 if straight and suited else FLUSH if suited else STRAIGHT
    return (category, *[height for _, height in groups])


def every_kind_of_five() -> list[tuple[int, ...]]:
    """One hand for each of the 7 462 different ones."""
    mixed = [
        tuple(rank * 4 + place % 4 for place, rank in enumerate(ranks))
        for ranks in combinations_with_replacement(range(13), 5)
        if max(Counter(ranks).values()) < 5
    ]
    return mixed + [tuple(rank * 4 + 3 for rank in ranks) for ranks in combinations(range(13), 5)]


@each(
    ("low", "different"),
    [(Low.ACE_TO_FIVE, 6_175), (Low.ACE_TO_SIX, 7_462), (Low.DEUCE_TO_SEVEN, 7_462), (Low.EIGHT_OR_BETTER, 56)],
)
def test_all_different_hands_are_in_order(low: Low, different: int) -> None:
    fives = every_kind_of_five()
    assert len(fives) == 7_462
    assert all(len(set(five)) == 5 for five in fives)
    judged = {five: badness(low, five) for five in fives}
    worst_first = sorted({bad for bad in judged.values() if bad}, reverse=True)
    assert len(worst_first) == different
    place = {bad: rank for rank, bad in enumerate(worst_first, start=1)}
    for five, bad in judged.items():
        hand = best_low(low, five)
        assert (hand and hand.rank) == (bad and place[bad])


@given(kinds, seven)
def test_a_low_is_its_best_five_in_the_order_in_which_they_are_compared(low: Low, ids: list[int]) -> None:
    hole, board = ids[:3], ids[3:]
    hand = best_low(low, hole, board)
    assert hand == best_low(low, hole[::-1], board[::-1])
    best = min((bad for five in combinations(ids, 5) if (bad := badness(low, five))), default=None)
    if hand is None:
        assert best is None
        return
    five = parse_cards(hand.cards, (5,))
    assert badness(low, five) == best
    assert set(five) <= set(ids)
    assert hand.hole == card_texts([card for card in five if card in hole])
    fives = [other for other in combinations(ids, 5) if badness(low, other) == best]
    assert len(hand.hole) == max(len(set(other) & set(hole)) for other in fives)


@given(nine, st.sampled_from((7, 8)))
def test_an_omaha_low_is_made_of_two_and_three(ids: list[int], qualifier: int) -> None:
    hole, board = ids[:4], ids[4:]
    fives = [two + three for two in combinations(hole, 2) for three in combinations(board, 3)]
    bad = [bad for five in fives if (bad := badness(Low.EIGHT_OR_BETTER, five)) and bad[0] <= qualifier]
    hand = best_omaha_low(hole, board, low_qualifier=qualifier)
    assert hand == best_omaha_low(hole[::-1], board[::-1], low_qualifier=qualifier)
    assert (hand and badness(Low.EIGHT_OR_BETTER, parse_cards(hand.cards))) == min(bad, default=None)
    assert hand is None or (len(hand.hole) == 2 and set(hand.cards) - set(hand.hole) <= set(card_texts(board)))


def test_groups_come_before_kickers_in_a_poor_low() -> None:
    hand = best_low(Low.ACE_TO_FIVE, "2c 2d As Ad Ks")
    assert hand is not None
    assert hand.cards == ("2d", "2c", "As", "Ad", "Ks")


@each("low", ["ace_to_five", "badugi", None, 0, True, ["x"]])
def test_an_unknown_kind_of_low_is_refused(low: Any) -> None:
    with pytest.raises(LowUnknown):
        best_low(low, "As 2d 3h 4c 5s")


@each("qualifier", [6, 9, 0, True, 8.0, "8", None, 10**400, [8]])
def test_an_unknown_qualifier_is_refused(qualifier: Any) -> None:
    with pytest.raises(LowQualifierUnknown) as refusal:
        best_low(Low.EIGHT_OR_BETTER, "As 2d 3h 4c 5s", low_qualifier=qualifier)
    assert refusal.value.rule == "HAND-5"
    with pytest.raises(LowQualifierUnknown):
        best_omaha_low("As 2d 3h 4c", "5s 6d 7h 8c 9s", low_qualifier=qualifier)


@each(("hole", "board"), [(3, 5), (5, 5), (4, 2), (4, 6), (0, 5), (4, 0)])
def test_omaha_wants_four_hole_cards_and_three_to_five_on_the_board(hole: int, board: int) -> None:
    with pytest.raises(CardCount):
        best_omaha_low(TEXTS[:hole], TEXTS[hole : hole + board])


def test_a_card_of_the_hole_cannot_lie_on_the_board() -> None:
    with pytest.raises(CardTwice):
        best_omaha_low("As 2d 3h 4c", "As 6d 7h 8c 9s")
    with pytest.raises(CardTwice):
        best_low(Low.ACE_TO_FIVE, "As 2d", "As 6d 7h")


@given(ANYTHING, ANYTHING, ANYTHING, ANYTHING)
def test_anything_is_a_low_or_refused(first: Any, second: Any, low: Any, qualifier: Any) -> None:
    calls: list[Any] = [
        lambda: best_low(low, first),
        lambda: best_low(Low.EIGHT_OR_BETTER, first, second, low_qualifier=qualifier),
        lambda: best_low(Low.ACE_TO_SIX, first, second),
        lambda: best_omaha_low(first, second, low_qualifier=qualifier),
    ]
    for call in calls:
        try:
            call()
        except REFUSED as refusal:
            assert refusal.text()
