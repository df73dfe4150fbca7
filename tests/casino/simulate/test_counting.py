"""The simulator's own book of a tray: what lies there, what the house must have, and what each mistake leaves (CNT, RES)."""

from typing import Any

import pytest

from casino.simulate.books.chips import CLOSER, OPENER, RELIEF, BookedCount, TrayBook, TrayMoves, change, worth
from casino.simulate.books.compare import Books
from casino.simulate.books.rules import NotPlayable, Posted
from casino.simulate.counting import amiss, gaps
from casino.simulate.counting.amiss import KINDS, cash_plans, reliefs_of
from casino.simulate.counting.trays import Tray
from tests.casino.simulate.test_sums import JACKPOT
from tests.turns import each

VALUES = (250, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000)
RULES = {"count_again_from_minor": 5_000, "explain_from_minor": 2_500}


class Played(TrayBook):
    """A tray of 36 600.00 whose table has won 300.00 when its croupier is relieved, and 500.00 in the end."""

    def __init__(self) -> None:
        super().__init__(lambda: TrayMoves(self.won, self.entered))
        self.won = self.entered = 0

    def play(self, won: int, entered: int | None = None) -> None:
        self.won += won
        self.entered += won if entered is None else entered

    def signs(self, purpose: str, missing: int = 0) -> BookedCount:
        return self.count("", purpose, self.lies - missing)

    def evening(self, **mistakes: Any) -> list[int]:
        """What is left of the difference of each count."""
        self.begin(3_660_000, mistakes.get("fell", 0))
        self.signs(OPENER)
        self.play(30_000)
        self.signs(RELIEF, mistakes.get("overlooked", 0))
        if minor := mistakes.get("unsold", 0):
            self.sell(minor, entered=False, amiss=amiss.MISSED)
        self.sell(mistakes.get("sold", 0))
        self.play(20_000, mistakes.get("entered"))
        self.move(-mistakes.get("stolen", 0), 0)
        self.signs(CLOSER)
        self.play(0, mistakes.get("later", 0))
        return [self.left(count) for count in self.counts]


@each(
    ("mistakes", "left", "result"),
    [
        ({}, [0, 0, 0], 50_000),
        ({"sold": 785_000}, [0, 0, 0], 50_000),  # chips for cash, entered
        ({"unsold": 20_000}, [0, 0, -20_000], 50_000),  # the cash lies in the box: nothing is lost
        ({"overlooked": 4_000}, [0, -4_000, 4_000], 50_000),  # two in a row cancel (CNT-5)
        ({"entered": 65_000}, [0, 0, -45_000], 50_000),  # a prize of another class
        ({"entered": 65_000, "later": -45_000}, [0, 0, 0], 50_000),  # put right after the closer (CNT-10)
        ({"entered": 0, "later": 20_000}, [0, 0, 0], 50_000),  # a round on a silent tablet
        ({"fell": 4_000}, [-4_000, 0, 0], 50_000),  # between closer and opener: of no session (CNT-4)
        ({"stolen": 50_000}, [0, 0, -50_000], 0),
    ],
)
def test_what_each_mistake_leaves(mistakes: dict[str, int], left: list[int], result: int) -> None:
    book = Played()
    assert (book.evening(**mistakes), book.result) == (left, result)
    unsold = mistakes.get("unsold", 0)
    assert book.cash - book.sold == unsold
    assert book.differences == sum(left[1:]) + unsold  # counted less recorded (RES-1)
    assert book.result - book.differences == book.entered


def test_an_amount_is_given_in_the_fewest_pieces_and_each_denomination_is_named() -> None:
    for minor in (0, 250, 3_827_250, 5_000_000):
        lines = change(minor, VALUES)
        assert (worth(lines), [line["value_minor"] for line in lines]) == (minor, [*reversed(VALUES)])
    assert [line["pieces"] for line in change(1_750, VALUES)][-4:] == [0, 1, 1, 1]
    assert worth(change(-500, VALUES)) == 0
    with pytest.raises(NotPlayable, match=r"cannot make up 6\.00"):
        change(600, VALUES)


# What the seed plans
@each("seed", range(12))
def test_each_mistake_comes_at_one_table_and_the_same_seed_has_the_same(seed: int) -> None:
    plans = cash_plans(seed, 24, range(1, 6), [5])
    assert sorted(kind for plan in plans.values() for kind in plan.kinds) == sorted(KINDS)
    assert amiss.LATE in plans[5].kinds  # a tablet that feeds a jackpot is not silent
    assert plans == cash_plans(seed, 24, range(1, 6), [5])
    assert amiss.LATE not in [kind for plan in cash_plans(seed, 24, [1, 2], []).values() for kind in plan.kinds]


