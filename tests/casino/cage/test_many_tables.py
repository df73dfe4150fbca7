"""Pages of counting over 24 tables: few statements, however many trays and boxes are counted."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from payouts.models import Count
from tables import services
from tables.models import Difference, Table
from tests.casino.pit.floor.floor_desk import FloorDesk, words
from tests.cast import make_person
from tests.counts import COUNTED, OPENER
from tests.drops import FULL, DropFloor
from tests.floor import POSTED, done
from tests.worlds import world

TABLES = 24


class FullFloor(FloorDesk, DropFloor):
    """Of 24 tables 21 are counted: each opened although its tray lacked everything, its tray counted since, or being so; its drop
    box counted, or being so.
    """

    def __init__(self) -> None:
        super().__init__()
        self.drawn(self.counted, 0)
        for number in range(4, TABLES + 1):
            self.drawn(self.add(number), number)

    def add(self, number: int) -> Table:
        values = {"house_id": self.house.pk, "pit_id": self.pit.pk, "game": "uth", "boxes": 7}
        table: Table = done(services.table_create, **values, name=f"UTH {number}", posted=POSTED | COUNTED)
        for _again in range(2):
            count = Count.objects.filter(place_id=table.pk).first() or self.begin("opener", table)
            self.witness(count, self.enter(count, *OPENER))
        self.open(table, make_person(f"croupier{number}", "croupier", house=self.house), reason="never filled")
        return table

    def drawn(self, table: Table, number: int) -> None:
        count = self.begin("spot", table, by=self.reto)
        if number % 2:
            self.witness(count, self.enter(count, *OPENER, by=self.reto), by=self.ines)
        box = self.take(table)
        self.counts(box, self.first, FULL)
        if number % 3:
            self.counts(box, self.second, FULL)


pytestmark = world(FullFloor)


def statements(floor: FullFloor, path: str) -> tuple[int, str]:
    """Of the page as a manager sees it."""
    floor.clients["manager"].get(path)
    with CaptureQueriesContext(connection) as captured:
        response = floor.clients["manager"].get(path, headers={"accept-language": "en"})
    assert response.status_code == 200
    return len(captured), words(response.content.decode())


def test_the_pages_of_24_tables_take_at_most_25_statements(floor: FullFloor) -> None:
    assert Table.objects.filter(house=floor.house).count() == TABLES
    board, drops, differences = (statements(floor, path) for path in ("/floor/", "/cage/drops/", "/cage/differences/"))
    assert (board[1].count("Tray being counted"), drops[1].count("being counted")) == (12, 8)
    assert Difference.objects.filter(house=floor.house).count() > TABLES
    assert max(board[0], drops[0], differences[0]) <= 25
