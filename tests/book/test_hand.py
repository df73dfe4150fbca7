"""The book's section HAND: poker hands."""
# ruff: noqa: N802 - tests are named after the rules

from itertools import permutations

import pytest

from payouts.rules.hands.cards import CardCount, CardTwice
from payouts.rules.hands.low import Low, LowHand, best_low, best_omaha_low
from payouts.rules.hands.ranks import Category, best_hand, best_omaha, category_of, rank, rank_ids, spoken_hand
from payouts.rules.rulesets.hand_rules import HandRules
from payouts.rules.rulesets.schema import ValueWrong
from tests.turns import each

LADDER = [
    ("Ks Qd 9h 7c 2s", Category.HIGH_CARD),
    ("2s 2d 5h 4c 3s", Category.ONE_PAIR),
    ("3s 3d 2h 2c 4s", Category.TWO_PAIR),
    ("2s 2d 2h 4c 3s", Category.THREE_OF_A_KIND),
    ("5s 4d 3h 2c As", Category.STRAIGHT),
    ("7s 5s 4s 3s 2s", Category.FLUSH),
    ("2s 2d 2h 3c 3s", Category.FULL_HOUSE),
    ("2s 2d 2h 2c 3s", Category.FOUR_OF_A_KIND),
    ("5s 4s 3s 2s As", Category.STRAIGHT_FLUSH),
    ("As Ks Qs Js Ts", Category.ROYAL_FLUSH),
]


def low(kind: Low, hole: str, board: str = "") -> LowHand:
    hand = best_low(kind, hole, board)
    assert hand is not None
    return hand


def test_HAND_1_categories_from_high_card_to_royal_flush() -> None:
    ranks = [rank(cards) for cards, _ in LADDER]
    assert ranks == sorted(set(ranks))
    assert [category_of(one) for one in ranks] == [category for _, category in LADDER] == list(Category)


def test_HAND_1_only_the_ace_high_straight_flush_is_royal() -> None:
    assert best_hand("Kh Qh Jh Th 9h").category is Category.STRAIGHT_FLUSH
    assert best_hand("Ah Kh Qh Jh Th").category is Category.ROYAL_FLUSH
    assert best_hand("Ah Kh Qh Jh Ts").category is Category.STRAIGHT


@each(
    ("higher", "lower"),
    [
        ("As 9d 5h 4c 2s", "Ks Qd Jh Tc 8s"),
        ("As 9d 5h 4c 3s", "Ad 9s 5c 4h 2s"),
        ("3s 3d 4h 5c 6s", "2s 2d Ah Kc Qs"),
        ("3s 3d Ah 5c 4s", "3h 3c Kh Qc Js"),
        ("5s 5d 3h 3c 2s", "4s 4d 3s 3d As"),
        ("5s 5d 3h 3c 2s", "5h 5c 2h 2c As"),
        ("5s 5d 3h 3c 4s", "5h 5c 3s 3d 2s"),
        ("3s 3d 3h 5c 4s", "2s 2d 2h Ac Ks"),
        ("6s 5d 4h 3c 2s", "5s 4d 3h 2c As"),
        ("9s 7s 6s 5s 4s", "9d 7d 6d 5d 3d"),
        ("3s 3d 3h 2c 2s", "2h 2d 2c Ac As"),
        ("3s 3d 3h 4c 4s", "3s 3d 3h 2c 2s"),
        ("3s 3d 3h 3c 2s", "2h 2d 2c 2s As"),
        ("3s 3d 3h 3c 5s", "3s 3d 3h 3c 4s"),
        ("6s 5s 4s 3s 2s", "5d 4d 3d 2d Ad"),
        # as the rules compare them
        ("4s 4d 4h 7c 7s", "2s 2d 2h Kc Ks"),
        ("4s 4d 4h 3c 2s", "2s 2d 2h Ac Ks"),
        ("5s 5d 5h 9c 9s", "5s 5d 5h 6c 6s"),
        ("Ks Kd 2h 2c As", "7s 7d 3h 3c Qs"),
        ("7s 7d 3h 3c Qs", "7s 7d 2h 2c As"),
        ("As Kd 8h 3c 2s", "As Kd 7h 6c 5s"),
        ("Ks 8s 6s 5s 3s", "Qd Jd Td 7d 4d"),
    ],
)
def test_HAND_2_equal_categories_compare_groups_then_kickers(higher: str, lower: str) -> None:
    assert category_of(rank(higher)) is category_of(rank(lower))
    assert rank(higher) > rank(lower)


