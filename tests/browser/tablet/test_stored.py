"""What is stored on a tablet: nothing is shown as done that is not, and nothing that was stored ever goes by itself."""

import json
from collections.abc import Callable
from unittest.mock import ANY

import pytest
from playwright.sync_api import Page, Route, expect

from tables.models import ReviewItem, RoundResult
from tests.browser.cable import Cable
from tests.browser.floor_house import FloorHouse
from tests.browser.hit_house import HitHouse
from tests.browser.tablet.test_jackpot import OFFLINE, off, on
from tests.browser.tablet.test_unanswered import plays_on, wait_for_rounds
from tests.browser.tablets import TONES, Tablet

pytestmark = pytest.mark.browser
FULL = "The quota has been exceeded."  # what a browser says when its disk is full
# `window.full`: which kinds of writing fail from now on.
DISK = f"""(() => {{
    window.full = [];
    for (const name of ["add", "put"]) {{
        const work = IDBObjectStore.prototype[name];
        IDBObjectStore.prototype[name] = function (...given) {{
            if (full.includes(name)) throw new DOMException("{FULL}", "QuotaExceededError");
            return work.apply(this, given);
        }};
    }}
}})()"""
NO_DISK = f"IDBFactory.prototype.open = () => {{ throw new DOMException('{FULL}', 'QuotaExceededError'); }}"

# `window.bases`: every database that the page has opened.
BASES = """(() => {
    window.bases = [];
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (...given) {
        const request = open.apply(this, given);
        request.addEventListener("success", () => bases.push(request.result));
        return request;
    };
})()"""
CLOSES = {"behind the page": "bases.forEach(one => one.close())"}
CLOSES["and says so"] = "bases.forEach(one => { one.close(); one.dispatchEvent(new Event('close')); })"
CLOSES["for another page"] = (
    "bases.forEach(one => one.dispatchEvent(new IDBVersionChangeEvent('versionchange', { newVersion: 1 })))"
)


def test_a_database_that_the_browser_closes_is_opened_again(
    floor_server: object, new_floor_page: Callable[..., Page]
) -> None:
    """Issue 44-3: a page that slept plays on; only what cannot be opened again is said."""
    floor = FloorHouse()
    floor.open_for()
    page = new_floor_page(has_touch=True, allowed=FULL)
    page.add_init_script(BASES)
    tablet, told = Tablet(page, floor.table, floor.martina), page.get_by_role("alert")
    tablet.seat(1)
    for number, (why, close) in enumerate(CLOSES.items(), 1):
        page.evaluate(close)
        tablet.lock()
        tablet.cell(1, "2+")
        page.evaluate(close)
        tablet.cell(1, "4+")
        tablet.reload()
        tablet.phase("play")
        expect(tablet.box(1).locator(".cell[aria-pressed=true]")).to_have_text("4×+")
        page.evaluate(close)
        tablet.finish()
        assert ([one.state for one in tablet.rounds()], told.count(), why) == (["settled"] * number, 0, why)
    page.evaluate(f"{CLOSES['behind the page']}; {NO_DISK}; 0")
    tablet.act()
    expect(told).to_contain_text("Dieses Tablet kann nichts mehr speichern.")
    expect(tablet.action).to_contain_text("Nichts geht mehr")


