"""What a tablet tells of what others did, and where: no box moves under a finger, nothing is asked for twice."""

import json
from collections.abc import Callable
from typing import ClassVar

import pytest
from playwright.sync_api import Page, Route, expect

from jackpot.rules.jackpot_rules import JackpotRules
from tables.models import RoundStake
from tables.services import round_call, round_correct, round_evaluate
from tests.browser.conftest import Server
from tests.browser.floor_house import FloorHouse
from tests.browser.hit_house import HitHouse
from tests.browser.look.test_everywhere import drawn_at
from tests.browser.pit.test_floor import REFUSED
from tests.browser.tablet.test_unanswered import bare, keys_of, plays_on
from tests.browser.tablets import Tablet
from tests.floor import done

pytestmark = pytest.mark.browser


class CoinsOnly(HitHouse):
    """After a hit only coins are blocked."""

    posted: ClassVar[dict[str, object]] = {"jackpot_rules": JackpotRules(blocked_after_hit="coins")}


def test_a_lock_without_coins_shows_no_prize(floor_server: Server, new_floor_page: Callable[..., Page]) -> None:
    """While a hit is decided on the round is played without coins: what is shown is what is booked."""
    hall = CoinsOnly(displays=1)
    tablet = bare(hall, new_floor_page)
    page = tablet.page
    tablet.seat(1)
    tablet.tile(1, "coin").tap()
    running = hall.start(1)
    person = {"person_id": hall.croupiers[1].pk, "supervisor": True}
    done(round_call, house_id=hall.house.pk, round_id=running, **person)
    expect(page.locator(".say[data-why=draining]")).to_be_visible()
    tablet.lock()
    expect(tablet.box(1).locator(".laid")).to_have_text("5")
    tablet.cell(1, "1+")
    tablet.hand("full_house")
    expect(tablet.box(1).locator(".paid")).to_have_text("+25Full House")
    tablet.finish()
    expect(page.get_by_role("alert")).to_have_count(0)
    [played] = tablet.rounds()
    assert not RoundStake.objects.filter(round=played, kind="coin").exists()


def test_no_box_moves_when_something_is_said(floor_server: Server, new_floor_page: Callable[..., Page]) -> None:
    """The network goes under a finger: every cell stays where it was. A result that the floor changes is told of."""
    hall = HitHouse(displays=1)
    plays_on(hall)
    tablet = bare(hall, new_floor_page)
    page = tablet.page
    tablet.seat(1)
    tablet.lock()
    cells = "[...document.querySelectorAll('[data-cell]')].map(one => JSON.stringify(one.getBoundingClientRect()))"
    for width, height in ((1280, 800), (1024, 768), (800, 1280)):
        drawn_at(page, width, height)
        before = page.evaluate(cells)
        page.context.set_offline(True)
        expect(page.locator(".say[data-why=offline]")).to_be_visible()
        assert page.evaluate(cells) == before
        page.context.set_offline(False)
        expect(page.locator(".say")).to_have_count(0)

    page.set_viewport_size({"width": 1280, "height": 800})
    tablet.cell(1, "1+")
    tablet.finish()
    [played] = tablet.rounds()
    result = {"boxes": {"1": {"play": 1, "result": "lose"}}}
    prepared = round_evaluate(house_id=hall.house.pk, round_id=played.pk, result=result, state="settled")
    done(round_correct, prepared=prepared, person_id=tablet.person.pk, reason="elsewhere", approval_id=None)
    expect(page.get_by_role("alert")).to_contain_text("Runde 1 wurde von der Aufsicht geändert.")
    page.get_by_role("button", name="Ansehen").tap()
    tables = page.locator(".sheet table")
    expect(tables.first.locator("tbody :is(th, td)")).to_have_text(["1", "+10", "−15", "−25"])
    expect(tables.last.locator("tfoot :is(th, td)")).to_have_text(["Zusammen", "15", "0", "−15", ""])
    expect(tablet.action).to_have_count(0)  # nothing to do but to look
    tablet.key("Zurück").tap()
    expect(tablet.action).to_contain_text("Nichts geht mehr")
    expect(page.get_by_role("alert")).to_have_count(0)


def needs_approval(route: Route) -> None:
    problem = {"title": "Zu hoch.", "status": 409, "detail": "", "code": "round.approval_needed"}
    route.fulfill(status=409, content_type="application/problem+json", body=json.dumps(problem))


def test_the_pit_is_asked_once(floor_server: Server, new_floor_page: Callable[..., Page]) -> None:
    """A finger that taps twice asks once; cards of a box that is not shown take no key."""
    floor = FloorHouse()
    floor.open_for(1, 2)
    tablet = Tablet(new_floor_page(has_touch=True, allowed=REFUSED), floor.table, floor.martina)
    page = tablet.page
    tablet.seat(1, 2)
    tablet.tile(1, "coin").tap()
    tablet.lock()
    tablet.cell(1, "4+")
    tablet.cell(2, "1+")
    tablet.key("Karten / Streitfall").tap()
    page.get_by_role("button", name="Alle Karten erfassen").tap()
    tablet.cards("Ks 8h Kh 2d Kd 4h 3s 6c 7c 5d Qs")
    page.evaluate("passed += 650")
    page.locator(".rail-key").last.tap()
    page.evaluate("passed += 650")
    tablet.key("Karten / Streitfall").tap()
    page.get_by_role("button", name="Kein Streitfall").tap()
    tablet.box(1).locator(".top").tap()
    tablet.hand("four_of_a_kind")
    for card in ("5d", "Qs", "6c"):  # of the dealer and the other box
        expect(page.locator(f"[data-card='{card}']")).to_be_enabled()
    tablet.cards("9c Kc")
    page.evaluate("passed += 650")
    tablet.action.tap()
    tablet.finish()
    page.route("**/correct/", needs_approval)
    tablet.key("Runde 1 korrigieren").tap()
    tablet.cell(2, "1-")
    tablet.act()
    asked = keys_of(page, "correction-request")
    expect(page.get_by_role("button", name="Aufsicht fragen")).to_be_visible()
    page.evaluate("() => { const key = document.querySelector('.say .do'); key.click(); key.click(); }")
    expect(page.get_by_role("alert")).to_contain_text("Die Aufsicht ist gefragt.")
    assert len(asked) == 1
