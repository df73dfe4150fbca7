"""The bar of places where there is little room: behind one button, by touch and by keyboard, nothing cut off in any language."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from payouts.models import House
from tests.browser.look.test_everywhere import CUT_OFF, TOO_SMALL, keep
from tests.browser.people import WORDS, be, somebody

EVERY = ("manager", "technician", "pit_boss", "cage")  # who has all these has every place


@pytest.mark.parametrize("language", WORDS)
def test_places_open_by_touch_and_by_keyboard(new_page: Callable[..., Page], house: House, language: str) -> None:
    page = new_page(language=language, reduced_motion="reduce")
    be(page, somebody(house, *EVERY))
    page.goto("/home/manager/")
    for width, height in ((390, 844), (1280, 800)):  # the pit's screens have the button at any width
        page.set_viewport_size({"width": width, "height": height})
        page.goto("/home/manager/" if width == 390 else "/pit/")
        bar = page.locator("nav.places")
        bar.locator("summary").click()
        expect(bar.locator("details a")).to_have_count(12)
        for script in (CUT_OFF, TOO_SMALL):
            assert page.evaluate(script) == [], (width, script)
        keep(page, "places", language)
        bar.locator("details a[href='/floor/']").click()
        page.wait_for_url("**/floor/")
    page.locator("nav.places > ul a[aria-current='page'][href='/floor/']").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/floor/jackpots/")
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("nav.places summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/home/*/")