def test_what_cannot_be_stored_is_not_done(floor_server: object, new_floor_page: Callable[..., Page]) -> None:
    """A lock, a result, a round without the server: the screen says what to do, and nothing is sent, then or by the next page."""
    floor = FloorHouse()
    floor.open_for()
    page = new_floor_page(has_touch=True, allowed=f"{OFFLINE}|{FULL}|Service Worker", service_workers="block")
    page.add_init_script(DISK)
    tablet = Tablet(page, floor.table, floor.martina)
    told = page.get_by_role("alert")
    tablet.seat(1)
    for fails in ("add", "put"):  # the command itself; what is written in the same step after it
        page.evaluate(TONES)
        page.evaluate(f"full = ['{fails}']")
        tablet.act()
        expect(told).to_contain_text("Dieses Tablet kann nichts mehr speichern.")
        expect(told).to_contain_text("Aufsicht rufen und ein anderes Tablet nehmen")
        assert page.evaluate("tones") == [180, 440, 330]
        expect(tablet.action).to_contain_text("Nichts geht mehr")
        tablet.reload()
        tablet.phase("bets")
    assert tablet.rounds() == []

    tablet.lock()
    tablet.cell(1, "2+")
    tablet.written()
    page.evaluate("full = ['add', 'put']")
    tablet.act()
    expect(told).to_contain_text("kann nichts mehr speichern")
    expect(tablet.action).to_contain_text("Runde fertig")
    page.reload()
    tablet.phase("play")
    assert [one.state for one in tablet.rounds()] == ["locked"]
    expect(tablet.box(1).locator(".paid")).to_have_text("+15")  # what was tapped before is there
    tablet.finish()

    page.add_init_script(NO_DISK)  # no store at all: the page is there, and says so
    page.reload()
    tablet.phase("bets")
    expect(told).to_contain_text("kann nichts mehr speichern")
    tablet.act()
    expect(told).to_be_visible()
    tablet.phase("bets")
    assert [one.state for one in tablet.rounds()] == ["settled"]


@pytest.fixture
def tablet(cable: Cable, new_floor_page: Callable[..., Page]) -> Tablet:
    """One that plays on without the server; without a worker, past which a test cannot hold anything back."""
    hall = HitHouse(displays=0)
    plays_on(hall)
    options = {"allowed": f"{OFFLINE}|Service Worker", "service_workers": "block", "address": cable.address}
    return Tablet(new_floor_page(has_touch=True, **options), hall.tables[0], hall.croupiers[0])


class Altered:
    """The second round that is sent is one that no rule allows, the third is sent by somebody who may not."""

    def __init__(self) -> None:
        self.rounds: list[str] = []

    def alter(self, route: Route) -> None:
        body = json.loads(route.request.post_data or "")
        asked = body["rounds"][0]["round"]
        if asked not in self.rounds:  # a round that gets no answer is sent again
            self.rounds.append(asked)
        if asked in self.rounds[1:2]:
            body["rounds"][0]["result"]["boxes"]["1"] |= {"play": 3, "result": "fold"}
        elif asked in self.rounds[2:3]:
            body["rounds"] = []
        route.continue_(post_data=json.dumps(body))


def test_a_refusal_among_rounds_that_were_stored(tablet: Tablet, cable: Cable) -> None:
    """Of five rounds played without the server one is against the rules, and is with the pit; one is not taken from this tablet,
    and stays there until it is; the others come in order, each once.
    """
    page, sent = tablet.page, Altered()
    tablet.seat(1)
    page.route("**/queued-rounds/", sent.alter)
    off(tablet, cable)
    expect(page.locator(".say[data-why=offline]")).to_be_visible()
    for play in (1, 2, 3, 4, 1):
        tablet.lock()
        tablet.cell(1, f"{play}+")
        tablet.finish()
    expect(page.locator(".link")).to_contain_text("5 Runden gespeichert")
    on(tablet, cable)
    held = page.locator(".say[data-why=held-back]")
    expect(held).to_contain_text("1 Runde wurde abgewiesen und ist noch auf diesem Tablet.")
    expect(page.get_by_role("alert").first).to_contain_text("wartet auf die Aufsicht")
    expect(page.locator(".link")).to_have_text("Verbunden")
    played = tablet.rounds()
    assert [str(one.pk) for one in played] == [sent.rounds[0], sent.rounds[3], sent.rounds[4]]
    assert [RoundResult.objects.get(round=one).result["boxes"]["1"]["play"] for one in played] == [1, 4, 1]
    kept = ReviewItem.objects.get(table=tablet.table)
    assert (str(kept.round_id), kept.kind, kept.state) == (sent.rounds[1], "queued", "open")

    tablet.lock()  # the table goes on meanwhile
    tablet.cell(1, "fold")
    tablet.finish()
    page.reload()
    expect(held).to_be_visible()
    page.unroute("**/queued-rounds/")
    held.get_by_role("button", name="Nochmals senden").tap()
    expect(held).to_have_count(0)
    first, _to_clarify, third, *rest = sent.rounds
    there = wait_for_rounds(tablet, 5)
    assert [str(one.pk) for one in there] == [first, *rest, ANY, third]
    assert {one.state for one in there} == {"settled"}
