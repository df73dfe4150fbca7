"""What the server refuses of that which was stored on a tablet: nothing goes by itself, and what hangs on it waits."""

import json
import re
from collections.abc import Callable
from typing import ClassVar

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from casino.devices.signin import device_sign_in
from casino.people.pins import pin_set
from jackpot.rules.jackpot_rules import JackpotRules
from tables.models import Guest, ReviewItem, RoundResult, RoundStake
from tables.services import round_call
from tests.browser.cable import Cable
from tests.browser.floor_house import PATIENT
from tests.browser.hit_house import HitHouse
from tests.browser.tablet.test_alone import ALLOWED, back, cut
from tests.browser.tablet.test_jackpot import on
from tests.browser.tablet.test_unanswered import altered, keys_of, plays_on, wait_for_rounds
from tests.browser.tablets import STANDS, Tablet
from tests.casino.devices.devices import PIN
from tests.floor import done

pytestmark = pytest.mark.browser
STORED = """async () => (await (await import('tablet/frame/store')).outboxRead())
    .map(one => [one.kind, Boolean(one.refused), Boolean(one.kept)])"""
# The browser may try on with what a page has sent, when the page has given it up or is gone: here it never sends it.
UNSENT = """() => {
    window.sends = window.fetch;
    const none = () => Promise.reject(new TypeError('no network'));
    window.fetch = (path, options) => options?.method === 'POST' ? none() : sends(path, options);
}"""
SENDS = "() => { window.fetch = window.sends; }"
# The stored result becomes one that no rule allows.
SPOILT = """async () => {
    const { outboxPut, outboxRead } = await import('tablet/frame/store');
    const settle = (await outboxRead()).find(one => one.kind === 'settle');
    settle.body.result.boxes[1] = { play: 3, result: 'fold' };
    await outboxPut(settle);
}"""
TRIED = """async () => {
    (await import('tablet/frame/outbox')).pump();  // as every two seconds
    await fetch('/healthz');
}"""


class CoinsOnly(HitHouse):
    """After a hit only coins are blocked."""

    posted: ClassVar[dict[str, object]] = PATIENT | {"jackpot_rules": JackpotRules(blocked_after_hit="coins")}


@pytest.fixture
def hall(floor_server: object) -> HitHouse:
    hall = CoinsOnly(displays=1)
    plays_on(hall)
    return hall


@pytest.fixture
def tablet(hall: HitHouse, cable: Cable, new_floor_page: Callable[..., Page]) -> Tablet:
    options = {"allowed": ALLOWED, "service_workers": "block", "address": cable.address}
    return Tablet(new_floor_page(has_touch=True, **options), hall.tables[0], hall.croupiers[0])


def refused(code: str, title: str = "So nicht.") -> Callable[[Route], None]:
    """An answer that takes nothing."""

    def refuse(route: Route) -> None:
        problem = {"type": "about:blank", "status": 409, "title": title, "detail": "", "code": code}
        route.fulfill(status=409, content_type="application/problem+json", body=json.dumps(problem))

    return refuse


def stored_at_last(page: Page, count: int) -> list[object]:
    """What is stored in the browser (kind, refused, with the pit), once so many are and the first of them, if any, is refused."""
    for _ in range(900):
        found: list[list[object]] = page.evaluate(STORED)
        if len(found) == count and all(refused for _, refused, _ in found[:1]):
            break
        page.wait_for_timeout(50)
    return found


def play(tablet: Tablet, cell: str) -> None:
    tablet.lock()
    tablet.cell(1, cell)
    tablet.finish()


def ended_offline(tablet: Tablet, cable: Cable) -> None:
    """A round that the server locked, and whose result is stored here."""
    tablet.seat(1)
    tablet.lock()
    tablet.cell(1, "1+")
    cut(tablet, cable)
    tablet.page.evaluate(UNSENT)
    tablet.act()
    tablet.phase("bets")


