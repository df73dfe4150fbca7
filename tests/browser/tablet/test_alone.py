"""Rounds that are played without the server, and what befalls the table meanwhile.

No round is lost, no prize is shown that is not booked.
"""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from casino.devices.kinds import TABLETS
from casino.devices.services import device_code_make, device_enrol
from casino.devices.signin import device_sign_in
from payouts.models import Approval
from tables.models import ReviewItem, RoundLine, RoundResult, RoundStake
from tables.services import round_call, table_close, table_open
from tests.browser.cable import Cable
from tests.browser.hit_house import HitHouse, PatientHall
from tests.browser.people import somebody
from tests.browser.tablet.test_jackpot import OFFLINE, banner, off, on
from tests.browser.tablet.test_unanswered import plays_on, wait_for_rounds
from tests.browser.tablets import Tablet
from tests.casino.devices.devices import PIN
from tests.floor import done

pytestmark = pytest.mark.browser
# The page has asked, and once more if it was asking already.
ASKED = "async () => { const { ask } = await import('tablet/frame/live'); await ask(); await ask(); }"
ALLOWED = f"{OFFLINE}|Service Worker|ERR_CONTENT_LENGTH_MISMATCH"


@pytest.fixture
def hall(floor_server: object) -> HitHouse:
    hall = PatientHall(displays=1)
    plays_on(hall)
    return hall


@pytest.fixture
def tablet(hall: HitHouse, cable: Cable, new_floor_page: Callable[..., Page]) -> Tablet:
    options = {"allowed": ALLOWED, "service_workers": "block", "address": cable.address}
    return Tablet(new_floor_page(has_touch=True, **options), hall.tables[0], hall.croupiers[0])


def cut(tablet: Tablet, cable: Cable) -> None:
    """No network, and the screen says so: also after a message of the socket that was on its way when the cable came out."""
    off(tablet, cable)
    tablet.page.evaluate(ASKED)
    expect(tablet.page.locator(".say[data-why=offline]")).to_be_visible()


def back(tablet: Tablet, cable: Cable) -> None:
    on(tablet, cable)
    expect(tablet.page.locator(".link")).to_have_text("Verbunden")


def test_the_pit_closes_the_table_meanwhile(hall: HitHouse, tablet: Tablet, cable: Cable) -> None:
    """A round that was begun without the server outlives its session: other pages count it, it is ended and booked."""
    page = tablet.page
    pit = {"house_id": hall.house.pk, "table_id": tablet.table.pk, "actor_id": hall.boss.pk}
    tablet.seat(1)
    cut(tablet, cable)
    tablet.lock()
    tablet.cell(1, "4+")
    done(table_close, **pit)
    on(tablet, cable)
    tablet.reload()
    expect(page.locator("#stored")).to_have_text(
        "Auf diesem Tablet ist 1 Runde gespeichert, die noch nicht gesendet ist."
    )
    done(table_open, **pit, croupier_id=hall.croupiers[0].pk)
    page.reload()
    tablet.phase("play")
    expect(tablet.box(1).locator(".paid")).to_have_text("+25")
    done(table_close, **pit)
    expect(page.locator(".link")).to_have_text("Verbunden")
    tablet.act()
    expect(page.get_by_role("heading", level=1)).to_contain_text("angemeldet")
    expect(
        page.locator("#stored")
    ).to_be_hidden()  # the table is closed: the page of the round gives way, and nothing is left
    booked = RoundResult.objects.get(round__table=tablet.table)
    assert (booked.result["boxes"]["1"]["play"], booked.round.queued) == (4, True)
    assert booked.round.session == tablet.table.sessions.earliest("opened_at")  # in which it was played
    assert not ReviewItem.objects.filter(table=tablet.table).exists()
    done(table_open, **pit, croupier_id=hall.croupiers[0].pk)
    page.reload()
    tablet.phase("bets")
    expect(page.locator(".say[data-why=alarm]")).to_have_count(0)


