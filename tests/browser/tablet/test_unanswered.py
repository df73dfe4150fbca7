"""Commands whose answer does not come, comes as a refusal, or comes to another page than the one that asked.

Nothing is sent under two keys, nothing is lost, and a table that may play without the server does.
"""

import json
import re
from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Request, Route, WebSocketRoute, expect

from jackpot.models import Jackpot
from payouts.models import Event
from tables.models import Guest, ReviewItem, Round, RoundResult
from tables.services import round_call, table_hand_over
from tests.browser.cable import cable_to
from tests.browser.conftest import WAIT_MS, Server
from tests.browser.hit_house import HitHouse, PatientHall
from tests.browser.tablet.test_jackpot import OFFLINE, banner, off, on, tablet_of
from tests.browser.tablets import GOES, STANDS, TONES, UNHURRIED, Tablet
from tests.floor import done

pytestmark = pytest.mark.browser


@pytest.fixture
def hall(floor_server: object) -> HitHouse:
    return PatientHall(displays=1)


def plays_on(hall: HitHouse) -> None:
    """Its linked tables go on without the server, without coins."""
    Jackpot.objects.filter(pk=hall.jackpot.pk).update(offline_linked="play_flagged")


def bare(hall: HitHouse, new_page: Callable[..., Page], *, unhurried: bool = False, **more: str) -> Tablet:
    """The tablet of the first table, without its worker: a test cannot hold back what goes past one."""
    allowed = f"{OFFLINE}|Service Worker registration blocked"
    page = new_page(has_touch=True, allowed=allowed, service_workers="block", **more)
    if unhurried:
        page.context.add_init_script(UNHURRIED)
    return Tablet(page, hall.tables[0], hall.croupiers[0])


def keys_of(page: Page, command: str) -> list[str]:
    """The keys under which this command is sent from now on."""
    found: list[str] = []

    def note(request: Request) -> None:
        if request.method == "POST" and request.url.endswith(f"/{command}/"):
            found.append(request.headers["idempotency-key"])

    page.context.on("request", note)
    return found


def test_a_reload_finds_what_is_on_its_way(hall: HitHouse, new_floor_page: Callable[..., Page]) -> None:
    """A lock and a result without an answer, and a new page: it waits for the same command, and takes no tap meanwhile."""
    tablet = bare(hall, new_floor_page, unhurried=True)
    page, locks, results = tablet.page, keys_of(tablet.page, "lock"), keys_of(tablet.page, "settle")
    page.route(re.compile("/(lock|settle)/$"), lambda route: None)
    tablet.seat(1)
    with page.expect_request("**/lock/"):  # it is stored before it goes
        tablet.act()
    expect(tablet.action).to_contain_text("Warten")
    page.reload()
    expect(tablet.action).to_contain_text("Noch keine Karte")
    page.evaluate("passed += 650")
    tablet.tile(1, "trips").tap()  # what the server decides on stays as it is
    expect(tablet.tile(1, "trips")).to_contain_text("aus")
    page.unroute(re.compile("/(lock|settle)/$"))
    page.reload()  # what the page before had under way is given up by the browser, and sent again
    tablet.phase("play")
    assert len(locks) >= 2
    assert len(set(locks)) == 1
    assert [one.state for one in tablet.rounds()] == ["locked"]

    page.route(re.compile("/(lock|settle)/$"), lambda route: None)
    tablet.cell(1, "2+")
    with page.expect_request("**/settle/"):
        tablet.act()
    expect(tablet.action).to_contain_text("Wird gebucht")
    page.reload()
    expect(tablet.action).to_contain_text("Wird gebucht")
    tablet.cell(1, "4+")
    page.evaluate("passed += 650")
    page.evaluate("document.querySelector('.action').click()")
    page.unroute(re.compile("/(lock|settle)/$"))
    page.reload()
    tablet.phase("bets")
    assert len(results) >= 2
    assert len(set(results)) == 1
    assert [(one.state, one.revision) for one in tablet.rounds()] == [("settled", 1)]
    assert RoundResult.objects.get(round=tablet.rounds()[0]).result["boxes"]["1"]["play"] == 2
    assert not ReviewItem.objects.filter(table=tablet.table).exists()


