"""A tablet that nobody touches asks for the PIN again; what was entered stays, and a round that runs is never shut away."""

import os
from collections.abc import Callable

import pytest
from django.db import connection
from playwright.sync_api import Page, expect

from casino.devices.models import DeviceSession
from payouts.models import Event
from tests.browser.cable import Cable
from tests.browser.floor_house import FloorHouse
from tests.browser.tablet.test_jackpot import OFFLINE, off, on
from tests.browser.tablets import Tablet
from tests.casino.devices.devices import PIN
from tests.databases import superuser

pytestmark = pytest.mark.browser
LONG_AGO = """() => {
    const { device, session } = JSON.parse(document.getElementById("page").textContent);
    localStorage.setItem(`saalchef-tablet-touched-${device}`, JSON.stringify({ of: session, at: Date.now() - 601_000 }));
}"""


def left_alone(page: Page) -> None:
    """Nobody has touched the tablet for ten minutes when its page is looked at again."""
    page.evaluate(LONG_AGO)
    page.reload()


def test_an_idle_tablet_asks_for_the_pin_and_keeps_what_was_entered(
    cable: Cable, new_floor_page: Callable[..., Page]
) -> None:
    """Between rounds: the PIN, also after a reload, and not without the server; during a round: never."""
    floor = FloorHouse()
    floor.open_for()
    page = new_floor_page(has_touch=True, allowed=OFFLINE, address=cable.address)
    tablet, asks = Tablet(page, floor.table, floor.martina), page.locator(".idle")
    tablet.seat(1)
    expect(page.locator(".link")).to_have_text("Verbunden")
    with page.expect_response("**/idle/"):
        left_alone(page)
    expect(asks).to_contain_text("PIN")
    expect(page.locator(".round")).to_have_count(0)
    session = DeviceSession.objects.get(device__table=floor.table, ended_at=None)
    assert session.idle_at is not None
    page.reload()
    expect(asks).to_be_visible()
    if folder := os.environ.get("SHOTS"):
        for width, height in ((1280, 800), (1024, 768), (800, 1280)):
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=f"{folder}/idle-{width}.png")
        page.set_viewport_size({"width": 1280, "height": 800})

    off(tablet, cable)
    page.keyboard.type(PIN)
    expect(asks.get_by_role("alert")).to_contain_text("sobald der Server wieder antwortet")
    on(tablet, cable)
    page.keyboard.type("000001")
    expect(asks.get_by_role("alert")).to_contain_text("Die PIN stimmt nicht.")
    for digit in PIN:
        asks.get_by_role("button", name=digit, exact=True).tap()
    expect(asks).to_have_count(0)
    session.refresh_from_db()
    assert (session.idle_at, session.ended_at) == (None, None)
    told = Event.objects.filter(name__in=["device.idle", "device.woken"], subject_id=str(session.device_id))
    assert [one.name for one in told.order_by("pk")] == ["device.idle", "device.woken"]
    tablet.lock()  # the stake of before is still there

    left_alone(page)
    tablet.cell(1, "fold")
    expect(asks).to_have_count(0)
    tablet.finish()


def test_who_waited_longer_than_that_for_the_table_is_asked_at_once(
    cable: Cable, new_floor_page: Callable[..., Page]
) -> None:
    """He was signed in already when the table was given to him: nobody has touched the tablet since."""
    floor = FloorHouse()
    floor.open_for()
    page = new_floor_page(has_touch=True, address=cable.address)
    Tablet(page, floor.table, floor.martina)
    for minutes, asked in ((9, 0), (1, 1)):
        with superuser(connection.settings_dict["NAME"]) as link:  # a sign-in keeps its time
            link.execute("ALTER TABLE casino_devicesession DISABLE TRIGGER device_session_guard")
            link.execute(f"UPDATE casino_devicesession SET began_at = began_at - interval '{minutes} minutes'")
            link.execute("ALTER TABLE casino_devicesession ENABLE ALWAYS TRIGGER device_session_guard")
        page.evaluate("localStorage.clear()")
        page.reload()
        expect(page.locator(".link")).to_have_text("Verbunden")
        expect(page.locator(".idle")).to_have_count(asked)
