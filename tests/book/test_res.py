"""The book's section RES: what counts say beside what rounds say, and what may explain a difference."""
# ruff: noqa: N802 - tests are named after the rules

from dataclasses import replace
from uuid import UUID

from tables.rules.evening import TableEvening
from tables.rules.pairs import PROPOSED_MOST, Counted, Paid, Proposal, proposals

EVENING = TableEvening(  # UTH 2, one day
    opener_minor=36_600_00,
    closer_minor=38_272_50,
    drop_minor=7_850_00,
    fills_minor=10_000_00,
    credits_minor=5_000_00,
    game_minor=3_412_50,
    coins_minor=2_060_00,
    prizes_minor=950_00,
)
TRAY = UUID(int=1)
DROP = UUID(int=2)
ROUND = UUID(int=3)
CLASSES = {"full_house": 50_00, "four_of_a_kind": 500_00, "straight_flush": 1_500_00}


def sums(evening: TableEvening) -> tuple[int, int, int, int | None]:
    """Counted, recorded, difference (minor units), hold in thousandths."""
    return evening.counted_minor, evening.recorded_minor, evening.difference_minor, evening.hold_permille


def tray(minor: int, count: UUID = TRAY, number: int = 3) -> Counted:
    return Counted(count=count, place="tray", number=number, difference_minor=minor)


def paid(hand: str, box: int = 4) -> Paid:
    """A prize that was entered for this class."""
    others = {other: minor for other, minor in CLASSES.items() if other != hand}
    return Paid(round=ROUND, box=box, hand=hand, paid_minor=CLASSES[hand], others=others)


def test_RES_1_what_is_counted_is_what_the_rounds_say() -> None:
    assert sums(EVENING) == (4_522_50, 4_522_50, 0, 576)
    stolen = replace(EVENING, closer_minor=37_772_50)
    assert sums(stolen) == (4_022_50, 4_522_50, -500_00, 512)


def test_RES_1_a_buy_in_that_nobody_entered_moves_drop_and_tray_alone() -> None:
    bought = replace(EVENING, drop_minor=8_050_00, closer_minor=38_072_50)
    assert sums(bought)[:3] == (4_522_50, 4_522_50, 0)


def test_RES_1_a_prize_of_another_class_is_the_recorded_side() -> None:
    assert sums(replace(EVENING, prizes_minor=500_00))[:3] == (4_522_50, 4_972_50, -450_00)


def test_RES_1_overrides_and_faults_cost_and_fees_and_boxes_bring() -> None:
    poker = TableEvening(opener_minor=0, closer_minor=0, drop_minor=0, boxes_minor=400_00, fees_minor=420_00)
    assert sums(replace(poker, overrides_minor=5_00, faults_minor=15_00)) == (400_00, 400_00, 0, None)


def test_RES_4_a_buy_in_nobody_entered_is_a_pair_of_drop_and_tray() -> None:
    drop = Counted(count=DROP, place="drop", number=1, difference_minor=200_00)
    proposed = {
        "tray": proposals(tray(-200_00), [drop], []),
        "drop": proposals(drop, [tray(-200_00)], []),
        "other way": proposals(tray(200_00), [replace(drop, difference_minor=-200_00)], []),
        "other sum": proposals(tray(-200_00), [replace(drop, difference_minor=100_00)], []),
    }
    assert proposed == {
        "tray": [Proposal(code="buy_in", count=DROP)],
        "drop": [Proposal(code="buy_in", count=TRAY)],
        "other way": [],
        "other sum": [],
    }


def test_RES_4_a_prize_of_another_class_names_round_and_box() -> None:
    by_minor = {minor: proposals(tray(minor), [], [paid("full_house")]) for minor in (-450_00, -1_450_00, 450_00, 0)}
    entered = {"round": ROUND, "box": 4, "entered": "full_house"}
    assert by_minor == {
        -450_00: [Proposal(code="entry", paid="four_of_a_kind", **entered)],  # type: ignore[arg-type]
        -1_450_00: [Proposal(code="entry", paid="straight_flush", **entered)],  # type: ignore[arg-type]
        450_00: [],
        0: [],
    }
    many = proposals(tray(-450_00), [], [paid("full_house", box) for box in range(1, 8)])
    assert [proposal.box for proposal in many] == [*range(1, PROPOSED_MOST + 1)]


def test_CNT_5_two_counts_in_a_row_that_cancel_are_a_mistake_in_counting() -> None:
    before, after, later = (tray(100_00, UUID(int=number), number) for number in (2, 4, 5))
    proposed = proposals(tray(-100_00), [before, after, later], [])
    assert [(proposal.code, proposal.count) for proposal in proposed] == [
        ("count", before.count),
        ("count", after.count),
    ]