def corrected_offline(tablet: Tablet, cable: Cable) -> None:
    """A round is settled, then put right while the server is away: the table goes on."""
    tablet.seat(1)
    play(tablet, "1+")
    expect(tablet.key("Runde 1 korrigieren")).to_be_visible()
    cut(tablet, cable)
    tablet.page.evaluate(UNSENT)
    tablet.key("Runde 1 korrigieren").tap()
    tablet.cell(1, "1-")
    tablet.act()
    tablet.phase("bets")


def test_a_correction_that_nobody_takes_is_told_until_it_is_read(tablet: Tablet, cable: Cable) -> None:
    """Too late to be booked, refused as a request: the round stands as it was, the table plays on, and the screen says so."""
    page, told = tablet.page, tablet.page.locator(".say[data-why=not-corrected]")
    corrected_offline(tablet, cable)
    page.route("**/correct/", refused("round.approval_needed", "Zu spät."))
    page.route("**/correction-request/", refused("round.state", "Die Runde ist abgeschlossen."))
    page.evaluate(SENDS)
    back(tablet, cable)
    expect(told).to_contain_text("Die Korrektur der Runde 1 wurde abgewiesen.")
    expect(told).to_contain_text("Die Runde ist abgeschlossen.")
    play(tablet, "2+")  # no round waits for it
    page.reload()
    tablet.phase("bets")
    expect(told).to_be_visible()
    told.locator(".close").tap()
    expect(told).to_have_count(0)
    page.reload()
    tablet.phase("bets")
    expect(told).to_have_count(0)
    first, second = wait_for_rounds(tablet, 2)
    assert (first.revision, RoundResult.objects.get(round=first).result["boxes"]["1"]["result"]) == (1, "win")
    assert second.state == "settled"


def test_a_lock_is_looked_at_again_when_the_jackpot_has_changed(hall: HitHouse, tablet: Tablet) -> None:
    """While a guest is being registered Royal is called elsewhere: what was tapped with coins is not locked without them."""
    page, held = tablet.page, []
    Guest.objects.filter(session__table=tablet.table, box=2).update(left_at=timezone.now())
    page.reload()
    tablet.phase("bets")
    tablet.seat(1)
    tablet.tile(1, "coin").tap()
    page.route("**/guests/", lambda route: held.append(route))  # noqa: PLW0108  (it is given a wrapper)
    with page.expect_request("**/guests/"):  # it is stored before it goes
        tablet.box(2).tap()
    page.evaluate(STANDS)  # else the machine may take so long that nobody waits for the guest any more
    tablet.act()
    expect(tablet.action).to_contain_text("Warten")
    running = hall.start(1)
    done(round_call, house_id=hall.house.pk, round_id=running, person_id=hall.croupiers[1].pk, supervisor=True)
    expect(page.locator(".say[data-why=draining]")).to_be_visible()
    expect(tablet.action).to_have_class(re.compile("wait"))
    held.pop().continue_()
    expect(page.get_by_role("alert")).to_contain_text("Der Jackpot hat sich inzwischen geändert.")
    expect(tablet.action).to_contain_text("ohne Jackpot")
    tablet.phase("bets")
    assert tablet.rounds() == []
    tablet.lock()
    [played] = tablet.rounds()
    assert not RoundStake.objects.filter(round=played, kind="coin").exists()


def test_another_page_holds_what_hangs_on_a_refusal(hall: HitHouse, tablet: Tablet, cable: Cable) -> None:
    """The sign-in page sends what is stored. A result that is refused there stays, and the round after it waits, until the page of
    the round puts it right.
    """
    page = tablet.page
    ended_offline(tablet, cable)
    play(tablet, "2-")
    page.evaluate(SPOILT)
    signs_in = f"/tablet/{tablet.device.pk}/sign-in/"
    page.goto("about:blank")
    on(tablet, cable)
    asked = keys_of(page, "queued-rounds")
    with page.expect_response("**/settle/"):
        page.goto(signs_in)
    expect(page.locator("#stored")).to_contain_text("2 Runden")
    assert stored_at_last(page, 2) == [["settle", True, False], ["queued", False, False]]
    page.evaluate(TRIED)
    assert asked == []
    page.goto(f"/tablet/{tablet.device.pk}/")
    expect(page.locator(".say[data-why=refused]")).to_contain_text("Runde 1")
    tablet.cell(1, "4+")
    tablet.finish()
    there = wait_for_rounds(tablet, 2)
    assert [RoundResult.objects.get(round=one).result["boxes"]["1"]["play"] for one in there] == [4, 2]


