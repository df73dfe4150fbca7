"""The book's section PRG: the progressive jackpot, as far as it is rules; PRG-8 and PRG-9 stand in `test_prg_life.py`."""
# ruff: noqa: N802 - tests are named after the rules

from jackpot.rules.meter import check_coin, close_epoch, meter
from jackpot.rules.progressive import Prize, ProgressiveRules, Seat, envy, settle_coins
from jackpot.rules.split import award
from payouts.rules.hands.ranks import Category
from payouts.rules.lines import Stake, StakeLine
from payouts.rules.rulesets.funding import FundingSchedule
from payouts.rules.rulesets.paytable import MadeHand
from tables.games.uth.possible import UthTaps
from tables.games.uth.round import RoundRules, RoundSettlement, check_round, settle_cards, settle_taps, stakes_of
from tables.games.uth.rules import UthGame, UthRules
from tables.games.uth.settle import Outcome, Result, UthCards
from tests.book.tables import box, refused
from tests.turns import each

RULES = ProgressiveRules()
ROYAL, COMMUNITY = MadeHand(Category.ROYAL_FLUSH), MadeHand(Category.ROYAL_FLUSH, on_board=True)
NOTHING = MadeHand(Category.ONE_PAIR)


def played(
    board: str,
    dealer: str,
    holes: dict[int, str],
    *,
    coins: tuple[int, ...] = (),
    rules: RoundRules | None = None,
    guests: dict[int, str] | None = None,
    folded: tuple[int, ...] = (),
) -> RoundSettlement:
    boxes = [box(number, guest=(guests or {}).get(number, "")) for number in holes]
    plays = {number: 0 if number in folded else 1 for number in holes}
    return settle_cards(
        rules or RoundRules(), boxes, UthCards.parse(board, dealer, holes), plays, dict.fromkeys(coins, 500)
    )


def prizes(result: RoundSettlement, kind: str = "coin") -> dict[int, int]:
    return {line.box: line.prize_minor for line in result.lines if line.kind == kind}


def coin_line(result: RoundSettlement, number: int = 1) -> StakeLine:
    return next(line for line in result.lines if line.kind == "coin" and line.box == number)


def envies(rules: ProgressiveRules, *seats: Seat) -> list[tuple[str, int]]:
    return [(one.seat.table, one.seat.box) for one in envy(rules, seats)]


# PRG-1: the coin


def test_PRG_1_the_coin_is_5_on_a_box_with_an_ante() -> None:
    stakes = stakes_of([Stake(1, "g1", "ante", 5_00), Stake(1, "g1", "blind", 5_00), Stake(1, "g1", "coin", 5_00)])
    assert stakes.coins == {1: 5_00}
    check_round(RoundRules(), stakes.boxes, stakes.coins)
    for amount in (4_99, 10_00, 0, -5_00):
        with refused("uth.coin_wrong", "PRG-1"):
            check_round(RoundRules(), stakes.boxes, {1: amount})


def test_PRG_1_no_coin_without_ante_of_another_guest_twice_or_without_a_jackpot() -> None:
    ante = [Stake(1, "g1", "ante", 5_00), Stake(1, "g1", "blind", 5_00)]
    with refused("uth.coin_without_ante", "PRG-1"):
        stakes_of([*ante, Stake(2, "g2", "coin", 5_00)])
    with refused("uth.coin_without_ante", "PRG-1"):
        check_round(RoundRules(), [box(1)], {2: 5_00})
    with refused("uth.coin_of_another", "PRG-1"):
        stakes_of([*ante, Stake(1, "g2", "coin", 5_00)])
    with refused("uth.stake_twice", "PRG-1"):
        stakes_of([*ante, Stake(1, "g1", "coin", 5_00), Stake(1, "g1", "coin", 5_00)])
    with refused("uth.no_progressive", "PRG-1"):
        check_round(RoundRules(progressive=None), [box(1)], {1: 5_00})


