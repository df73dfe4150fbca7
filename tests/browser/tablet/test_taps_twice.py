"""A finger that taps twice at one place means one thing: what the first tap has put there takes no tap for a moment (ux 1.3)."""

import pytest
from playwright.sync_api import Locator, Request, Route, expect

from tables.models import Guest
from tables.services import table_entry_level_set
from tests.browser.tablets import GOES, STANDS, Tablet
from tests.floor import done

pytestmark = pytest.mark.browser
BETWEEN_MS = 100  # between the two taps of one finger
DEAD_MS = 600  # after a change of phase the action takes no tap


def twice(tablet: Tablet, place: Locator) -> None:
    """Two taps of one finger, at the middle of what is there at first. However long the machine takes, what is between them by the
    page's stop-watch is the finger's own time.
    """
    box = place.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    tablet.page.evaluate(STANDS)
    tablet.page.touchscreen.tap(x, y)
    tablet.page.wait_for_timeout(BETWEEN_MS)  # to the browser they are two taps, not a gesture
    tablet.page.evaluate(f"passed += {BETWEEN_MS}")
    tablet.page.touchscreen.tap(x, y)
    tablet.page.evaluate(GOES)


def test_one_finger_bets_and_books_nothing_unseen(tablet: Tablet) -> None:
    """An empty box, the number pad, a hand that asks for cards, the way back, the cards: each is tapped twice."""
    page = tablet.page
    undo = page.locator(".rail-key").first
    twice(tablet, tablet.box(2))
    expect(tablet.box(2).locator(".guest")).not_to_be_empty()
    expect(undo).to_contain_text("Box 2: besetzt")  # and nothing after it
    expect(tablet.tile(2, "trips")).to_contain_text("aus")

    tablet.tile(2, "ante").tap()
    tablet.key("andere").tap()
    for figure in "15":
        page.locator(".numbers").get_by_role("button", name=figure, exact=True).tap()
    twice(tablet, page.locator(".sheet .do.large"))
    expect(undo).to_contain_text("→ 15")
    expect(tablet.tile(2, "ante")).to_contain_text("15")
    assert Guest.objects.filter(session__table=tablet.table, left_at=None).count() == 1

    tablet.tile(2, "coin").tap()
    tablet.lock()
    tablet.cell(2, "4+")
    twice(tablet, page.locator("[data-hand=full_house]"))
    expect(page.locator(".cards")).to_be_visible()
    expect(page.locator(".slot.card")).to_have_count(0)
    page.evaluate("passed += 650")
    twice(
        tablet, page.locator(".rail-key").last
    )  # the cards later: back to the round, where the call for the floor stands
    expect(page.locator(".columns")).to_be_visible()
    page.evaluate("passed += 650")
    tablet.key("Karten / Streitfall").tap()
    page.get_by_role("button", name="Karten erfassen").last.tap()
    tablet.cards("Ks 8h Kh 2d 8c Kc 4h")
    page.evaluate("passed += 650")
    twice(tablet, tablet.action)
    expect(tablet.action).to_contain_text("Runde fertig")
    tablet.phase("play")
    assert [one.state for one in tablet.rounds()] == ["locked"]
    tablet.finish()
    assert [one.state for one in tablet.rounds()] == ["settled"]


def test_keys_that_say_the_same_take_every_tap(tablet: Tablet) -> None:
    """A figure twice is two figures, an undo twice takes two steps back."""
    page = tablet.page
    tablet.seat(1, 2)
    twice(tablet, page.locator(".rail-key").first)
    expect(tablet.box(1)).to_contain_text("Gast platzieren")
    expect(tablet.box(2)).to_contain_text("Gast platzieren")
    tablet.seat(1)
    tablet.key("andere").tap()
    twice(tablet, page.locator(".numbers").get_by_role("button", name="1", exact=True))
    expect(page.locator(".pad-place output")).to_have_text("11")


def test_the_action_rests_after_the_locks_answer(tablet: Tablet) -> None:
    """Where nothing is to be entered but coins, the same place finishes the round: not before 600 ms after the answer."""
    page, sent = tablet.page, list[str]()
    where = {"house_id": tablet.table.house_id, "table_id": tablet.table.pk, "actor_id": tablet.person.pk}
    done(table_entry_level_set, **where, entry_level="jackpot_only")
    page.reload()
    tablet.phase("bets")
    tablet.seat(1)

    def note(request: Request) -> None:
        if request.method == "POST":
            sent.append(request.url.rsplit("/", 2)[1])

    def answers_late(route: Route) -> None:
        page.evaluate(f"passed += {DEAD_MS}")  # by now the finger itself would be let tap again
        route.continue_()

    page.on("request", note)
    page.route("**/lock/", answers_late)
    page.evaluate(STANDS)
    tablet.lock()
    expect(tablet.action).to_contain_text("Runde fertig")
    for passes in (0, DEAD_MS - 1):
        page.evaluate(f"passed += {passes}")
        tablet.action.tap()
        expect(tablet.action).to_contain_text("Runde fertig")
    assert sent == ["lock"]
    page.evaluate("passed += 1")
    tablet.action.tap()
    tablet.phase("bets")
    assert sent == ["lock", "settle"]
    tablet.action.tap()  # and it rests again, where it locks the next one
    expect(tablet.action).to_contain_text("Nichts geht mehr")
    assert [one.state for one in tablet.rounds()] == ["settled"]
    assert sent == ["lock", "settle"]
