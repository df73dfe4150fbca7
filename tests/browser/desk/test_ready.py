"""Ready for tonight? A line on the board that unfolds, and the whole list on the manager's start page."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import stop_clock
from tests.browser.hit_house import HitHouse
from tests.browser.look.test_everywhere import CUT_OFF, OVERLAPPING, TOO_SMALL, keep
from tests.browser.people import LOOKED_AT, be

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("language", LOOKED_AT)
def test_list_unfolds_by_keyboard_and_fits_its_pages(new_floor_page: Callable[..., Page], language: str) -> None:
    floor = HitHouse()
    page = new_floor_page(language=language)
    be(page, floor.manager)
    faults = []
    for address in ("/pit/", "/home/manager/"):
        for width, height in ((1280, 800), (800, 1280)):
            page.set_viewport_size({"width": width, "height": height})
            page.goto(address)
            summary = page.locator("#ready summary")
            expect(summary).to_be_visible()
            if address == "/pit/":
                expect(page.locator("#ready li").first).to_be_hidden()
                summary.focus()
                page.keyboard.press("Enter")
            expect(page.locator("#ready li").last).to_be_visible()
            for script in (CUT_OFF, TOO_SMALL, OVERLAPPING):
                faults += [f"{address} {width}: {text}" for text in page.evaluate(script)]
            keep(page, "ready" + address.strip("/").replace("/", "_"), language)
    assert faults == []


def test_list_is_read_again_and_stays_unfolded(new_floor_page: Callable[..., Page]) -> None:
    floor = HitHouse()
    page = new_floor_page(allowed="WebSocket")
    be(page, floor.manager)
    stop_clock(page)
    page.goto("/pit/")
    page.locator("#ready summary").click()
    expect(page.locator("#ready-displays")).to_contain_text("Ohne Lebenszeichen: Display 1, Display 2.")
    for display in floor.sessions:
        floor.heard(display)
    page.clock.run_for(60_000)
    expect(page.locator("#ready-displays")).to_contain_text("Anzeigen mit Lebenszeichen: 2.")
    expect(page.locator("#ready-displays")).to_be_visible()
