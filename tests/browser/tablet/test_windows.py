"""Pages of one tablet: kept by the worker, opened after a power loss, woken from sleep, opened twice, of another version, found
with an old lock.
"""

import re
from collections.abc import Callable
from datetime import datetime

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from tables.models import Guest, RoundResult
from tests.browser.cable import Cable
from tests.browser.hit_house import HitHouse
from tests.browser.tablet.test_jackpot import OFFLINE, off, on, tablet_of
from tests.browser.tablet.test_unanswered import plays_on
from tests.browser.tablets import UNHURRIED, Tablet
from tests.casino.devices.devices import PIN

pytestmark = pytest.mark.browser
NO_ROOM = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }"
ASKED = "window.asked = 0; navigator.storage.persist = () => { window.asked += 1; return Promise.resolve(true); };"
AGED = "(() => { const now = Date.now.bind(Date); Date.now = () => now() + 20_000; })()"


@pytest.fixture
def hall(floor_server: object) -> HitHouse:
    hall = HitHouse(displays=1)
    plays_on(hall)
    return hall


def test_the_way_elsewhere_leads_back_without_the_server(
    hall: HitHouse, cable: Cable, new_floor_page: Callable[..., Page]
) -> None:
    """Language, sign-in and sign-out are shut while offline; a page that was asked for all the same is the table's."""
    tablet = tablet_of(hall, new_floor_page, address=cable.address)
    page, menu = tablet.page, tablet.page.locator("#menu")
    tablet.seat(1)
    tablet.has_worker()
    off(tablet, cable)
    tablet.lock()
    page.locator(".person").tap()
    expect(menu.get_by_text("Offline: Sprache, Anmelden und Abmelden brauchen den Server.")).to_be_visible()
    english = menu.locator("button[lang=en]")
    assert english.evaluate("button => button.closest('[inert]') !== null")
    with page.expect_navigation():
        page.evaluate("document.querySelector('#menu button[lang=en]').form.submit()")
    tablet.phase("play")
    page.goto(f"/tablet/{tablet.device.pk}/sign-in/")
    tablet.phase("play")
    tablet.cell(1, "2+")
    tablet.finish()
    on(tablet, cable)
    expect(page.locator(".link")).to_have_text("Verbunden")
    page.locator(".person").tap()
    expect(menu.get_by_text("brauchen den Server")).to_be_hidden()
    english.tap()
    expect(tablet.action).to_contain_text("No more bets")


def opened_anew(tablet: Tablet) -> None:
    """The tablet was without power, and is switched on again."""
    context, address = tablet.page.context, tablet.page.url
    tablet.written()
    tablet.page.close()
    tablet.page = context.new_page()
    tablet.page.goto(address)


def test_power_that_is_lost_in_the_middle_of_a_round(
    hall: HitHouse, cable: Cable, new_floor_page: Callable[..., Page]
) -> None:
    """The page was kept when it was opened first, before anybody sat down; round, taps, guests and numbers are those of now."""
    Guest.objects.filter(session__table=hall.tables[0]).update(left_at=timezone.now())
    tablet = tablet_of(hall, new_floor_page, address=cable.address)
    tablet.has_worker()
    tablet.seat(1, 2)
    tablet.tile(1, "coin").tap()
    guests = tablet.page.locator(".guest").all_inner_texts()
    tablet.lock()
    tablet.cell(1, "1-")
    tablet.cell(2, "fold")
    tablet.finish()
    tablet.lock()
    tablet.cell(1, "4+")
    tablet.hand("straight")
    cable.pull()
    opened_anew(tablet)
    tablet.phase("play")
    expect(tablet.box(1).locator(".cell[aria-pressed=true]")).to_have_text("4×+")
    tablet.cell(2, "2+")
    expect(tablet.page.locator(".link")).to_have_text("Offline")
    expect(tablet.page.get_by_role("alert")).to_have_count(0)
    tablet.finish()
    opened_anew(tablet)
    tablet.phase("bets")
    expect(tablet.page.locator(".head .number")).to_have_text("Runde 3")
    expect(tablet.page.locator(".guest")).to_have_text(guests)
    cable.plug()
    expect(tablet.page.locator(".link")).to_have_text("Verbunden")
    expect(tablet.page.get_by_role("alert")).to_have_count(0)
    assert [(one.state, one.revision, one.queued) for one in tablet.rounds()] == [("settled", 1, False)] * 2
    assert RoundResult.objects.get(round=tablet.rounds()[1]).result["boxes"] == {
        "1": {"play": 4, "result": "win", "hand": "straight", "on_board": False},
        "2": {"play": 2, "result": "win"},
    }


def test_who_signs_in_at_another_tablet_of_this_browser_leaves_the_page_kept(
    hall: HitHouse, cable: Cable, new_floor_page: Callable[..., Page]
) -> None:
    tablet = tablet_of(hall, new_floor_page, address=cable.address)
    first = tablet.page
    tablet.has_worker()
    tablet.page = first.context.new_page()
    other = Tablet(tablet.page, hall.tables[1], hall.croupiers[1])
    other.page.goto(f"/tablet/{other.device.pk}/sign-in/")
    with other.page.expect_navigation(url=f"**/tablet/{other.device.pk}/"):
        other.page.locator("[name=pin]").fill(PIN)
    off(other, cable)
    for one in (first, other.page):
        one.reload()
        expect(one.locator(".round")).to_be_visible()


