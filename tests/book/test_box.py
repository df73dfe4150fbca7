"""The book's section BOX: whose box it is, what may lie on it, and from when on nothing changes."""
# ruff: noqa: N802 - tests are named after the rules

from typing import Any
from uuid import uuid4

import pytest

from jackpot.rules.progressive import ProgressiveRules
from payouts.errors import Refused
from payouts.rules.lines import Stake
from payouts.rules.rulesets.paytable import UTH_BLIND, UTH_TRIPS
from tables.errors import RoundTaken
from tables.games import Rules
from tables.games.uth.game import UTH
from tables.games.uth.rules import UthRules
from tables.models import RoundStake
from tables.rules.boxes import NotYourBox, SeatTaken, check_decides, decider, owner_of
from tables.rules.floor import FloorRules
from tables.rules.limits import (
    BelowMinimum,
    BoxLimits,
    OffStep,
    StepBand,
    check_box_minimum,
    check_stake,
    fifty_table,
    ten_table,
    twenty_table,
)
from tables.rules.prime import BoxStake, allocate
from tests.floor import Floor, stakes_for
from tests.turns import each
from tests.worlds import world

MAXIMUM = 500_00


def test_BOX_1_the_seated_player_owns_the_box() -> None:
    assert owner_of("anna") == "anna"
    assert owner_of(None) is None


def test_BOX_1_a_standing_player_is_declared_owner_only_where_the_seat_is_free() -> None:
    assert owner_of(None, declared="bruno") == "bruno"
    assert owner_of("anna", declared="anna") == "anna"
    with pytest.raises(SeatTaken) as refusal:
        owner_of("anna", declared="bruno")
    assert (refusal.value.code, refusal.value.rule) == ("box.seat_taken", "BOX-1")


def test_BOX_2_several_stake_but_only_the_owner_decides() -> None:
    stakes = [BoxStake("co", 400_00, seated=True), BoxStake("owner", 10_00, owner=True)]
    assert decider(stakes) == "owner"
    check_decides("owner", stakes)
    with pytest.raises(NotYourBox) as refusal:
        check_decides("co", stakes)
    assert refusal.value.rule == "BOX-2"


def test_BOX_3_the_stakes_on_a_box_never_pass_its_maximum() -> None:
    stakes = [BoxStake("a", 200_00, owner=True), BoxStake("b", 300_00, distance=1)]
    assert [one.accepted_minor for one in allocate(ten_table(MAXIMUM), stakes)] == [200_00, 300_00]
    stakes.append(BoxStake("c", 10_00, distance=2))
    assert [one.accepted_minor for one in allocate(ten_table(MAXIMUM), stakes)] == [200_00, 300_00, 0]


@each("francs", [10, 20, 70, 500])
def test_BOX_4_a_10_table_takes_multiples_of_10(francs: int) -> None:
    check_stake(ten_table(MAXIMUM), francs * 100)


@each("francs", [20, 40, 50, 60, 70, 490, 500])
def test_BOX_4_a_20_table_takes_multiples_of_20_below_50_and_of_10_from_50(francs: int) -> None:
    check_stake(twenty_table(MAXIMUM), francs * 100)


@each("francs", [30, 45, 55, 75])
def test_BOX_4_a_20_table_refuses_what_is_between(francs: int) -> None:
    with pytest.raises(OffStep) as refusal:
        check_stake(twenty_table(MAXIMUM), francs * 100)
    assert refusal.value.data["step_minor"] == (20_00 if francs < 50 else 10_00)


@each("minimum", [50, 100, 200])
def test_BOX_4_50_tables_and_above_take_multiples_of_50(minimum: int) -> None:
    table = fifty_table(1000_00, minimum_minor=minimum * 100)
    check_stake(table, minimum * 100)
    check_stake(table, 250_00)
    with pytest.raises(OffStep):
        check_stake(table, 260_00)
    with pytest.raises(BelowMinimum):
        check_stake(table, minimum * 100 - 50_00 or 1)