def test_HAND_2_suits_never_break_a_tie() -> None:
    for first, second in permutations("cdhs", 2):
        royal = [f"{card}{first}" for card in "AKQJT"]
        other = [f"{card}{second}" for card in "AKQJT"]
        assert rank(royal) == rank(other)
        assert rank([f"A{first}", f"A{second}", "9s", "7d", "4h"]) == rank("As Ah 9s 7d 4h")


def test_HAND_2_only_five_cards_count() -> None:
    assert rank("As Ad Kh Kc Qs 2d 2h") == rank("As Ad Kh Kc Qs 9d 8h")


def test_HAND_3_ace_may_be_low_but_never_wraps() -> None:
    wheel = best_hand("As 2d 3h 4c 5s")
    assert (wheel.category, wheel.cards) == (Category.STRAIGHT, ("5s", "4c", "3h", "2d", "As"))
    assert rank("6s 5d 4h 3c 2s") > wheel.rank > rank("As Ad Ah Kc Qs")
    for wrapped in ("Ks As 2d 3h 4c", "Qs Ks As 2d 3h", "Js Qs Ks As 2d"):
        assert best_hand(wrapped).category is Category.HIGH_CARD
    assert best_hand("As 2s 3s 4s 5s").category is Category.STRAIGHT_FLUSH
    assert best_hand("Ks As 2s 3s 4s").category is Category.FLUSH


def test_HAND_4_best_five_of_seven_in_any_mix() -> None:
    assert best_hand("As Ks", "Qs Js Ts 2d 2h").hole == ("As", "Ks")
    assert best_hand("As 2d", "Ks Qs Js Ts 2h").hole == ("As",)
    assert best_hand("2d 3d", "As Ks Qs Js Ts").hole == ()
    stud = best_hand("As Ks Qs Js Ts 2d 2h")
    assert stud.hole == stud.cards == ("As", "Ks", "Qs", "Js", "Ts")


def test_HAND_4_omaha_plays_exactly_two_hole_and_three_board_cards() -> None:
    royal_in_sight = best_omaha("As Ks Qs Js", "Ts 9d 8h 3c 2s")  # six spades, but only four by two and three
    assert (royal_in_sight.category, royal_in_sight.hole) == (Category.STRAIGHT, ("Qs", "Js"))
    assert best_omaha("As 2d 3h 4c", "Ks Qs Js Ts 9s").category is Category.HIGH_CARD
    assert best_hand("As 2d", "Ks Qs Js Ts 9s").category is Category.ROYAL_FLUSH
    assert best_omaha("8s 8d 8h 8c", "2s 3d 4h 9c Ks").category is Category.ONE_PAIR


def test_HAND_4_draw_plays_its_five() -> None:
    assert best_hand("9s 9d 9h 4c 4s").cards == ("9s", "9h", "9d", "4s", "4c")


def test_HAND_5_ace_to_five() -> None:
    kind = Low.ACE_TO_FIVE
    best = low(kind, "Ah 2h 3h 4h 5h")
    assert best.rank == low(kind, "As 2d 3h 4c 5s", "Kd Kh").rank == 6_175
    assert low(kind, "6s 4d 3h 2c As").rank == best.rank - 1
    assert low(kind, "Ks Qd Jh Tc 9s").rank > low(kind, "As Ad 2h 3c 4s").rank


def test_HAND_5_ace_to_six() -> None:
    kind = Low.ACE_TO_SIX
    best = low(kind, "6s 4d 3h 2c As")
    assert best.rank == 7_462
    assert low(kind, "6s 4s 3s 2s As").rank < low(kind, "5s 4d 3h 2c As").rank < low(kind, "Ks Kd Kh Qc Js").rank
    assert low(kind, "As Kd Qh Jc Ts").rank > low(kind, "Ks Qd Jh Tc 9s").rank  # the ace is low: no straight
    assert low(kind, "As Kd Qh Jc Ts").rank > low(kind, "As Ad 2h 3c 4s").rank


def test_HAND_5_deuce_to_seven() -> None:
    kind = Low.DEUCE_TO_SEVEN
    best = low(kind, "7s 5d 4h 3c 2s")
    assert best.rank == 7_462
    assert low(kind, "7s 6d 4h 3c 2s").rank == best.rank - 1
    assert low(kind, "7s 5s 4s 3s 2s").rank < low(kind, "6s 5d 4h 3c 2s").rank < low(kind, "Ks Kd Kh Qc Js").rank
    assert low(kind, "Ks Qd Jh Tc 8s").rank > low(kind, "As 5d 4h 3c 2s").rank > low(kind, "As Kd 4h 3c 2s").rank
    assert low(kind, "As 5d 4h 3c 2s").rank > low(kind, "2s 2d 3h 4c 5s").rank  # an ace-high hand, no straight


