"""What else befalls a tablet: sounds, a wrong clock, a screen that stays on, no Redis, a dispute, what the pit has to sign."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import ClassVar

import pytest
from playwright.sync_api import Page, Route, expect
from pytest_django import DjangoDbBlocker

from casino.live.snapshot import TABLET, snapshots_read
from payouts.rules.rulesets.schema import Posted
from tables.models import Round, RoundResult, RoundStake
from tables.rules.floor import FloorRules
from tests.browser.cable import cable_to
from tests.browser.conftest import Server, _pages, _serve, _with_orm
from tests.browser.floor_house import FloorHouse, PatientFloor
from tests.browser.hit_house import HitHouse
from tests.browser.people import be
from tests.browser.pit.test_floor import REFUSED, said
from tests.browser.tablet.test_jackpot import OFFLINE, banner, tablet_of
from tests.browser.tablets import Tablet

pytestmark = pytest.mark.browser

# The tablet's clock is an hour ahead, and `ahead` may be more; what sounds, and whether the screen is to stay on, is written down.
INSTRUMENTS = """(() => {
    const now = Date.now.bind(Date);
    window.ahead = 3_600_000;
    Date.now = () => now() + window.ahead;
    [window.tones, window.awake, window.buzzed] = [[], [], []];
    navigator.vibrate = ms => buzzed.push(ms) > 0;
    Object.defineProperty(navigator, 'wakeLock', { value: { request: kind => { awake.push(kind); return Promise.resolve({}); } } });
    const [start, stop] = [OscillatorNode.prototype.start, OscillatorNode.prototype.stop];
    OscillatorNode.prototype.start = function (at) { this.began = at; return start.call(this, at); };
    OscillatorNode.prototype.stop = function (at) {
        tones.push([this.frequency.value, Math.round((at - this.began) * 1000)]);
        return stop.call(this, at);
    };
})()"""
SHOWN_AGAIN = "document.dispatchEvent(new Event('visibilitychange'))"


def test_sounds_clock_and_screen(floor_server: Server, new_floor_page: Callable[..., Page]) -> None:
    """A click and a buzz for the lock, two falling tones for a refusal, none for a key; the server's time; the screen stays on."""
    floor = PatientFloor()
    floor.open_for()
    with cable_to(floor_server.address) as cable:
        page = new_floor_page(has_touch=True, allowed=OFFLINE, address=cable.address)
        page.add_init_script(INSTRUMENTS)
        tablet = Tablet(page, floor.table, floor.martina)
        assert page.evaluate("awake") == ["screen"]
        page.evaluate(SHOWN_AGAIN)
        assert page.evaluate("awake") == ["screen", "screen"]
        banner(tablet, "clock", "Die Uhr des Tablets geht falsch.")

        tablet.act()
        expect(page.get_by_role("alert")).to_contain_text("Keine Box ist besetzt.")
        assert page.evaluate("tones") == [[440, 80], [330, 80]]
        for words, count in (("Kein Ton", 2), ("Laut", 4)):  # as loud as the tablet's people want it
            page.locator(".person").tap()
            page.get_by_role("button", name=words, exact=True).tap()
            page.keyboard.press("Escape")
            tablet.act()
            page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
            assert page.evaluate("tones.length") == count
        page.evaluate("tones.length = 2")
        tablet.seat(1)
        tablet.tile(1, "coin").tap()
        assert page.evaluate("[tones.length, buzzed.length]") == [2, 0]
        tablet.lock()
        assert page.evaluate("[tones.slice(2), buzzed]") == [[[180, 30]], [30]]
        expect(tablet.key("Wieder öffnen")).to_be_visible()  # its seconds run by the server's clock
        locked = tablet.rounds()[0].locked_at.astimezone(tablet.zone)
        shown = page.locator(".pill time").inner_text()
        assert shown in {(locked + timedelta(seconds=late)).strftime("%H:%M:%S") for late in range(-2, 60)}

        cable.pull()
        page.context.set_offline(True)
        since = page.locator(".say[data-why=offline]")
        expect(since).to_contain_text(re.compile(r"Offline seit \d\d:\d\d\. Dieser Tisch steht\. Er hängt am Jackpot"))
        page.evaluate("ahead += 11 * 60_000")
        expect(since).to_contain_text(re.compile(r"Seit 1[01] Minuten offline\. Bitte Aufsicht informieren\."))
        cable.plug()
        page.context.set_offline(False)
        expect(since).to_have_count(0)