def test_no_prize_for_a_coin_that_was_not_taken(hall: HitHouse, tablet: Tablet, cable: Cable) -> None:
    """The coin stays as a habit; a lock without the server takes none, and pays none."""
    tablet.seat(1)
    tablet.tile(1, "coin").tap()
    cut(tablet, cable)
    expect(tablet.action).to_contain_text("ohne Jackpot")
    tablet.lock()
    expect(tablet.box(1).locator(".laid")).to_have_text("5")
    tablet.cell(1, "1+")
    tablet.hand("full_house")
    expect(tablet.page.locator(".cards")).to_have_count(0)
    expect(tablet.box(1).locator(".paid")).to_have_text("+25Full House")
    tablet.finish()
    back(tablet, cable)
    [played] = wait_for_rounds(tablet, 1)
    expect(tablet.tile(1, "coin")).to_have_class("tile gold ")  # the habit
    assert not RoundStake.objects.filter(round=played, kind="coin").exists()
    assert sum(line.won_minor for line in RoundLine.objects.filter(round=played)) == 2500
    expect(tablet.page.get_by_role("alert")).to_have_count(0)


def test_mistaps_without_the_server(hall: HitHouse, tablet: Tablet, cable: Cable) -> None:
    """A lock is taken back here; a stored result is put right before it is sent; a freeze shows all the same."""
    page = tablet.page
    tablet.seat(1)
    cut(tablet, cable)
    tablet.lock()
    page.evaluate("passed += 650")
    tablet.key("Wieder öffnen").tap()
    tablet.phase("bets")
    for cell in ("1+", "2+"):
        tablet.lock()
        tablet.cell(1, cell)
        tablet.finish()
    tablet.key("Runde 2 korrigieren").tap()
    tablet.phase("play")
    on(tablet, cable)
    assert len(wait_for_rounds(tablet, 1)) == 1  # the round before it goes, it waits
    expect(page.locator(".round")).to_have_attribute("data-mode", "again")
    page.reload()
    tablet.cell(1, "4-")
    tablet.finish()
    there = wait_for_rounds(tablet, 2)
    assert [RoundResult.objects.get(round=one).result["boxes"]["1"]["play"] for one in there] == [1, 4]

    cut(tablet, cable)
    tablet.lock()
    back(tablet, cable)
    running = hall.start(1)
    person = {"person_id": hall.croupiers[1].pk, "supervisor": True}
    done(round_call, house_id=hall.house.pk, round_id=running, **person)
    banner(tablet, "draining", "wartet auf: UTH 2")
    tablet.phase("play")


def test_a_supervisor_voids_without_the_server(
    hall: HitHouse, cable: Cable, new_floor_page: Callable[..., Page]
) -> None:
    """A misdeal of a round that the server does not know: the stakes go back, and nothing is sent."""
    options = {"allowed": ALLOWED, "service_workers": "block", "address": cable.address}
    tablet = Tablet(new_floor_page(has_touch=True, **options), hall.tables[0], somebody(hall.house, "pit_boss"))
    tablet.seat(1)
    cut(tablet, cable)
    tablet.lock()
    tablet.key("Runde annullieren").tap()
    tablet.page.get_by_role("button", name="Fehlgabe").tap()
    tablet.phase("bets")
    back(tablet, cable)
    tablet.lock()
    assert [(one.state, one.queued) for one in tablet.rounds()] == [("locked", False)]