def test_without_any_answer_the_table_goes_on(hall: HitHouse, new_floor_page: Callable[..., Page]) -> None:
    """The result is swallowed while all else is answered: the next round is played without the server, and all come in order.
    A guest who could not be registered sits nowhere.
    """
    plays_on(hall)
    Guest.objects.filter(session__table=hall.tables[0], box=7).update(left_at=timezone.now())
    tablet = bare(hall, new_floor_page)
    page = tablet.page
    tablet.seat(1)
    tablet.tile(1, "coin").tap()
    tablet.lock()
    page.route("**/settle/", lambda route: None)
    tablet.cell(1, "1+")
    with page.expect_request("**/settle/"):  # from now on it is waited for
        tablet.act()
    expect(tablet.action).to_contain_text("Wird gebucht")
    page.evaluate("passed += 3_100")  # it is said to be slow for five seconds
    expect(page.locator(".link")).to_have_text("Verbindung langsam")
    page.evaluate("passed += 5_000")
    tablet.phase("bets")
    expect(page.locator(".link")).to_contain_text("Offline · 1 Runde gespeichert")
    expect(page.locator(".meter.old")).to_contain_text("Stand")
    tablet.lock()
    tablet.cell(1, "2-")
    tablet.finish()
    expect(page.locator(".link")).to_contain_text("2 Runden gespeichert")
    page.unroute("**/settle/")
    page.reload()
    expect(page.locator(".link")).to_have_text("Verbunden")
    expect(page.locator(".meter.old")).to_have_count(0)
    assert [(one.state, one.queued) for one in tablet.rounds()] == [("settled", False), ("settled", True)]
    told = Event.objects.get(name="round.played_offline", subject_id=str(tablet.rounds()[1].pk)).after
    assert told["device"] == str(tablet.device.pk)
    assert re.fullmatch(r"\d+ \d{4}-\d\d-\d\dT[\d:.]+Z", told["event"])
    assert told["locked_at"].endswith("Z")

    lost: list[Route] = []

    def lose(route: Route) -> None:
        lost.append(route)

    page.route("**/guests/", lose)
    with page.expect_request("**/guests/"):
        tablet.box(7).tap()
    expect(tablet.box(7).locator(".tile").first).to_be_visible()
    page.evaluate("passed += 9_000")
    expect(page.get_by_role("alert")).to_contain_text("Offline kommt kein neuer Gast dazu.")
    expect(tablet.box(7)).to_contain_text("Gast platzieren")
    expect(tablet.action).to_contain_text("1 Box")
    # Else the browser would send them now, and the guest come while the page is read again.
    page.route("**/guests/", lambda route: route.abort())
    for route in lost:
        route.abort()
    page.reload()
    page.unroute("**/guests/")
    expect(page.locator(".link")).to_have_text("Verbunden")
    tablet.seat(7)
    assert Guest.objects.filter(session__table=tablet.table, box=7, left_at=None).count() == 1


def altered(route: Route) -> None:
    """As if the tablet had sent a result that no rule allows."""
    body = json.loads(route.request.post_data or "")
    body["result"]["boxes"]["1"]["play"] = 3
    body["result"]["boxes"]["1"]["result"] = "fold"
    route.continue_(post_data=json.dumps(body))


def refuse(tablet: Tablet) -> None:
    """A round whose result is stored without an answer, and refused when it comes; the next one would begin."""
    routes: list[Route] = []

    def first_lost(route: Route) -> None:
        routes.append(route)
        if len(routes) == 1:
            route.abort()
        elif len(routes) == 2:
            altered(route)
        else:
            route.continue_()

    tablet.page.route("**/settle/", first_lost)
    tablet.lock()
    tablet.cell(1, "1+")
    tablet.act()


def test_a_refused_result_comes_back(hall: HitHouse, new_floor_page: Callable[..., Page]) -> None:
    """It is on the screen again, also of a new page, until it is put right or given to the pit."""
    plays_on(hall)
    tablet = bare(hall, new_floor_page)
    page = tablet.page
    tablet.seat(1)
    page.evaluate(TONES)
    refuse(tablet)
    refused = page.locator(".say[data-why=refused]")
    expect(refused).to_contain_text("Das Ergebnis der Runde 1 wurde abgewiesen.")
    expect(page.locator(".round")).to_have_attribute("data-mode", "again")
    assert page.evaluate("tones") == [180, 440, 330]
    page.reload()
    expect(refused).to_be_visible()
    tablet.cell(1, "4+")
    tablet.finish()
    expect(refused).to_have_count(0)
    expect(page.locator(".link")).to_have_text("Verbunden")
    [first] = tablet.rounds()
    assert (first.state, RoundResult.objects.get(round=first).result["boxes"]["1"]["play"]) == ("settled", 4)
    assert not ReviewItem.objects.filter(table=tablet.table).exists()

    page.unroute("**/settle/")
    refuse(tablet)
    expect(refused).to_contain_text("Runde 2")
    page.unroute("**/settle/")
    page.route("**/settle/", altered)
    refused.get_by_role("button", name="Der Aufsicht übergeben").tap()
    expect(page.get_by_role("alert").first).to_contain_text("Was gesendet wurde, bleibt erhalten")
    expect(page.locator(".say[data-why=with-pit]")).to_contain_text("Runde 2 liegt bei der Aufsicht.")
    second = tablet.rounds()[1]
    kept = ReviewItem.objects.get(table=tablet.table)
    assert (kept.kind, kept.round_id, kept.state) == ("settle", second.pk, "open")
    assert second.state == "locked"  # for the pit to settle or void
    tablet.phase("play")