def test_another_page_sends_what_its_own_person_gave(hall: HitHouse, tablet: Tablet, cable: Cable) -> None:
    """Who is signed in now has not played what is stored: his sign-in page counts it, and sends nothing."""
    page, other = tablet.page, hall.croupiers[1]
    tablet.seat(1)
    cut(tablet, cable)
    play(tablet, "1+")
    page.goto("about:blank")
    on(tablet, cable)
    pin_set(person=other, pin=PIN)
    device_sign_in(device=tablet.device, pin=PIN, username=other.username)
    asked = keys_of(page, "queued-rounds")
    page.goto(f"/tablet/{tablet.device.pk}/sign-in/")
    expect(page.locator("#stored")).to_contain_text("1 Runde")
    page.evaluate(TRIED)
    assert asked == []
    device_sign_in(device=tablet.device, pin=PIN, username=tablet.person.username)
    with page.expect_response("**/queued-rounds/"):  # until the script has read, the note is hidden too
        page.reload()
    assert stored_at_last(page, 0) == []
    expect(page.locator("#stored")).to_be_hidden()
    assert len(asked) == 1
    assert [one.state for one in tablet.rounds()] == ["settled"]


def test_another_page_asks_for_a_correction_that_is_late(tablet: Tablet, cable: Cable) -> None:
    """Refused on the sign-in page it becomes a request; refused again it waits there for the page of the round."""
    page = tablet.page
    corrected_offline(tablet, cable)
    page.goto("about:blank")
    on(tablet, cable)
    page.context.route("**/correct/", refused("round.approval_needed"))
    page.context.route("**/correction-request/", refused("round.state", "Die Runde ist abgeschlossen."))
    with page.expect_response("**/correction-request/"):
        page.goto(f"/tablet/{tablet.device.pk}/sign-in/")
    assert stored_at_last(page, 1) == [["request", True, False]]
    page.goto(f"/tablet/{tablet.device.pk}/")
    expect(page.locator(".say[data-why=not-corrected]")).to_contain_text("Runde 1")


def test_rounds_behind_a_result_that_is_with_the_pit(hall: HitHouse, tablet: Tablet, cable: Cable) -> None:
    """A result that is refused and given to the pit; what was played since waits for the pit, and comes in order then."""
    page, waits = tablet.page, tablet.page.locator(".say[data-why=with-pit]")
    ended_offline(tablet, cable)
    for cell in ("2-", "3-"):
        play(tablet, cell)
    page.route("**/settle/", altered)
    page.evaluate(SENDS)
    on(tablet, cable)
    expect(page.locator(".say[data-why=refused]")).to_contain_text("Runde 1")
    page.get_by_role("button", name="Der Aufsicht übergeben").tap()
    expect(waits).to_contain_text("Runde 1 liegt bei der Aufsicht.")
    expect(waits).to_contain_text("2 Runden warten hier")
    expect(tablet.action).to_contain_text("Wartet auf die Aufsicht")
    page.reload()
    expect(waits).to_contain_text("2 Runden warten hier")
    [first] = tablet.rounds()
    assert (first.state, ReviewItem.objects.get(table=tablet.table).kind) == ("locked", "settle")
    hall.end(0, first.pk, {"boxes": {"1": {"play": 4, "result": "lose"}}})
    there = wait_for_rounds(tablet, 3)
    expect(waits).to_have_count(0)
    assert [(one.state, one.queued) for one in there] == [("settled", False), ("settled", True), ("settled", True)]
    plays = [RoundResult.objects.get(round=one).result["boxes"]["1"]["play"] for one in there]
    assert plays == [4, 2, 3]
    expect(tablet.action).to_contain_text("Nichts geht mehr")