def test_PRG_1_the_stake_is_taken_and_prizes_are_amounts() -> None:
    line = coin_line(played("2c 2d 9h Jc 4s", "Kd 3h", {1: "9s 9d"}, coins=(1,)))
    assert (line.stake_minor, line.returned_minor, line.won_minor, line.prize_minor, line.paid_minor) == (
        5_00,
        0,
        0,
        50_00,
        50_00,
    )


# PRG-2: full house or higher, the highest prize only


@each("hand", [hand for hand in Category if hand < Category.FULL_HOUSE])
def test_PRG_2_less_than_a_full_house_wins_nothing(hand: Category) -> None:
    line = settle_coins(RULES, [Seat(1, "g1", True, MadeHand(hand))]).lines[0]
    assert (line.prize_minor, line.rule, line.reason.code) == (0, "PRG-2", "prg.coin_lost")


def test_PRG_2_only_the_highest_prize_is_paid() -> None:
    """A royal flush with a hole card would also win what is paid without one."""
    result = settle_coins(RULES, [Seat(1, "g1", True, ROYAL)])
    assert [(line.prize_minor, line.paid_by) for line in result.lines] == [(0, "meter")]
    assert [seat.box for seat in result.claims] == [1]
    both = ProgressiveRules(
        prizes=(*RULES.prizes, Prize(hand=Category.FULL_HOUSE, amount_minor=80_00, hole_card_required=True))
    )
    own, board = (
        settle_coins(both, [Seat(1, "g1", True, MadeHand(Category.FULL_HOUSE, on_board=flag))])
        for flag in (False, True)
    )
    assert (own.lines[0].prize_minor, board.lines[0].prize_minor) == (80_00, 50_00)


def test_PRG_2_of_the_boxs_own_seven_cards_even_when_the_dealer_has_more() -> None:
    result = played("2c 2d 9h Jc 4s", "Jd Jh", {1: "9s 9d"}, coins=(1,))
    assert result.outcomes[1].result is Result.LOSE
    assert prizes(result) == {1: 50_00}


# PRG-3: the meter


@each(("board", "hole"), [("Tc Jc Qc 4d 4s", "Kc Ac"), ("Tc Jc Qc Kc 4s", "Ac 4d")])
def test_PRG_3_a_royal_flush_with_a_hole_card_claims_the_whole_meter(board: str, hole: str) -> None:
    result = played(board, "Kd 3h", {1: hole, 2: "9s 9d"}, coins=(1, 2))
    assert (result.claims, coin_line(result).rule, coin_line(result).paid_by) == ((1,), "PRG-3", "meter")
    closing = close_epoch(
        RULES, FundingSchedule(), ["box 1"], sum_minor=79_143_40, shown_at_claim_minor=79_143_40, reserve_minor=0
    )
    assert closing.award.shares == (("box 1", 79_143_40),)


# PRG-4: the community royal


def test_PRG_4_all_five_on_the_board_pay_each_box_with_the_coin() -> None:
    result = played("Tc Jc Qc Kc Ac", "Kd 3h", {1: "9s 9d", 2: "2d 3d", 3: "5d 6h"}, coins=(1, 3))
    assert (prizes(result), result.claims) == ({1: 5_000_00, 3: 5_000_00}, ())
    assert coin_line(result).rule == "PRG-4"


def test_PRG_4_or_it_is_shared() -> None:
    shared = RoundRules(progressive=ProgressiveRules(community_royal="shared", payout_unit=5))
    holes = {1: "9s 9d", 2: "2d 3d", 3: "5d 6h"}
    assert prizes(played("Tc Jc Qc Kc Ac", "Kd 3h", holes, coins=(1, 2, 3), rules=shared)) == dict.fromkeys(
        (1, 2, 3), 1_666_65
    )
    assert prizes(played("Tc Jc Qc Kc Ac", "Kd 3h", holes, coins=(2,), rules=shared)) == {2: 5_000_00}


