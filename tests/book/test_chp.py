"""The book's section CHP: the chips of a house."""
# ruff: noqa: N802 - tests are named after the rules

from dataclasses import replace
from typing import Any

import pytest

from casino.demo.floor import FILL_MINOR
from payouts.rules.rulesets.chips import ChipSet, Denomination, FloatLine, TrayFloat
from payouts.rules.rulesets.paytable import UTH_BLIND, UTH_TRIPS
from payouts.rules.rulesets.schema import Posted, PostedRefused
from tables.games.uth.rules import UthRules
from tables.kinds import KINDS
from tables.rules.limits import BoxLimits, StepBand
from tests.turns import each

CHIPS = ChipSet()
NO_PINK = ChipSet(denominations=CHIPS.denominations[1:])


def chips(*values: int, **changes: Any) -> ChipSet:
    """Chips of these values, each of another colour unless one is named."""
    colours = (chip.colour for chip in CHIPS.denominations)
    rows = ({"value_minor": value, "colour": colour} | changes for value, colour in zip(values, colours, strict=False))
    return ChipSet(denominations=tuple(Denomination(**row) for row in rows))


def advice(kind: str, posted: Posted, **beside: Posted) -> list[str]:
    """What a release of this kind is warned of in a house with these tables."""
    rows = {code: [beside[code].to_data()] if code in beside else [] for code in KINDS[kind].beside}
    return [f"{warning.code}: {warning.text()}" for warning in KINDS[kind].advise(posted, rows)]  # type: ignore[arg-type]


def test_CHP_1_chips_of_bad_ragaz() -> None:
    assert [(chip.value_minor, chip.colour, chip.shape, chip.stack) for chip in CHIPS.denominations] == [
        (2_50, "pink", "chip", 20),
        (5_00, "red", "chip", 20),
        (10_00, "blue", "chip", 20),
        (20_00, "yellow", "chip", 20),
        (50_00, "green", "chip", 20),
        (100_00, "black", "chip", 20),
        (500_00, "violet", "chip", 20),
        (1_000_00, "orange", "chip", 20),
    ]
    assert (CHIPS.values(), CHIPS.smallest_minor) == (tuple(line.value_minor for line in TrayFloat().lines), 2_50)
    assert sum(line.value_minor * line.pieces for line in TrayFloat().lines) == FILL_MINOR


@each(
    ("build", "words"),
    [
        (lambda: ChipSet(denominations=()), "“chip_set.denominations” cannot be []: expected a list of 1 to 20 lines."),
        (lambda: chips(0), "“denomination.value_minor” cannot be 0: expected from 1 to 100000000."),
        (lambda: chips(5_00, stack=0), "“denomination.stack” cannot be 0: expected from 1 to 100."),
        (lambda: chips(5_00, shape="coin"), "“denomination.shape” cannot be coin: expected one of: chip, plaque."),
        (
            lambda: chips(5_00, 10_00, 10_00),
            "“chip_set.denominations[2].value_minor” cannot be 1000: expected more than 1000, the value before it.",
        ),
        (
            lambda: chips(5_00, 10_00, colour="red"),
            "“chip_set.denominations[1].colour” cannot be red: expected each only once.",
        ),
        (
            lambda: chips(1_01, 1_02),
            (
                "“chip_set.denominations” cannot be [101, 102]: expected values that share a step, no finer than a"
                " hundredth of the smallest."
            ),
        ),
        (
            lambda: TrayFloat(lines=(FloatLine(value_minor=5_00, pieces=20), FloatLine(value_minor=5_00, pieces=0))),
            "“tray_float.lines[1].value_minor” cannot be 500: expected each only once.",
        ),
        (
            lambda: FloatLine(value_minor=5_00, pieces=-1),
            "“float_line.pieces” cannot be -1: expected from 0 to 100000.",
        ),
    ],
)
def test_CHP_1_what_is_no_chip_set_and_no_float(build: Any, words: str) -> None:
    with pytest.raises(PostedRefused) as refusal:
        build()
    assert refusal.value.text() == words