def test_another_page_sends_what_is_stored(
    hall: HitHouse, floor_server: Server, new_floor_page: Callable[..., Page]
) -> None:
    """The shell is there from the first visit, also behind a network that swallows everything; the sign-in page and the page of a
    table that somebody else has send what the one who is signed in has played.
    """
    plays_on(hall)
    with cable_to(floor_server.address) as cable:
        tablet = tablet_of(hall, new_floor_page, address=cable.address)
        page = tablet.page
        tablet.seat(1)
        tablet.has_worker()
        cable.swallow()
        page.reload()  # it has never been loaded through the worker
        tablet.phase("bets")
        off(tablet, cable)
        expect(page.locator(".say[data-why=offline]")).to_be_visible()
        for number in (1, 2):
            tablet.lock()
            tablet.cell(1, f"{number}-")
            tablet.finish()
        page.goto("about:blank")
        on(tablet, cable)
        page.goto(f"/tablet/{tablet.device.pk}/sign-in/")
        assert [one.state for one in wait_for_rounds(tablet, 2)] == ["settled", "settled"]
        expect(page.locator("#stored")).to_be_hidden()
        done(
            table_hand_over,
            house_id=hall.house.pk,
            table_id=tablet.table.pk,
            croupier_id=hall.croupiers[1].pk,
            actor_id=hall.croupiers[1].pk,
        )
        page.goto(f"/tablet/{tablet.device.pk}/")
        expect(page.get_by_role("heading", level=1)).to_contain_text("angemeldet")
        expect(page.locator("#stored")).to_be_hidden()


def wait_for_rounds(tablet: Tablet, count: int) -> list[Round]:
    """What the server has of the table, once it is so much."""
    for _ in range(WAIT_MS // 100):
        if len(found := tablet.rounds()) >= count:
            return found
        tablet.page.wait_for_timeout(100)
    raise AssertionError(found)


def test_the_jackpot_is_heard_of_without_its_socket(hall: HitHouse, new_floor_page: Callable[..., Page]) -> None:
    """The socket says nothing, the table is asked for as always: a call at another table shows all the same."""

    def silent(_socket: WebSocketRoute) -> None:
        """Open, and dead."""

    page = new_floor_page(has_touch=True, allowed=OFFLINE)
    page.route_web_socket(re.compile("/ws/tablet/"), silent)
    tablet = Tablet(page, hall.tables[0], hall.croupiers[0])
    tablet.seat(1)
    running = hall.start(1)
    person = {"person_id": hall.croupiers[1].pk, "supervisor": True}
    done(round_call, house_id=hall.house.pk, round_id=running, **person)
    banner(tablet, "draining", "wartet auf: UTH 2")
    expect(tablet.action).to_contain_text("Einsätze gesperrt")


def test_keys_under_a_hasty_finger(hall: HitHouse, new_floor_page: Callable[..., Page]) -> None:
    """Undo tapped once too often opens no lock; the seconds of reopening and of putting right pass; the focus goes back."""
    tablet = bare(hall, new_floor_page)
    page = tablet.page
    tablet.seat(1)
    tablet.lock()
    expect(tablet.key("Wieder öffnen")).to_be_visible()
    tablet.cell(1, "1+")
    page.evaluate(STANDS)  # the finger is hasty, however late the machine draws
    page.evaluate("""async () => {
        const key = () => document.querySelector('.rail-key');
        key().click();
        await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
        key().click();
    }""")
    expect(tablet.key("Wieder öffnen")).to_be_visible()
    assert [one.state for one in tablet.rounds()] == ["locked"]
    page.evaluate(GOES)
    page.evaluate(
        "async () => { (await import('tablet/frame/page')).page.game.reopen_s = 1; }"
    )  # as a hasty house has it
    expect(tablet.key("Wieder öffnen")).to_have_count(0)
    tablet.cell(1, "1+")
    tablet.finish()
    expect(tablet.key("Runde 1 korrigieren")).to_be_visible()
    page.evaluate("passed += 301_000")
    expect(tablet.key("Korrektur beantragen")).to_contain_text("Runde 1")
    page.reload()
    tablet.key("Runde 1 korrigieren").or_(tablet.key("Korrektur beantragen")).tap()
    expect(page.locator(".round")).to_have_attribute("data-mode", "correct")
    expect(tablet.box(1).locator('[data-cell="1:win"]')).to_have_attribute("aria-pressed", "true")
    page.evaluate("passed += 650")
    tablet.key("Korrektur verlassen").tap()

    for opener in (".helps", "[data-opens=box-1]"):
        page.locator(opener).focus()
        page.keyboard.press("Enter")
        expect(page.locator(".sheet")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator(opener)).to_be_focused()

    menu = page.locator("#menu")
    page.locator(".person").tap()
    menu.get_by_role("button", name="Linkshändig").tap()
    page.keyboard.press("Escape")
    page.reload()  # it is this tablet's, and stays
    page.locator(".person").tap()
    expect(menu.get_by_role("button", name="Linkshändig")).to_have_attribute("aria-pressed", "true")
    expect(menu.get_by_role("button", name="Normal")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    rail, boxes = (page.locator(one).bounding_box() for one in (".rail", ".columns"))
    assert rail
    assert boxes
    assert rail["x"] < boxes["x"]
