"""After the connection has come back: rounds that are on their way are counted, and are not said to be there before they are."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.cable import Cable
from tests.browser.hit_house import HitHouse
from tests.browser.tablet.test_jackpot import off, on
from tests.browser.tablet.test_unanswered import bare, plays_on, wait_for_rounds

pytestmark = pytest.mark.browser


def test_rounds_on_their_way_are_counted(cable: Cable, new_floor_page: Callable[..., Page]) -> None:
    """Two rounds are stored; each is held back on its way; only when both are booked the link says that all is well.

    The cable is out: a browser that is only told to be offline hears the socket now and then, and is not offline for that moment.
    """
    hall = HitHouse(displays=0)
    plays_on(hall)
    tablet = bare(hall, new_floor_page, unhurried=True, address=cable.address)
    page, link, held = tablet.page, tablet.page.locator(".link"), list[Route]()
    tablet.seat(1)
    off(tablet, cable)
    expect(link).to_have_text("Offline")
    for name in ("4+", "fold"):
        tablet.lock()
        tablet.cell(1, name)
        tablet.finish()
    expect(link).to_have_text("Offline · 2 Runden gespeichert")

    def hold(route: Route) -> None:
        held.append(route)

    page.route(re.compile("/queued-rounds/$"), hold)
    on(tablet, cable)
    for left in (2, 1):
        expect(link).to_have_text(f"Wird übertragen: {left}")
        expect(link).to_have_class(re.compile("ok"))
        while not held:
            page.wait_for_timeout(50)
        assert len(tablet.rounds()) == 2 - left
        held.pop().continue_()
    expect(link).to_have_text("Verbunden")
    assert [one.state for one in wait_for_rounds(tablet, 2)] == ["settled", "settled"]
