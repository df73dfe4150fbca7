"""The fee off the pots: what must hold for any schedule and any pots (RAK-1 to RAK-3)."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from payouts.errors import Refused
from payouts.rules.rulesets.rake import RakeSchedule, RakeTier, TimeCharge, rake, time_charge
from tests.turns import each

STEPS = st.sampled_from([1, 50, 100])
POTS = st.lists(st.integers(0, 10**7), max_size=6)
ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(-(10**5000), 10**5000), st.floats(), st.text()
)


@st.composite
def schedules(draw: st.DrawFn) -> RakeSchedule:
    step = draw(STEPS)
    places = draw(st.lists(st.tuples(st.integers(2, 9), st.integers(0, 10**6)), min_size=1, max_size=4, unique=True))
    tiers = []
    for players, pot in places:
        fixed = draw(st.booleans())
        tiers.append(
            RakeTier(
                players_from=players,
                pot_from_minor=pot,
                percent_bp=0 if fixed else draw(st.integers(0, 10_000)),
                fixed_minor=draw(st.integers(0, 50)) * step if fixed else 0,
                cap_minor=draw(st.one_of(st.none(), st.integers(0, 50).map(lambda steps: steps * step))),
            )
        )
    return RakeSchedule(
        tiers=tuple(tiers),
        step_minor=step,
        no_flop_no_drop=draw(st.booleans()),
        minimum_pot_minor=draw(st.integers(0, 5000)),
    )


@given(schedules(), POTS, st.integers(2, 10), st.booleans(), st.booleans())
def test_parts_sum_to_the_fee_and_no_pot_turns_negative(
    schedule: RakeSchedule, pots: list[int], players: int, flop: bool, walk: bool
) -> None:
    taken = rake(schedule, pots, players=players, flop=flop, walk=walk)
    assert taken.total_minor == sum(taken.parts)
    assert len(taken.parts) == len(pots)
    assert all(0 <= part <= pot for part, pot in zip(taken.parts, pots, strict=True))
    assert all(part % schedule.step_minor == 0 for part in taken.parts)
    assert taken.reason.rule in ("RAK-1", "RAK-3")
    assert taken.text()


@given(schedules(), POTS, st.integers(2, 10))
def test_never_above_the_cap_of_the_tier_that_applies(schedule: RakeSchedule, pots: list[int], players: int) -> None:
    total = rake(schedule, pots, players=players, flop=True).total_minor
    fitting = [tier for tier in schedule.tiers if tier.players_from <= players and tier.pot_from_minor <= sum(pots)]
    if not fitting:
        assert total == 0
        return
    tier = sorted(fitting, key=lambda tier: (tier.players_from, tier.pot_from_minor))[-1]
    assert tier.cap_minor is None or total <= tier.cap_minor
    assert total <= (sum(pots) * tier.percent_bp // 10_000 if tier.percent_bp else tier.fixed_minor)


@given(schedules(), POTS, st.integers(2, 10), st.integers(0, 10**6), st.data())
def test_a_larger_pot_of_the_same_tier_never_pays_less(
    schedule: RakeSchedule, pots: list[int], players: int, more: int, data: st.DataObject
) -> None:
    assume(pots)
    single = RakeSchedule(
        tiers=schedule.tiers[:1], step_minor=schedule.step_minor, minimum_pot_minor=schedule.minimum_pot_minor
    )
    place = data.draw(st.integers(0, len(pots) - 1))
    grown = [pot + more * (number == place) for number, pot in enumerate(pots)]
    before, after = (rake(single, some, players=players, flop=True).total_minor for some in (pots, grown))
    assert before <= after


@given(POTS, st.integers(0, 10_000), st.integers(0, 40))
def test_side_pots_pay_only_what_the_pots_before_them_left_of_the_cap(
    pots: list[int], percent_bp: int, steps: int
) -> None:
    capped = RakeSchedule(tiers=(RakeTier(percent_bp=percent_bp, cap_minor=steps * 50),))
    open_ended = RakeSchedule(tiers=(RakeTier(percent_bp=percent_bp),))
    left = steps * 50
    parts = rake(capped, pots, players=6, flop=True).parts
    for part, uncapped in zip(parts, rake(open_ended, pots, players=6, flop=True).parts, strict=True):
        assert part == min(uncapped, left)
        left -= part


def test_what_one_pot_rounds_away_is_left_to_the_next() -> None:
    """RAK-3: neither cap nor fixed fee is used up by what nobody pays."""
    capped = RakeSchedule(tiers=(RakeTier(percent_bp=500, cap_minor=1_000),), step_minor=50)
    assert rake(capped, [10_999, 10_999], players=6, flop=True).parts == (500, 500)
    fixed = RakeSchedule(tiers=(RakeTier(fixed_minor=500),), step_minor=50)
    assert rake(fixed, [320, 1_000], players=6, flop=True).parts == (300, 200)


@given(st.integers(0, 10_000), st.integers(0, 300), st.integers(0, 10_000))
def test_time_charge_has_paid_for_every_half_hour_begun(minutes: int, paid: int, price: int) -> None:
    due = time_charge(TimeCharge(half_hour_minor=price), minutes=minutes, paid=paid)
    assert due.half_hours + paid >= minutes // 30 + 1
    assert due.half_hours == 0 or due.half_hours + paid == minutes // 30 + 1
    assert due.amount_minor == due.half_hours * price


@each(
    ("tiers", "step"),
    [
        ([{"percent_bp": 500, "fixed_minor": 100}], 50),
        ([{"fixed_minor": 75}], 50),
        ([{"percent_bp": 500, "cap_minor": 75}], 50),
        ([{"percent_bp": 10_001}], 50),
        ([{"percent_bp": 500}, {"percent_bp": 400}], 50),
        ([{"percent_bp": 500, "players_from": 1}], 50),
        ([], 50),
        ([{"percent_bp": 500}], 0),
    ],
)
def test_schedules_that_contradict_themselves_are_refused(tiers: list[dict[str, int]], step: int) -> None:
    with pytest.raises(Refused):
        RakeSchedule(tiers=tuple(RakeTier(**tier) for tier in tiers), step_minor=step)


def test_advice_on_a_falling_and_on_a_high_fee() -> None:
    falling = RakeSchedule(tiers=(RakeTier(percent_bp=500), RakeTier(pot_from_minor=100, percent_bp=400)))
    high = RakeSchedule(tiers=(RakeTier(percent_bp=1_001),))
    assert [one.code for one in falling.advice()] == ["rake.falls"]
    assert [(one.code, one.text()) for one in high.advice()] == [
        ("rake.high", "A fee above 10 % of the pot is unusual.")
    ]
    assert RakeSchedule().advice() == ()


def test_advice_compares_what_is_paid_and_not_how_it_is_written() -> None:
    """50 fixed is more than 5 % capped at 10; at a fuller table a lower rate is less, and a lower cap is, where it binds."""
    capped = RakeTier(percent_bp=500, cap_minor=1_000)
    assert RakeSchedule(tiers=(capped, RakeTier(pot_from_minor=100_000, fixed_minor=5_000))).advice() == ()
    for fuller in (
        RakeTier(players_from=5, percent_bp=400, cap_minor=1_000),
        RakeTier(players_from=5, percent_bp=500, cap_minor=500),
    ):
        assert [one.code for one in RakeSchedule(tiers=(capped, fuller)).advice()] == ["rake.falls_with_players"]
    more = RakeTier(players_from=5, percent_bp=500, cap_minor=1_500)
    assert RakeSchedule(tiers=(capped, more)).advice() == ()


@given(schedules(), st.lists(ANYTHING, max_size=4), ANYTHING, ANYTHING, ANYTHING)
def test_fuzz_rake(schedule: RakeSchedule, pots: list[object], players: object, minutes: object, paid: object) -> None:
    for call in (
        lambda: rake(schedule, pots, players=players, flop=True),  # type: ignore[arg-type]
        lambda: rake(schedule, [0] * 51, players=2, flop=True),
        lambda: time_charge(TimeCharge(), minutes=minutes, paid=paid),  # type: ignore[arg-type]
    ):
        try:
            call()
        except Refused as refusal:
            assert refusal.code.startswith("rake.")
            assert refusal.text()
