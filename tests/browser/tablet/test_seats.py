"""Guests whose coming is not answered, answered late or refused; commands that fail, and hold nothing else back."""

import json
from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from tables.models import Guest, RoundStake
from tests.browser.hit_house import HitHouse
from tests.browser.tablet.test_jackpot import OFFLINE
from tests.browser.tablet.test_unanswered import plays_on
from tests.browser.tablets import Tablet

pytestmark = pytest.mark.browser


@pytest.fixture
def tablet(floor_server: object, new_floor_page: Callable[..., Page]) -> Tablet:
    """A table that plays on without the server, with a guest at box 1 only."""
    hall = HitHouse(displays=0)
    plays_on(hall)
    Guest.objects.filter(session__table=hall.tables[0], box__gt=1).update(left_at=timezone.now())
    allowed = f"{OFFLINE}|Service Worker|status of 5|reading 'phase'"  # what the tests themselves break
    page = new_floor_page(has_touch=True, allowed=allowed, service_workers="block")
    return Tablet(page, hall.tables[0], hall.croupiers[0])


def refuse(route: Route) -> None:
    problem = {
        "title": "Die Box 2 hat schon einen Inhaber.",
        "status": 409,
        "detail": "Andere Box.",
        "code": "guest.box_owned",
    }
    route.fulfill(status=409, content_type="application/problem+json", body=json.dumps(problem))


def fail(route: Route) -> None:
    route.fulfill(status=500, content_type="application/json", body="{}")


def test_a_refused_guest_takes_the_lock_and_the_sheet_with_him(tablet: Tablet) -> None:
    """The bets are looked at again; the number pad of a box that is gone is closed; what cannot be drawn offers a way out."""
    page, held = tablet.page, []
    tablet.seat(1)
    page.route("**/guests/", lambda route: held.append(route))  # noqa: PLW0108  (it is given a wrapper)
    with page.expect_request("**/guests/"):  # it is stored before it goes
        tablet.box(2).tap()
    tablet.act()
    expect(tablet.action).to_contain_text("Warten")
    refuse(held.pop())
    expect(page.get_by_role("alert")).to_contain_text("Die Box 2 hat schon einen Inhaber.")
    expect(tablet.action).to_contain_text("1 Box")
    assert tablet.rounds() == []

    page.evaluate("passed += 650")
    with page.expect_request("**/guests/"):
        tablet.box(2).tap()
    tablet.key("andere").tap()
    expect(page.locator(".sheet")).to_be_visible()
    refuse(held.pop())
    expect(page.locator(".sheet")).to_have_count(0)
    expect(page.locator(".columns > *")).to_have_count(7)
    tablet.lock()
    assert set(RoundStake.objects.filter(round=tablet.rounds()[0]).values_list("box", flat=True)) == {1}

    page.evaluate("async () => { (await import('tablet/round/state')).draft.value = null; }")
    expect(page.get_by_role("alert")).to_contain_text("Diese Anzeige ist stehen geblieben.")
    page.get_by_role("button", name="Neu laden").tap()
    tablet.phase("play")


def test_nobody_bets_without_a_name(tablet: Tablet) -> None:
    """The link goes while a guest is being registered and the lock waits for him: he sits nowhere, and is in no round."""
    page = tablet.page
    tablet.seat(1)
    page.route("**/guests/", lambda route: None)
    tablet.box(2).tap()
    tablet.act()
    expect(tablet.action).to_contain_text("Warten")
    page.context.set_offline(True)
    expect(page.get_by_role("alert")).to_contain_text("Offline kommt kein neuer Gast dazu.")
    expect(tablet.box(2)).to_contain_text("Gast platzieren")
    expect(tablet.action).to_contain_text("1 Box")
    expect(page.locator(".link")).to_contain_text(
        "Offline"
    )  # what the action says then is another thing under the finger
    tablet.lock()
    tablet.cell(1, "1-")
    tablet.finish()
    page.unroute("**/guests/")
    page.context.set_offline(False)
    expect(page.locator(".link")).to_have_text("Verbunden")
    [played] = tablet.rounds()
    assert set(RoundStake.objects.filter(round=played).values_list("box", flat=True)) == {1}


def test_a_call_that_fails_holds_no_round(tablet: Tablet) -> None:
    """The server breaks at the call for the floor: the table is connected, and plays."""
    page = tablet.page
    tablet.seat(1)
    page.route("**/floor-call/", fail)
    tablet.key("Aufsicht rufen").tap()
    page.get_by_role("button", name="Wechsel").or_(page.locator(".sheet button").first).first.tap()
    expect(tablet.key("Aufsicht rufen")).to_contain_text("wird weiter gesendet")
    page.evaluate("async () => { passed += 9_000; await (await import('tablet/frame/live')).ask(); }")
    expect(page.locator(".link")).to_have_text("Verbunden")
    tablet.lock()
    tablet.cell(1, "1+")
    tablet.finish()
    expect(page.locator(".link")).to_have_text("Verbunden")
    assert [(one.state, one.queued) for one in tablet.rounds()] == [("settled", False)]
    page.unroute("**/floor-call/")
    expect(page.locator(".rail-key[data-opens=call]")).to_have_attribute("aria-pressed", "true")
