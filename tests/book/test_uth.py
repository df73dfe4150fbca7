"""The book's section UTH: Ultimate Texas Hold'em. UTH-9 is conduct at the table and has no code."""
# ruff: noqa: N802 - tests are named after the rules

import pytest

from payouts.errors import Refused
from payouts.rules.hands.cards import CardCount, CardTwice
from payouts.rules.hands.ranks import Category
from payouts.rules.lines import Stake
from payouts.rules.rulesets.paytable import MadeHand
from tables.games.uth.possible import UthTaps
from tables.games.uth.rules import UthGame, UthRules
from tables.games.uth.settle import Outcome, Result, UthCards, settle
from tables.games.uth.stakes import BlindUnlikeAnte, OffLimits, OffStep, UthBox, boxes_of, check_boxes
from tables.games.uth.taps import settle_tapped
from tests.book.tables import DRY, GAME, box, by_kind, nets, refused, round_of, settled
from tests.turns import each

# Board, dealer, box: the box beats the dealer with exactly this class.
WINNING = {
    Category.HIGH_CARD: (DRY, "Kd 3h", "Ac 5d"),
    Category.ONE_PAIR: (DRY, "Kd 3h", "Ac Ad"),
    Category.TWO_PAIR: (DRY, "Kd 3h", "Js 9s"),
    Category.THREE_OF_A_KIND: (DRY, "Kd 3h", "Js Jd"),
    Category.STRAIGHT: ("2c 7d 8h 9c Ks", "Kd 3h", "Js Td"),
    Category.FLUSH: ("2c 7c 9c Jd 4s", "Kd 3h", "Ac 5c"),
    Category.FULL_HOUSE: ("2c 2d 9h Jc 4s", "Kd 3h", "9s 9d"),
    Category.FOUR_OF_A_KIND: ("2c 2d 9h Jc 4s", "Kd 3h", "2s 2h"),
    Category.STRAIGHT_FLUSH: ("5c 6c 7c Jd 4s", "Kd 3h", "8c 9c"),
    Category.ROYAL_FLUSH: ("Tc Jc Qc 4d 4s", "Kd 3h", "Kc Ac"),
}


# UTH-1: one deck, two hole cards each, five shared, seven make the hand


def test_UTH_1_seven_cards_make_the_hand() -> None:
    result = settled("Kc Kd Ks 4h 9d", "Qd 3h", "Kh 2c")
    assert result.outcomes[1].hand == MadeHand(Category.FOUR_OF_A_KIND)


def test_UTH_1_one_deck_has_each_card_once() -> None:
    with pytest.raises(CardTwice):
        UthCards.parse(DRY, "Kd 3h", {1: "Kd Qd"})
    with pytest.raises(CardTwice):
        UthCards.parse(DRY, "Kd 3h", {1: "Ah Qd", 2: "Ah Qc"})


@each(
    ("board", "dealer", "hole"), [("2c 7d 9h Jc", "Kd 3h", "Ah Qd"), (DRY, "Kd", "Ah Qd"), (DRY, "Kd 3h", "Ah Qd Qs")]
)
def test_UTH_1_wrong_numbers_of_cards_are_refused(board: str, dealer: str, hole: str) -> None:
    with pytest.raises(CardCount):
        UthCards.parse(board, dealer, {1: hole})


def test_UTH_1_no_more_boxes_than_the_layout_has() -> None:
    check_boxes(GAME, [box(7)], layout=7)
    with refused("uth.box_outside_layout", "UTH-1"):
        check_boxes(GAME, [box(8)], layout=7)
    with refused("uth.box_twice", "UTH-1"):
        check_boxes(GAME, [box(1), box(1, guest="other")])
    with refused("uth.no_box", "UTH-2"):
        check_boxes(GAME, [])


