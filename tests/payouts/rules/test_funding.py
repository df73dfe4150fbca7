"""The cut of a coin (PRG-11): whole minor units that sum to it, always."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from payouts.errors import Refused
from payouts.rules.rulesets.funding import CutsDiffer, FundingSchedule, ShareNotWhole

ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(-(10**5000), 10**5000), st.floats(), st.text()
)


@given(st.integers(1, 10**6), st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10_000))
def test_cuts_sum_to_the_coins(coin: int, meter: int, reserve: int, coins: int) -> None:
    meter, reserve = meter % (coin + 1), reserve % (coin - meter % (coin + 1) + 1)
    schedule = FundingSchedule(
        coin_minor=coin, meter_minor=meter, reserve_minor=reserve, house_minor=coin - meter - reserve
    )
    cut = schedule.cut(coins)
    assert sum(cut) == coins * coin
    assert min(cut) >= 0
    assert cut == tuple(coins * part for part in schedule.cut(1))


@given(st.integers(1, 10**6), st.integers(0, 10_000), st.integers(0, 10_000))
def test_percentages_come_out_whole_or_are_refused(coin: int, meter_bp: int, reserve_bp: int) -> None:
    whole = coin * meter_bp % 10_000 == 0 == coin * reserve_bp % 10_000
    try:
        schedule = FundingSchedule.of_percent(coin_minor=coin, meter_bp=meter_bp, reserve_bp=reserve_bp, seed_minor=0)
    except ShareNotWhole as refusal:
        assert not whole
        assert refusal.rule == "PRG-11"
    except Refused as refusal:
        assert meter_bp + reserve_bp > 10_000
        assert refusal.code == "posted.value_wrong"
    else:
        assert whole
        assert schedule.meter_minor * 10_000 == coin * meter_bp


def test_refusals() -> None:
    with pytest.raises(CutsDiffer) as refusal:
        FundingSchedule(meter_minor=101)
    assert refusal.value.data == {"sum_minor": 501, "coin_minor": 500}
    with pytest.raises(ShareNotWhole) as fraction:
        FundingSchedule.of_percent(coin_minor=500, meter_bp=1_999, reserve_bp=500, seed_minor=0)
    assert fraction.value.text() == "19.99 % of a coin of 500 does not come out whole."
    with pytest.raises(Refused):
        FundingSchedule(cap_minor=999_999)


@given(ANYTHING, ANYTHING)
def test_fuzz_funding(one: object, other: object) -> None:
    for call in (
        lambda: FundingSchedule().cut(one),  # type: ignore[arg-type]
        lambda: FundingSchedule.of_percent(coin_minor=one, meter_bp=other, reserve_bp=0, seed_minor=0),  # type: ignore[arg-type]
        lambda: FundingSchedule.of_percent(coin_minor=500, meter_bp=100, reserve_bp=0, seed_minor=one, cap_minor=other),  # type: ignore[arg-type]
    ):
        try:
            call()
        except Refused as refusal:
            assert refusal.text()
