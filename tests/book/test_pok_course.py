"""The book's POK-2, POK-6 and POK-8 as a hand is entered: what is matched on each street, folds, walks, and cards that speak."""
# ruff: noqa: N802 - tests are named after the rules

from dataclasses import replace

import pytest

from payouts.errors import Refused
from payouts.rules.rulesets.hand_rules import HandRules
from tables.games.poker.pots import GrossPot, Payment, Uncalled, pots_of
from tables.games.poker.rules import PokerGame, PokerRules
from tables.games.poker.settle import PotWinners
from tables.games.poker.showdown import CardRules, TableCards, winners_of
from tables.games.poker.streets import Betting, HandCourse, Street, course_of

GAME = PokerGame(chip_minor=1, small_blind_minor=1, big_blind_minor=2, buy_in_least_minor=40, buy_in_most_minor=None)
MAIN = GrossPot(100, (1, 2, 3))


def played(stacks: dict[int, int], *streets: Street, variant: str = "holdem", **more: object) -> HandCourse:
    return course_of(GAME, variant, stacks, Betting(streets, **more))  # type: ignore[arg-type]


def refused(call: object, *arguments: object, **more: object) -> tuple[str, dict[str, object]]:
    with pytest.raises(Refused) as caught:
        call(*arguments, **more)  # type: ignore[operator]
    return caught.value.code, dict(caught.value.data)


def winners(
    variant: str, hands: dict[int, str], board: str = "", *tapped: PotWinners, low: str = "ace_to_five"
) -> list[PotWinners]:
    rules = CardRules(variant, PokerRules(draw_low=low), HandRules())
    return winners_of([MAIN], tapped, TableCards(board, hands), rules)


def test_POK_6_who_is_not_tapped_matches_each_street_as_far_as_the_stack_goes() -> None:
    """The hand of the rules: two fold, one is all-in with 85, two go on to 130."""
    stacks = {1: 188, 2: 412, 3: 85, 5: 225, 6: 230, 7: 440, 9: 199}
    streets = [Street(15, {1: 0, 6: 0}), Street(30, {2: 0}), Street(85, {9: 0}), Street(0)]
    course = played(stacks, *streets)
    assert course.payments == [
        Payment(1, 0, folded=True),
        Payment(2, 15, folded=True),
        Payment(3, 85),
        Payment(5, 130),
        Payment(6, 0, folded=True),
        Payment(7, 130),
        Payment(9, 45, folded=True),
    ]
    assert course.after == [(2, 3, 5, 7, 9), (3, 5, 7, 9), (3, 5, 7), (3, 5, 7)]
    assert (course.walk, course.board) == (False, True)
    assert pots_of(course.payments).pots == (GrossPot(315, (3, 5, 7)), GrossPot(90, (5, 7)))


def test_POK_6_antes_and_dead_chips_are_no_part_of_what_is_matched() -> None:
    game = replace(GAME, ante_minor=2)
    course = course_of(game, "holdem", {1: 1, 2: 50, 3: 50}, Betting([Street(10, {2: 2})], {3: 1}))
    assert course.payments == [Payment(1, 0, 1), Payment(2, 2, 2, folded=True), Payment(3, 10, 2, 1)]
    assert pots_of(course.payments).uncalled == Uncalled(3, 8)


def test_RAK_3_a_walk_is_what_nobody_raised_and_a_board_is_dealt_to_two() -> None:
    stacks = {1: 50, 2: 50, 3: 50}
    for variant, game, street, wanted in (
        ("holdem", GAME, Street(2, {1: 0, 2: 1}), (True, False)),
        ("holdem", GAME, Street(4, {1: 0, 2: 1}), (False, False)),
        ("holdem", replace(GAME, straddle="utg"), Street(4, {1: 0, 2: 1}), (True, False)),
        ("holdem", GAME, Street(2, {1: 0}), (False, True)),
        ("stud", replace(GAME, bring_in_minor=1), Street(2, {1: 0, 2: 1}), (False, True)),
        ("stud", replace(GAME, bring_in_minor=1), Street(1, {1: 0, 2: 0}), (True, True)),
    ):
        course = course_of(game, variant, stacks, Betting([street]))
        assert (course.walk, course.board) == wanted


def test_POK_2_what_no_stack_bears_is_refused_with_the_figure() -> None:
    stacks = {1: 50, 2: 80, 4: 20}
    for streets, dead, wanted in (
        ([Street(81)], {}, ("poker.bet_above_stack", {"amount_minor": 81, "street": 1, "most_minor": 80})),
        ([Street(60, {2: 10})], {}, ("poker.bet_above_stack", {"amount_minor": 60, "street": 1, "most_minor": 50})),
        ([Street(30), Street(51)], {}, ("poker.bet_above_stack", {"amount_minor": 51, "street": 2, "most_minor": 50})),
        ([Street(60, {4: 21})], {}, ("poker.above_stack", {"seat": 4, "stack_minor": 20, "amount_minor": 21})),
        ([], {4: 21}, ("poker.above_stack", {"seat": 4, "stack_minor": 20, "amount_minor": 21})),
        (
            [Street(10, {1: 11})],
            {},
            ("poker.fold_above_bet", {"seat": 1, "amount_minor": 11, "street": 1, "most_minor": 10}),
        ),
        ([Street(30), Street(30, {4: 0})], {}, ("poker.fold_all_in", {"seat": 4})),
        ([Street(30, {4: 20})], {}, ("poker.fold_all_in", {"seat": 4})),
        ([Street(2, {3: 0})], {}, ("poker.seat_not_in", {"seat": 3, "street": 1})),
        ([Street(2, {1: 0}), Street(2, {1: 0})], {}, ("poker.seat_not_in", {"seat": 1, "street": 2})),
        ([Street(2, {1: 0, 2: 0, 4: 1})], {}, ("poker.nobody_left", {"street": 1})),
        ([Street(2, {1: 0, 2: 0}), Street(2)], {}, ("poker.streets_many", {"street": 2, "most": 1})),
        ([Street(0)] * 5, {}, ("poker.streets_many", {"street": 5, "most": 4})),
    ):
        assert refused(played, stacks, *streets, dead=dead) == wanted
    assert refused(played, stacks | {3: 0}, Street(2)) == ("poker.seat_not_in", {"seat": 3, "street": 1})
    for amount in (-1, 10**18, True, "5", 1.5):
        assert refused(played, stacks, Street(amount))[0] == "poker.amount_refused"  # type: ignore[arg-type]
    for stack, streets in ((500, [Street(150)]), (150, [])):
        off = refused(course_of, PokerGame(), "holdem", {1: stack, 2: 500}, Betting(streets))
        assert off == ("poker.off_chip", {"amount_minor": 150, "chip_minor": 100, "nearest_minor": 100})


