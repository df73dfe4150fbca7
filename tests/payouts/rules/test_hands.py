"""Hands: the order against an independent evaluator, its properties, the five cards that count, and what is refused."""

from collections import Counter
from itertools import chain, combinations, starmap
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from phevaluator import evaluate_5cards, evaluate_6cards, evaluate_7cards
from pokerkit import OmahaHoldemHand, StandardHighHand

from payouts.rules.hands.cards import DECK, CardCount, CardTwice, CardUnknown, card_texts, parse_cards
from payouts.rules.hands.ranks import (
    Category,
    CategoryUnknown,
    RankUnknown,
    best_hand,
    best_omaha,
    category_of,
    check_bulk,
    rank,
    rank_bulk,
    rank_ids,
    spoken_hand,
)
from payouts.rules.hands.tables import CATEGORIES, FIVES, MIXED, SUITED, TOP_RANK
from tests.bench.hands import deal
from tests.payouts.rules.anything import ANYTHING
from tests.turns import each

FIVE_CARD_COUNTS = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4]
REFUSED = CardUnknown, CardTwice, CardCount, RankUnknown, CategoryUnknown

some_hand = st.lists(st.sampled_from(DECK), min_size=5, max_size=7, unique=True)
seven = st.lists(st.sampled_from(DECK), min_size=7, max_size=7, unique=True)
nine = st.lists(st.sampled_from(DECK), min_size=9, max_size=9, unique=True)


def all_fives() -> np.ndarray[Any, np.dtype[np.uint8]]:
    cards = chain.from_iterable(combinations(DECK, 5))
    return np.fromiter(cards, np.uint8, 5 * 2_598_960).reshape(-1, 5)


def test_all_five_card_hands_have_phevaluators_order_and_the_published_counts() -> None:
    ours = rank_bulk(all_fives())
    theirs = np.fromiter(starmap(evaluate_5cards, combinations(DECK, 5)), np.uint16, len(ours))
    assert np.array_equal(ours, TOP_RANK + 1 - theirs)
    assert np.bincount(CATEGORIES.take(ours)).tolist() == FIVE_CARD_COUNTS


def test_two_million_seven_card_hands_have_phevaluators_order() -> None:
    dealt = deal(2_000_000, seed=7)
    check_bulk(dealt)
    theirs = np.fromiter(starmap(evaluate_7cards, dealt.tolist()), np.uint16, len(dealt))
    assert np.array_equal(rank_bulk(dealt), TOP_RANK + 1 - theirs)


def test_one_at_a_time_and_six_cards_have_phevaluators_order() -> None:
    for hand in deal(50_000, seed=6).tolist():
        assert rank_ids(hand) == TOP_RANK + 1 - evaluate_7cards(*hand)
        assert rank_ids(hand[:6]) == TOP_RANK + 1 - evaluate_6cards(*hand[:6])
        assert rank_ids(tuple(hand[:5])) == TOP_RANK + 1 - evaluate_5cards(*hand[:5])
    six = deal(200_000, seed=66)[:, :6].copy()
    assert rank_bulk(six).tolist() == [TOP_RANK + 1 - evaluate_6cards(*hand) for hand in six.tolist()]


def test_every_place_of_the_tables_is_used_once() -> None:
    assert len(MIXED) == 6_175 + 18_395 + 49_205
    assert MIXED.min() > 0
    assert np.count_nonzero(SUITED) == 1_287 + 1_716 + 1_716
    assert set(MIXED.tolist()) | set(SUITED.tolist()) == set(range(TOP_RANK + 1))


