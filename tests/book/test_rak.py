"""The book's section RAK: the house's fee from poker pots."""
# ruff: noqa: N802 - tests are named after the rules

from dataclasses import replace
from typing import Any

import pytest

from payouts.rules.rulesets.rake import RakeSchedule, RakeTier, TimeCharge, rake, rake_most, time_charge
from payouts.rules.rulesets.schema import PostedRefused, ValueWrong
from tables.games.poker.pots import Payment, pots_of
from tables.games.poker.raking import Fee, Pot, fee_of
from tables.games.poker.rules import PokerGame, PokerRules
from tests.book.tables import refused
from tests.turns import each

FIVE_PERCENT = RakeSchedule(tiers=(RakeTier(percent_bp=500, cap_minor=10_00),), step_minor=50)


def test_RAK_1_a_percentage_comes_out_of_each_pot() -> None:
    assert rake(FIVE_PERCENT, [100_00], players=6, flop=True)[:2] == (5_00, (5_00,))


def test_RAK_1_a_fixed_fee_comes_out_of_the_pot() -> None:
    fixed = RakeSchedule(tiers=(RakeTier(fixed_minor=4_00),), step_minor=100)
    taken = rake(fixed, [30_00, 20_00], players=6, flop=True)
    assert (taken.total_minor, taken.parts, taken.reason.code) == (4_00, (4_00, 0), "rake.fixed")


def test_RAK_1_tiers_by_pot_and_by_players_dealt_in() -> None:
    schedule = RakeSchedule(
        tiers=(
            RakeTier(percent_bp=200, cap_minor=2_00),
            RakeTier(pot_from_minor=50_00, percent_bp=400, cap_minor=4_00),
            RakeTier(players_from=5, percent_bp=500, cap_minor=10_00),
        ),
        step_minor=50,
    )
    assert rake(schedule, [40_00], players=4, flop=True).total_minor == 50
    assert rake(schedule, [50_00], players=4, flop=True).total_minor == 2_00
    assert rake(schedule, [40_00], players=5, flop=True).total_minor == 2_00
    assert (
        rake(RakeSchedule(tiers=(RakeTier(players_from=3, percent_bp=500),)), [99_00], players=2, flop=True).reason.code
        == "rake.no_tier"
    )


def test_RAK_1_no_flop_no_drop_and_its_switch() -> None:
    assert rake(FIVE_PERCENT, [100_00], players=6, flop=False).total_minor == 0
    always = RakeSchedule(tiers=FIVE_PERCENT.tiers, no_flop_no_drop=False)
    assert rake(always, [100_00], players=6, flop=False).total_minor == 5_00


def test_RAK_1_another_fee_without_a_flop() -> None:
    schedule = RakeSchedule(tiers=FIVE_PERCENT.tiers, no_flop_no_drop=False, no_flop_minor=2_00)
    fee = rake(schedule, [100_00, 50_00], players=6, flop=False)
    assert (fee.parts, fee.text()) == ((2_00, 0), "Without a flop a fixed fee of 200.")
    assert rake(schedule, [1_20], players=6, flop=False).total_minor == 1_00  # never above the pot, on the step
    assert rake(schedule, [100_00], players=6, flop=True).total_minor == 5_00
    for change in ({"no_flop_no_drop": True}, {"no_flop_minor": 2_25}):
        with pytest.raises(ValueWrong, match="no_flop_minor"):
            replace(schedule, **change)


def test_RAK_1_a_schedule_from_before_the_other_fee_means_what_it_meant() -> None:
    old = {name: value for name, value in FIVE_PERCENT.to_data().items() if name != "no_flop_minor"} | {"schema": 1}
    assert RakeSchedule.from_data(old) == FIVE_PERCENT
    for unfit in (FIVE_PERCENT.to_data() | {"schema": 1}, old | {"schema": 2}, old | {"schema": 0}):
        with pytest.raises(PostedRefused):
            RakeSchedule.from_data(unfit)


def test_RAK_1_a_pot_below_the_minimum_pays_none() -> None:
    schedule = RakeSchedule(tiers=FIVE_PERCENT.tiers, minimum_pot_minor=20_00)
    assert rake(schedule, [10_00, 9_50], players=6, flop=True).total_minor == 0
    assert rake(schedule, [20_00], players=6, flop=True).total_minor == 1_00


def test_RAK_2_a_time_charge_is_due_in_advance_for_each_half_hour() -> None:
    charge = TimeCharge(half_hour_minor=8_00)
    assert time_charge(charge, minutes=0, paid=0) == (1, 8_00)
    assert time_charge(charge, minutes=29, paid=1) == (0, 0)
    assert time_charge(charge, minutes=30, paid=1) == (1, 8_00)
    assert time_charge(charge, minutes=100, paid=1) == (3, 24_00)