# PRG-5: fixed prizes


@each(
    ("board", "hole", "prize"),
    [
        ("5c 6c 7c Jd 4s", "8c 9c", 1_500_00),
        ("2c 2d 9h Jc 4s", "2s 2h", 500_00),
        ("2c 2d 9h Jc 4s", "9s 9d", 50_00),
        ("5c 6c 7c 8c 9c", "Jd 4s", 1_500_00),
        ("2c 2d 2h 2s 4s", "9s 8d", 500_00),
        ("2c 2d 2h 4c 4s", "9s 8d", 50_00),
    ],
)
def test_PRG_5_straight_flush_quads_and_full_house_also_when_the_board_alone_makes_them(
    board: str, hole: str, prize: int
) -> None:
    line = coin_line(played(board, "Kd 3h", {1: hole}, coins=(1,)))
    assert (line.prize_minor, line.rule, line.paid_by) == (prize, "PRG-5", "house")


def test_PRG_5_a_prize_may_require_a_hole_card() -> None:
    strict = tuple(
        Prize(hand=one.hand, amount_minor=one.amount_minor, hole_card_required=True) for one in RULES.prizes[2:]
    )
    rules = RoundRules(progressive=ProgressiveRules(prizes=(*RULES.prizes[:2], *strict)))
    assert prizes(played("2c 2d 2h 4c 4s", "Kd 3h", {1: "9s 8d", 2: "9h 9d"}, coins=(1, 2), rules=rules)) == {
        1: 0,
        2: 50_00,
    }


def test_PRG_5_paid_by_the_house_or_from_the_meter() -> None:
    rules = ProgressiveRules(paid_by="meter")
    seats = [Seat(1, "g1", True, MadeHand(Category.FOUR_OF_A_KIND)), Seat(2, "g2", False, ROYAL)]
    assert [(line.kind, line.paid_by) for line in settle_coins(rules, seats).lines] == [
        ("coin", "meter"),
        ("envy", "meter"),
    ]
    assert {line.paid_by for line in settle_coins(RULES, seats).lines} == {"house"}


# PRG-6: Envy


def test_PRG_6_every_box_with_the_coin_is_paid_but_those_of_the_royals_guest() -> None:
    seats = [
        Seat(1, "anna", True, ROYAL),
        Seat(2, "anna", True, NOTHING),
        Seat(3, "bruno", True, NOTHING),
        Seat(4, "bruno", True, NOTHING),
        Seat(5, "carla", False, NOTHING),
    ]
    assert envies(RULES, *seats) == [("", 3), ("", 4)]
    assert [line.prize_minor for line in settle_coins(RULES, seats).lines if line.kind == "envy"] == [500_00, 500_00]
    assert envies(ProgressiveRules(envy_excludes="winner_box"), *seats) == [("", 2), ("", 3), ("", 4)]


def test_PRG_6_also_when_the_royals_box_has_no_coin() -> None:
    seats = [Seat(1, "anna", False, ROYAL), Seat(2, "anna", True, NOTHING), Seat(3, "bruno", True, NOTHING)]
    assert envies(RULES, *seats) == [("", 3)]


def test_PRG_6_not_when_the_dealer_has_the_royal() -> None:
    result = played("Tc Jc Qc 4d 4s", "Kc Ac", {1: "9s 9d", 2: "2d 3d"}, coins=(1, 2))
    assert (prizes(result, "envy"), result.royals) == ({}, ())


def test_PRG_6_a_community_royal_pays_no_envy_unless_set() -> None:
    seats = [Seat(1, "anna", True, COMMUNITY), Seat(2, "bruno", True, COMMUNITY), Seat(3, "carla", False, COMMUNITY)]
    assert envies(RULES, *seats) == []
    assert envies(ProgressiveRules(envy_on_community_royal=True), *seats) == [("", 1), ("", 2)]


