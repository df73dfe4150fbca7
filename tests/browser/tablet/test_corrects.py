"""A round is put right: for how long the croupier does that alone is to be seen, and whether the action takes a tap."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from payouts.models import Approval
from payouts.services import approval_reject
from tests.browser.hit_house import PatientHall
from tests.browser.tablets import STANDS, Tablet
from tests.floor import done

pytestmark = pytest.mark.browser
SOON_OVER = """async () => {
    const [{ draft }, { serverNow }] = await Promise.all(["round/state", "frame/live"].map(one => import(`tablet/${one}`)));
    draft.value = { ...draft.value, aloneUntil: serverNow() + 1500 };
}"""
# From now on: how the action was drawn, one after the other.
DRAWN = """() => {
    window.drawn = [];
    new MutationObserver(() => {
        const is = document.querySelector('.action')?.classList.contains('resting');
        if (is !== drawn.at(-1)) drawn.push(is);
    }).observe(document.querySelector('.round'), { subtree: true, childList: true, attributes: true });
}"""


@pytest.fixture
def hall(floor_server: object) -> PatientHall:
    return PatientHall(displays=1)


@pytest.fixture
def tablet(hall: PatientHall, new_floor_page: Callable[..., Page]) -> Tablet:
    """One round was played, which box 1 has lost."""
    tablet = Tablet(new_floor_page(has_touch=True), hall.tables[0], hall.croupiers[0])
    tablet.seat(1)
    tablet.lock()
    tablet.cell(1, "1-")
    tablet.finish()
    return tablet


def test_it_says_how_long_it_is_the_croupiers_own_and_then_that_the_pit_is_asked(tablet: Tablet) -> None:
    says = tablet.page.locator(".say")
    tablet.key("Runde 1 korrigieren").tap()
    expect(says).to_have_text(re.compile(r"^Noch \d+ s alleine korrigierbar\. Danach wird die Aufsicht gefragt\.$"))
    tablet.cell(1, "1+")
    tablet.key("Karten / Streitfall").tap()
    tablet.page.get_by_role("button", name="Alle Karten erfassen").tap()
    expect(says).to_contain_text("Noch")  # over the cards, too
    tablet.reload()
    expect(says).to_contain_text("Noch")
    tablet.key("Rückgängig").tap()
    expect(tablet.action).to_contain_text("Korrektur buchen")
    tablet.page.evaluate(SOON_OVER)
    expect(tablet.action).to_contain_text("Aufsicht fragen")
    expect(says).to_have_text(
        "Die Korrektur geht an die Aufsicht. Die Korrektur wird gebucht, sobald sie unterschrieben ist."
    )
    tablet.finish()
    expect(tablet.page.get_by_role("alert")).to_contain_text("Die Aufsicht ist gefragt.")
    assert Approval.objects.filter(house=tablet.table.house, action="round.correct", state="open").count() == 1


def test_while_a_hit_is_decided_on_the_pit_is_asked_once(hall: PatientHall, tablet: Tablet) -> None:
    """Nor does a page loaded anew offer it again, though there was time to correct it alone; once the pit refuses, it does."""
    tablet.key("Runde 1 korrigieren").tap()
    expect(tablet.action).to_contain_text("Korrektur buchen")
    hall.call(1, hall.start(1))
    expect(tablet.action).to_contain_text("Aufsicht fragen")
    expect(tablet.page.locator(".say[data-why=asks]")).to_have_count(1)
    tablet.finish()
    first = tablet.page.locator(".rail-key").first
    for turn in (tablet.written, tablet.reload):
        turn()
        expect(first).to_have_text("Wartet auf die AufsichtKorrektur · Runde 1")
        expect(first).to_be_disabled()
    asked = Approval.objects.get(house=hall.house, action="round.correct", state="open")
    who = {
        "house_id": hall.house.pk,
        "approval_id": asked.pk,
        "person_id": hall.boss.pk,
        "person_roles": hall.boss.roles,
    }
    done(approval_reject, **who, reason="seen on camera")
    expect(first).to_have_text(re.compile("^Runde 1 korrigieren"))


def test_it_is_booked_by_a_tap_half_a_second_after_it_was_opened(tablet: Tablet) -> None:
    """What was tapped before was another key: nothing has to rest."""
    tablet.page.evaluate(STANDS)
    tablet.key("Runde 1 korrigieren").tap()
    expect(tablet.action).to_contain_text("Korrektur buchen")
    tablet.page.evaluate("passed += 500")
    tablet.action.tap()
    tablet.phase("bets")
    assert [(one.state, one.revision) for one in tablet.rounds()] == [("settled", 2)]


def test_the_action_looks_as_long_as_it_takes_no_tap(tablet: Tablet) -> None:
    tablet.lock()
    tablet.cell(1, "1-")
    tablet.page.evaluate(DRAWN)
    tablet.finish()
    expect(tablet.action).to_have_class(re.compile(r"^action lock\s*$"))
    assert tablet.page.evaluate("drawn.slice(-2)") == [True, False]
