"""Prizes and Envy: what must hold for any seats and any rules (PRG-2 to PRG-6, PRG-13), and the exact worth of a coin."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.rules.progressive import DEFAULT_PRIZES, Prize, ProgressiveRules, Seat, envy, settle_coins
from jackpot.rules.progressive_odds import coin_odds, long_run_edge, progressive_advice
from payouts.errors import Refused
from payouts.rules.hands.ranks import Category, category_of, rank_ids
from payouts.rules.rulesets import own_hand
from payouts.rules.rulesets.funding import FundingSchedule
from payouts.rules.rulesets.paytable import MadeHand
from payouts.rules.rulesets.schema import changes
from tables.games.uth.settle import made_hand
from tests.payouts.rules.anything import ANYTHING

RULES = ProgressiveRules()


@st.composite
def rules(draw: st.DrawFn) -> ProgressiveRules:
    """Any progressive that may be posted."""
    fixed = draw(st.lists(st.sampled_from(list(Category)), max_size=4, unique=True))
    prizes = [Prize(hand=hand, amount_minor=draw(st.integers(1, 10**6))) for hand in fixed]
    return ProgressiveRules(
        prizes=(DEFAULT_PRIZES[0], *prizes),
        community_royal=draw(st.sampled_from(["per_box", "shared"])),
        paid_by=draw(st.sampled_from(["house", "meter"])),
        envy_minor=draw(st.sampled_from([0, 50_000])),
        envy_excludes=draw(st.sampled_from(["winner_guest", "winner_box"])),
        envy_on_community_royal=draw(st.booleans()),
        envy_scope=draw(st.sampled_from(["table", "link"])),
        payout_unit=draw(st.sampled_from([1, 5, 100])),
    )


@st.composite
def seats(draw: st.DrawFn) -> list[Seat]:
    """Boxes of up to three tables; on each a royal flush is nobody's, one box's or the board's."""
    found = []
    for table in draw(st.lists(st.sampled_from("ABC"), min_size=1, max_size=3, unique=True)):
        numbers = draw(st.lists(st.integers(1, 7), min_size=1, max_size=7, unique=True))
        royal = draw(st.sampled_from(["nobody", "box", "board"]))
        for place, number in enumerate(numbers):
            hand = draw(st.one_of(st.none(), st.builds(MadeHand, st.sampled_from(list(Category)[:-1]), st.booleans())))
            if royal == "board" or (royal == "box" and place == 0):
                hand = MadeHand(Category.ROYAL_FLUSH, on_board=royal == "board")
            guest = draw(st.sampled_from(["anna", "bruno", "carla"]))
            found.append(Seat(number, guest, draw(st.booleans()), hand, draw(st.booleans()), table))
    return draw(st.permutations(found))


@given(rules(), seats())
def test_one_line_for_each_coin_which_is_taken_whatever_it_wins(posted: ProgressiveRules, placed: list[Seat]) -> None:
    result = settle_coins(posted, placed)
    coins = [line for line in result.lines if line.kind == "coin"]
    assert [(line.box, line.guest) for line in coins] == [(seat.box, seat.guest) for seat in placed if seat.coin]
    assert all((line.stake_minor, line.returned_minor, line.won_minor) == (posted.coin_minor, 0, 0) for line in coins)
    assert all(line.prize_minor >= 0 and line.text() for line in result.lines)
    assert {line.paid_by for line in result.lines if line.prize_minor} <= {posted.paid_by}


@given(rules(), seats())
def test_claims_are_the_coins_on_an_own_royal_and_carry_no_prize(posted: ProgressiveRules, placed: list[Seat]) -> None:
    result = settle_coins(posted, placed)
    expected = [seat for seat in placed if seat.coin and seat.live and seat.hand == (Category.ROYAL_FLUSH, False)]
    assert list(result.claims) == expected
    claiming = [line for line in result.lines if line.reason.code == "prg.claim"]
    assert [(line.box, line.prize_minor, line.paid_by) for line in claiming] == [
        (seat.box, 0, "meter") for seat in expected
    ]
    assert len({seat.table for seat in result.claims}) == len(result.claims)