def test_a_dispute_and_what_the_pit_signs(floor_server: object, new_floor_page: Callable[..., Page]) -> None:
    """In a dispute the cards decide; a prize that is too large to be put right at the table alone is asked for, and signed."""
    floor = FloorHouse()
    floor.open_for(1, 2)
    tablet = Tablet(new_floor_page(has_touch=True, allowed=REFUSED), floor.table, floor.martina)
    page = tablet.page
    tablet.seat(1, 2)
    tablet.tile(1, "coin").tap()
    tablet.lock()
    tablet.cell(1, "4+")
    tablet.cell(2, "fold")
    tablet.key("Karten / Streitfall").tap()
    page.get_by_role("button", name="Alle Karten erfassen").tap()
    expect(page.locator(".groups h2")).to_have_text(["Board", "Box 1 – eigene Karten", "Bank"])
    tablet.cards("Ks 8h Kh 2d 8c 4h 3s 5d Qs")
    expect(page.locator(".verdict")).to_contain_text("Box 1: zwei Paare, Könige und Achten – verliert")
    tablet.action.tap()
    expect(tablet.box(1).locator(".paid")).to_have_text("−30zwei Paare")
    tablet.finish()
    first = tablet.rounds()[0]
    told = RoundResult.objects.get(round=first).result
    assert (first.state, told["dispute"], told["boxes"]["1"]["result"]) == ("settled", True, "lose")
    assert told["dealer"] == "5d Qs"

    tablet.lock()
    tablet.cell(1, "4+")
    tablet.hand("four_of_a_kind")
    tablet.cards("Ks 8h Kh 2d Kd 9c Kc")
    tablet.action.tap()
    tablet.cell(2, "1+")
    tablet.finish()
    tablet.key("Runde 2 korrigieren").tap()
    tablet.cell(2, "1-")
    tablet.act()
    page.get_by_role("button", name="Aufsicht fragen").tap()
    expect(page.get_by_role("alert")).to_contain_text("Die Aufsicht ist gefragt.")
    tablet.phase("bets")
    pit = new_floor_page(allowed=REFUSED)
    be(pit, floor.boss)
    pit.goto("/floor/")
    pit.get_by_role("link", name=re.compile("Ansehen und unterschreiben")).click()
    pit.locator("form[action$='/sign/'] [name=secret]").fill(floor.pin(floor.boss))
    pit.keyboard.press("Enter")
    said(pit, "Korrigiert.")
    assert RoundResult.objects.get(round=tablet.rounds()[1], revision=2).result["boxes"]["2"]["result"] == "lose"


class Late(FloorHouse):
    """A house in which every reopening comes too late."""

    posted: ClassVar[dict[str, Posted]] = {"floor_rules": FloorRules(reopen_s=0)}


def test_a_reopening_that_comes_too_late_is_refused(floor_server: object, new_floor_page: Callable[..., Page]) -> None:
    """A tablet that believes that there is time is told otherwise: the round stays locked, and is played to its end."""
    floor = Late()
    floor.open_for()
    tablet = Tablet(new_floor_page(has_touch=True, allowed=REFUSED), floor.table, floor.martina)
    tablet.seat(1)
    tablet.tile(1, "coin").tap()
    tablet.page.evaluate("async () => { (await import('tablet/frame/page')).page.game.reopen_s = 60; }")
    tablet.lock()
    tablet.key("Wieder öffnen").tap()
    expect(tablet.page.get_by_role("alert")).to_contain_text("lässt sich nur 0 Sekunden lang zurücknehmen")
    tablet.phase("play")
    [played] = tablet.rounds()
    assert (played.state, RoundStake.objects.filter(round=played, kind="coin").count()) == ("locked", 1)
    tablet.cell(1, "1+")
    tablet.finish()
    played.refresh_from_db()
    assert played.state == "settled"