def test_the_meter_that_was_heard_last_outlives_its_page(
    hall: HitHouse, cable: Cable, new_floor_page: Callable[..., Page]
) -> None:
    """Issue 44-4: the page was kept before a coin came; without the server the newer meter stands there, with its time."""
    tablet = tablet_of(hall, new_floor_page, address=cable.address)
    meter = tablet.page.locator(".meter")
    tablet.has_worker()
    before = meter.locator("b").inner_text()
    hall.start(1)
    expect(meter.locator("b")).not_to_have_text(before)
    heard = meter.locator("b").inner_text()
    at = tablet.page.evaluate("import('tablet/frame/live').then(({ jackpot }) => jackpot.value.at)")
    off(tablet, cable)
    tablet.reload()
    time = datetime.fromisoformat(at).astimezone(tablet.zone)
    expect(meter).to_have_class("meter old")
    expect(meter).to_have_text(f"Stand {time:%H:%M}{heard}")


def test_a_kept_page_does_not_look_live(hall: HitHouse, cable: Cable, new_floor_page: Callable[..., Page]) -> None:
    """Nothing is called connected, and no meter live, before the server was heard; nor when the tablet wakes."""
    tablet = tablet_of(hall, new_floor_page, address=cable.address, script=UNHURRIED)
    page, link = tablet.page, tablet.page.locator(".link")
    tablet.seat(1)
    tablet.has_worker()
    expect(page.locator(".meter.old")).to_have_count(0)
    cable.swallow()
    page.reload()
    tablet.phase("bets")
    expect(link).to_have_text("Verbindet")
    expect(page.locator(".meter.old")).to_be_visible()
    page.evaluate("passed += 9_000")
    expect(link).to_have_text("Offline")
    cable.plug()
    expect(link).to_have_text("Verbunden")
    expect(page.locator(".meter.old")).to_have_count(0)
    woken = """async () => {
        const live = await import('tablet/frame/live');
        document.dispatchEvent(new Event('visibilitychange'));
        return [live.link.value, live.isMeterOld.value];
    }"""
    assert page.evaluate(woken) == ["unknown", True]
    expect(link).to_have_text("Verbunden")


def test_a_page_of_another_version_is_not_kept(
    hall: HitHouse, cable: Cable, new_floor_page: Callable[..., Page]
) -> None:
    """Its scripts are not there without a network: the page that was kept before opens."""
    tablet = tablet_of(hall, new_floor_page, address=cable.address)
    page = tablet.page
    tablet.seat(1)
    tablet.has_worker()

    answer = page.request.get(page.url)  # before it is asked for: for one that is late the worker does not wait
    text = re.sub(r"app/round/flow\.\w+\.js", "app/round/flow.0newer.js", answer.text())

    def newer(route: Route) -> None:
        route.fulfill(response=answer, body=text)

    page.context.route(re.compile(r"/tablet/[0-9a-f-]{36}/$"), newer)
    page.context.route(re.compile("flow.0newer"), lambda route: route.abort())
    page.reload()
    expect(page.locator(".round")).to_have_count(0)
    page.context.unroute_all()
    off(tablet, cable)
    page.reload()
    tablet.phase("bets")


def test_two_windows_of_one_tablet(hall: HitHouse, new_floor_page: Callable[..., Page]) -> None:
    """The second says so, and takes over when the first is closed."""
    tablet = tablet_of(hall, new_floor_page)
    first = tablet.page
    tablet.seat(1)
    second = first.context.new_page()
    second.goto(first.url)
    expect(second.get_by_role("alert")).to_contain_text("Dieses Tablet ist schon in einem anderen Fenster offen.")
    tablet.lock()
    tablet.written()
    first.close()
    expect(second.locator(".round")).to_have_attribute("data-phase", "play")
    tablet.page = second
    tablet.cell(1, "1+")
    tablet.finish()
    assert [one.state for one in tablet.rounds()] == ["settled"]


def test_an_old_lock_is_never_sent(hall: HitHouse, new_floor_page: Callable[..., Page]) -> None:
    """A page that finds one takes the bets back and says so. It asks to keep what is stored, and lives with a full disk."""
    allowed = f"{OFFLINE}|Service Worker|QuotaExceededError: full"
    page = new_floor_page(has_touch=True, allowed=allowed, service_workers="block")
    tablet = Tablet(page, hall.tables[0], hall.croupiers[0])
    tablet.seat(1)
    page.route("**/lock/", lambda route: route.abort())
    with page.expect_request("**/lock/"):  # it is stored before it goes
        tablet.act()
    expect(tablet.action).to_contain_text("Warten")
    page.add_init_script(AGED)
    page.add_init_script(NO_ROOM)
    page.add_init_script(ASKED)
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("ist zurückgenommen")
    expect(tablet.action).to_contain_text("Nichts geht mehr")
    assert page.evaluate("asked") == 1
    page.unroute("**/lock/")
    expect(page.locator(".link")).to_have_text("Verbunden")
    assert [one.state for one in tablet.rounds() if one.state != "withdrawn"] == []
    tablet.lock()
    tablet.cell(1, "1+")
    tablet.finish()
    assert [one.state for one in tablet.rounds() if one.state != "withdrawn"] == ["settled"]
