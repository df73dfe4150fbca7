"""Issue 44-2: what a tablet reports of itself with every sign of life."""

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from casino.devices.heard import TabletState, tablet_state
from casino.devices.models import Device
from casino.devices.services import device_revoke
from casino.devices.signin import device_sign_in
from casino.devices.stored import stored_pages
from casino.people.models import Person
from payouts.models import House
from tables.models import Table
from tests.casino.devices.devices import PIN, address, browser_of, dealer, enrol, feed, make_table, open_table

REPORT = "X-Saalchef-Stored"


def reported(device: Device) -> tuple[bool | None, int | None]:
    device.refresh_from_db()
    return device.page_stored, device.unsent


def test_a_tablet_reports_whether_its_page_is_stored_and_what_lies_on_it(
    table: Table, boss: Person, device: Device, tablet: tuple[Device, str]
) -> None:
    """By its pages and by the API; what is no whole report, or none, changes nothing."""
    browser = browser_of(*tablet)
    martina = dealer(table.house, "m.reports")
    open_table(table, martina)
    device_sign_in(device=device, username="m.reports", pin=PIN)
    pages = {
        address(device, "here/"): {},
        f"/api/tables/{table.pk}/surface/": {"X-Saalchef-Device": str(device.pk)},
    }
    assert reported(device) == (None, None)
    for page, headers in pages.items():
        for report, known in {"no 3": (False, 3), "? 32767": (None, 32_767), "yes 0": (True, 0)}.items():
            assert browser.get(page, headers=headers | {REPORT: report}).status_code in (200, 204)
            assert reported(device) == known
        for bad in (
            "",
            "yes",
            "no -1",
            "no 32768",
            "no 99999",
            "no 1.5",
            "no 3 4",
            "No 3",
            "no  3",
            "no ٣",
            "no\x00 3",
        ):
            assert browser.get(page, headers=headers | {REPORT: bad}).status_code in (200, 204)
            assert browser.get(page, headers=headers).status_code in (200, 204)
            assert reported(device) == (True, 0)


def test_a_report_that_says_nothing_new_costs_no_statement(device: Device, tablet: tuple[Device, str]) -> None:
    browser = browser_of(*tablet)
    browser.get(address(device, "here/"), headers={REPORT: "yes 0"})
    for report, writes in (("yes 0", 0), ("yes 1", 1)):
        with CaptureQueriesContext(connection) as queries:
            browser.get(address(device, "here/"), headers={REPORT: report})
        assert sum(query["sql"].startswith("UPDATE") for query in queries) == writes


def test_which_tablets_of_a_house_would_open_without_the_server(house: House, table: Table, boss: Person) -> None:
    """Those in service, by table, in one statement; neither feeds nor those of another kind of report."""
    second = make_table(house, "UTH 2")
    names = {(table, "A"): "yes 0", (table, "B"): "no 2", (second, "C"): None, (second, "D"): "yes 7"}
    enrolled = {name: enrol(at, boss, name) for at, name in names}
    for (_, name), report in names.items():
        if report:
            Client.get(browser_of(*enrolled[name]), address(enrolled[name][0], "here/"), headers={REPORT: report})
    feed(table, boss)
    device_revoke(device_id=enrolled["D"][0].pk, reason="lost", by=boss)
    with CaptureQueriesContext(connection) as queries:
        rows = [(row.table.name, row.name, row.page_stored, row.unsent) for row in stored_pages(house)]
    assert (len(queries), rows) == (1, [("UTH 1", "A", True, 0), ("UTH 1", "B", False, 2), ("UTH 2", "C", None, None)])


def test_hse1_what_lay_on_a_table_s_tablets_is_known_as_it_closes(house: House, table: Table, boss: Person) -> None:
    """Of all of them, also of one that was revoked while the table was open; nothing of a closed one."""
    tablets = [enrol(table, boss, name) for name in "AB"]
    for device, token in tablets:
        browser_of(device, token).get(address(device, "here/"), headers={REPORT: "yes 2"})
    assert tablet_state(table.pk) == TabletState(silent_since=None, unsent=0)
    open_table(table, dealer(house, "m.closes"))
    device_revoke(device_id=tablets[0][0].pk, reason="lost", by=boss, lost=True)
    assert tablet_state(table.pk) == TabletState(silent_since=None, unsent=4)
