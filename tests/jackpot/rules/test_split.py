"""Splitting and closing: nothing is lost, nothing is made (PRG-7, PRG-10 to PRG-12)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.rules.meter import check_coin, close_epoch, meter
from jackpot.rules.progressive import ProgressiveRules
from jackpot.rules.split import award, check_amount, split_equally
from payouts.errors import Refused
from payouts.rules.rulesets.funding import FundingSchedule
from tests.turns import each

AMOUNTS = st.integers(0, 10**12)
UNITS = st.sampled_from([1, 5, 100, 500])
WINNERS = st.lists(st.text("ABC123/", min_size=1, max_size=6), min_size=1, max_size=20, unique=True)
ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(-(10**5000), 10**5000), st.floats(), st.text()
)


@given(AMOUNTS, WINNERS, UNITS)
def test_shares_and_remainder_are_the_amount(amount: int, winners: list[str], unit: int) -> None:
    given_ = award(amount, winners, unit)
    assert sum(share for _, share in given_.shares) + given_.remainder_minor == amount
    assert [winner for winner, _ in given_.shares] == winners
    assert len({share for _, share in given_.shares}) == 1
    assert 0 <= given_.remainder_minor < unit * len(winners)
    assert all(share >= 0 == share % unit for _, share in given_.shares)


@given(AMOUNTS, WINNERS, UNITS, st.randoms(use_true_random=False))
def test_the_order_of_winners_does_not_matter(amount: int, winners: list[str], unit: int, random: object) -> None:
    shuffled = list(winners)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert dict(award(amount, shuffled, unit).shares) == dict(award(amount, winners, unit).shares)


@given(AMOUNTS, st.integers(0, 10**6), st.integers(1, 1000), UNITS)
def test_more_to_split_or_fewer_to_share_never_gives_less(amount: int, more: int, winners: int, unit: int) -> None:
    share = split_equally(amount, winners, unit).share_minor
    assert split_equally(amount + more, winners, unit).share_minor >= share
    assert split_equally(amount, max(winners - 1, 1), unit).share_minor >= share


@st.composite
def fundings(draw: st.DrawFn) -> FundingSchedule:
    seed = draw(st.integers(0, 10**7))
    cap = draw(st.one_of(st.none(), st.integers(max(seed, 1), 10**8)))
    return FundingSchedule(seed_minor=seed, cap_minor=cap)


@given(fundings(), st.integers(0, 10**9))
def test_what_is_shown_and_what_is_above_the_cap_are_the_sum(funding: FundingSchedule, total: int) -> None:
    found = meter(funding, total)
    assert found.shown_minor + found.overflow_minor == total
    assert found.overflow_minor >= 0
    assert funding.cap_minor is None or found.shown_minor <= funding.cap_minor
    assert found.overflow_minor == 0 or found.shown_minor == funding.cap_minor


@given(
    fundings(),
    fundings(),
    WINNERS,
    UNITS,
    st.sampled_from(["epoch_total", "shown_at_claim"]),
    st.integers(0, 10**9),
    st.integers(0, 10**9),
    st.integers(0, 10**9),
)
def test_closing_loses_and_makes_nothing(
    funding: FundingSchedule,
    following: FundingSchedule,
    winners: list[str],
    unit: int,
    setting: str,
    total: int,
    at_claim: int,
    reserve: int,
) -> None:
    rules = ProgressiveRules(payout_unit=unit, award_amount=setting)
    closing = close_epoch(
        rules,
        funding,
        winners,
        sum_minor=total,
        shown_at_claim_minor=at_claim,
        reserve_minor=reserve,
        next_funding=following,
    )
    paid = sum(share for _, share in closing.award.shares)
    house = closing.shortfall_minor + closing.seed_from_house_minor
    assert total + reserve + house == paid + closing.new_meter_minor + closing.new_reserve_minor
    assert min(value for value in closing if isinstance(value, int)) >= 0
    assert closing.seed_from_house_minor == 0 or closing.new_reserve_minor == 0
    assert closing.new_meter_minor == following.seed_minor + closing.award.remainder_minor + closing.carried_minor
    assert closing.won_minor == (meter(funding, total).shown_minor if setting == "epoch_total" else at_claim)


@each(
    ("call", "code"),
    [
        (lambda: award(-1, ["a"]), "jackpot.amount_wrong"),
        (lambda: award(100, ["a"], 0), "jackpot.amount_wrong"),
        (lambda: award(100, []), "jackpot.winners_wrong"),
        (lambda: award(100, ["a", "b", "a"]), "jackpot.winner_twice"),
        (lambda: award(100, [f"box {number}" for number in range(1001)]), "jackpot.winners_wrong"),
        (lambda: split_equally(100, 0), "jackpot.winners_wrong"),
        (lambda: meter(FundingSchedule(), -1), "jackpot.amount_wrong"),
        (lambda: check_coin(ProgressiveRules(coin_minor=501), FundingSchedule()), "jackpot.coins_differ"),
    ],
)
def test_refusals(call: "object", code: str) -> None:
    with pytest.raises(Refused) as refusal:
        call()  # type: ignore[operator]
    assert (refusal.value.code, bool(refusal.value.text()), bool(refusal.value.rule)) == (code, True, True)


@given(ANYTHING, ANYTHING, ANYTHING, st.lists(ANYTHING, max_size=3))
def test_fuzz_split(amount: object, winners: object, unit: object, names: list[object]) -> None:
    for call in (
        lambda: split_equally(amount, winners, unit),  # type: ignore[arg-type]
        lambda: award(amount, names, 1),  # type: ignore[arg-type]
        lambda: award(100, names, unit),  # type: ignore[arg-type]
        lambda: meter(FundingSchedule(), amount),  # type: ignore[arg-type]
        lambda: check_amount(amount),  # type: ignore[arg-type]
        lambda: close_epoch(
            ProgressiveRules(),
            FundingSchedule(),
            ["a"],
            sum_minor=amount,
            shown_at_claim_minor=unit,
            reserve_minor=winners,
        ),  # type: ignore[arg-type]
    ):
        try:
            call()
        except Refused as refusal:
            assert refusal.code.startswith("jackpot.")
            assert refusal.text()
