"""The book's section PRM: the prime rule."""
# ruff: noqa: N802 - tests are named after the rules

from dataclasses import replace

import pytest

from tables.rules.boxes import DeciderUnclear, NobodyDecides, decider
from tables.rules.limits import BoxLimits, StepBand, ten_table, twenty_table
from tables.rules.prime import Allocation, BoxStake, OrderUnclear, allocate

TABLE = ten_table(500_00)


def kept(found: tuple[Allocation, ...]) -> dict[str, int]:
    return {one.guest: one.accepted_minor for one in found}


def test_PRM_1_first_the_owner_however_little_he_staked() -> None:
    found = allocate(TABLE, [BoxStake("co", 500_00, seated=True), BoxStake("owner", 10_00, owner=True, distance=9)])
    assert kept(found) == {"owner": 10_00, "co": 490_00}


def test_PRM_1_then_the_highest_stake_even_of_one_who_stands_far_away() -> None:
    found = allocate(TABLE, [BoxStake("low", 490_00, seated=True), BoxStake("high", 500_00, distance=9)])
    assert kept(found) == {"high": 500_00, "low": 0}


def test_PRM_1_then_at_equal_stakes_the_seated_one() -> None:
    found = allocate(TABLE, [BoxStake("stands", 300_00), BoxStake("sits", 300_00, seated=True, distance=9)])
    assert kept(found) == {"sits": 300_00, "stands": 200_00}


def test_PRM_1_then_the_one_nearest_to_the_shoe() -> None:
    found = allocate(TABLE, [BoxStake("far", 300_00, distance=3), BoxStake("near", 300_00, distance=2)])
    assert kept(found) == {"near": 300_00, "far": 200_00}


def test_PRM_1_refuses_to_choose_between_equals_only_when_it_matters() -> None:
    equal = [BoxStake("a", 300_00, distance=1), BoxStake("b", 300_00, distance=1)]
    with pytest.raises(OrderUnclear) as refusal:
        allocate(TABLE, equal)
    assert refusal.value.rule == "PRM-1"
    assert kept(allocate(TABLE, [replace(stake, amount_minor=250_00) for stake in equal])) == {"a": 250_00, "b": 250_00}


def test_PRM_1_every_returned_chip_has_its_reason_in_words_and_data() -> None:
    stakes = [BoxStake("owner", 500_00, owner=True), BoxStake("C", 100_00)]
    returned = allocate(TABLE, stakes)[1]
    assert returned.text() == "C gets 10000 back: rank 2 of PRM-1, maximum 50000 reached."
    assert (returned.reason.code, returned.rank, returned.data["maximum_minor"]) == ("prime.full", 2, 500_00)


def test_PRM_2_the_same_order_decides_for_a_box_without_owner_or_whose_owner_is_away() -> None:
    stakes = [
        BoxStake("owner", 10_00, owner=True),
        BoxStake("rich", 300_00, distance=5),
        BoxStake("sits", 200_00, seated=True, distance=4),
        BoxStake("near", 200_00, distance=1),
    ]
    assert decider(stakes) == "owner"
    assert decider(stakes[1:]) == "rich"
    assert decider(stakes, absent=frozenset({"owner"})) == "rich"
    assert decider(stakes, absent=frozenset({"owner", "rich"})) == "sits"
    assert decider(stakes, absent=frozenset({"owner", "rich", "sits"})) == "near"


def test_PRM_2_says_when_nobody_or_nobody_in_particular_decides() -> None:
    with pytest.raises(NobodyDecides):
        decider([BoxStake("a", 10_00)], absent=frozenset({"a"}))
    with pytest.raises(DeciderUnclear) as refusal:
        decider([BoxStake("a", 10_00), BoxStake("b", 10_00)])
    assert refusal.value.rule == "PRM-2"


def test_PRM_3_the_last_stake_is_cut_on_the_tables_step() -> None:
    table = twenty_table(510_00)
    found = allocate(table, [BoxStake("owner", 460_00, owner=True), BoxStake("co", 100_00)])
    assert kept(found) == {"owner": 460_00, "co": 50_00}
    found = allocate(table, [BoxStake("owner", 480_00, owner=True), BoxStake("co", 100_00)])  # 30 left, the step is 20
    assert (kept(found), found[1].reason.code, found[1].reason.rule) == (
        {"owner": 480_00, "co": 20_00},
        "prime.cut",
        "PRM-3",
    )


def test_PRM_3_below_the_minimum_it_goes_back_whole() -> None:
    found = allocate(twenty_table(510_00), [BoxStake("owner", 500_00, owner=True), BoxStake("co", 100_00)])
    assert (kept(found), found[1].reason.code) == ({"owner": 500_00, "co": 0}, "prime.too_little")


def test_PRM_3_below_the_minimum_also_where_the_step_would_allow_a_part() -> None:
    table = BoxLimits(minimum_minor=50_00, maximum_minor=500_00, steps=(StepBand(step_minor=10_00),))
    stakes = [BoxStake("owner", 460_00, owner=True), BoxStake("co", 100_00)]
    found = allocate(table, stakes)
    assert (kept(found), found[1].reason.code, found[1].returned_minor) == (
        {"owner": 460_00, "co": 0},
        "prime.too_little",
        100_00,
    )
    assert kept(allocate(replace(table, minimum_per="box"), stakes)) == {"owner": 460_00, "co": 40_00}


def test_PRM_3_a_lower_stake_never_fills_room_that_a_higher_one_left() -> None:
    stakes = [BoxStake("owner", 480_00, owner=True), BoxStake("high", 100_00), BoxStake("low", 20_00)]
    whole_only = replace(twenty_table(510_00), prime_partial="return_whole")
    found = allocate(whole_only, stakes)
    assert kept(found) == {"owner": 480_00, "high": 0, "low": 0}
    assert [one.reason.code for one in found] == ["prime.fits", "prime.whole_only", "prime.passed"]


def test_PRM_3_an_owners_own_stake_is_cut_likewise() -> None:
    found = allocate(TABLE, [BoxStake("owner", 700_00, owner=True), BoxStake("co", 10_00)])
    assert kept(found) == {"owner": 500_00, "co": 0}
    assert found[0].returned_minor == 200_00
    assert kept(allocate(replace(TABLE, prime_partial="return_whole"), [BoxStake("owner", 700_00, owner=True)])) == {
        "owner": 0
    }
