"""Undo outlives the page: what was tapped in a phase is taken back step by step also by the next page, and nothing else is."""

import pytest
from playwright.sync_api import Locator, expect

from tables.models import RoundResult
from tests.browser.tablets import DEAD_MS, Tablet

pytestmark = pytest.mark.browser
# A command stores the draft of the next phase with it, and the tab is killed before the page goes on.
NEXT_PHASE = """async () => {
    const [{ draftWrite, stepsRead }, { draft }] = await Promise.all([import('tablet/frame/store'), import('tablet/round/state')]);
    await draftWrite({ ...draft.value, round: crypto.randomUUID() }, await stepsRead());
}"""
STEPS = "async () => (await (await import('tablet/frame/store')).stepsRead()).list.length"


def undo(tablet: Tablet) -> Locator:
    return tablet.page.locator(".rail-key").first


def takes_back(tablet: Tablet, step: str) -> None:
    expect(undo(tablet)).to_contain_text(step)
    undo(tablet).tap()


def anew(tablet: Tablet) -> None:
    """The tab is killed, and opened again."""
    context, address = tablet.page.context, tablet.page.url
    tablet.written()
    tablet.page.close()
    tablet.page = context.new_page()
    tablet.page.goto(address)
    tablet.phase("bets|play")


def test_steps_outlive_the_page_and_end_with_their_phase(tablet: Tablet) -> None:
    tablet.seat(1, 2)
    tablet.tile(1, "ante").tap()
    tablet.chip("25").tap()
    tablet.tile(2, "coin").tap()
    tablet.reload()
    takes_back(tablet, "Box 2: Jackpot gesetzt")
    expect(tablet.tile(2, "coin")).to_contain_text("aus")
    anew(tablet)
    takes_back(tablet, "Box 1: Ante 5 → 25")
    expect(tablet.tile(1, "ante")).to_contain_text("5")
    takes_back(tablet, "Box 2: besetzt")
    expect(tablet.box(2)).to_contain_text("Gast platzieren")

    tablet.lock()
    tablet.reload()
    tablet.phase("play")
    expect(undo(tablet)).not_to_contain_text("Box 1")  # the bets are locked, and it is nothing that undo takes back
    tablet.cell(1, "4+")
    tablet.cell(1, "3-")
    tablet.reload()
    takes_back(tablet, "Box 1: 3× verliert")
    expect(tablet.box(1).locator(".paid")).to_have_text("+25")
    takes_back(tablet, "Box 1: 4× gewinnt")
    expect(tablet.box(1).locator(".paid")).to_have_text("offen")
    tablet.cell(1, "fold")
    tablet.finish()
    assert tablet.rounds()[0].state == "settled"


def test_steps_of_another_phase_are_not_taken_back(tablet: Tablet) -> None:
    tablet.seat(1)
    expect(undo(tablet)).to_contain_text("Box 1: besetzt")
    tablet.page.evaluate(NEXT_PHASE)
    tablet.reload()
    expect(tablet.box(1).locator(".tile")).to_have_count(3)
    expect(undo(tablet)).to_be_disabled()


def test_no_more_steps_are_stored_than_undo_keeps(tablet: Tablet) -> None:
    tablet.seat(1)
    for _ in range(61):
        tablet.tile(1, "coin").dispatch_event("click")
    assert tablet.page.evaluate(STEPS) == 60
    tablet.reload()
    for _ in range(60):
        undo(tablet).dispatch_event("click")
    expect(undo(tablet)).to_be_disabled()
    expect(tablet.tile(1, "coin")).to_contain_text("5")  # as it was before the sixtieth step from the end


def test_undo_on_the_cards_goes_back_to_the_boxes_with_what_asked_for_them(tablet: Tablet) -> None:
    """A class that was tapped by mistake, a dispute: the last card goes first, then the sheet with the step that opened it."""
    page = tablet.page
    tablet.seat(1, 2)
    tablet.tile(1, "coin").tap()
    tablet.lock()
    tablet.cell(1, "4+")
    tablet.cell(2, "1-")

    def by_class() -> None:
        tablet.box(1).locator(".top").tap()
        tablet.hand("full_house")

    def by_dispute() -> None:
        tablet.key("Karten / Streitfall").tap()
        page.get_by_role("button", name="Alle Karten erfassen").tap()

    for opens, step in ((by_class, "Box 1: Full House"), (by_dispute, "Streitfall")):
        opens()
        tablet.cards("Ks 8h")
        for card in ("8 Herz", "K Pik"):
            expect(undo(tablet)).to_contain_text("Letzte Karte")
            takes_back(tablet, card)
        page.evaluate(f"passed += {DEAD_MS}")
        expect(undo(tablet)).to_contain_text("Rückgängig")
        takes_back(tablet, step)
        expect(page.locator(".cards")).to_have_count(0)
        expect(tablet.action).to_contain_text("Runde fertig")
        expect(page.locator("[data-hand][aria-pressed=true], .rail-key[aria-pressed=true]")).to_have_count(0)
        expect(undo(tablet)).to_contain_text("Box 2: 1× verliert")
        page.evaluate(f"passed += {DEAD_MS}")
    tablet.finish()
    assert RoundResult.objects.get(round=tablet.rounds()[0]).result["boxes"] == {
        "1": {"play": 4, "result": "win"},
        "2": {"play": 1, "result": "lose"},
    }