def test_HAND_5_eight_or_better_and_seven_or_better() -> None:
    kind = Low.EIGHT_OR_BETTER
    assert low(kind, "As 2s 3s 4s 5s").rank == 56
    assert low(kind, "8s 7d 6h 5c 4s").rank == 1
    for no_low in ("9s 7d 6h 5c 4s", "8s 8d 6h 5c 4s", "As Ad 2h 3c 4s", "Ks Qd Jh Tc 9s"):
        assert best_low(kind, no_low) is None
    assert best_low(kind, "8s 4d 3h 2c As", low_qualifier=7) is None
    seven = best_low(kind, "7s 4d 3h 2c As", low_qualifier=7)
    assert seven is not None
    assert seven.rank == low(kind, "7s 4d 3h 2c As").rank


def test_HAND_5_lows_compare_from_the_highest_card_down() -> None:
    kind = Low.EIGHT_OR_BETTER
    assert low(kind, "7s 6d 5h 4c 3s").rank > low(kind, "8s 4d 3h 2c As").rank
    assert low(kind, "8s 5d 4h 3c 2s").rank > low(kind, "8s 6d 3h 2c As").rank


def test_HAND_5_one_player_may_win_both_halves_with_other_cards() -> None:
    hole, board = "As 2s Kd Kh", "3s 4s 5s Kc 8d"
    assert best_omaha(hole, board).cards == ("5s", "4s", "3s", "2s", "As")
    both = best_omaha_low(hole, board)
    assert both is not None
    assert both.cards == ("5s", "4s", "3s", "2s", "As")
    high, apart = best_omaha("Ks Kd 2c Ah", "Kc Kh 3s 4d 8h"), best_omaha_low("Ks Kd 2c Ah", "Kc Kh 3s 4d 8h")
    assert apart is not None
    assert (high.category, high.hole, apart.hole) == (Category.FOUR_OF_A_KIND, ("Ks", "Kd"), ("2c", "Ah"))
    assert best_omaha_low("Ah Kd Qc Js", "2s 3h 4d 5c 6h") is None  # one low hole card is not two


def test_HAND_5_a_house_posts_which_low_qualifies() -> None:
    eight, posted = "8s 4d 3h 2c As", HandRules(low_qualifier=7)
    assert best_low(Low.EIGHT_OR_BETTER, eight, low_qualifier=HandRules().low_qualifier) is not None
    assert best_low(Low.EIGHT_OR_BETTER, eight, low_qualifier=posted.low_qualifier) is None
    assert HandRules.from_data(posted.to_data()) == posted
    for qualifier in (6, 9, True, "8"):
        with pytest.raises(ValueWrong):
            HandRules(low_qualifier=qualifier)  # type: ignore[arg-type]


def test_HAND_6_cards_speak_whatever_was_announced() -> None:
    hole, board = "As Ah", "Ad 7c 7d 3s 2h"
    for announced in Category:
        assert spoken_hand(hole, board, announced).category is Category.FULL_HOUSE


def test_HAND_6_a_house_may_let_a_lower_announcement_bind() -> None:
    hole, board = "As Ah", "Ad 7c 7d 3s 2h"
    house = HandRules(cards_speak=False)
    bound = spoken_hand(hole, board, Category.TWO_PAIR, cards_speak=house.cards_speak)
    assert (bound.category, bound.cards) == (Category.TWO_PAIR, ("As", "Ah", "7d", "7c", "3s"))
    assert spoken_hand(hole, board, Category.ROYAL_FLUSH, cards_speak=False).category is Category.FULL_HOUSE
    assert spoken_hand(hole, board, Category.STRAIGHT, cards_speak=False).category is Category.FULL_HOUSE


@each("cards", ["", "As Kd Qh Jc", "As Kd Qh Jc 9s 8d 7h 6c"])
def test_HAND_7_a_hand_with_the_wrong_number_of_cards_cannot_win(cards: str) -> None:
    for refuse in (rank, best_hand, lambda hand: best_low(Low.ACE_TO_FIVE, hand)):
        with pytest.raises(CardCount) as refusal:
            refuse(cards)
        assert refusal.value.rule == "HAND-7"


def test_HAND_7_every_card_appears_at_most_once() -> None:
    for refuse in (lambda: rank("As As Qh Jc 9s"), lambda: rank_ids((51,) * 7), lambda: best_hand("As Kd", "As Qh Jc")):
        with pytest.raises(CardTwice) as refusal:
            refuse()
        assert (refusal.value.rule, refusal.value.data) == ("HAND-7", {"card": "As"})