@given(some_hand, st.randoms(use_true_random=False), st.permutations(range(4)))
def test_neither_the_order_nor_the_names_of_the_suits_matter(ids: list[int], chance: Any, suits: list[int]) -> None:
    shuffled = chance.sample(ids, len(ids))
    renamed = [card // 4 * 4 + suits[card % 4] for card in ids]
    assert rank_ids(ids) == rank_ids(shuffled) == rank_ids(renamed) == rank(ids)
    assert best_hand(ids[:2], ids[2:]) == best_hand(ids[1::-1], ids[:1:-1])


@given(some_hand)
def test_a_hand_is_worth_its_best_five(ids: list[int]) -> None:
    assert rank_ids(ids) == max(rank_ids(five) for five in combinations(ids, 5))


@given(seven)
def test_one_more_card_never_makes_a_hand_worse(ids: list[int]) -> None:
    assert rank_ids(ids[:5]) <= rank_ids(ids[:6]) <= rank_ids(ids)


@given(some_hand)
def test_text_numbers_and_bulk_agree(ids: list[int]) -> None:
    texts = card_texts(ids)
    bulk = int(rank_bulk(np.array([ids], np.uint8))[0])
    assert rank(" ".join(texts)) == rank(texts) == rank(list(texts)) == rank_ids(ids) == rank_ids(tuple(ids)) == bulk


def named(five: tuple[int, ...]) -> Category:
    """What HAND-1 calls five cards, judged afresh."""
    ranks, suits = sorted(card // 4 for card in five), {card % 4 for card in five}
    times = sorted(Counter(ranks).values(), reverse=True)
    straight = ranks in [[*range(low, low + 5)] for low in range(9)] or ranks == [0, 1, 2, 3, 12]
    if straight and len(suits) == 1:
        return Category.ROYAL_FLUSH if ranks[0] == 8 else Category.STRAIGHT_FLUSH
    if len(suits) == 1:
        return Category.FLUSH
    if straight:
        return Category.STRAIGHT
    by_groups = {
        (4, 1): Category.FOUR_OF_A_KIND,
        (3, 2): Category.FULL_HOUSE,
        (3, 1, 1): Category.THREE_OF_A_KIND,
        (2, 2, 1): Category.TWO_PAIR,
        (2, 1, 1, 1): Category.ONE_PAIR,
    }
    return by_groups.get(tuple(times), Category.HIGH_CARD)


@given(seven, st.integers(0, 7))
def test_the_five_that_count_are_there_are_worth_the_hand_and_bear_its_name(ids: list[int], held: int) -> None:
    hand = best_hand(ids[:held], ids[held:])
    five = parse_cards(hand.cards, (5,))
    assert set(five) <= set(ids)
    assert rank(five) == hand.rank == rank_ids(ids)
    assert hand.category is category_of(hand.rank) is named(five)
    assert parse_cards(hand.hole) == tuple(card for card in five if card in ids[:held])
    assert tuple(card // 4 for card in five) == FIVES[hand.rank]


@given(seven)
def test_hole_cards_are_preferred(ids: list[int]) -> None:
    hole, board = ids[:2], ids[2:]
    best = best_hand(hole, board)
    fives = [five for five in combinations(ids, 5) if rank(five) == best.rank]
    assert len(best.hole) == max(len(set(five) & set(hole)) for five in fives)


def test_every_category_and_its_five_in_order() -> None:
    shown = {
        Category.HIGH_CARD: ("Kd 9s 7h 5c 4d 3s 2c", "Kd 9s 7h 5c 4d"),
        Category.ONE_PAIR: ("2c 2d 9h Ks Jd 7c 5s", "2d 2c Ks Jd 9h"),
        Category.TWO_PAIR: ("2c 2d 9h 9s 4d 4c As", "9s 9h 4d 4c As"),
        Category.THREE_OF_A_KIND: ("5c 5d 5s Ah Kd 9c 2h", "5s 5d 5c Ah Kd"),
        Category.STRAIGHT: ("Ah 2c 3d 4s 5h 9c 9d", "5h 4s 3d 2c Ah"),
        Category.FLUSH: ("2h 4h 6h 8h Th Qh As", "Qh Th 8h 6h 4h"),
        Category.FULL_HOUSE: ("3c 3d 3h 7c 7d 7h Ks", "7h 7d 7c 3h 3d"),
        Category.FOUR_OF_A_KIND: ("8c 8d 8h 8s Ks Kd Kc", "8s 8h 8d 8c Ks"),
        Category.STRAIGHT_FLUSH: ("Ad 2d 3d 4d 5d Kd Qd", "5d 4d 3d 2d Ad"),
        Category.ROYAL_FLUSH: ("8c 9c Tc Jc Qc Kc Ac", "Ac Kc Qc Jc Tc"),
    }
    assert list(shown) == list(Category)
    for category, (cards, five) in shown.items():
        hand = best_hand(cards)
        assert (hand.category, " ".join(hand.cards)) == (category, five)


def test_a_quads_kicker_may_be_the_hole_card_or_the_boards() -> None:
    assert best_hand("As 2c", "8c 8d 8h 8s Ad").hole == ("As",)
    assert best_hand("3s 2c", "8c 8d 8h 8s Ad").hole == ()


@given(nine)
def test_omaha_agrees_with_pokerkit(ids: list[int]) -> None:
    hole, board = card_texts(ids[:4]), card_texts(ids[4:])
    hand, theirs = best_omaha(hole, board), OmahaHoldemHand.from_game("".join(hole), "".join(board))
    assert hand.rank == rank([repr(card) for card in theirs.cards])
    assert (len(hand.hole), set(hand.cards) - set(hand.hole) <= set(board)) == (2, True)
    assert rank(hand.cards) == hand.rank
    assert hand == best_omaha(hole[::-1], board[::-1])


def test_omaha_wants_four_hole_cards_and_three_to_five_others() -> None:
    for hole, board in [("As Kd 7h", "Ks Qs Js"), ("As Kd 7h 2c", "Ks Qs"), ("As Kd 7h 2c", "Ks Qs Js Ts 9s 8s")]:
        with pytest.raises(CardCount):
            best_omaha(hole, board)
    with pytest.raises(CardTwice):
        best_omaha("As Kd 7h 2c", "As Qs Js")


@given(seven)
def test_the_order_agrees_with_pokerkit(ids: list[int]) -> None:
    theirs = StandardHighHand.from_game("".join(card_texts(ids)))
    assert rank_ids(ids) - 1 == theirs.entry.index


@given(seven, st.sampled_from(Category))
def test_an_announcement_binds_only_where_the_house_says_so_and_the_cards_make_it(
    ids: list[int], said: Category
) -> None:
    hole, board = ids[:2], ids[2:]
    best = best_hand(hole, board)
    assert spoken_hand(hole, board, said) == best
    bound = spoken_hand(hole, board, said, cards_speak=False)
    of_it = [five for five in combinations(ids, 5) if named(five) is said]
    if of_it:
        assert (bound.category, bound.rank) == (said, max(map(rank, of_it)))
        assert named(parse_cards(bound.cards)) is said
    else:
        assert bound == best


@each("count", [0, 1, 4, 8, 52])
def test_a_wrong_number_of_cards_has_no_rank(count: int) -> None:
    ids = DECK[:count]
    for wrong in (rank, rank_ids, best_hand):
        with pytest.raises(CardCount) as refusal:
            wrong(ids)
        assert refusal.value.data == {"given": count, "wanted": "5-7"}


@each("place", range(7))
@each("other", [True, 1.0, -1, -51, -52, -53, 52, 53, 10**30, None, "1", "", b"\1", (1,), np.int64(1), 1j])
def test_the_fast_way_lets_no_strange_card_pass(place: int, other: Any) -> None:
    ids: list[Any] = [8, 9, 10, 11, 12, 13, 14]
    ids[place] = other
    with pytest.raises(CardUnknown):
        rank_ids(ids)


@each("second", range(1, 7))
def test_the_fast_way_sees_a_card_twice_wherever_it_lies(second: int) -> None:
    for first in range(second):
        for card in DECK:
            ids = [other for other in DECK if other != card][:7]
            ids[first] = ids[second] = card
            with pytest.raises(CardTwice):
                rank_ids(ids)


@each("ids", [bytes(range(7)), set(range(7)), dict.fromkeys(range(7)), range(7), iter(range(7)), "2345678"])
def test_the_fast_way_takes_lists_and_tuples_only(ids: Any) -> None:
    with pytest.raises(CardUnknown):
        rank_ids(ids)


@each("number", [0, -1, TOP_RANK + 1, True, 1.0, None, "7", 10**400])
def test_category_of_something_that_is_no_rank(number: Any) -> None:
    with pytest.raises(RankUnknown):
        category_of(number)


def test_check_bulk_finds_the_bad_hand_among_many() -> None:
    dealt = deal(100_000)
    check_bulk(dealt)
    dealt[70_001, 6] = dealt[70_001, 0]
    with pytest.raises(CardTwice) as twice:
        check_bulk(dealt)
    assert twice.value.data == {"card": card_texts([int(dealt[70_001, 0])])[0]}
    dealt[70_001, 6] = 52
    with pytest.raises(CardUnknown) as unknown:
        check_bulk(dealt)
    assert unknown.value.data == {"card": "52"}


def test_bulk_of_nothing_and_of_nonsense() -> None:
    assert len(rank_bulk(np.empty((0, 7), np.uint8))) == 0
    check_bulk(np.empty((0, 5), np.uint8))
    nonsense = np.full((40_000, 7), 255, np.uint8)
    assert rank_bulk(nonsense).shape == (40_000,)
    with pytest.raises(CardUnknown):
        check_bulk(nonsense)


@each("wrong", [None, [], [[1, 2, 3, 4, 5, 6, 7]], np.zeros((2, 7)), np.zeros(7, np.uint8), "As", 7])
def test_bulk_takes_only_a_table_of_card_numbers(wrong: Any) -> None:
    for bulk in (rank_bulk, check_bulk):
        with pytest.raises(CardUnknown):
            bulk(wrong)


@each("columns", [0, 1, 4, 8])
def test_bulk_takes_only_five_to_seven_columns(columns: int) -> None:
    for bulk in (rank_bulk, check_bulk):
        with pytest.raises(CardCount):
            bulk(np.zeros((3, columns), np.uint8))


def test_tables_cannot_be_changed_by_a_caller() -> None:
    for table in (MIXED, SUITED):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 1


@given(ANYTHING, ANYTHING, ANYTHING)
def test_anything_is_ranked_or_refused(first: Any, second: Any, third: Any) -> None:
    calls = [
        (rank, first),
        (rank_ids, first),
        (category_of, first),
        (best_hand, first),
        (best_hand, first, second),
        (best_omaha, first, second),
        (spoken_hand, first, second, third),
        (rank_bulk, first),
        (check_bulk, first),
    ]
    for function, *arguments in calls:
        try:
            function(*arguments)
        except REFUSED as refusal:
            assert refusal.text()
