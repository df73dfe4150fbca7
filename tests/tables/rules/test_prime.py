"""Allocation under the box maximum: what must hold for any table and any stakes."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from payouts.errors import Refused
from tables.rules.boxes import check_decides, decider, owner_of
from tables.rules.limits import (
    BoxLimits,
    check_box_minimum,
    check_stake,
    fifty_table,
    ten_table,
    twenty_table,
)
from tables.rules.prime import BoxStake, allocate, in_order, rights
from tests.tables.rules.strategies import limits, stakes
from tests.turns import each

TABLE_AND_STAKES = limits().flatmap(lambda table: st.tuples(st.just(table), stakes(table)))
ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-(10**5000), 10**5000),
    st.floats(),
    st.text(),
    st.lists(st.integers()),
)


@given(TABLE_AND_STAKES)
def test_each_stake_is_what_stays_and_what_goes_back(case: tuple[BoxLimits, list[BoxStake]]) -> None:
    table, placed = case
    found = allocate(table, placed)
    amounts = {stake.guest: stake.amount_minor for stake in placed}
    assert {one.guest: one.accepted_minor + one.returned_minor for one in found} == amounts
    assert all(one.accepted_minor >= 0 and one.returned_minor >= 0 for one in found)
    assert sum(one.accepted_minor for one in found) <= table.maximum_minor


@given(TABLE_AND_STAKES)
def test_what_stays_may_be_staked(case: tuple[BoxLimits, list[BoxStake]]) -> None:
    table, placed = case
    kept = [one.accepted_minor for one in allocate(table, placed) if one.accepted_minor]
    for amount in kept:
        check_stake(table, amount)
    if kept:
        check_box_minimum(table, kept)


@given(TABLE_AND_STAKES, st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_matter(case: tuple[BoxLimits, list[BoxStake]], random: object) -> None:
    table, placed = case
    shuffled = list(placed)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert allocate(table, shuffled) == allocate(table, placed)


@given(TABLE_AND_STAKES)
def test_nobody_loses_chips_to_one_who_comes_after_him(case: tuple[BoxLimits, list[BoxStake]]) -> None:
    table, placed = case
    assume(table.minimum_per == "stake")
    found = allocate(table, placed)
    cut = [one.returned_minor > 0 for one in found]
    if True in cut:  # all before the first cut stay whole, all after it go back whole
        first = cut.index(True)
        assert all(one.accepted_minor == 0 for one in found[first + 1 :])
    assert [one.rank for one in found] == list(range(1, len(found) + 1))


@given(TABLE_AND_STAKES)
def test_room_is_used_as_far_as_the_step_allows(case: tuple[BoxLimits, list[BoxStake]]) -> None:
    table, placed = case
    assume(table.prime_partial == "cut")
    for one, stake in zip(allocate(table, placed), in_order(placed), strict=True):
        if one.reason.code == "prime.cut":
            room = int(one.data["room_minor"])  # type: ignore[call-overload]
            assert not any(
                table.step_at(amount) is None
                for amount in range(one.accepted_minor + 1, min(room, stake.amount_minor) + 1)
            )


@given(TABLE_AND_STAKES, st.data())
def test_a_higher_stake_never_ranks_lower(case: tuple[BoxLimits, list[BoxStake]], data: st.DataObject) -> None:
    table, placed = case
    assume(placed)
    chosen = data.draw(st.sampled_from(placed))
    raised = replace(chosen, amount_minor=chosen.amount_minor + table.maximum_minor)
    others = [stake for stake in placed if stake is not chosen]
    assert in_order([*others, raised]).index(raised) <= in_order(placed).index(chosen)


@given(TABLE_AND_STAKES)
def test_words_and_data_of_every_returned_chip(case: tuple[BoxLimits, list[BoxStake]]) -> None:
    for one in allocate(*case):
        assert one.guest in one.text()
        assert (one.reason.code == "prime.fits") == (one.returned_minor == 0)
        if one.returned_minor:
            assert f"{one.returned_minor} back" in one.text()
            assert one.reason.rule in ("PRM-1", "PRM-3", "BOX-4")


@given(TABLE_AND_STAKES)
def test_the_first_of_the_order_decides(case: tuple[BoxLimits, list[BoxStake]]) -> None:
    _, placed = case
    assume(placed)
    first = decider(placed)
    assert rights(next(stake for stake in placed if stake.guest == first)) == min(map(rights, placed))
    check_decides(first, placed)


def test_a_box_that_cannot_reach_its_minimum_gives_everything_back() -> None:
    table = BoxLimits.from_data(
        {
            "kind": "box_limits",
            "schema": 1,
            "minimum_minor": 100,
            "maximum_minor": 100,
            "steps": [{"from_minor": 0, "step_minor": 20}],
            "minimum_per": "box",
            "prime_partial": "return_whole",
        }
    )
    found = allocate(table, [BoxStake("owner", 40, owner=True), BoxStake("co", 80)])
    assert [(one.accepted_minor, one.reason.code, one.reason.rule) for one in found] == [
        (0, "prime.box_too_low", "BOX-4")
    ] * 2


@each(
    ("placed", "code"),
    [
        ([BoxStake("a", 10_00), BoxStake("a", 20_00)], "box.stake_twice"),
        ([BoxStake("a", 10_00, owner=True), BoxStake("b", 20_00, owner=True)], "box.two_owners"),
        ([BoxStake("", 10_00)], "box.guest_wrong"),
        ([BoxStake("a", 10_00, distance=-1)], "box.guest_wrong"),
        ([BoxStake("a", 0)], "box.amount_wrong"),
        ([BoxStake("a", -10_00)], "box.amount_wrong"),
        ([BoxStake("a", 10**30)], "box.amount_wrong"),
        ([BoxStake("a", 5_00)], "box.below_minimum"),
        ([BoxStake("a", 15_00)], "box.off_step"),
        ([BoxStake(f"g{n}", 10_00) for n in range(101)], "box.too_many_stakes"),
    ],
)
def test_refusals(placed: list[BoxStake], code: str) -> None:
    table = BoxLimits.from_fields(
        {
            "minimum_minor": 10_00,
            "maximum_minor": 500_00,
            "steps": [{"from_minor": 0, "step_minor": 10_00}],
            "minimum_per": "stake",
            "prime_partial": "cut",
        },
        "t",
    )
    with pytest.raises(Refused) as refusal:
        allocate(table, placed)
    assert (refusal.value.code, bool(refusal.value.text()), bool(refusal.value.rule)) == (code, True, True)


@given(
    limits(),
    st.lists(
        st.builds(BoxStake, ANYTHING, ANYTHING, owner=st.booleans(), seated=st.booleans(), distance=ANYTHING),
        max_size=5,
    ),
    ANYTHING,
)
def test_fuzz_boxes(table: BoxLimits, placed: list[BoxStake], anything: object) -> None:
    for call in (
        lambda: allocate(table, placed),
        lambda: decider(placed),
        lambda: check_decides(anything, placed),  # type: ignore[arg-type]
        lambda: check_stake(table, anything),  # type: ignore[arg-type]
        lambda: check_box_minimum(table, [100, anything]),  # type: ignore[list-item]
        lambda: owner_of("a", anything),  # type: ignore[arg-type]
        lambda: ten_table(anything),  # type: ignore[arg-type]
        lambda: twenty_table(anything),  # type: ignore[arg-type]
        lambda: fifty_table(anything, anything),  # type: ignore[arg-type]
    ):
        try:
            call()
        except Refused as refusal:
            assert refusal.text()


@each(
    "fields",
    [
        {"minimum_minor": 100, "maximum_minor": 50, "steps": ((0, 10),)},
        {"minimum_minor": 15, "maximum_minor": 50, "steps": ((0, 10),)},
        {"minimum_minor": 10, "maximum_minor": 55, "steps": ((0, 10),)},
        {"minimum_minor": 10, "maximum_minor": 50, "steps": ((10, 10),)},
        {"minimum_minor": 10, "maximum_minor": 50, "steps": ((0, 10), (0, 5))},
        {"minimum_minor": 10, "maximum_minor": 50, "steps": ((0, 10), (60, 5))},
        {"minimum_minor": 10, "maximum_minor": 50, "steps": ()},
    ],
)
def test_limits_that_contradict_themselves_cannot_be_posted(fields: dict[str, object]) -> None:
    steps = [{"from_minor": start, "step_minor": step} for start, step in fields["steps"]]  # type: ignore[attr-defined]
    with pytest.raises(Refused) as refusal:
        BoxLimits.from_fields({**fields, "steps": steps, "minimum_per": "stake", "prime_partial": "cut"}, "t")
    assert refusal.value.code == "posted.value_wrong"
