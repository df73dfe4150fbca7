"""The pit by keys alone: the shift is taken over, a device revoked, a PIN opened, without a pointer."""

from collections.abc import Callable

import pytest
from django.db.models.functions import Now
from playwright.sync_api import Page, expect

from casino.people.models import Person
from casino.pit.models import ShiftHandOver
from tests.browser.floor_house import FloorHouse
from tests.browser.pit.test_actions import reached, typed
from tests.browser.pit_page import alert, open_pit
from tests.casino.devices import devices

pytestmark = pytest.mark.browser


def test_shift_is_taken_over_by_keys_alone(new_floor_page: Callable[..., Page]) -> None:
    floor = FloorHouse()
    alert(floor)
    page = new_floor_page(width=1440, height=900)
    open_pit(page, floor)
    reached(page, "Schicht")
    page.keyboard.press("Enter")
    page.wait_for_url("**/pit/hand-over/")
    typed(page, "note", "Anzeige Eingang wird repariert")
    expect(page.get_by_text("Sie haben die Schicht übernommen.")).to_be_visible()
    kept = ShiftHandOver.objects.get(house=floor.house)
    assert (kept.taken_by, kept.note) == (floor.boss, "Anzeige Eingang wird repariert")


def test_device_is_revoked_and_a_pin_opened_by_keys_alone(new_floor_page: Callable[..., Page]) -> None:
    floor = FloorHouse()
    tablet, _ = devices.enrol(floor.table, floor.tim)
    floor.pin(floor.martina)
    Person.objects.filter(pk=floor.martina.pk).update(pin_locked_at=Now())
    page = new_floor_page(width=1440, height=900)
    open_pit(page, floor)
    panel = page.get_by_role("dialog")
    reached(page, "Geräte")
    page.keyboard.press("Enter")
    panel.locator("form[action$='/revoke/']").wait_for(state="attached")
    reached(page, "/revoke/", by="closest('details')?.querySelector('form')?.action")
    page.keyboard.press("Enter")
    reached(page, "reason", by="name")
    page.keyboard.type("gestohlen")
    page.keyboard.press("Enter")
    expect(panel.locator("q")).to_contain_text("gestohlen")
    tablet.refresh_from_db()
    assert tablet.revoked_by == floor.boss
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    reached(page, "PINs")
    page.keyboard.press("Enter")
    panel.locator("form[action$='/unlock/']").wait_for()
    reached(page, "/unlock/", by="form?.action")
    page.keyboard.press("Enter")
    expect(panel.get_by_text("Keine PIN ist gesperrt.")).to_be_visible()
    floor.martina.refresh_from_db()
    assert floor.martina.pin_locked_at is None
