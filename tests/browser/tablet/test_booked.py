"""What stood under the boxes is what chips moved by: where the house booked anything else, the tablet says so (UTH-5)."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.cable import Cable
from tests.browser.hit_house import HitHouse
from tests.browser.tablet.test_jackpot import OFFLINE, off, on
from tests.browser.tablet.test_unanswered import plays_on
from tests.browser.tablets import Tablet

pytestmark = pytest.mark.browser
WAYS = {"settle": "**/settle/", "correct": "**/correct/", "queued": "**/queued-rounds/"}
DIFFERS = "Gebucht wurden andere Beträge als angezeigt. Aufsicht rufen, bevor Jetons bewegt werden."


@pytest.fixture
def tablet(cable: Cable, new_floor_page: Callable[..., Page]) -> Tablet:
    """Two guests play on, also without the server."""
    hall = HitHouse(displays=0)
    plays_on(hall)
    options = {"allowed": f"{OFFLINE}|Service Worker", "service_workers": "block", "address": cable.address}
    tablet = Tablet(new_floor_page(has_touch=True, **options), hall.tables[0], hall.croupiers[0])
    tablet.seat(1, 2)
    return tablet


def swapped(route: Route) -> None:
    """The server's answer as it came, but that what each of both boxes is paid is booked for the other: the sum is the same."""
    answer = route.fetch(max_retries=3)  # its connection of before the cable was pulled is kept, and of no use
    body = answer.json()
    for line in body.get("rounds", [body])[0]["answer"]["lines"]:
        line["box"] = 3 - line["box"]
    route.fulfill(response=answer, body=json.dumps(body))


def play(tablet: Tablet) -> None:
    """Box 1 wins, box 2 folds."""
    tablet.lock()
    tablet.cell(1, "1+")
    tablet.cell(2, "fold")


def told(tablet: Tablet, number: int) -> None:
    """It stands there until somebody has read it, also when the next round begins."""
    alert = tablet.page.get_by_role("alert")
    expect(alert).to_contain_text(f"Runde {number}: {DIFFERS}")


def test_amounts_that_were_not_shown_are_told_of(tablet: Tablet, cable: Cable) -> None:
    """A result, a correction, and a round that was played without the server."""
    page = tablet.page
    play(tablet)
    tablet.finish()
    expect(tablet.key("Runde 1 korrigieren")).to_be_enabled()
    expect(page.get_by_role("alert")).to_have_count(0)  # it is not said of what was booked as shown

    for way in WAYS:
        page.route(WAYS[way], swapped)
        if way == "correct":
            tablet.key("Runde 2 korrigieren").tap()
            tablet.cell(2, "1-")
            tablet.act()
        elif way == "settle":
            play(tablet)
            tablet.finish()
        else:
            off(tablet, cable)
            play(tablet)
            tablet.finish()
            on(tablet, cable)
        told(tablet, 2 if way != "queued" else 3)
        page.unroute(WAYS[way])
        page.get_by_role("alert").get_by_role("button").tap()
        expect(page.get_by_role("alert")).to_have_count(0)
