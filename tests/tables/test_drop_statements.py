"""What the count of a drop box asks of the database: as much whatever the notes and coins (BEGIN and COMMIT not counted)."""

from collections.abc import Callable

import pytest

from casino.people.models import Person
from payouts.rules import cash
from tables import services
from tables.services.counts import drop
from tests.drops import FULL, DropFloor, cash_lines
from tests.tables.test_statements import statements
from tests.worlds import world

pytestmark = world(DropFloor)


def counted(floor: DropFloor, lines: list[dict[str, object]], less: list[dict[str, object]]) -> list[int]:
    """How many statements it takes to take a box, to count it first, then otherwise, then together, and to sign that."""
    house = {"house_id": floor.house.pk}
    begun_ids: list[object] = []

    def take() -> None:
        begun = services.drop_count_begin(**house, table_id=floor.counted.pk, actor_id=floor.first.pk)
        begun_ids.append(begun.pk)

    def enter(person: Person, entered: list[dict[str, object]]) -> Callable[[], object]:
        by = {"counter_id": person.pk, "lines": entered}
        return lambda: services.drop_count_enter(**house, count_id=begun_ids[0], **by) and None

    signing = {"entry": 3, "ok": True, "witness_id": floor.first.pk}
    steps: list[Callable[[], object]] = [
        take,
        enter(floor.first, lines),
        enter(floor.second, less),
        enter(floor.second, lines),
        lambda: services.drop_count_witness(**house, count_id=begun_ids[0], **signing) and None,
    ]
    return [len(statements(step)) for step in steps]


def test_a_drop_count_takes_as_many_statements_whatever_the_denominations(
    floor: DropFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor.counted_drop(FULL)  # what is posted is read once by each process
    floor.bought(100_00)
    many = counted(floor, cash_lines({100_00: 2}), cash_lines({100_00: 1}))
    floor.bought(100_00)
    monkeypatch.setattr(drop, "cash_values", lambda _currency: (100_00,))
    pieces = [[{"value_minor": 100_00, "pieces": number}] for number in (2, 1)]
    few = counted(floor, *pieces)
    assert many == few == [11, 14, 18, 14, 18]  # two of each are the savepoint of the test
    assert len(cash.cash_values("CHF")) == 13