def test_PRG_6_at_the_same_table_or_at_all_linked_ones() -> None:
    seats = [
        Seat(1, "anna", True, ROYAL, table="A"),
        Seat(2, "bruno", True, NOTHING, table="A"),
        Seat(1, "carla", True, NOTHING, table="B"),
        Seat(3, "anna", True, NOTHING, table="B"),
    ]
    assert envies(RULES, *seats) == [("A", 2)]
    assert envies(ProgressiveRules(envy_scope="link"), *seats) == [("A", 2), ("B", 1)]
    assert envies(ProgressiveRules(envy_scope="link", envy_excludes="winner_box"), *seats) == [
        ("A", 2),
        ("B", 1),
        ("B", 3),
    ]


def test_PRG_6_a_folded_royal_counts_as_long_as_side_stakes_survive() -> None:
    holes = {1: "Kc Ac", 2: "9s 9d"}
    assert prizes(played("Tc Jc Qc 4d 4s", "Kd 3h", holes, coins=(2,), folded=(1,)), "envy") == {2: 500_00}
    gone = RoundRules(UthGame(UthRules(side_bets_survive_fold=False)))
    assert prizes(played("Tc Jc Qc 4d 4s", "Kd 3h", holes, coins=(2,), folded=(1,), rules=gone), "envy") == {}
    assert prizes(played("Tc Jc Qc 4d 4s", "Kd 3h", holes, coins=(1, 2), folded=(2,), rules=gone), "envy") == {}
    assert played("Tc Jc Qc 4d 4s", "Kd 3h", holes, coins=(1,), folded=(1,), rules=gone).claims == ()
    assert played("Tc Jc Qc 4d 4s", "Kd 3h", holes, coins=(1,), folded=(1,)).claims == (1,)


# PRG-7: several winners


def test_PRG_7_the_meter_is_split_equally_among_winners_at_several_tables() -> None:
    assert award(90_000_00, ["A/1", "B/4", "C/2"]).shares == (
        ("A/1", 30_000_00),
        ("B/4", 30_000_00),
        ("C/2", 30_000_00),
    )


def test_PRG_7_a_second_claim_at_one_table_is_an_error() -> None:
    with refused("jackpot.second_claim", "PRG-7"):
        settle_coins(RULES, [Seat(1, "a", True, ROYAL), Seat(2, "b", False, ROYAL)])
    two = [Seat(1, "a", True, ROYAL, table="A"), Seat(1, "b", True, ROYAL, table="B")]
    assert len(settle_coins(RULES, two).claims) == 2
    taps = UthTaps({1: Outcome(4, Result.WIN, ROYAL), 2: Outcome(4, Result.WIN, ROYAL)})
    with refused("uth.two_royals", "PRG-7"):
        settle_taps(RoundRules(), [box(1), box(2)], taps, {1: 500})
    with refused("jackpot.winner_twice", "PRG-7"):
        award(100, ["A/1", "A/1"])


def test_PRG_7_no_meter_without_a_winner() -> None:
    with refused("jackpot.winners_wrong", "PRG-7"):
        award(100, [])


# PRG-10: the remainder


def test_PRG_10_shares_are_floored_and_the_remainder_stays_on_top_of_the_seed() -> None:
    closing = close_epoch(
        RULES,
        FundingSchedule(),
        ["a", "b", "c"],
        sum_minor=48_317_35,
        shown_at_claim_minor=48_317_35,
        reserve_minor=20_000_00,
    )
    assert closing.award == ((("a", 16_105_78), ("b", 16_105_78), ("c", 16_105_78)), 1)
    assert closing.new_meter_minor == 10_000_01


def test_PRG_10_down_to_the_payout_unit() -> None:
    assert award(48_317_35, ["a", "b", "c"], unit_minor=5) == (
        (("a", 16_105_75), ("b", 16_105_75), ("c", 16_105_75)),
        10,
    )


