"""The calculator against sums that are written out: every number of coins up to where nothing is left to come."""

from fractions import Fraction
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.rules.calculator import LEVELS, PaceWrong, Wins, compare_forecasts, forecast
from jackpot.rules.meter import CoinsDiffer
from jackpot.rules.progressive import ProgressiveRules
from jackpot.rules.progressive_odds import coin_odds
from jackpot.rules.split import AmountWrong
from payouts.rules.rulesets.funding import FundingSchedule
from tests.turns import each

RULES, FUNDING = ProgressiveRules(), FundingSchedule()


def course(wins: Wins, most: int = 600) -> list[tuple[int, Fraction]]:
    """By coin, the amount at which it wins and the chance that it is the one: the definition, step by step."""
    amount, alive, found = wins.start_minor, Fraction(1), []
    for _ in range(most):
        amount += wins.cut_minor
        found.append((amount if wins.cap_minor is None else min(amount, wins.cap_minor), alive * wins.chance))
        alive *= 1 - wins.chance
    return found


@st.composite
def meters(draw: st.DrawFn) -> Wins:
    start = draw(st.integers(0, 300))
    cap = draw(st.none() | st.integers(start, start + 400))
    return Wins(Fraction(1, draw(st.integers(2, 12))), start, draw(st.integers(0, 25)), cap)


@given(meters(), st.integers(0, 900))
def test_means_and_chances_are_those_of_the_sum(wins, amount):
    steps = course(wins)
    assert isclose(wins.mean_minor(), sum(at * chance for at, chance in steps), rel_tol=1e-9, abs_tol=1e-9)
    more = sum((chance for at, chance in steps if at >= amount), Fraction(0))
    assert isclose(wins.at_least(amount), more, rel_tol=1e-9, abs_tol=1e-12)


@given(meters())
def test_quantiles_are_the_first_amounts_that_enough_hits_do_not_exceed(wins):
    steps = course(wins)
    for level in LEVELS:
        reached, total = None, Fraction(0)
        for amount, chance in steps:
            total += chance
            if total >= Fraction(level, 100) - Fraction(1, 10**12):
                reached = amount
                break
        assert wins.quantile(level) == reached


@given(meters(), st.integers(0, 900))
def test_coins_to_an_amount_are_counted(wins, amount):
    counted = next((coins for coins in range(1000) if wins.amount_after(coins) >= amount), None)
    assert wins.coins_to(amount) == counted


def test_a_coin_that_always_wins():
    wins = Wins(Fraction(1), 100, 7)
    assert (wins.mean_minor(), wins.quantile(1), wins.quantile(99)) == (107, 107, 107)
    assert (wins.at_least(107), wins.at_least(108)) == (1.0, 0.0)


def test_the_demo_progressive_in_plain_numbers():
    """32 487 coins a royal; 300 coins an hour: 4 days and a half; each coin brings 1.00 on top of 10 000.00."""
    soon = forecast(RULES, FUNDING, coins_an_hour=300)
    odds = coin_odds(RULES)
    assert soon.coins_a_hit == 1 / odds.meter_probability
    assert soon.hours_a_hit * 300 == soon.coins_a_hit
    assert soon.growth_minor_an_hour == 30_000
    assert soon.mean_minor == 1_000_000 + 100 * soon.coins_a_hit
    assert soon.break_even_minor == odds.break_even_minor
    assert soon.break_even_hours == Fraction(-(-(7_914_340 - 1_000_000) // 100), 300)
    alive = 1.0
    for _ in range(69_143):  # of the 69 144 coins to break-even, all but the last lose
        alive *= 1 - float(odds.meter_probability)
    assert isclose(soon.break_even_chance, alive, rel_tol=1e-6)
    assert soon.reserve_a_hit_minor == 25 * soon.coins_a_hit
    assert soon.topped_up_minor == 1_000_000 - soon.reserve_a_hit_minor
    median = dict(soon.quantiles)[50]
    assert isclose(median, 1_000_000 + 100 * 0.693147 * float(soon.coins_a_hit), rel_tol=1e-4)


def test_what_it_holds_now_and_a_cap_count():
    capped = FundingSchedule(cap_minor=5_000_000)
    soon = forecast(RULES, capped, coins_an_hour=300, now_minor=4_999_950)
    assert {amount for _, amount in soon.quantiles} == {5_000_000}
    assert soon.break_even_hours is None
    assert soon.break_even_chance == 0.0
    assert forecast(RULES, capped, coins_an_hour=1).mean_minor < forecast(RULES, FUNDING, coins_an_hour=1).mean_minor
    assert forecast(RULES, FUNDING, coins_an_hour=1, now_minor=9_000_000).break_even_hours == 0


def test_what_another_seed_would_do():
    before = forecast(RULES, FUNDING, coins_an_hour=300)
    after = forecast(RULES, FundingSchedule(seed_minor=2_000_000), coins_an_hour=300)
    changed = {one.figure: (one.before, one.after) for one in compare_forecasts(before, after)}
    assert changed["mean_minor"][1] - changed["mean_minor"][0] == 1_000_000
    assert changed["quantile_50"][1] - changed["quantile_50"][0] == 1_000_000
    assert changed["edge"][0] - changed["edge"][1] == Fraction(1_000_000, 500) / before.coins_a_hit
    assert "coins_a_hit" not in changed
    assert compare_forecasts(before, before) == ()


@each("coins", [0, -1, 100_001, 1.5, "300", None, True])
def test_a_pace_that_cannot_be_is_refused(coins):
    with pytest.raises(PaceWrong):
        forecast(RULES, FUNDING, coins_an_hour=coins)


def test_what_does_not_belong_together_is_refused():
    with pytest.raises(CoinsDiffer):
        forecast(RULES, FundingSchedule(coin_minor=1000, house_minor=875), coins_an_hour=300)
    with pytest.raises(AmountWrong):
        forecast(RULES, FUNDING, coins_an_hour=300, now_minor=-1)
