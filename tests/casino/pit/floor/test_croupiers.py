"""One croupier at two open tables: the pit is asked before it gives him the second one."""

from tables.models import Table
from tests.casino.pit.floor.floor_desk import FloorDesk, words
from tests.worlds import world

pytestmark = world(FloorDesk)


def croupier_of(table: Table) -> object:
    table.refresh_from_db()
    return table.session.croupier if table.session else None


def test_one_croupier_at_two_open_tables_is_asked_about(desk):
    """Opening and handing over: refused in words with a box to tick; with the tick, or for somebody else, it is done."""
    path = f"tables/{desk.other.pk}/"
    box = 'name="both" value="1"'
    desk.open()
    assert box not in desk.get("boss", path)
    asked = desk.post("boss", f"{path}open/", 409, croupier=desk.martina.pk, entry_level="fast")
    assert "Martina still has UTH 1." in words(asked)
    assert box in asked
    assert croupier_of(desk.other) is None
    desk.post("boss", f"{path}open/", croupier=desk.nora.pk, entry_level="fast")
    assert croupier_of(desk.other) == desk.nora
    asked = desk.post("boss", f"{path}hand-over/", 409, croupier=desk.martina.pk)
    assert box in asked
    assert croupier_of(desk.other) == desk.nora
    desk.post("boss", f"{path}hand-over/", croupier=desk.martina.pk, both="1")
    assert croupier_of(desk.other) == desk.martina