@each("seed", range(12))
def test_at_a_table_with_a_theft_nothing_else_is_amiss(seed: int) -> None:
    plans = cash_plans(seed, 24, range(1, 6), [5], theft=True)
    [robbed] = [plan for plan in plans.values() if amiss.THEFT in plan.kinds]
    assert robbed.kinds == (amiss.THEFT,)
    [alone] = cash_plans(seed, 24, [1], [], theft=True).values()
    assert alone.kinds[-1] == amiss.THEFT


def test_counts_at_reliefs_part_the_evening() -> None:
    for rounds in range(1, 60):
        first, second = reliefs_of(rounds, theft=True)
        assert 0 < first < second < max(rounds, 3)
        [alone] = reliefs_of(rounds)
        assert 0 < alone <= max(rounds // 3, 1)


# The comparison
class Given(Tray):
    """A tray after its evening."""

    def __init__(self, book: Played) -> None:
        super().__init__({"id": "t1", "name": "UTH 1"}, Posted([]), None)  # type: ignore[arg-type]  # asks nobody
        self.book, self.rules = book, RULES
        self.rows = [
            {
                "entries": [{"value_minor": count.value}] * self.expected(count),
                "signed": {"recorded_minor": count.recorded, "difference_minor": count.difference},
            }
            for count in book.counts
        ]


@pytest.fixture
def tray() -> Given:
    book = Played()
    book.evening(unsold=20_000, overlooked=4_000)
    return Given(book)


def compared(tray: Tray) -> list[str]:
    books = Books([], JACKPOT)
    gaps.compare_counts(tray, books)
    return books.differences


def test_counts_that_are_as_they_were_have_no_difference_and_a_changed_figure_is_found(tray: Given) -> None:
    assert compared(tray) == []
    assert [len(row["entries"]) for row in tray.rows] == [1, 1, 2]  # far from the books it is counted again (CNT-6)
    for figure in ("recorded_minor", "difference_minor"):
        tray.rows[1]["signed"][figure] += 5
        assert len(compared(tray)) == 1
        tray.rows[1]["signed"][figure] -= 5
    tray.rows[2]["entries"] = tray.rows[2]["entries"][:1]
    assert len(compared(tray)) == 1


def row_of(gap: gaps.Gap) -> dict[str, Any]:
    return dict(zip(gaps.FIGURES, gap.figures, strict=True))


def test_the_report_of_differences_is_compared_whole_and_each_is_explained_as_what_it_was(tray: Given) -> None:
    rows = [row_of(gap) for gap in gaps.gaps_of(tray)]
    assert [(row["place"], row["left"]) for row in rows] == [("tray", -4_000), ("tray", -16_000), ("drop", 20_000)]
    for reported, differ in ((rows, 0), (rows[1:], 1), ([rows[0] | {"left": 0}, *rows[1:]], 1)):
        books = Books([], JACKPOT)
        gaps.compare_gaps([tray], reported, books)
        assert len(books.differences) == differ
    codes = [gaps.explanation(row, [tray])[0] for row in rows]
    assert codes == ["unknown", "buy_in", "buy_in"]  # nobody wrote into this book that something was overlooked
    assert gaps.explanation(rows[0] | {"left": 7}, [tray]) == gaps.OTHERWISE


def test_the_report_alone_says_where_a_chip_was_stolen(tray: Given) -> None:
    moments = {"since": "2026-11-28T22:00:00+00:00", "until": "2026-11-28T23:00:00+00:00"}
    rows = [row_of(gap) | moments for gap in gaps.gaps_of(tray)]
    assert gaps.robbed(rows) == []
    stolen = rows[1] | {"table": "UTH 3", "left": -50_000}
    assert gaps.robbed([*rows, stolen]) == [stolen]
    since, until = gaps.span_of(stolen)
    assert (since.hour, until.hour) == (22, 23)


def test_what_was_counted_is_compared_from_what_the_day_had_before_and_a_dash_with_nothing(tray: Given) -> None:
    place, earlier = ("UTH 1", "2026-11-28"), {"drop_counted": 70_000, "counted": -5_000, "difference": 100}
    grown = {"drop_counted": 90_000, "counted": 45_000, "difference": 100}
    dashes = dict.fromkeys(earlier)
    for before, now, figures, differ in (
        ({}, {figure: grown[figure] - earlier[figure] for figure in grown}, 3, 0),
        (earlier, grown, 3, 0),
        (earlier, grown | {"counted": 44_000}, 3, 1),
        (earlier, dashes, 0, 0),
        (dashes, grown, 0, 0),
    ):
        books = Books([], JACKPOT)
        reported = {place: before} if before else {}
        gaps.compare_results(place, tray.book, before=reported, books=books, now={place: now})
        assert (books.compared, len(books.differences)) == (figures, differ)
        assert books.counted == {"UTH 1, 2026-11-28": {"drop_counted": 20_000, "counted": 50_000, "difference": 0}}
