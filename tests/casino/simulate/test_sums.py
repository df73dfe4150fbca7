"""The simulator's own sums, against rounds worked out by hand from the rulebook."""

from casino.simulate.books.hands import NAMES, best, five, made
from casino.simulate.books.lines import Line
from casino.simulate.books.meter import Meter, cash
from casino.simulate.books.rules import CATEGORY, JackpotRules, Prize
from casino.simulate.books.uth import Box, GameRules, settle
from casino.simulate.cards import DECK, Deal, deal, luck
from tests.turns import each

BLIND = {"straight": (1, 1), "flush": (3, 2), "full_house": (3, 1), "four_of_a_kind": (10, 1)}
BLIND |= {"straight_flush": (50, 1), "royal_flush": (500, 1)}
TRIPS = {"three_of_a_kind": (3, 1), "straight": (4, 1), "flush": (7, 1), "full_house": (8, 1)}
TRIPS |= {"four_of_a_kind": (30, 1), "straight_flush": (40, 1), "royal_flush": (50, 1)}
GAME = GameRules(
    ante=(500, 5000), trips=(500, 5000), step=500, multiples=(4, 3, 2, 1), folds=True, survive=True, round_to=1,
    round_up=False, cards_from=CATEGORY["full_house"], approval_from=50_000,
    blind_odds={CATEGORY[hand]: odds for hand, odds in BLIND.items()},
    trips_odds={CATEGORY[hand]: odds for hand, odds in TRIPS.items()},
)  # fmt: skip
FIXED = (("royal_flush", 500_000), ("straight_flush", 150_000), ("four_of_a_kind", 50_000), ("full_house", 5_000))
JACKPOT = JackpotRules(
    coin=500, prizes=(Prize(CATEGORY["royal_flush"], None, hole_card=True),
                      *(Prize(CATEGORY[hand], amount, hole_card=False) for hand, amount in FIXED)),
    shared_community=False, envy=50_000, envy_leaves_box=False, envy_on_community=False, unit=1, at_claim=False,
    to_meter=100, to_reserve=25, to_house=375, seed=1_000_000, cap=None,
)  # fmt: skip


def cards(text):
    return tuple(text.split())


def dealt(board, dealer, **holes):
    return Deal(cards(board), cards(dealer), {int(box[1:]): cards(hole) for box, hole in holes.items()})


def box(number=1, ante=1500, play=1, trips=0, coin=False, guest=""):
    return Box(number, guest or f"guest {number}", ante, trips, coin, play)


def paid(outcome):
    return {place: line.paid for place, line in outcome.lines.items()}


# Hands
@each(
    ("hand", "name"),
    [
        ("As Kd 9h 7c 2s", "high_card"),
        ("As Ad 9h 7c 2s", "one_pair"),
        ("As Ad 9h 9c 2s", "two_pair"),
        ("As Ad Ah 9c 2s", "three_of_a_kind"),
        ("As 2d 3h 4c 5s", "straight"),
        ("As Ks 9s 7s 2s", "flush"),
        ("As Ad Ah 9c 9s", "full_house"),
        ("As Ad Ah Ac 9s", "four_of_a_kind"),
        ("5s 4s 3s 2s As", "straight_flush"),
        ("As Ks Qs Js Ts", "royal_flush"),
    ],
)
def test_hand_1_categories(hand, name):
    assert NAMES[five(cards(hand))[0]] == name


def test_hand_1_categories_rise_in_their_order():
    hands = ["As Kd 9h 7c 2s", "2s 2d 3h 4c 5s", "2s 2d 3h 3c 4s", "2s 2d 2h 3c 4s", "As 2d 3h 4c 5s", "2s 3s 4s 5s 7s"]
    hands += ["2s 2d 2h 3c 3s", "2s 2d 2h 2c 3s", "As 2s 3s 4s 5s", "Ts Js Qs Ks As"]
    strengths = [five(cards(hand)) for hand in hands]
    assert strengths == sorted(strengths)