def test_PRG_10_the_seed_comes_from_the_reserve_and_what_is_missing_from_the_house() -> None:
    closing = close_epoch(
        RULES, FundingSchedule(), ["a"], sum_minor=50_000_00, shown_at_claim_minor=50_000_00, reserve_minor=6_000_00
    )
    assert (closing.seed_from_reserve_minor, closing.seed_from_house_minor, closing.new_reserve_minor) == (
        6_000_00,
        4_000_00,
        0,
    )


# PRG-11: funding


def test_PRG_11_each_coin_is_cut_into_meter_reserve_and_house() -> None:
    assert FundingSchedule().cut(1) == (1_00, 25, 3_75)
    assert FundingSchedule().cut(4) == (4_00, 1_00, 15_00)
    assert FundingSchedule().seed_minor == 10_000_00


def test_PRG_11_the_cuts_are_the_coin() -> None:
    with refused("funding.cuts_differ", "PRG-11"):
        FundingSchedule(meter_minor=99)
    with refused("jackpot.coins_differ", "PRG-11"):
        check_coin(ProgressiveRules(coin_minor=10_00), FundingSchedule())


def test_PRG_11_a_percentage_that_is_not_whole_is_refused() -> None:
    assert (
        FundingSchedule.of_percent(coin_minor=500, meter_bp=2000, reserve_bp=500, seed_minor=10_000_00)
        == FundingSchedule()
    )
    with refused("funding.not_whole", "PRG-11"):
        FundingSchedule.of_percent(coin_minor=500, meter_bp=3333, reserve_bp=500, seed_minor=10_000_00)


# PRG-12: what is won


@each(("setting", "won", "carried"), [("epoch_total", 50_003_00, 0), ("shown_at_claim", 50_000_00, 3_00)])
def test_PRG_12_what_is_shown_when_the_last_round_has_ended_or_at_the_claim(
    setting: str, won: int, carried: int
) -> None:
    rules = ProgressiveRules(award_amount=setting)
    closing = close_epoch(
        rules, FundingSchedule(), ["a"], sum_minor=50_003_00, shown_at_claim_minor=50_000_00, reserve_minor=0
    )
    assert (closing.won_minor, closing.carried_minor, closing.new_meter_minor) == (won, carried, 10_000_00 + carried)


def test_PRG_12_the_display_shows_no_more_than_the_cap_and_the_rest_goes_to_the_reserve() -> None:
    capped = FundingSchedule(cap_minor=60_000_00)
    assert meter(capped, 61_000_00) == (61_000_00, 60_000_00, 1_000_00)
    closing = close_epoch(
        RULES, capped, ["a"], sum_minor=61_000_00, shown_at_claim_minor=60_000_00, reserve_minor=12_000_00
    )
    assert (closing.won_minor, closing.overflow_minor, closing.new_reserve_minor) == (60_000_00, 1_000_00, 3_000_00)


# PRG-13: royals that do not touch the meter


def test_PRG_13_a_royal_without_a_coin_does_not_touch_the_meter() -> None:
    result = played("Tc Jc Qc 4d 4s", "Kd 3h", {1: "Kc Ac", 2: "9s 9d"}, coins=(2,))
    assert (result.claims, result.royals, prizes(result)) == ((), (1,), {2: 0})


def test_PRG_13_nor_does_the_dealers() -> None:
    result = played("Tc Jc Qc 4d 4s", "Kc Ac", {1: "9s 9d"}, coins=(1,))
    assert (result.claims, prizes(result)) == ((), {1: 0})


def test_PRG_13_a_round_without_a_progressive_claims_nothing() -> None:
    result = played("Tc Jc Qc 4d 4s", "Kd 3h", {1: "Kc Ac"}, rules=RoundRules(progressive=None))
    assert (result.claims, [line.kind for line in result.lines]) == ((), ["ante", "blind", "play"])