def test_UTH_1_results_and_cards_only_for_boxes_that_play() -> None:
    with refused("uth.box_unknown", "UTH-1"):
        settle(GAME, [box(1)], round_of({1: "Ah Qd"}), {1: 1, 2: 1})
    with refused("uth.box_unknown", "UTH-1"):
        settle(GAME, [box(1)], round_of({1: "Ah Qd", 2: "As Qs"}), {1: 1})


# UTH-2: Ante and Blind


@each("francs", [5, 10, 45, 50])
def test_UTH_2_ante_from_5_to_50_in_steps_of_5(francs: int) -> None:
    check_boxes(GAME, [box(ante=francs * 100)])


@each(
    ("amount", "wrong"), [(4_95, OffLimits), (50_05, OffLimits), (55_00, OffLimits), (7_00, OffStep), (5_01, OffStep)]
)
def test_UTH_2_other_antes_are_refused(amount: int, wrong: type[Refused]) -> None:
    with pytest.raises(wrong) as refusal:
        check_boxes(GAME, [box(ante=amount)])
    assert refusal.value.rule == "UTH-2"


def test_UTH_2_stake_step_is_a_setting() -> None:
    check_boxes(UthGame(UthRules(stake_step=100)), [box(ante=7_00)])


@each("blind", [0, 5_00, 15_01, 30_00, -15_00])
def test_UTH_2_blind_is_compulsory_and_exactly_the_ante(blind: int) -> None:
    with pytest.raises(BlindUnlikeAnte) as refusal:
        check_boxes(GAME, [UthBox(1, "g1", 15_00, blind)])
    assert refusal.value.rule == "UTH-2"


def test_UTH_2_ante_is_compulsory() -> None:
    with refused("uth.ante_missing", "UTH-2"):
        boxes_of([Stake(1, "g1", "blind", 5_00)])
    with refused("uth.ante_missing", "UTH-2"):
        check_boxes(GAME, [UthBox(1, "g1", 0, 0)])


def test_UTH_2_one_stake_of_each_kind_on_a_box() -> None:
    with refused("uth.stake_twice", "UTH-2"):
        boxes_of([Stake(1, "g1", "ante", 5_00), Stake(1, "g1", "ante", 5_00)])
    with refused("uth.kind_unknown", "UTH-2"):
        boxes_of([Stake(1, "g1", "insurance", 5_00)])


# UTH-3: Play


@each("play", [4, 3, 2, 1])
def test_UTH_3_play_is_a_multiple_of_the_ante(play: int) -> None:
    line = by_kind(settled(*WINNING[Category.ONE_PAIR], play))["play"]
    assert (line.stake_minor, line.won_minor) == (play * 15_00, play * 15_00)


@each("play", [5, -1, 7, 100])
def test_UTH_3_any_other_play_is_refused(play: int) -> None:
    with refused("uth.play_not_allowed", "UTH-3"):
        settled(*WINNING[Category.ONE_PAIR], play)


def test_UTH_3_a_posted_game_may_offer_fewer_multiples() -> None:
    rules = UthRules(play_multiples=(4, 2, 1))
    assert nets(settled(*WINNING[Category.ONE_PAIR], 4, rules=rules))["play"] == 60_00
    with refused("uth.play_not_allowed", "UTH-3"):
        settled(*WINNING[Category.ONE_PAIR], 3, rules=rules)


def test_UTH_3_who_makes_no_play_folds_and_loses_ante_and_blind() -> None:
    result = settled(*WINNING[Category.STRAIGHT], 0)
    assert nets(result) == {"ante": -15_00, "blind": -15_00}
    assert {line.rule for line in result.lines} == {"UTH-3"}
    assert result.outcomes[1].result is Result.FOLD


def test_UTH_3_no_play_may_be_set_to_stay_to_the_showdown() -> None:
    rules = UthRules(no_play="showdown")
    assert nets(settled(*WINNING[Category.STRAIGHT], 0, rules=rules)) == {"ante": 15_00, "blind": 15_00}
    taps = UthTaps({1: Outcome(0, Result.FOLD)})
    with refused("uth.no_fold", "UTH-3"):
        settle_tapped(UthGame(rules), [box()], taps)


