"""Posted values: there and back through JSON, strictly."""

import json
from dataclasses import FrozenInstanceError, fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.rules.progressive import ProgressiveRules
from payouts.errors import Refused
from payouts.rules.rulesets.cage import CageRules
from payouts.rules.rulesets.calendar import BAD_RAGAZ, WIESBADEN, HouseCalendar
from payouts.rules.rulesets.chips import ChipSet, TrayFloat
from payouts.rules.rulesets.funding import FundingSchedule
from payouts.rules.rulesets.hand_rules import HandRules
from payouts.rules.rulesets.paytable import UTH_BLIND, UTH_TRIPS, Paytable
from payouts.rules.rulesets.rake import RakeSchedule, TimeCharge
from payouts.rules.rulesets.schema import Posted, PostedRefused, SchemaUnknown, changes
from tables.games.poker.rules import PokerGame, PokerRules
from tables.games.uth.rules import UthRules
from tables.rules.floor import FloorRules
from tables.rules.limits import BoxLimits, fifty_table, ten_table, twenty_table
from tests.turns import each

POSTED: list[Posted] = [
    UthRules(),
    UTH_BLIND,
    UTH_TRIPS,
    ProgressiveRules(),
    FundingSchedule(cap_minor=10**8),
    FundingSchedule(),
    RakeSchedule(),
    TimeCharge(),
    BAD_RAGAZ,
    WIESBADEN,
    HandRules(),
    HandRules(low_qualifier=7, cards_speak=False),
    FloorRules(),
    ten_table(500_00),
    twenty_table(500_00),
    fifty_table(1_000_00),
    PokerGame(),
    PokerRules(),
    ChipSet(),
    TrayFloat(),
    CageRules(),
]
JSON = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.integers(-(10**5000), 10**5000), st.floats(), st.text(max_size=5)
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
)
SCHEMAS = {"rake": 2, "poker_rules": 2}
names = pytest.mark.parametrize("posted", POSTED, ids=lambda posted: posted.KIND)


@names
def test_there_and_back(posted: Posted) -> None:
    data = posted.to_data()
    assert type(posted).from_data(json.loads(json.dumps(data))) == posted
    assert (data["kind"], data["schema"]) == (posted.KIND, SCHEMAS.get(posted.KIND, 1))


@names
def test_data_states_every_field(posted: Posted) -> None:
    assert set(posted.to_data()) == {"kind", "schema", *(one.name for one in fields(posted))}  # type: ignore[arg-type]


LATER = {("floor_rules", "withdraw_s"), ("floor_rules", "idle_minutes")}  # versions from before have the default


@names
def test_a_field_that_is_missing_or_unknown_is_refused(posted: Posted) -> None:
    data = posted.to_data()
    for name in posted.fields_data():
        if (posted.KIND, name) in LATER:
            assert type(posted).from_data({key: value for key, value in data.items() if key != name}) == posted
            continue
        with pytest.raises(PostedRefused) as missing:
            type(posted).from_data({key: value for key, value in data.items() if key != name})
        assert (missing.value.code, missing.value.data["field"]) == ("posted.field_missing", f"{posted.KIND}.{name}")
    with pytest.raises(PostedRefused) as unknown:
        type(posted).from_data({**data, "colour": "green"})
    assert (unknown.value.code, unknown.value.data["field"]) == ("posted.field_unknown", f"{posted.KIND}.colour")


@names
def test_another_kind_or_schema_is_refused(posted: Posted) -> None:
    for change in ({"kind": "other"}, {"schema": 9}, {"schema": True}, {"schema": "1"}, {"schema": None}):
        with pytest.raises(SchemaUnknown):
            type(posted).from_data({**posted.to_data(), **change})


@names
@given(value=JSON, data=st.data())
def test_fuzz_each_field(posted: Posted, value: object, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(posted.fields_data())))
    try:
        read = type(posted).from_data({**posted.to_data(), name: value})
    except Refused as refusal:
        assert refusal.code.startswith(("posted.", "funding."))
        assert refusal.text()
    else:
        assert read.to_data()[name] == value


@names
@given(value=JSON)
def test_fuzz_everything(posted: Posted, value: object) -> None:
    with pytest.raises(PostedRefused):
        type(posted).from_data(value)


def test_a_posted_value_never_changes() -> None:
    with pytest.raises(FrozenInstanceError):
        UTH_TRIPS.lines = ()  # type: ignore[misc]


def test_the_place_of_a_mistake_is_named() -> None:
    data = UTH_TRIPS.to_data()
    lines = data["lines"]
    assert isinstance(lines, list)
    lines[2] = {"hand": "flush", "odds": "7-1"}
    with pytest.raises(PostedRefused) as refusal:
        Paytable.from_data(data)
    assert refusal.value.text() == "“paytable.lines[2].odds” cannot be 7-1: expected odds such as 3:2."


def test_changes_name_each_field_that_differs() -> None:
    assert changes(UTH_TRIPS, UTH_TRIPS) == ()
    assert changes(UTH_TRIPS, Paytable(lines=UTH_TRIPS.lines[:-1])) == (
        ("lines[6].hand", "royal_flush", None),
        ("lines[6].odds", "50:1", None),
    )
    assert changes(UthRules(), UthRules(stake_step=100, no_play="showdown")) == (
        ("stake_step", 500, 100),
        ("no_play", "fold", "showdown"),
    )
    with pytest.raises(SchemaUnknown):
        changes(UTH_TRIPS, UthRules())


@each(
    "wrong",
    [
        {"ante_minimum_minor": 60_00},
        {"ante_maximum_minor": 50_01},
        {"trips_minimum_minor": 1},
        {"stake_step": 0},
        {"stake_step": True},
        {"play_multiples": ()},
        {"play_multiples": (4, 4)},
        {"play_multiples": (0,)},
        {"play_multiples": [4]},
        {"no_play": "stay"},
        {"side_bets_survive_fold": 1},
        {"odds_round_to": 0},
        {"odds_round": "nearest"},
    ],
)
def test_rules_of_the_game_that_cannot_be_posted(wrong: dict[str, object]) -> None:
    with pytest.raises(PostedRefused):
        UthRules(**wrong)  # type: ignore[arg-type]


def test_a_difference_is_not_signed_by_two_before_it_is_explained() -> None:
    with pytest.raises(PostedRefused) as refusal:
        CageRules(report_from_minor=24_99)
    assert refusal.value.text() == "“cage_rules.report_from_minor” cannot be 2499: expected from 2500 to 100000000000."


def test_every_kind_has_its_own_name() -> None:
    kinds = {type(posted).KIND for posted in POSTED}
    assert kinds == {
        "uth_rules",
        "paytable",
        "progressive",
        "funding",
        "rake",
        "time_charge",
        "calendar",
        "floor_rules",
        "hand_rules",
        "box_limits",
        "poker_game",
        "poker_rules",
        "chip_set",
        "tray_float",
        "cage_rules",
    }
    assert HouseCalendar.KIND != BoxLimits.KIND