# Without Redis
@pytest.fixture
def server_without_redis(
    chromium_program: str, static_files: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[Server]:
    """Nobody answers where its Redis should be."""
    for server in _serve("browser_without_redis", REDIS_URL="redis://127.0.0.1:1"):
        yield from _with_orm(server, django_db_blocker)


def test_without_redis_everything_goes_on(server_without_redis: Server, chromium: object) -> None:
    """Rounds are played and paid; a call of Royal reaches the other table by what its server reads each second."""
    pages = _pages(chromium, server_without_redis)
    new_page = next(pages)
    hall = HitHouse(displays=1)
    tablet, other = tablet_of(hall, new_page), tablet_of(hall, new_page, 1)
    for one in (tablet, other):
        one.seat(1)
        one.tile(1, "coin").tap()
        one.lock()
    tablet.key("Royal").tap()
    tablet.page.get_by_role("button", name="Royal: Alle Tische sperren").tap()
    for one, waits in ((tablet, "diese Runde · UTH 2"), (other, "diese Runde · UTH 1")):
        banner(one, "draining", f"wartet auf: {waits}")
        one.cell(1, "1-")
    other.finish()
    tablet.key("Welche Box?").tap()
    tablet.page.get_by_role("button", name="Falscher Alarm").tap()
    tablet.finish()
    assert {one.state for one in Round.objects.filter(house=hall.house)} == {"settled"}
    sign = snapshots_read([hall.jackpot.pk])[hall.jackpot.pk].texts[TABLET]
    assert '"phase":"open"' not in sign
    next(pages, None)


# While an answer is on its way, and cards in any order
def test_what_the_server_decides_on_is_not_changed_meanwhile(tablet: Tablet) -> None:
    """Taps between the lock and its answer, or the result and its answer, change nothing: what is shown is what is booked."""
    held: list[Route] = []
    tablet.seat(1, 2)
    tablet.page.route(re.compile("/(lock|settle)/"), lambda route: held.append(route))  # noqa: PLW0108  (it is given a wrapper)

    with tablet.page.expect_request("**/lock/"):  # it is stored before it goes
        tablet.act()
    expect(tablet.action).to_have_class(re.compile("wait"))
    tablet.tile(1, "coin").tap()
    expect(tablet.tile(1, "coin")).to_have_attribute("aria-pressed", "false")
    held.pop().continue_()
    tablet.phase("play")
    tablet.cell(1, "1+")
    tablet.cell(2, "fold")
    with tablet.page.expect_request("**/settle/"):
        tablet.act()
    expect(tablet.action).to_have_class(re.compile("wait"))
    tablet.cell(1, "4+")
    expect(tablet.box(1).locator('[data-cell="1:win"]')).to_have_attribute("aria-pressed", "true")
    held.pop().continue_()
    tablet.phase("bets")
    [played] = tablet.rounds()
    assert not RoundStake.objects.filter(round=played, kind="coin").exists()
    assert RoundResult.objects.get(round=played).result["boxes"]["1"]["play"] == 1


def test_cards_are_laid_into_slots_in_any_order(tablet: Tablet) -> None:
    """The second slot first, and a new page between: nothing is ranked before all cards are there, and none is sent half."""
    tablet.seat(1)
    tablet.tile(1, "coin").tap()
    tablet.lock()
    tablet.cell(1, "4+")
    tablet.hand("four_of_a_kind")
    slots = tablet.page.locator(".groups .slot")
    slots.nth(6).tap()  # the box's second card
    tablet.cards("Kd")
    expect(tablet.page.locator("[data-card='Kd']")).to_be_disabled()  # no card is there twice
    slots.nth(4).tap()  # the board's last card
    tablet.cards("9c")
    tablet.reload()
    tablet.phase("play")
    tablet.act()  # cards are missing
    tablet.cards("Ks 8h Kh 2d Kc")
    tablet.action.tap()
    tablet.finish()
    [played] = tablet.rounds()
    assert RoundResult.objects.get(round=played).result["board"] == "Ks 8h Kh 2d 9c"