@given(rules(), seats())
def test_a_coin_wins_the_highest_prize_of_its_class_and_no_other(posted: ProgressiveRules, placed: list[Seat]) -> None:
    amounts = {prize.hand: prize.amount_minor for prize in posted.prizes if prize.amount_minor is not None}
    shared = [seat for seat in placed if seat.coin and seat.live and seat.hand == (Category.ROYAL_FLUSH, True)]
    lines = iter(line for line in settle_coins(posted, placed).lines if line.kind == "coin")
    total = 0
    for seat in (seat for seat in placed if seat.coin):
        line = next(lines)
        amount = amounts.get(seat.hand.category, 0) if seat.hand is not None and seat.live else 0
        if seat.hand == (Category.ROYAL_FLUSH, False):
            amount = 0
        if seat in shared and posted.community_royal == "shared":
            total += line.prize_minor
            assert amount // len(shared) - posted.payout_unit < line.prize_minor <= amount // len(shared)
            continue
        assert line.prize_minor == amount
    assert total <= amounts.get(Category.ROYAL_FLUSH, 0)


@given(rules(), seats())
def test_envy_is_paid_to_live_coins_of_others_only(posted: ProgressiveRules, placed: list[Seat]) -> None:
    for seat, royal, amount in envy(posted, placed):
        assert seat.coin
        assert seat.live
        assert amount == posted.envy_minor > 0
        assert posted.envy_scope == "link" or seat.table == royal.table
        if royal.hand == (Category.ROYAL_FLUSH, False):
            assert seat.guest != royal.guest or posted.envy_excludes == "winner_box"
            assert (seat.table, seat.box) != (royal.table, royal.box)
        else:
            assert posted.envy_on_community_royal


@given(rules(), seats())
def test_envy_misses_nobody(posted: ProgressiveRules, placed: list[Seat]) -> None:
    """Counted the other way round: for each coin, the royal flushes that it is paid for."""
    own = [seat for seat in placed if seat.live and seat.hand == (Category.ROYAL_FLUSH, False)]
    boards = {seat.table for seat in placed if seat.live and seat.hand == (Category.ROYAL_FLUSH, True)}
    expected = 0
    for seat in placed:
        if seat.coin and seat.live and posted.envy_minor:
            near = [one for one in own if posted.envy_scope == "link" or one.table == seat.table]
            expected += sum(
                one.guest != seat.guest if posted.envy_excludes == "winner_guest" else one is not seat for one in near
            )
            expected += (
                sum(posted.envy_scope == "link" or table == seat.table for table in boards)
                * posted.envy_on_community_royal
            )
    assert len(envy(posted, placed)) == expected


@given(rules(), seats(), st.randoms(use_true_random=False))
def test_the_order_of_seats_does_not_matter(posted: ProgressiveRules, placed: list[Seat], random: object) -> None:
    shuffled = list(placed)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    first, second = settle_coins(posted, placed), settle_coins(posted, shuffled)
    assert sorted(first.lines, key=repr) == sorted(second.lines, key=repr)
    assert set(first.claims) == set(second.claims)


@given(rules(), seats())
def test_a_coin_more_takes_nothing_from_the_others(posted: ProgressiveRules, placed: list[Seat]) -> None:
    single = replace(posted, community_royal="per_box")
    fewer = [seat._replace(coin=False) if place == 0 else seat for place, seat in enumerate(placed)]
    every, some = (settle_coins(single, chosen).lines for chosen in (placed, fewer))
    assert set(some) <= set(every)


def test_what_may_not_be_posted() -> None:
    meter = DEFAULT_PRIZES[0]
    for prizes in (
        (),
        DEFAULT_PRIZES[1:],
        (meter, meter),
        (*DEFAULT_PRIZES, Prize(hand=Category.FULL_HOUSE, amount_minor=1)),
        (*DEFAULT_PRIZES, Prize(hand=Category.STRAIGHT_FLUSH, amount_minor=None, hole_card_required=True)),
        (replace(meter, hole_card_required=False),),
    ):
        with pytest.raises(Refused) as refusal:
            ProgressiveRules(prizes=prizes)
        assert refusal.value.code == "posted.value_wrong"


def test_a_coin_is_worth_the_published_amounts() -> None:
    odds = coin_odds(RULES)
    assert round(odds.fixed_minor / 100, 4) == Fraction(25638, 10_000)
    assert odds.meter_probability == Fraction(4324 * 20, own_hand.DEALS) == Fraction(1, 32_487)
    assert round(odds.break_even_minor) == 79_143_40
    assert odds.edge(round(odds.break_even_minor)) < Fraction(1, 10**6)


def test_fixed_prizes_are_worth_what_settling_every_deal_pays() -> None:
    """Every hand that can win, with each of its boards, settled and weighed."""
    paid = 0
    for hands, weights in (own_hand._mixed(), own_hand._suited()):
        for hand, weight in zip(hands.tolist(), weights.tolist(), strict=True):
            rank = rank_ids(hand)
            if category_of(rank) < Category.FULL_HOUSE:
                continue
            for board in combinations(hand, 5):
                made = made_hand(rank, rank_ids(board))
                paid += weight * settle_coins(RULES, [Seat(1, "g", True, made)]).lines[0].prize_minor
    assert Fraction(paid, own_hand.DEALS) == coin_odds(RULES).fixed_minor