def test_hand_2_equal_categories_go_by_groups_then_kickers_and_never_by_suits():
    assert five(cards("Ks Kd 3h 3c 2s")) > five(cards("Qs Qd Jh Jc As"))
    assert five(cards("Ks Kd 3h 3c 4s")) > five(cards("Kh Kc 3d 3s 2s"))
    assert five(cards("As Kd 9h 7c 3s")) > five(cards("Ad Ks 9c 7h 2s"))
    assert five(cards("As Ks 9s 7s 2s")) == five(cards("Ah Kh 9h 7h 2h"))


def test_hand_3_an_ace_may_be_low_and_no_straight_wraps_round_it():
    assert five(cards("As 2d 3h 4c 5s")) < five(cards("2s 3d 4h 5c 6s"))
    assert NAMES[five(cards("Qs Kd Ah 2c 3s"))[0]] == "high_card"


def test_hand_4_best_five_of_seven():
    assert best(cards("2c 2d 9h 9s 9d Kc Kd"))[:3] == (CATEGORY["full_house"], 9, 13)
    assert made(cards("2c 3d"), cards("Ts Js Qs Ks As")).on_board
    assert not made(cards("As 3d"), cards("Ts Js Qs Ks 2c")).on_board
    assert made(cards("As 3d"), cards("Ts Js Qs Ks 2c")).own_royal


# Ante, Blind, Play, Trips
def test_uth_4_worked_case_king_high_dealer_against_queen_high():
    outcome = settle(GAME, None, [box()], dealt("2c 7d 9h Jc 4s", "Kd 3h", b1="Qs 8c"))
    assert outcome.results == {1: "lose"}
    assert paid(outcome) == {(1, "ante"): 1500, (1, "blind"): 0, (1, "play"): 0}


def test_uth_6_worked_case_flush_beats_trips():
    outcome = settle(GAME, None, [box()], dealt("2h 7h 9h Kc 4s", "Kd Kh", b1="Qh 8h"))
    assert outcome.lines == {
        (1, "ante"): Line(1500, 1500, 1500),
        (1, "blind"): Line(1500, 1500, 2250),
        (1, "play"): Line(1500, 1500, 1500),
    }


def test_uth_4_winning_box_against_a_dealer_without_a_pair_gets_the_ante_back():
    outcome = settle(GAME, None, [box(play=4)], dealt("2c 7d 9h Jc 4s", "Kd 3h", b1="As 8c"))
    assert paid(outcome) == {(1, "ante"): 1500, (1, "blind"): 1500, (1, "play"): 12_000}


def test_uth_5_a_stand_off_gives_everything_back():
    outcome = settle(GAME, None, [box(play=2)], dealt("Ac Kd Qh Jc Ts", "2d 3h", b1="4s 5c"))
    assert outcome.results == {1: "tie"}
    assert paid(outcome) == {(1, "ante"): 1500, (1, "blind"): 1500, (1, "play"): 3000}


def test_uth_3_who_makes_no_play_loses_ante_and_blind_even_to_a_dealer_without_a_pair():
    outcome = settle(GAME, None, [box(play=0)], dealt("2c 7d 9h Jc 4s", "Kd 3h", b1="As 8c"))
    assert paid(outcome) == {(1, "ante"): 0, (1, "blind"): 0}


def test_uth_7_and_uth_10_trips_pay_the_own_hand_also_when_the_box_loses_or_folds():
    loses = settle(GAME, None, [box(trips=1000)], dealt("7c 7d 9h Jc 4s", "9d 9c", b1="7s 2c"))
    assert (loses.results[1], loses.lines[1, "trips"]) == ("lose", Line(1000, 1000, 3000))
    folds = settle(GAME, None, [box(trips=1000, play=0)], dealt("7c 7d 9h Jc 4s", "9d 9c", b1="7s 2c"))
    assert folds.lines[1, "trips"] == Line(1000, 1000, 3000)
    strict = GameRules(**{name: getattr(GAME, name) for name in GAME.__dataclass_fields__} | {"survive": False})
    folds = settle(strict, None, [box(trips=1000, play=0)], dealt("7c 7d 9h Jc 4s", "9d 9c", b1="7s 2c"))
    assert folds.lines[1, "trips"] == Line(1000)


