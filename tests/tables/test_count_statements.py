"""What a count asks of the database: few statements, whatever the denominations (BEGIN and COMMIT not counted)."""

from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from payouts.models import Count
from payouts.rules.rulesets.chips import ChipSet, Denomination
from payouts.rules.rulesets.kinds import TableKind
from payouts.rules.rulesets.schema import Posted
from tables import services
from tables.kinds import KINDS
from tables.models import Table
from tests.counts import COUNTED, OPENER, CountedFloor, lines_of
from tests.floor import POSTED, done
from tests.tables.test_statements import statements


class TwoSets(CountedFloor):
    """Beside the table with eight denominations one that has a single one; both trays are empty of what is counted."""

    also_posted: ClassVar[list[tuple[TableKind, str, Posted]]] = [
        (KINDS["chip_set"], "One", ChipSet(denominations=(Denomination(value_minor=500, colour="red"),))),
    ]

    def __init__(self, **changes: Any) -> None:
        super().__init__(**changes)
        values = {"house_id": self.house.pk, "pit_id": self.pit.pk, "game": "uth", "boxes": 7}
        self.few: Table = done(
            services.table_create, **values, name="UTH 4", posted=POSTED | COUNTED | {"chip_set": "One"}
        )


@pytest.fixture(scope="module")
def floor(database_of_module: str) -> TwoSets:
    return TwoSets()


def counted(floor: TwoSets, table: Table, purpose: str, lines: list[dict[str, object]]) -> list[int]:
    """How many statements a count takes to begin, to be entered, to be signed with a difference."""
    house, ids = {"house_id": floor.house.pk}, []

    def begin() -> None:
        begun: Count = services.count_begin(
            **house, table_id=table.pk, purpose=purpose, actor_id=floor.martina.pk, croupier_id=floor.martina.pk
        )
        ids.append(begun.pk)

    steps: list[Callable[[], object]] = [
        begin,
        lambda: services.count_enter(**house, count_id=ids[0], lines=lines, counter_id=floor.martina.pk) and None,
        lambda: services.count_witness(**house, count_id=ids[0], entry=1, ok=True, witness_id=floor.reto.pk) and None,
    ]
    return [len(statements(step)) for step in steps]


def test_a_signed_count_takes_at_most_eight_statements(floor):
    """Key, table, count, newest entry, accounts, the one call that writes, answer; before an opening also what is posted."""
    counted(floor, floor.counted, "opener", lines_of(*OPENER))  # versions are read once by each process
    counted(floor, floor.few, "opener", [{"value_minor": 500, "pieces": 0}])
    many = counted(floor, floor.counted, "opener", lines_of(39, *OPENER[1:]))
    few = counted(floor, floor.few, "opener", [{"value_minor": 500, "pieces": 1}])
    assert many == few == [8, 9, 8]
    for table in (floor.counted, floor.few):
        floor.open(table, reason="counted for a test")
    many = counted(floor, floor.counted, "spot", lines_of(38, *OPENER[1:]))
    few = counted(floor, floor.few, "spot", [{"value_minor": 500, "pieces": 2}])
    assert many == few == [10, 8, 7]