def test_break_even_is_where_the_edge_is_zero() -> None:
    for others in (0, 3):
        odds = coin_odds(RULES, others=others)
        worth = odds.fixed_minor + odds.envy_minor + odds.meter_probability * odds.break_even_minor
        assert worth == RULES.coin_minor
    assert coin_odds(RULES, others=3).envy_minor == 3 * 50_000 * Fraction(1, 32_487)
    with_board = coin_odds(replace(RULES, envy_on_community_royal=True), others=3)
    assert with_board.envy_minor - coin_odds(RULES, others=3).envy_minor == Fraction(4324, own_hand.DEALS) * 50_000


def test_a_shared_community_royal_is_worth_its_share() -> None:
    shared = replace(RULES, community_royal="shared")
    difference = coin_odds(shared).fixed_minor - coin_odds(shared, coins=5).fixed_minor
    assert difference == Fraction(4324, own_hand.DEALS) * 500_000 * Fraction(4, 5)
    assert coin_odds(RULES, coins=5) == coin_odds(RULES)
    for wrong in (0, -1, True, 10**9):
        with pytest.raises(Refused):
            coin_odds(RULES, coins=wrong)
    with pytest.raises(Refused):
        coin_odds(RULES, others=-1)


def test_a_hole_card_makes_a_prize_rarer() -> None:
    strict = tuple(
        replace(prize, hole_card_required=True) if prize.hand is Category.FULL_HOUSE else prize
        for prize in DEFAULT_PRIZES
    )
    line = next(
        line for line in coin_odds(replace(RULES, prizes=strict)).lines if line.prize.hand is Category.FULL_HOUSE
    )
    count = own_hand.class_counts()[Category.FULL_HOUSE]
    assert line.probability == count.probability - count.probability_on_board


def test_in_the_long_run_the_house_keeps_its_cut_less_prizes_and_seeds() -> None:
    funding = FundingSchedule()
    edge = long_run_edge(RULES, funding)
    odds = coin_odds(RULES)
    coins = 1 / odds.meter_probability  # an average epoch
    taken = funding.coin_minor * coins
    given_back = odds.fixed_minor * coins + funding.seed_minor + funding.meter_minor * coins
    assert edge == (taken - given_back) / taken
    assert progressive_advice(RULES, funding) == ()


def test_advice_on_likely_mistakes() -> None:
    dear = FundingSchedule(meter_minor=400, reserve_minor=25, house_minor=75)
    cheap = FundingSchedule(meter_minor=0, reserve_minor=25, house_minor=475)
    assert [one.code for one in progressive_advice(RULES, dear)] == ["paytable.edge_negative"]
    assert [one.code for one in progressive_advice(RULES, cheap)] == ["paytable.edge_high"]
    coarse = replace(RULES, payout_unit=FundingSchedule().seed_minor + 1)
    assert [one.code for one in progressive_advice(coarse, FundingSchedule())] == ["jackpot.unit_above_seed"]
    upside_down = replace(
        RULES,
        prizes=(
            *DEFAULT_PRIZES[:3],
            Prize(hand=Category.FOUR_OF_A_KIND, amount_minor=5_000),
            Prize(hand=Category.FULL_HOUSE, amount_minor=50_000),
        ),
    )
    assert [one.text() for one in upside_down.advice()] == ["A four of a kind pays less than a full house."]
    assert RULES.advice() == replace(RULES, prizes=DEFAULT_PRIZES[:1]).advice() == ()


def test_two_versions_side_by_side() -> None:
    after = replace(
        RULES, envy_minor=0, prizes=(*DEFAULT_PRIZES[:4], Prize(hand=Category.FULL_HOUSE, amount_minor=10_000))
    )
    assert changes(RULES, after) == (("prizes[4].amount_minor", 5_000, 10_000), ("envy_minor", 50_000, 0))
    assert (
        coin_odds(after).fixed_minor - coin_odds(RULES).fixed_minor
        == 5_000 * own_hand.class_counts()[Category.FULL_HOUSE].probability
    )


@given(ANYTHING, ANYTHING)
def test_fuzz_odds(coins: object, others: object) -> None:
    try:
        coin_odds(RULES, coins=coins, others=others)  # type: ignore[arg-type]
    except Refused as refusal:
        assert refusal.text()
