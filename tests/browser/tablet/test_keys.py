"""A round by keyboard alone: what can be tapped is come to by the Tab key, is seen there, and pressed (WCAG 2.1.1, 2.4.7)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.desk.test_reports_all import tabbed_to
from tests.browser.floor_house import FloorHouse
from tests.browser.tablets import DEAD_MS, Tablet

pytestmark = pytest.mark.browser


def press(tablet: Tablet, key: Locator) -> None:
    tabbed_to(tablet.page, key)
    tablet.page.evaluate(f"passed += {DEAD_MS}")
    tablet.page.keyboard.press("Enter")


def test_a_round_by_keyboard_alone(floor_server: object, new_floor_page: Callable[..., Page]) -> None:
    """Somebody sits down, an Ante is changed and says so, bets are locked, a box wins, the round is finished."""
    floor = FloorHouse()
    floor.open_for()
    tablet = Tablet(new_floor_page(reduced_motion="reduce"), floor.table, floor.martina)
    press(tablet, tablet.box(1))
    expect(tablet.box(1).locator(".guest")).not_to_be_empty()
    press(tablet, tablet.tile(1, "ante"))
    press(tablet, tablet.chip("20"))
    expect(tablet.tile(1, "ante")).to_contain_text("20")
    press(tablet, tablet.action)
    tablet.phase("play")
    press(tablet, tablet.box(1).locator("[data-cell='1:win']"))
    press(tablet, tablet.action)
    tablet.phase("bets")
    [played] = tablet.rounds()
    assert played.state == "settled"

    ante = tablet.tile(1, "ante")
    expect(ante.locator(".changed")).to_have_count(0)  # as it was in the round before
    press(tablet, ante)
    press(tablet, tablet.chip("10"))
    expect(ante.get_by_role("img")).to_have_accessible_name("geändert seit der letzten Runde")
