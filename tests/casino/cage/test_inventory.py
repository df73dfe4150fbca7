"""The first inventory on its pages: entered, looked at once more, request for, signed by two, taken over."""

import re

from payouts.models import Account, Approval, Inventory
from tables.models import Table
from tests.casino.cage.desk import CageDesk
from tests.casino.pit.floor.floor_desk import words
from tests.worlds import world

pytestmark = world(CageDesk)


def first_step(desk: CageDesk) -> str:
    """How the inventory stands among the first steps of the house."""
    page = desk.clients["mara"].get("/first-steps/").content.decode()
    return re.search(r'<li class="panel (\w+)" id="step-inventory">', page)[1]


def test_entered_looked_at_asked_for_and_signed(desk: CageDesk) -> None:
    assert first_step(desk) == "open"
    page = desk.get("mara", f"inventory/?set-{desk.table.pk}=Bad Ragaz")
    assert f'name="tray-{desk.table.pk}-250"' in page
    assert f'name="tray-{desk.table.pk}-100"' not in page
    looked = desk.post("mara", "inventory/review/", 200, **desk.counted()).replace("’", " ")
    assert "Is this what was counted?" in looked
    assert "UTH 1, tray 0.00 36 600.00 36 600.00" in looked
    assert "1 000.00 orange 35 10 20 5" in looked
    assert not Approval.objects.exists()
    place = desk.post("mara", "inventory/ask/", **desk.counted())
    request = Approval.objects.get()
    assert place == f"/cage/inventory/asked/{request.pk}/"
    for who in ("anna", "max"):
        assert "Take over what was counted?" in words(desk.get(who, f"inventory/asked/{request.pk}/"))
        desk.sign(who, "inventory")
    assert Account.objects.get(kind="cage_cash").balance_minor == 1_000_00
    assert {table.posted["chip_set"] for table in Table.objects.all()} == {"Bad Ragaz"}
    assert "Taken over on" in words(desk.get("carla", "inventory/"))
    assert Inventory.objects.get().approval_id == request.pk
    assert first_step(desk) == "done"


def test_what_is_wrong_is_told_with_all_that_was_typed(desk: CageDesk) -> None:
    """Before anything is request for; and back to the figures nothing is lost."""
    tray = f"tray-{desk.table.pk}-50000"
    for changed, expected, status in (
        ({tray: ""}, "UTH 1: the pieces of", 422),
        ({tray: "1.5"}, "“1.5” pieces of", 422),
        ({tray: "36"}, "66 pieces of", 409),
        ({"cash": "many"}, "“many” is no amount", 422),
        ({f"cage_rules-{desk.table.pk}": "none such"}, "No version of “none such”", 422),
    ):
        page = desk.post("mara", "inventory/review/", status, **desk.counted(**changed))
        assert expected in page, changed
    form = {"key": "k" * 32, "back": "1"} | desk.counted(**{tray: "7"})
    response = desk.clients["mara"].post("/cage/inventory/review/", form)
    page = response.content.decode()
    assert (response.status_code, f'name="{tray}" value="7"' in page) == (200, True)
    assert not Approval.objects.exists()


def test_tables_that_are_open_are_named(desk: CageDesk) -> None:
    desk.open(desk.table)
    assert "Still open: UTH 1" in words(desk.get("mara", "inventory/"))
    assert "Chips may still move at: UTH 1." in desk.post("mara", "inventory/ask/", 409, **desk.counted())