def test_HAND_2_the_board_may_be_the_best_hand_of_two() -> None:
    assert winners("holdem", {1: "Ac Kd", 3: "Ks 3h"}, "5s 5h 5d Kh 7c") == [PotWinners((1, 3))]


def test_HAND_4_omaha_takes_two_of_the_hand() -> None:
    """A straight to the ace with two of the hand, and no royal flush with one."""
    board = "Ks Qs Js Ts 9s"
    assert winners("omaha", {1: "As Kd 7h 2c", 2: "Ad 8s 7s 2d"}, board) == [PotWinners((2,))]
    assert winners("omaha", {1: "As Kd 7h 2c", 2: "Ad Kc 7c 2d"}, board) == [PotWinners((1, 2))]


def test_HAND_5_lows_win_a_half_or_all() -> None:
    assert winners("draw_low", {1: "8s 6h 5d 4c 3s", 2: "8h 7d 4s 3c 2h"}) == [PotWinners((1,))]
    lows = {1: "5s 4h 3d 2c As", 2: "6s 4d 3h 2s Ah", 3: "7s 5h 4s 3c 2h"}
    for low, winner in (("ace_to_five", 1), ("ace_to_six", 2), ("deuce_to_seven", 3)):
        assert winners("draw_low", lows, low=low) == [PotWinners((winner,))]
    assert winners("razz", {1: "As 2s 3s 4s 5s Kd Kh", 2: "Ah 2h 3h 4h 6d Kc Ks"}) == [PotWinners((1,))]
    board = "2s 3d 8h Kc Kd"
    hilo = {1: "Ac 4d Qs Qh", 2: "Ks Td 9c Jc", 3: "Ah 4h Tc Js"}
    assert winners("omaha_hilo", hilo, board) == [PotWinners((2,), (1, 3))]
    assert winners("omaha_hilo", hilo, "2s 3d 9h Kc Kd") == [PotWinners((2,))]


def test_HAND_6_cards_replace_the_tap_and_never_bow_to_it() -> None:
    cards = {1: "Ac Ad", 2: "Kc Kd"}
    board = "2s 3d 8h 9c Jd"
    assert winners("holdem", cards, board, PotWinners((1,))) == [PotWinners((1,))]
    refusal = ("poker.cards_say_other", {"pot": 1, "amount_minor": 100, "seats": "1", "entered": "2, 3"})
    assert refused(winners, "holdem", cards, board, PotWinners((3, 2))) == refusal
    assert winners("holdem", {}, "", PotWinners((3,))) == [PotWinners((3,))]
    assert refused(winners, "holdem", {4: "Ac Ad"}, board) == ("poker.winner_folded", {"seat": 4})
    assert refused(winners, "holdem", {}, "", PotWinners((1,), (2,)))[0] == "poker.low_unplayed"


def test_HAND_7_each_card_once_and_as_many_as_the_variant_deals() -> None:
    for variant, hands, board, wanted in (
        ("holdem", {1: "Ac Ad"}, "2s 3d 8h 9c", ("cards.count", {"given": 4, "wanted": "5"})),
        ("holdem", {1: "Ac Ad Ah"}, "2s 3d 8h 9c Jd", ("cards.count", {"given": 3, "wanted": "2"})),
        ("holdem", {1: "Ac Ad", 2: "Ac Kd"}, "2s 3d 8h 9c Jd", ("cards.twice", {"card": "Ac"})),
        ("stud", {1: "Ac Ad Ah 2c 3c 4c"}, "", ("cards.count", {"given": 6, "wanted": "7"})),
        ("stud", {1: "Ac Ad Ah 2c 3c 4c"}, "5c 6c", ("cards.count", {"given": 2, "wanted": "0-1"})),
        ("draw", {1: "Ac Ad Ah 2c 3c"}, "5c", ("cards.count", {"given": 1, "wanted": "0"})),
        ("holdem", {1: "Ac Zz"}, "2s 3d 8h 9c Jd", ("cards.unknown", {"card": "Zz"})),
        ("holdem", {}, "2s Zz", ("cards.unknown", {"card": "Zz"})),
    ):
        assert refused(winners, variant, hands, board) == wanted
    assert winners("stud", {1: "Ac Ad Ah 2c 3c 4c", 2: "Kc Kd 2h 3h 4h 6h"}, "Td") == [PotWinners((1,))]