def test_RAK_3_off_each_pot_main_pot_first_down_to_the_step() -> None:
    taken = rake(FIVE_PERCENT, [59_00, 31_00], players=6, flop=True)
    assert taken.parts == (2_50, 1_50)  # 2.95 and 1.55 down to steps of 0.50


def test_RAK_3_in_all_never_above_the_cap() -> None:
    taken = rake(FIVE_PERCENT, [180_00, 100_00, 100_00], players=6, flop=True)
    assert (taken.parts, taken.reason.code) == ((9_00, 1_00, 0), "rake.capped")


def test_RAK_3_never_makes_a_pot_negative() -> None:
    fixed = RakeSchedule(tiers=(RakeTier(fixed_minor=5_00),), step_minor=100)
    assert rake(fixed, [3_50, 1_20], players=2, flop=True).parts == (3_00, 1_00)


def test_RAK_3_uncalled_bets_go_back_before_and_are_never_raked() -> None:
    made = pots_of([Payment(1, 200_00), Payment(2, 40_00), Payment(3, 10_00, folded=True)])
    assert made.uncalled == (1, 160_00)
    amounts = [pot.amount_minor for pot in made.pots]
    assert rake(FIVE_PERCENT, amounts, players=3, flop=True).total_minor == 4_50


def test_RAK_3_a_walk_pays_none() -> None:
    always = RakeSchedule(tiers=FIVE_PERCENT.tiers, no_flop_no_drop=False)
    taken = rake(always, [100_00], players=6, flop=False, walk=True)
    assert (taken.total_minor, taken.reason.code) == (0, "rake.walk")


@each("players", [2, 9])
def test_RAK_3_every_zero_has_its_reason(players: int) -> None:
    for taken in (
        rake(FIVE_PERCENT, [5_00], players=players, flop=False),
        rake(FIVE_PERCENT, [5_00], players=players, flop=True),
    ):
        assert taken.total_minor == 0
        assert taken.text()


SAARLAND = RakeSchedule(
    tiers=(RakeTier(pot_from_minor=50_00, fixed_minor=4_00), RakeTier(pot_from_minor=200_00, fixed_minor=8_00)),
    step_minor=1_00,
)
TAXE = RakeSchedule(tiers=(RakeTier(fixed_minor=5_00),), step_minor=1_00)
PERCENT = RakeSchedule(step_minor=1_00)


def fee(schedule: RakeSchedule | None, house: PokerRules | None = None, **pot: Any) -> Fee:
    return fee_of(PokerGame(), house or PokerRules(), schedule, Pot(**pot), players=6)


def test_RAK_1_a_hand_whose_pot_is_entered_pays_what_the_schedule_says() -> None:
    pots = [(TAXE, 3_00), *((SAARLAND, pot) for pot in (49_00, 50_00, 200_00))]
    assert [fee(schedule, pot_minor=pot) for schedule, pot in pots] == [
        Fee(minor, minor) for minor in (3_00, 0, 4_00, 8_00)
    ]
    assert [fee(PERCENT, pot_minor=100_00, **end) for end in ({"flop": False}, {"walk": True})] == [Fee(0, 0)] * 2


def test_RAK_3_the_most_by_a_key_is_what_some_pot_pays() -> None:
    tiers = (RakeTier(percent_bp=500, cap_minor=2_00), RakeTier(players_from=5, percent_bp=500, cap_minor=10_00))
    by_players = RakeSchedule(tiers=tiers, step_minor=1_00)
    assert [rake_most(by_players, players=players, flop=True) for players in (2, 4, 5)] == [2_00, 2_00, 10_00]
    assert [rake_most(schedule, players=2, flop=True) for schedule in (SAARLAND, TAXE)] == [8_00, 5_00]
    assert rake_most(PERCENT, players=2, flop=False) == 0


def test_RAK_3_less_than_posted_is_booked_or_refused_as_the_house_posts_it() -> None:
    for minor in (4_00, 0):
        assert fee(PERCENT, rake_minor=minor, pot_minor=100_00) == Fee(minor, 5_00)
        with refused("poker.rake_below", "RAK-3"):
            fee(PERCENT, PokerRules(rake_gap="refused"), rake_minor=minor, pot_minor=100_00)


def test_RAK_1_nothing_is_taken_where_nothing_is_posted() -> None:
    assert fee(None, rake_minor=0) == Fee(0, None)
    for pot in ({"rake_minor": 1_00}, {"pot_minor": 100_00}):
        with refused("poker.no_rake", "RAK-1"):
            fee(None, **pot)