def test_UTH_3_a_fold_has_no_play_and_every_box_has_a_decision() -> None:
    with refused("uth.fold_with_play", "UTH-3"):
        settle_tapped(GAME, [box()], UthTaps({1: Outcome(4, Result.FOLD)}))
    with refused("uth.outcome_missing", "UTH-3"):
        settle(GAME, [box(1), box(2)], round_of({1: "Ah Qd", 2: "As Qs"}), {1: 1})
    with refused("uth.outcome_missing", "UTH-3"):
        settle_tapped(GAME, [box(1), box(2)], UthTaps({1: Outcome(1, Result.WIN)}))


def test_UTH_3_one_play_stake_a_round() -> None:
    with refused("uth.stake_twice", "UTH-3"):
        boxes_of([Stake(1, "g1", "ante", 5_00), Stake(1, "g1", "play", 20_00), Stake(1, "g1", "play", 10_00)])


# UTH-4: Ante


def test_UTH_4_ante_pays_even_on_a_higher_hand() -> None:
    line = by_kind(settled(DRY, "9c 3h", "Jd 5h"))["ante"]  # a pair of jacks against a pair of nines
    assert (line.returned_minor, line.won_minor, str(line.odds), line.rule) == (15_00, 15_00, "1:1", "UTH-4")


def test_UTH_4_a_stand_off_returns_it() -> None:
    line = by_kind(settled("As Ks Qd Jc Th", "2d 3h", "4c 5d"))["ante"]
    assert (line.returned_minor, line.won_minor, line.reason.code) == (15_00, 0, "uth.ante_tie")


def test_UTH_4_a_higher_dealer_hand_takes_it() -> None:
    assert nets(settled(DRY, "Jd 5h", "9c 3h"))["ante"] == -15_00


def test_UTH_4_a_dealer_without_a_pair_gives_the_ante_back_to_winners() -> None:
    result = settled(DRY, "Kd 3h", "Ac Ad")
    line = by_kind(result)["ante"]
    assert (line.returned_minor, line.won_minor, line.reason.code) == (15_00, 0, "uth.ante_no_pair")
    assert nets(result)["play"] == 15_00
    assert result.dealer_pair is False


def test_UTH_4_and_to_losers_while_blind_and_play_are_lost() -> None:
    assert nets(settled(DRY, "Kd 3h", "Qs 8c", 4)) == {"ante": 0, "blind": -15_00, "play": -60_00}


def test_UTH_4_but_not_to_a_box_that_folded() -> None:
    assert nets(settled(DRY, "Kd 3h", "Qs 8c", 0))["ante"] == -15_00


def test_UTH_4_a_pair_on_the_board_is_a_pair_of_the_dealer() -> None:
    result = settled("2c 2d 9h Jc 4s", "Kd 3h", "Ac 5d")
    assert result.dealer_pair is True
    assert nets(result)["ante"] == 15_00


# UTH-5: Play


@each(("dealer", "hole", "net"), [("9c 3h", "Jd 5h", 30_00), ("Jd 5h", "9c 3h", -30_00), ("Jd 5h", "Js 5c", 0)])
def test_UTH_5_play_pays_even_returns_or_loses(dealer: str, hole: str, net: int) -> None:
    line = by_kind(settled(DRY, dealer, hole, 2))["play"]
    assert (line.net_minor, line.rule) == (net, "UTH-5")


# UTH-6: Blind


