"""A table that is called otherwise today: reports of an evening name it as it stood then."""

from collections.abc import Iterator

import pytest

from casino.audit.reports.gather import gathered
from casino.audit.reports.kinds import KINDS
from casino.audit.reports.shape import Cell
from tables import services
from tables.models import PokerStay, Table
from tests import poker
from tests.casino.audit.reports.asked import lines, query
from tests.casino.audit.reports.evening import PokerEvening
from tests.floor import done, taps
from tests.tables.test_changes import close, request, sign

OF_CHANGES = {"approvals", "day-protocol", "parameters"}  # have lines of the changes themselves


@pytest.fixture
def over(evening: PokerEvening, db: None) -> Iterator[PokerEvening]:
    """The evening with every table closed."""
    evening.end(0, evening.running, taps(b1={"play": 1, "result": "win"}, b2={"result": "fold"}))
    for stay in PokerStay.objects.filter(guest__left_at=None):
        poker.of_stay(evening, stay, "stay_leave", counted_minor=50_00)
    for table in Table.objects.filter(session__isnull=False):
        close(evening, table)
    return evening


def test_an_old_evening_has_the_same_rows_after_its_tables_were_renamed(over):
    whole = {kind: report(over, kind) for kind in KINDS}
    upstairs = done(services.pit_create, house_id=over.house.pk, name="Upstairs")
    for place, table in enumerate(Table.objects.order_by("-name")):
        moved = {"pit_id": upstairs.pk, "position": place, "boxes": table.boxes - 1}
        sign(over, request(over, table, name=f"Salon {place}", **moved))
    assert {table.name[:5] for table in Table.objects.all()} == {"Salon"}
    again = {kind: report(over, kind) for kind in KINDS}
    assert {kind for kind in KINDS if again[kind] != whole[kind]} == OF_CHANGES
    for kind in OF_CHANGES:
        assert [line for line in again[kind][1] if line in whole[kind][1]] == whole[kind][1]


def test_the_new_evening_has_the_new_name(over):
    table = over.tables[2]
    was = {line["round_id"]: line["table"] for line in lines(over, "corrections", table=table.pk)}
    assert set(was.values()) == {"UTH 3"}
    sign(over, request(over, table, name="Salon"))
    over.guests[2] = over.open(table, over.croupiers[2])
    over.void(begun := over.start(2))
    now = {line["round_id"]: line["table"] for line in lines(over, "corrections", table=table.pk)}
    assert now == was | {str(begun): "Salon"}


def report(evening: PokerEvening, kind: str) -> tuple[str, list[list[Cell]]]:
    """A report's hash and its rows."""
    question = query(evening, kind, **({"least": 0} if "least" in KINDS[kind].takes else {}))
    with gathered(KINDS[kind], question) as reading:
        return reading.sha256, list(reading.rows())
