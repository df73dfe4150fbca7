"""Stakes of Black Jack after the lock that the server refuses: the result goes for what is booked, not for more (BJ-6, BJ-7)."""

import itertools
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tables.models import Guest, ReviewItem
from tables.services import guest_leave
from tests.blackjack import Blackjack, hands
from tests.browser.cable import Cable
from tests.browser.tablet.test_alone import ALLOWED, cut
from tests.browser.tablet.test_blackjack import cell, lines, placed, undo
from tests.browser.tablet.test_jackpot import on
from tests.browser.tablet.test_refused import STORED
from tests.browser.tablet.test_unanswered import keys_of, wait_for_rounds
from tests.browser.tablets import Tablet
from tests.floor import done

pytestmark = pytest.mark.browser
_numbers = itertools.count(1)
NOT_BOOKED = "Runde 1: Ein Einsatz nach dem Sperren wurde nicht gebucht."
LOOK_AGAIN = "Runde 1: Das Ergebnis ist nochmals zu prüfen, bevor es gebucht wird."
# A page may end between an answer and what comes of it: the next one hears the same.
KEPT_ASIDE = """async () => {
    window.refusedOne = (await (await import('tablet/frame/store')).outboxRead()).find(one => one.kind === 'place');
}"""
HEARS_AGAIN = """async () => {
    const problem = { title: 'So nicht.', detail: '', code: 'box.nobody_decides' };
    await (await import('tablet/round/answers')).answered(refusedOne, null, { problem });
}"""
KEYS = "async () => (await (await import('tablet/frame/store')).outboxRead()).map(one => one.key)"
# Another page's transaction lies over the browser's database, until `release`.
HOLDS_THE_STORE = """(table) => new Promise(done => {
    const asked = indexedDB.open(`saalchef-tablet-${table}`);
    asked.onsuccess = () => {
        const store = asked.result.transaction('outbox', 'readwrite').objectStore('outbox');
        let isHeld = true;
        window.release = () => { isHeld = false; };
        const again = () => { if (isHeld) store.count().onsuccess = again; };
        store.count().onsuccess = () => { again(); done(); };
    };
})"""


@pytest.fixture
def floor(floor_server: object) -> Blackjack:
    return Blackjack(suffix=f".bjr{next(_numbers)}")


@pytest.fixture
def tablet(floor: Blackjack, cable: Cable, new_floor_page: Callable[..., Page]) -> Tablet:
    options = {"allowed": ALLOWED, "service_workers": "block", "address": cable.address}
    return Tablet(new_floor_page(has_touch=True, **options), floor.bj, floor.martina)


def guest_of(tablet: Tablet, box: int) -> Guest:
    return Guest.objects.get(session__table=tablet.table, box=box)


def leaves(floor: Blackjack, tablet: Tablet, box: int = 1) -> None:
    """Who has staked there is gone: nobody decides for the box any more (BOX-2)."""
    where = {"house_id": floor.house.pk, "actor_id": floor.martina.pk}
    done(guest_leave, **where, guest_id=guest_of(tablet, box).pk)


def plays_another(tablet: Tablet) -> None:
    """The next round, without the server."""
    tablet.lock()
    tablet.hand("bust")
    tablet.finish()


def is_looked_at_again(tablet: Tablet) -> None:
    expect(tablet.page.locator(".round")).to_have_attribute("data-mode", "again")
    said = tablet.page.locator(".say[data-why=refused]")
    expect(said).to_contain_text(LOOK_AGAIN)
    expect(said.get_by_role("button")).to_have_count(0)  # the pit would not be asked: what is booked is no doubt


def states(tablet: Tablet) -> list[tuple[str, bool]]:
    return [(one.state, one.queued) for one in wait_for_rounds(tablet, 2)]


BOTH = [("settled", False), ("settled", True)]