@each(
    ("hand", "won"),
    [
        (Category.STRAIGHT, 20_00),
        (Category.FLUSH, 30_00),
        (Category.FULL_HOUSE, 60_00),
        (Category.FOUR_OF_A_KIND, 200_00),
        (Category.STRAIGHT_FLUSH, 1_000_00),
        (Category.ROYAL_FLUSH, 10_000_00),
    ],
)
def test_UTH_6_blind_pays_a_straight_or_better_that_beats_the_dealer(hand: Category, won: int) -> None:
    result = settled(*WINNING[hand], ante=20_00)
    line = by_kind(result)["blind"]
    assert result.outcomes[1].hand == MadeHand(hand)
    assert (line.returned_minor, line.won_minor, line.rule, line.hand) == (20_00, won, "UTH-6", hand)


@each("hand", [hand for hand in Category if hand < Category.STRAIGHT])
def test_UTH_6_beating_the_dealer_with_less_returns_it(hand: Category) -> None:
    line = by_kind(settled(*WINNING[hand]))["blind"]
    assert (line.returned_minor, line.won_minor, line.reason.code) == (15_00, 0, "uth.blind_back")


def test_UTH_6_a_higher_dealer_hand_takes_it_even_from_a_straight() -> None:
    assert nets(settled("5c 6c 7c Jd 4s", "8c 2c", "8d 9h"))["blind"] == -15_00


def test_UTH_6_a_stand_off_returns_it_even_with_a_straight() -> None:
    line = by_kind(settled("As Ks Qd Jc Th", "2d 3h", "4c 5d"))["blind"]
    assert (line.returned_minor, line.won_minor, line.reason.code) == (15_00, 0, "uth.blind_tie")


# UTH-7: Trips


@each(
    ("hand", "odds"),
    [
        (Category.THREE_OF_A_KIND, 3),
        (Category.STRAIGHT, 4),
        (Category.FLUSH, 7),
        (Category.FULL_HOUSE, 8),
        (Category.FOUR_OF_A_KIND, 30),
        (Category.STRAIGHT_FLUSH, 40),
        (Category.ROYAL_FLUSH, 50),
    ],
)
def test_UTH_7_trips_pays_on_the_boxs_own_hand(hand: Category, odds: int) -> None:
    line = by_kind(settled(*WINNING[hand], trips=5_00))["trips"]
    assert (line.won_minor, line.returned_minor, line.rule) == (odds * 5_00, 5_00, "UTH-7")


@each("hand", [Category.HIGH_CARD, Category.ONE_PAIR, Category.TWO_PAIR])
def test_UTH_7_less_than_three_of_a_kind_loses(hand: Category) -> None:
    assert nets(settled(*WINNING[hand], trips=5_00))["trips"] == -5_00


def test_UTH_7_whatever_the_dealer_has() -> None:
    beaten = settled("2c 2d 9h Jc 4s", "9s 9d", "2s Kc", trips=50_00)
    assert (nets(beaten)["play"], nets(beaten)["trips"]) == (-15_00, 150_00)


def test_UTH_7_only_with_an_ante_and_from_5_to_50() -> None:
    with refused("uth.trips_without_ante", "UTH-7"):
        boxes_of([Stake(1, "g1", "trips", 5_00)])
    with refused("uth.trips_without_ante", "UTH-7"):
        check_boxes(GAME, [UthBox(1, "g1", 0, 0, 5_00)])
    for amount, code in ((55_00, "uth.off_limits"), (2_00, "uth.off_limits"), (7_50, "uth.off_step")):
        with refused(code, "UTH-7"):
            check_boxes(GAME, [box(trips=amount)])


# UTH-8: further boxes played blind


def test_UTH_8_a_guest_may_look_at_one_box_only() -> None:
    check_boxes(GAME, [box(1, guest="anna"), box(2, guest="anna", blind_play=4), box(3, guest="anna", blind_play=1)])
    with refused("uth.further_box_seen", "UTH-8"):
        check_boxes(GAME, [box(1, guest="anna"), box(2, guest="anna")])


@each("multiple", [4, 3, 2, 1])
def test_UTH_8_its_play_is_placed_at_the_start(multiple: int) -> None:
    stakes = [
        Stake(2, "anna", kind, amount)
        for kind, amount in (("ante", 10_00), ("blind", 10_00), ("play", multiple * 10_00))
    ]
    assert boxes_of(stakes)[0].blind_play == multiple
    assert list(boxes_of(stakes)[0].stakes()) == stakes


