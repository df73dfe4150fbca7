"""The book's section BOX: whose box it is, what may lie on it, and from when on nothing changes."""
# ruff: noqa: N802 - tests are named after the rules

import pytest

from tables.rules.boxes import NotYourBox, SeatTaken, check_decides, decider, owner_of
from tables.rules.limits import (
    AlreadyLocked,
    BelowMinimum,
    BoxLimits,
    OffStep,
    StepBand,
    check_after_lock,
    check_box_minimum,
    check_stake,
    fifty_table,
    ten_table,
    twenty_table,
)
from tables.rules.prime import BoxStake, allocate

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


@pytest.mark.parametrize("francs", [10, 20, 70, 500])
def test_BOX_4_a_10_table_takes_multiples_of_10(francs: int) -> None:
    check_stake(ten_table(MAXIMUM), francs * 100)


@pytest.mark.parametrize("francs", [20, 40, 50, 60, 70, 490, 500])
def test_BOX_4_a_20_table_takes_multiples_of_20_below_50_and_of_10_from_50(francs: int) -> None:
    check_stake(twenty_table(MAXIMUM), francs * 100)


@pytest.mark.parametrize("francs", [30, 45, 55, 75])
def test_BOX_4_a_20_table_refuses_what_is_between(francs: int) -> None:
    with pytest.raises(OffStep) as refusal:
        check_stake(twenty_table(MAXIMUM), francs * 100)
    assert refusal.value.data["step_minor"] == (20_00 if francs < 50 else 10_00)


@pytest.mark.parametrize("minimum", [50, 100, 200])
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


@pytest.mark.parametrize(
    ("game", "kind"), [("uth", "ante"), ("uth", "trips"), ("uth", "coin"), ("blackjack", "main"), ("uth", "double")]
)
def test_BOX_5_after_the_lock_nothing_is_placed_changed_or_taken_back(game: str, kind: str) -> None:
    with pytest.raises(AlreadyLocked) as refusal:
        check_after_lock(game, kind)
    assert refusal.value.rule == "BOX-5"


@pytest.mark.parametrize(
    ("game", "kind"), [("uth", "play"), ("blackjack", "double"), ("blackjack", "split"), ("blackjack", "insurance")]
)
def test_BOX_5_but_for_the_stakes_that_the_round_itself_allows(game: str, kind: str) -> None:
    check_after_lock(game, kind)
