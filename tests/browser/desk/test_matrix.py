"""The approval matrix in a browser, by keyboard alone: read, another line asked for, signed by two others; and how it looks."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from payouts.models import Approval, ApprovalRule, House
from tests.browser.desk.test_posted import write
from tests.browser.desk.test_reports_all import tabbed_to
from tests.browser.look.test_everywhere import look
from tests.browser.people import LOOKED_AT, be, somebody
from tests.browser.posted import posted
from tests.casino.people import people
from tests.cast import make_house

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
ACTION = "jackpot.display_out"


def press(page: Page, place: str) -> None:
    page.wait_for_load_state()
    tabbed_to(page, page.locator(place))
    with page.expect_navigation():
        page.keyboard.press("Enter")


@pytest.mark.parametrize("language", LOOKED_AT)
def test_line_is_asked_for_and_signed_by_keyboard(new_floor_page: Callable[..., Page], language: str) -> None:
    house: House = make_house(f"Casino Freigabe {language}")
    posted(house)
    mara, max_, anna = (somebody(house, role) for role in ("manager", "manager", "auditor"))
    page = new_floor_page(language=language, allowed="status of 422", reduced_motion="reduce")
    wrong = []
    be(page, mara)
    page.goto("/posted-tables/")
    press(page, "main a[href='/approval-rules/']")
    wrong += look(page, "matrix", language)
    press(page, f"a[href='/approval-rules/{ACTION}/']")
    wrong += look(page, "matrix_ask", language)
    write(page, "ask-reason", "so besprochen")
    press(page, "button.act")
    expect(page.get_by_role("alert")).to_be_visible()  # nothing was changed
    expect(page.locator("#ask-reason")).to_have_value("so besprochen")
    wrong += look(page, "matrix_refused", language)
    tabbed_to(page, page.locator("#ask-signers"))
    page.keyboard.type("2")
    tabbed_to(page, page.locator("[value=technician]"))
    page.keyboard.press("Space")
    press(page, "button.act")
    asked = Approval.objects.get(house=house, action="approval_rule.change", state="open")
    wrong += look(page, "rule_asked", language)
    for person in (max_, anna):
        be(page, person)
        page.goto(f"/home/{person.roles[0]}/")
        press(page, f"#main a[href='/approval-rules/asked/{asked.pk}/']")
        wrong += look(page, "rule_to_sign", language)
        page.set_viewport_size({"width": 1280, "height": 800})
        page.evaluate("scrollTo(0, 0)")
        expect(page.locator(".differences")).to_be_in_viewport(ratio=1)
        expect(page.locator("form[action$='/sign/'] button.act")).to_be_in_viewport(ratio=1)
        write(page, "sign-secret", people.code(person))
        press(page, "button.act")
        expect(page.locator(".history")).to_contain_text(person.full_name)
    wrong += look(page, "rule_signed", language)
    line = ApprovalRule.objects.filter(house=house, action=ACTION).latest("version")
    assert (line.version, line.signers, line.roles) == (2, 2, ["pit_boss", "technician", "manager"])
    assert wrong == []
