"""From the box to the jackpot: a technician, a TV with a browser, and a code. A TV has arrows, OK and letters, no more."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from casino.devices.models import Device
from jackpot.models import RequiredDisplay
from tests.browser.conftest import Server
from tests.browser.display_house import state, still
from tests.browser.look.test_everywhere import CUT_OFF, faults, keep
from tests.browser.people import be, somebody
from tests.screens import Shown

pytestmark = pytest.mark.browser
STEPS_MOST = 16  # keys beside the eight letters of the code: two or three seconds each on a remote control


def to(page: Page, text: str) -> int:
    """Go on to what bears these words, as the arrow keys of a remote control do; the number of keys."""
    for keys in range(1, 20):
        page.keyboard.press("Tab")
        if text in page.evaluate("document.activeElement.textContent"):
            return keys
    raise AssertionError(text)


def test_a_tv_a_browser_and_a_code(new_display_page: Callable[..., Page], display_server: Server) -> None:
    floor = Shown()
    office, tv = new_display_page(), new_display_page(width=960, height=540)
    be(office, somebody(floor.house, "technician"))
    office.goto("/devices/")
    office.locator("#jackpot-display").select_option(str(floor.jackpot.pk))
    office.locator("#name-display").fill("Foyer")
    office.locator("form[action$='/devices/display/'] button").click()
    code = office.locator(".secret").inner_text()
    expect(office.locator(".steps")).to_contain_text("/display/")

    tv.goto("/")  # no more than the house's address has to be typed
    keys = to(tv, "Als Jackpot-Anzeige registrieren") + 1
    tv.keyboard.press("Enter")
    expect(tv.locator("#code")).to_be_focused()
    tv.keyboard.type(code.replace("-", "").upper())
    tv.keyboard.press("Enter")
    state(tv, "open")
    still(tv, "10’000.00")
    assert keys + 1 <= STEPS_MOST

    device = Device.objects.get(house=floor.house, name="Foyer")
    office.goto("/devices/")
    office.locator(f"form[action$='/{device.pk}/require/'] button").click()
    expect(office.locator(f"form[action$='/{device.pk}/require/']")).to_have_count(0)
    assert RequiredDisplay.objects.get(display_id=device.pk, ended_at=None).jackpot_id == floor.jackpot.pk


@pytest.mark.parametrize("language", ["de", "en", "fr", "it"])
def test_its_page_has_room_on_a_tv_and_is_read_from_afar(
    new_display_page: Callable[..., Page], display_server: Server, language: str
) -> None:
    page, found = new_display_page(language=language, allowed="status of 4"), []
    for width, height in ((1920, 1080), (1280, 720), (960, 540), (1080, 1920)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto("/display/")
        expect(page.locator("#code")).to_be_focused()
        page.keyboard.type("zzzz-zzzz")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_be_visible()
        page.wait_for_load_state()  # with its style
        found += page.evaluate(CUT_OFF) + faults(page)
        keep(page, "display_enrol", language)
        if width == 1920:
            assert page.locator("#code").bounding_box()["height"] > 120
    assert found == []