def test_CHP_1_a_plaque_may_have_the_colour_of_a_chip() -> None:
    plaque = Denomination(value_minor=5_000_00, colour="red", shape="plaque", stack=5)
    assert ChipSet(denominations=(*CHIPS.denominations, plaque)).values()[-1] == 5_000_00


def test_CHP_1_a_float_in_values_that_the_house_does_not_have() -> None:
    mixed = TrayFloat(lines=(*TrayFloat().lines, FloatLine(value_minor=25_00, pieces=20)))
    houses: list[dict[str, Posted]] = [{}, {"chip_set": CHIPS}]
    assert [advice("tray_float", mixed, **house) for house in houses] == [
        [],
        ["chips.not_of_set: 2500 is no denomination of the house's chips."],
    ]


@each("values", [(2_50, 5_00, 10_00), (1_00, 2_50, 5_00), (3, 7), (6, 9, 20), (5_00,)])
def test_CHP_3_an_amount_is_paid_in_whole_chips(values: tuple[int, ...]) -> None:
    paid, most = {0}, 3 * max(values)
    for value in values:
        for amount in range(value, most + 1):
            if amount - value in paid:
                paid.add(amount)
    assert {amount for amount in range(-2, most + 1) if chips(*values).pays(amount)} == paid


BETWEEN = "chips.payout_between: A stake of {} wins {}, which the house's chips cannot pay."
FIVES = BoxLimits(minimum_minor=10_00, maximum_minor=100_00, steps=(StepBand(from_minor=0, step_minor=5_00),))
TENS = UthRules(ante_minimum_minor=10_00, trips_minimum_minor=10_00, stake_step=10_00)


def test_CHP_3_what_falls_between_chips_needs_a_reason() -> None:
    of_blind = BETWEEN.format(5_00, 7_50)
    of_box = BETWEEN.format(15_00, 22_50)
    warnings = {
        "blind": advice("blind", UTH_BLIND, chip_set=NO_PINK, uth_rules=UthRules()),
        "uth_rules": advice("uth_rules", UthRules(), chip_set=NO_PINK, blind=UTH_BLIND, trips=UTH_TRIPS),
        "trips": advice("trips", UTH_TRIPS, chip_set=NO_PINK, uth_rules=UthRules()),  # 3:1 and better, in whole chips
        "box_limits": advice("box_limits", FIVES, chip_set=NO_PINK),
        "chip_set": advice("chip_set", NO_PINK, uth_rules=UthRules(), blind=UTH_BLIND),
        "chip_set, box": advice("chip_set", NO_PINK, box_limits=FIVES),
    }
    assert warnings == {
        "blind": [of_blind],
        "uth_rules": [of_blind],
        "trips": [],
        "box_limits": [of_box],
        "chip_set": [of_blind],
        "chip_set, box": [of_box],
    }


def test_CHP_3_chips_that_fit_and_houses_without_chips() -> None:
    tables: dict[str, Posted] = {"uth_rules": UthRules(), "blind": UTH_BLIND, "trips": UTH_TRIPS, "box_limits": FIVES}
    assert advice("chip_set", CHIPS, **tables) == []
    assert advice("chip_set", NO_PINK, uth_rules=TENS, blind=UTH_BLIND, trips=UTH_TRIPS) == []
    rounded = UthRules(odds_round_to=5_00)  # UTH-11: the house pays 5 on 3:2, or 10
    assert advice("uth_rules", rounded, chip_set=NO_PINK, blind=UTH_BLIND) == []
    assert [advice(kind, posted) for kind, posted in tables.items()] == [[], [], [], []]


def test_CHP_3_with_a_minimum_for_the_box_each_step_is_a_stake() -> None:
    shared = replace(FIVES, minimum_per="box")
    assert advice("box_limits", shared, chip_set=NO_PINK) == [BETWEEN.format(5_00, 7_50)]
