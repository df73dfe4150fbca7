"""A page that is zoomed in on to twice its size, and a small screen: all is there, if need be it is scrolled to."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.floor_house import FloorHouse
from tests.browser.look.test_everywhere import drawn_at, faults
from tests.browser.tablets import Tablet

pytestmark = pytest.mark.browser
# Keys that no scrolling brings to where a finger can hit them.
HIDDEN = """() => [...document.querySelectorAll(".round button")].filter(key => {
    key.scrollIntoView({ block: "center", inline: "center" });
    const { left, right, top, bottom } = key.getBoundingClientRect();
    return !key.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}).map(key => `${key.className} ${key.innerText.slice(0, 30)}`)"""
SMALL = ((640, 400), (512, 384), (400, 640), (1280, 680))


def test_every_key_can_be_scrolled_to_and_is_called_what_stands_on_it(
    floor_server: object, new_floor_page: Callable[..., Page]
) -> None:
    floor = FloorHouse()
    floor.open()
    page = new_floor_page(has_touch=True, reduced_motion="reduce")
    tablet, found = Tablet(page, floor.table, floor.reto), []

    def looked_at(name: str) -> None:
        found.extend(f"{name}: {text}" for text in faults(page, ("label-content-name-mismatch",)))
        for width, height in SMALL:
            drawn_at(page, width, height)
            found.extend(f"{name} {width}: {text}" for text in page.evaluate(HIDDEN))
        drawn_at(page, 1280, 800)

    tablet.seat(1, 2, 7)
    for box in (1, 7):
        tablet.tile(box, "coin").tap()
    looked_at("bets")
    tablet.lock()
    tablet.cell(1, "4+")
    looked_at("play")
    tablet.hand("full_house")
    looked_at("cards")
    assert not found, "\n".join(found)
