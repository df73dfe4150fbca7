"""A display that is taken out and required again at once is two rows, each of its own events: nothing there disagrees (PRG-9)."""

import pytest

from jackpot import services as jackpots
from jackpot.models import RequiredDisplay
from tests.databases import superuser
from tests.floor import done
from tests.jackpot.linked import Linked
from tests.tables.audits import disagreeing
from tests.worlds import world


def twice_dark() -> Linked:
    """A display went off the list twice and is on it again, all within a minute."""
    linked = Linked(displays=2)
    display = linked.displays[1]
    ids = {"house_id": linked.house.pk, "jackpot_id": linked.jackpot.pk, "display_id": display}
    for reason in ("it is dark", "dark again"):
        asked = done(jackpots.display_out_request, **ids, reason=reason, person_id=linked.reto.pk)
        linked.sign(asked, linked.bea)
        asked = done(jackpots.display_add_request, **ids, name="Again", person_id=linked.reto.pk)
        linked.sign(asked, linked.bea)
    return linked


pytestmark = [world(twice_dark), pytest.mark.usefixtures("own_database")]


def test_nothing_disagrees(floor: Linked) -> None:
    assert RequiredDisplay.objects.filter(display_id=floor.displays[1]).count() == 3
    assert disagreeing() == []


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize(
    "change", ["reason = reason || 'x'", "name = name || 'x'", "added_at = added_at - interval '1 day'"]
)
def test_each_of_its_rows_is_held_against_its_own_events(
    floor: Linked, own_database: str, place: int, change: str
) -> None:
    row = RequiredDisplay.objects.filter(display_id=floor.displays[1]).order_by("added_at")[place]
    with superuser(own_database) as link:
        link.execute("ALTER TABLE jackpot_requireddisplay DISABLE TRIGGER USER")
        link.execute(f"UPDATE jackpot_requireddisplay SET {change} WHERE id = %s", [row.pk])
    assert str(row.pk) in {one["key"] for one in disagreeing()}