def test_a_correction_that_comes_too_late_is_asked_for(hall: HitHouse, tablet: Tablet, cable: Cable) -> None:
    """Tapped in time, sent too late: the pit is asked, and the screen says so; one that nobody takes stays until it is read."""
    page = tablet.page
    tablet.seat(1)
    tablet.lock()
    tablet.cell(1, "1+")
    tablet.finish()
    expect(tablet.key("Runde 1 korrigieren")).to_be_visible()
    cut(tablet, cable)
    tablet.key("Runde 1 korrigieren").tap()
    tablet.cell(1, "1-")
    tablet.act()
    tablet.phase("bets")

    def late(route: Route) -> None:
        problem = {
            "type": "about:blank",
            "status": 409,
            "title": "Zu spät.",
            "detail": "",
            "code": "round.approval_needed",
        }
        route.fulfill(status=409, content_type="application/problem+json", body=json.dumps(problem))

    page.route("**/correct/", late)
    back(tablet, cable)
    expect(page.get_by_role("alert")).to_contain_text("Die Aufsicht ist gefragt.")
    assert Approval.objects.filter(house=hall.house, action="round.correct").count() == 1


def test_a_round_that_the_server_still_has_holds_those_after_it(hall: HitHouse, tablet: Tablet, cable: Cable) -> None:
    """A lock whose answer was lost, and a withdrawal that came too late: what was played since waits until the pit has decided."""
    page = tablet.page
    tablet.seat(1)
    locks: list[Route] = []

    def lose(route: Route) -> None:
        if not locks:
            route.fetch()
        locks.append(route)
        route.abort()

    page.route("**/lock/", lose)
    tablet.act()
    expect(page.locator(".link")).to_contain_text("Offline")
    cut(tablet, cable)
    page.evaluate("passed += 3_500")
    expect(tablet.action).to_contain_text("Keine Antwort")
    tablet.act()
    tablet.phase("bets")
    expect(tablet.action).to_contain_text("Nichts geht mehr")
    page.unroute("**/lock/")

    def refuse(route: Route) -> None:
        kept = {"id": "0", "state": "open", "detail": "Die Aufsicht sieht es an."}
        problem = {"status": 409, "title": "Zu spät.", "detail": "", "code": "round.state", "to_clarify": kept}
        route.fulfill(status=409, content_type="application/problem+json", body=json.dumps(problem))

    page.route("**/withdraw/", refuse)
    for _ in range(2):
        tablet.lock()
        tablet.cell(1, "2-")
        tablet.finish()
    back_to = page.locator(".say[data-why=with-pit]")
    on(tablet, cable)
    expect(back_to).to_contain_text("liegen bei der Aufsicht")
    expect(back_to).to_contain_text("2 Runden warten hier")
    expect(tablet.action).to_contain_text("Wartet auf die Aufsicht")
    [first] = tablet.rounds()
    assert first.state == "locked"
    page.reload()
    expect(back_to).to_contain_text("2 Runden warten hier")
    hall.end(0, first.pk, {"boxes": {"1": {"play": 1, "result": "lose"}}})
    there = wait_for_rounds(tablet, 3)
    expect(back_to).to_have_count(0)
    assert [(one.state, one.queued) for one in there] == [("settled", False), ("settled", True), ("settled", True)]
    assert not ReviewItem.objects.filter(table=tablet.table).exists()


def test_a_tablet_that_is_enrolled_anew_has_what_it_stored(hall: HitHouse, tablet: Tablet, cable: Cable) -> None:
    """The page that turns it away counts it, the page of the new device sends it."""
    page = tablet.page
    tablet.seat(1)
    cut(tablet, cable)
    tablet.lock()
    tablet.cell(1, "1+")
    tablet.finish()
    code = device_code_make(kind="tablet", place_id=tablet.table.pk, name=tablet.device.name, by=hall.boss)[1]
    device, token = device_enrol(kind="tablet", code=code)
    on(tablet, cable)
    expect(page.locator(".lone .button.act")).to_be_visible()
    expect(page.locator("#stored")).to_contain_text("1 Runde")
    page.context.add_cookies([{"name": TABLETS.cookie(device.pk), "value": token, "url": cable.address}])
    device_sign_in(device=device, pin=PIN, username=tablet.person.username)
    page.goto(f"/tablet/{device.pk}/")
    tablet.phase("bets")
    assert [one.state for one in wait_for_rounds(tablet, 1)] == ["settled"]
