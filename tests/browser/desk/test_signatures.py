"""What waits for a signature stands in the bar of every page, as true as the last answer."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from casino.ops.models import AuditRun
from tests.browser.conftest import stop_clock
from tests.browser.hit_house import HitHouse
from tests.browser.look.test_everywhere import CUT_OFF, OVERLAPPING, TOO_SMALL, keep
from tests.browser.people import LOOKED_AT, be

pytestmark = pytest.mark.browser
PAGES = ("/home/manager/", "/pit/", "/floor/", "/posted-tables/", "/audit/", "/admin/")


def verified(floor: HitHouse) -> None:
    floor.hit(winners=1)
    floor.verify_all()


def test_badge_comes_and_goes_with_what_waits_and_hides_when_nobody_answers(
    new_floor_page: Callable[..., Page],
) -> None:
    floor = HitHouse()
    page = new_floor_page(allowed="Failed to load resource")
    be(page, floor.manager)
    stop_clock(page)
    page.goto("/posted-tables/")
    place = page.locator(".signatures-due")
    expect(place).to_be_hidden()
    verified(floor)
    page.clock.run_for(15_000)
    link = place.get_by_role("link")
    expect(link).to_contain_text("Wartet auf Sie · 1")
    expect(link).to_contain_text("CHF 10’002.00 · bis ")
    link.focus()
    page.clock.run_for(15_000)
    expect(link).to_be_focused()  # what is as it was stays, with its focus
    page.route("**/waits-for-you/", lambda route: route.fulfill(status=503, body=""))
    page.clock.run_for(30_000)
    expect(link).to_be_visible()
    page.clock.run_for(45_000)
    expect(link).to_be_hidden()
    page.unroute("**/waits-for-you/")
    page.clock.run_for(15_000)
    link.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/pit/jackpots/{floor.jackpot.pk}/#asked-*")
    floor.sign(floor.asked(), floor.manager)
    page.clock.run_for(15_000)
    expect(place).to_be_hidden()


def test_start_page_follows_what_waits_and_says_when_nobody_answers(new_floor_page: Callable[..., Page]) -> None:
    floor = HitHouse()
    AuditRun.objects.create(seconds=1, ok=True, breaches=[])  # else it is old by now, and that waits too
    page = new_floor_page(allowed="Failed to load resource")
    be(page, floor.manager)
    stop_clock(page)
    page.goto("/home/manager/")
    expect(page.locator("[data-live=waits]")).to_contain_text("Nichts wartet auf Sie.")
    verified(floor)
    page.clock.run_for(15_000)
    expect(page.locator("[data-live=waits] li")).to_contain_text("Auszahlung des Jackpots")
    page.route("**/home/manager/", lambda route: route.fulfill(status=503, body=""))
    expect(page.locator("[data-stale]")).to_be_hidden()
    for _ in range(4):
        page.clock.run_for(15_000)
        page.wait_for_timeout(200)
    expect(page.locator("[data-stale]")).to_be_visible()


@pytest.mark.parametrize("language", LOOKED_AT)
def test_badge_fits_into_the_bar_of_every_page(new_floor_page: Callable[..., Page], language: str) -> None:
    floor = HitHouse()
    verified(floor)
    page = new_floor_page(language=language)
    be(page, floor.manager)
    faults = []
    for address in PAGES:
        for width, height in ((1280, 800), (800, 1280)):
            page.set_viewport_size({"width": width, "height": height})
            page.goto(address)
            expect(page.locator(".signatures-due a")).to_be_in_viewport(ratio=1)
            for script in () if address == "/admin/" else (CUT_OFF, TOO_SMALL, OVERLAPPING):
                faults += [f"{address} {width}: {text}" for text in page.evaluate(script)]
            keep(page, "badge" + address.strip("/").replace("/", "_"), language)
    assert faults == []