def test_UTH_8_and_must_be_one_that_a_rule_allows() -> None:
    for play in (10_01, 15_00):
        with refused("uth.play_not_whole", "UTH-3"):
            boxes_of([Stake(2, "anna", "ante", 10_00), Stake(2, "anna", "play", play)])
    with refused("uth.play_not_allowed", "UTH-3"):
        check_boxes(GAME, [box(blind_play=5)])


def test_UTH_8_it_cannot_fold_nor_change_its_play() -> None:
    boxes, cards = [box(1, blind_play=4)], round_of({1: "Ah Qd"})
    for play, code in ((0, "uth.blind_box_folded"), (3, "uth.blind_play_changed")):
        with refused(code, "UTH-8"):
            settle(GAME, boxes, cards, {1: play})
    with refused("uth.blind_box_folded", "UTH-8"):
        settle_tapped(GAME, boxes, UthTaps({1: Outcome(0, Result.FOLD)}))
    assert nets(settle(GAME, boxes, cards, {1: 4}))["play"] == 60_00


def test_UTH_8_a_box_belongs_to_one_guest() -> None:
    with refused("uth.box_shared", "UTH-8"):
        boxes_of([Stake(1, "anna", "ante", 5_00), Stake(1, "bruno", "blind", 5_00)])


# UTH-10: side stakes of a folded box


def test_UTH_10_trips_of_a_folded_box_is_settled_on_its_seven_cards() -> None:
    result = settled(*WINNING[Category.FLUSH], 0, trips=10_00)
    assert nets(result) == {"ante": -15_00, "blind": -15_00, "trips": 70_00}


def test_UTH_10_unless_the_house_says_otherwise() -> None:
    line = by_kind(settled(*WINNING[Category.FLUSH], 0, trips=10_00, rules=UthRules(side_bets_survive_fold=False)))[
        "trips"
    ]
    assert (line.net_minor, line.rule) == (-10_00, "UTH-10")


def test_UTH_10_so_its_cards_are_needed_and_only_then() -> None:
    with refused("uth.cards_missing", "HAND-7"):
        settle(GAME, [box(trips=5_00)], round_of({}), {1: 0})
    assert nets(settle(GAME, [box()], round_of({}, dealer=""), {1: 0}))["ante"] == -15_00
    gone = UthGame(UthRules(side_bets_survive_fold=False))
    assert nets(settle(gone, [box(trips=5_00)], round_of({}), {1: 0}))["trips"] == -5_00
    with refused("uth.cards_missing", "HAND-7"):
        settle(GAME, [box()], round_of({}), {1: 1})
    with refused("uth.dealer_cards_missing", "HAND-7"):
        settle(GAME, [box()], round_of({1: "Ah Qd"}, dealer=""), {1: 1})


# UTH-11: 3:2 on odd stakes


def test_UTH_11_three_to_two_pays_the_exact_minor_unit() -> None:
    assert by_kind(settled(*WINNING[Category.FLUSH], ante=15_00))["blind"].won_minor == 22_50


def test_UTH_11_a_remainder_goes_down() -> None:
    odd = UthRules(ante_minimum_minor=1, stake_step=1, trips_minimum_minor=1)
    assert by_kind(settled(*WINNING[Category.FLUSH], ante=5_01, rules=odd))["blind"].won_minor == 7_51


@each(("direction", "won"), [("down", 20_00), ("up", 25_00)])
def test_UTH_11_odds_round_to_a_chip_where_the_house_says_so(direction: str, won: int) -> None:
    rules = UthRules(odds_round_to=5_00, odds_round=direction)
    assert by_kind(settled(*WINNING[Category.FLUSH], ante=15_00, rules=rules))["blind"].won_minor == won