def test_a_double_that_is_not_booked(tablet: Tablet, floor: Blackjack, cable: Cable) -> None:
    """Its round comes back without it, and the next one waits; heard twice, it does no more."""
    page = tablet.page
    tablet.seat(1, 2)
    tablet.lock()
    cut(tablet, cable)
    cell(tablet, 1, "double:1").tap()
    tablet.hand("bust")
    expect(tablet.box(1).locator(".paid")).to_have_text("+20")
    tablet.finish()
    plays_another(tablet)
    page.evaluate(KEPT_ASIDE)
    leaves(floor, tablet)
    on(tablet, cable)
    is_looked_at_again(tablet)
    expect(page.locator(".say[data-why=alarm]")).to_contain_text(NOT_BOOKED)
    expect(cell(tablet, 1, "double:1")).to_have_attribute("aria-pressed", "false")
    expect(tablet.box(1).locator(".paid")).to_have_text("+10")
    keys = page.evaluate(KEYS)
    assert [one.state for one in tablet.rounds()] == ["locked"]
    page.evaluate(HEARS_AGAIN)
    assert page.evaluate(KEYS) == keys
    tablet.finish()
    assert states(tablet) == BOTH
    assert lines(tablet) == [(1, 1, "stake", 10, 20), (2, 2, "stake", 10, 20)]
    assert placed(tablet) == []
    expect(page.locator(".say[data-why=refused]")).to_have_count(0)
    assert page.locator(".say[data-why=alarm]", has_text="andere Beträge").count() == 0  # what was shown is booked


def test_a_split_that_is_not_booked(tablet: Tablet, floor: Blackjack, cable: Cable) -> None:
    """Its second hand, how that ended and its double go with it, also when the page of then is gone."""
    page = tablet.page
    tablet.seat(1, 2)
    tablet.lock()
    cut(tablet, cable)
    for name in ("split:1", "double:2", "lose:2", "win:1"):
        cell(tablet, 1, name).tap()
        page.evaluate("passed += 650")
    tablet.hand("bust")
    tablet.finish()
    plays_another(tablet)
    tablet.written()
    page.goto("about:blank")
    leaves(floor, tablet)
    on(tablet, cable)
    sent = keys_of(page, "place")
    page.goto(f"/tablet/{tablet.device.pk}/")
    is_looked_at_again(tablet)
    assert len(sent) == 1
    expect(cell(tablet, 1, "win:2")).to_have_count(0)
    expect(tablet.box(1).locator(".paid")).to_have_text("offen")
    tablet.reload()
    is_looked_at_again(tablet)
    cell(tablet, 1, "win:1").tap()
    tablet.finish()
    assert states(tablet) == BOTH
    assert lines(tablet) == [(1, 1, "stake", 10, 20), (2, 2, "stake", 10, 20)]
    assert placed(tablet) == []


def test_a_stake_that_is_still_there(tablet: Tablet, floor: Blackjack, cable: Cable) -> None:
    """What was taken back goes back last (BOX-5): the round comes back with it, and with what was placed since."""
    tablet.seat(1, 2)
    tablet.lock()
    cell(tablet, 1, "double:1").tap()
    for _ in range(100):
        if placed(tablet):
            break
        tablet.page.wait_for_timeout(50)
    expect(tablet.page.locator(".link")).to_have_text("Verbunden")
    cut(tablet, cable)
    undo(tablet)
    tablet.hand("bust")
    expect(tablet.box(1).locator(".paid")).to_have_text("+10")
    tablet.finish()
    plays_another(tablet)
    floor.place(tablet.rounds()[0].pk, guest_of(tablet, 2), "double", box=2)
    on(tablet, cable)
    is_looked_at_again(tablet)
    said = tablet.page.locator(".say[data-why=alarm]")
    expect(said).to_contain_text("Runde 1: Ein zurückgenommener Einsatz liegt noch dort.")
    for box in (1, 2):
        expect(cell(tablet, box, "double:1")).to_have_attribute("aria-pressed", "true")
        expect(tablet.box(box).locator(".paid")).to_have_text("+20")
    tablet.finish()
    assert states(tablet) == BOTH
    doubled = [(box, box, kind, 10, 20) for box in (1, 2) for kind in ("stake", "double_1")]
    assert lines(tablet) == doubled