def test_uth_11_three_to_two_of_an_odd_stake_is_exact_and_rounded_as_posted():
    hand = dealt("2h 7h 9h Kc 4s", "Kd Kh", b1="Qh 8h")
    assert settle(GAME, None, [box(ante=1501)], hand).lines[1, "blind"].won == 2251
    up = GameRules(**{name: getattr(GAME, name) for name in GAME.__dataclass_fields__} | {"round_up": True})
    assert settle(up, None, [box(ante=1501)], hand).lines[1, "blind"].won == 2252


# The progressive
ROYAL = dealt("Ah Kh Qh Jh 2c", "9c 9d", b1="3c 4d", b2="5c 6d", b3="Th 9h", b5="7c 8d")


def test_prg_6_worked_case_a_royal_without_a_coin_pays_envy_to_the_three_with_one():
    boxes = [box(1, coin=True), box(2, coin=True), box(3), box(5, coin=True)]
    outcome = settle(GAME, JACKPOT, boxes, ROYAL)
    assert {place for place, line in outcome.lines.items() if line.prize} == {(1, "envy"), (2, "envy"), (5, "envy")}
    assert outcome.winners == ()  # PRG-13
    assert sum(line.prize for line in outcome.lines.values()) == 150_000


def test_prg_3_the_royal_with_a_coin_wins_the_meter_and_its_guest_no_envy():
    boxes = [box(1, coin=True, guest="A"), box(2), box(3, coin=True, guest="A"), box(5, coin=True)]
    outcome = settle(GAME, JACKPOT, boxes, ROYAL)
    assert outcome.winners == (3,)
    assert outcome.lines[3, "coin"] == Line(500)
    assert {place for place in outcome.lines if place[1] == "envy"} == {(5, "envy")}  # A's other box has none
    assert outcome.lines[3, "blind"] == Line(1500, 1500, 750_000)


def test_prg_4_community_royal_pays_each_coin_and_no_envy():
    boxes = [box(1, coin=True), box(2, coin=True), box(3)]
    lying = dealt("Ah Kh Qh Jh Th", "9c 9d", b1="3c 4d", b2="5c 6d", b3="7h 9h")
    outcome = settle(GAME, JACKPOT, boxes, lying)
    assert outcome.winners == ()
    assert {place: line.prize for place, line in outcome.lines.items() if line.prize} == {
        (1, "coin"): 500_000,
        (2, "coin"): 500_000,
    }


def test_prg_2_and_prg_5_only_the_highest_prize_also_when_the_board_makes_it():
    lying = dealt("9h 9s 9d Kc Kd", "2c 3d", b1="9c 4d", b2="5c 6d")
    outcome = settle(GAME, JACKPOT, [box(1, coin=True), box(2, coin=True, play=0)], lying)
    assert outcome.lines[1, "coin"] == Line(500, prize=50_000)
    assert outcome.lines[2, "coin"] == Line(500, prize=5_000)  # UTH-10: folded, and still paid


# The meter
def test_prg_7_worked_case_three_winners():
    meter = Meter(JACKPOT, 4_831_735, 0)
    split = meter.win(3, shown_at_claim=4_831_735)
    assert (split.share, split.remainder, split.new_meter) == (1_610_578, 1, 1_000_001)  # PRG-10
    assert (cash(split.share, "CHF"), cash(split.share, "EUR")) == (1_610_580, 1_610_578)


def test_prg_11_coins_are_cut_and_the_reserve_pays_the_seed():
    meter = Meter(JACKPOT, 1_000_000, 999_975)
    meter.feed(3)
    assert (meter.total, meter.reserve, meter.coins) == (1_000_300, 1_000_050, 3)
    meter.win(1, shown_at_claim=0)
    assert (meter.total, meter.reserve, meter.won) == (1_000_000, 50, 1_000_300)


# Cards
def test_hand_7_each_card_is_dealt_once_and_the_seed_deals_it_again():
    for number in range(50):
        one = deal(luck(7, number), [1, 2, 5], royal_box=2 if number % 2 else None)
        every = [*one.board, *one.dealer, *(card for hole in one.holes.values() for card in hole)]
        assert len(every) == len(set(every)) == 13
        assert set(every) <= set(DECK)
        assert made(one.holes[2], one.board).own_royal is bool(number % 2)
        assert one == deal(luck(7, number), [1, 2, 5], royal_box=2 if number % 2 else None)