def test_BOX_4_the_minimum_binds_each_stake_by_default() -> None:
    for table, below in ((ten_table(MAXIMUM), 5_00), (twenty_table(MAXIMUM), 10_00), (fifty_table(MAXIMUM), 40_00)):
        with pytest.raises(BelowMinimum) as refusal:
            check_stake(table, below)
        assert (refusal.value.rule, refusal.value.data["minimum_minor"]) == ("BOX-4", table.minimum_minor)


def test_BOX_4_minimum_per_box_lets_small_stakes_reach_it_together() -> None:
    table = BoxLimits(
        minimum_minor=50_00, maximum_minor=MAXIMUM, steps=(StepBand(step_minor=10_00),), minimum_per="box"
    )
    check_stake(table, 20_00)
    check_box_minimum(table, [20_00, 30_00])
    with pytest.raises(BelowMinimum):
        check_box_minimum(table, [20_00, 20_00])
    assert [one.accepted_minor for one in allocate(table, [BoxStake("a", 20_00), BoxStake("b", 30_00)])] == [
        30_00,
        20_00,
    ]
    with pytest.raises(BelowMinimum):
        allocate(table, [BoxStake("a", 20_00)])


RULES = Rules({"uth_rules": UthRules(), "blind": UTH_BLIND, "trips": UTH_TRIPS}, ProgressiveRules(), FloorRules())
LAID = (
    *(Stake(1, "anna", kind, amount) for kind, amount in (("ante", 15_00), ("blind", 15_00), ("coin", 5_00))),
    *(Stake(2, "anna", kind, amount) for kind, amount in (("ante", 10_00), ("blind", 10_00), ("play", 20_00))),
)
WON = {"1": {"play": 4, "result": "win"}, "2": {"play": 2, "result": "lose"}}


@each(
    ("boxes", "code"),
    [
        (WON | {"1": {"play": 4, "result": "win", "trips": 5_00}}, "round.result_wrong"),
        (WON | {"1": {"play": 4, "result": "win", "coin": 5_00}}, "round.result_wrong"),
        (WON | {"1": {"play": 4, "result": "win", "ante": 0}}, "round.result_wrong"),
        (WON | {"3": {"play": 4, "result": "win"}}, "uth.box_unknown"),
        (WON | {"2": {"play": 4, "result": "win"}}, "uth.blind_play_changed"),
        (WON | {"2": {"result": "fold"}}, "uth.blind_box_folded"),
        ({"1": WON["1"]}, "uth.outcome_missing"),
    ],
)
def test_BOX_5_after_the_lock_nothing_is_placed_changed_or_taken_back(boxes: dict[str, Any], code: str) -> None:
    """What a round has after its lock is a result; it has no way to say any of this."""
    with pytest.raises(Refused) as refusal:
        UTH.end(RULES, LAID, {"boxes": boxes}, level="fast")
    assert refusal.value.code == code


def test_BOX_5_but_for_the_stakes_that_the_round_itself_allows() -> None:
    ended = UTH.end(RULES, LAID, {"boxes": WON}, level="fast")
    assert ended.placed == (Stake(1, "anna", "play", 60_00),)
    assert sorted((line.box, line.kind, line.stake_minor) for line in ended.lines) == sorted(
        (stake.box, stake.kind, stake.amount_minor) for stake in (*LAID, *ended.placed)
    )


@world(Floor, linked=False)
def test_BOX_5_a_lock_that_comes_again_changes_no_stake(floor: Floor) -> None:
    guests, round_id = floor.open()[:2], uuid4()
    floor.lock(stakes_for(guests), round_id)
    laid = list(RoundStake.objects.order_by("pk").values())
    for other in (stakes_for(guests, ante=20_00), stakes_for(guests[:1]), stakes_for(guests, trips=5_00)):
        with pytest.raises(RoundTaken):
            floor.lock(other, round_id)
    assert floor.lock(stakes_for(guests), round_id)["state"] == "locked"
    assert list(RoundStake.objects.order_by("pk").values()) == laid