def test_a_double_that_is_not_booked_while_the_result_waits(tablet: Tablet, floor: Blackjack) -> None:
    """On the screen of its round the result stays to be given, also on the next page."""
    page, held = tablet.page, list[Route]()
    tablet.seat(1, 2)
    tablet.lock()
    page.route("**/place/", lambda route: held.append(route))  # noqa: PLW0108 (a built-in is no handler)
    with page.expect_request("**/place/"):
        cell(tablet, 1, "double:1").tap()
    tablet.hand("bust")
    tablet.act()
    expect(tablet.action).to_contain_text("Wird gebucht")
    leaves(floor, tablet)
    held.pop().continue_()
    expect(page.locator(".say[data-why=alarm]")).to_contain_text(NOT_BOOKED)
    expect(tablet.box(1).locator(".paid")).to_have_text("+10")
    tablet.phase("play")
    assert [one.state for one in tablet.rounds()] == ["locked"]
    tablet.finish()
    assert [one.state for one in tablet.rounds()] == ["settled"]
    assert lines(tablet) == [(1, 1, "stake", 10, 20), (2, 2, "stake", 10, 20)]


def test_the_page_of_the_sign_in_sends_no_result_for_other_stakes(
    tablet: Tablet, floor: Blackjack, cable: Cable
) -> None:
    """It knows no round: what is refused there stops all behind it, until the page of the round has heard it."""
    page = tablet.page
    tablet.seat(1, 2)
    tablet.lock()
    cut(tablet, cable)
    cell(tablet, 1, "double:1").tap()
    tablet.hand("bust")
    tablet.finish()
    plays_another(tablet)
    tablet.written()
    page.goto("about:blank")
    leaves(floor, tablet)
    on(tablet, cable)
    settles = keys_of(page, "settle")
    with page.expect_response("**/place/"):
        page.goto(f"/tablet/{tablet.device.pk}/sign-in/")
    kinds = [["place", True, False], ["settle", False, False], ["queued", False, False]]
    for _ in range(100):
        if page.evaluate(STORED) == kinds:
            break
        page.wait_for_timeout(50)
    assert page.evaluate(STORED) == kinds
    assert settles == []
    page.goto(f"/tablet/{tablet.device.pk}/")
    is_looked_at_again(tablet)
    expect(page.locator(".say[data-why=alarm]")).to_contain_text(NOT_BOOKED)
    tablet.finish()
    assert states(tablet) == BOTH
    assert lines(tablet) == [(1, 1, "stake", 10, 20), (2, 2, "stake", 10, 20)]


def test_what_is_being_taken_back_does_not_come_again(tablet: Tablet) -> None:
    """From the tap on, however long the browser takes to store it, and the house to answer."""
    page, held = tablet.page, list[Route]()
    pressed = cell(tablet, 1, "double:1")
    tablet.seat(1)
    tablet.lock()
    with page.expect_response("**/place/"):
        pressed.tap()
    page.route("**/take-back/", lambda route: held.append(route))  # noqa: PLW0108 (a built-in is no handler)
    expect(page.locator(".link")).to_have_text("Verbunden")
    page.evaluate(HOLDS_THE_STORE, str(tablet.table.pk))
    undo(tablet)

    def is_told() -> None:
        """Of the table, anew: what was asked after the tap."""
        for _ in range(2):
            with page.expect_response("**/surface/**"):
                pass
        page.evaluate("new Promise(done => setTimeout(done))")
        expect(pressed).to_have_attribute("aria-pressed", "false", timeout=1)

    is_told()
    with page.expect_request("**/take-back/"):
        page.evaluate("release()")
    is_told()
    held.pop().continue_()
    is_told()
    tablet.hand("bust")
    tablet.finish()
    assert placed(tablet) == [(1, 1, "double_1", 10), (1, 1, "double_1", 0)]
    assert page.get_by_role("alert").count() == 0


def test_a_round_that_the_pit_has_ended_meanwhile_is_kept_as_it_was_entered(
    tablet: Tablet, floor: Blackjack, cable: Cable
) -> None:
    """The stake comes too late, and so does the result: the pit looks at what the croupier has entered."""
    tablet.seat(1, 2)
    tablet.lock()
    cut(tablet, cable)
    cell(tablet, 1, "double:1").tap()
    tablet.hand("bust")
    tablet.finish()
    [running] = tablet.rounds()
    floor.settle(running.pk, {"bank": "20", "boxes": hands(b1=["lose"], b2=["lose"])})
    on(tablet, cable)
    expect(tablet.page.locator(".say[data-why=alarm]", has_text=NOT_BOOKED)).to_have_count(1)
    expect(tablet.page.locator(".link")).to_have_text("Verbunden")
    kept = ReviewItem.objects.get(round_id=running.pk)
    assert (kept.kind, kept.state, kept.payload["result"]["bank"]) == ("settle", "open", "bust")
