"""What goes wrong at a poker table is recorded on its tablet with what was decided about it (POK-9)."""
# ruff: noqa: N802 - tests are named after the rules

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tables.models import HandIrregularity
from tests.browser.pots import PotTablet, pot_tablet

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]


def record(tablet: PotTablet, *choices: str) -> None:
    """Choose one after the other, as late as a finger that has seen them."""
    for choice in ("[data-opens=call]", ".sheet [data-opens=irregular]", *choices):
        tablet.later()
        tablet.page.locator(choice).tap()
    expect(tablet.page.locator(".sheet")).to_have_count(0)


def test_POK_9_it_goes_behind_its_hand_and_waits_while_the_network_is_gone(
    floor_server: object, new_floor_page: Callable[..., Page]
) -> None:
    """Of a hand that runs, of the last one, and of none; with the words of the rule and its decisions alone."""
    tablet = pot_tablet(new_floor_page)
    page = tablet.page
    for seat in (1, 3, 5):
        tablet.buy_in(seat, 20_000)
    record(tablet, "[data-of=conduct]", "[data-decision=warned]")
    expect(page.get_by_role("alert")).to_contain_text("Erfasst.")
    page.context.set_offline(True)
    tablet.next_hand()
    record(tablet, "[data-of=out_of_turn]", ".sheet >> text=Platz 3", "[data-decision=binds]")
    tablet.tap("bet-1000 cell-0-1 next next next win-5")
    tablet.next_hand()
    tablet.tap("bet-1000 cell-0-1 next next next win-5")
    tablet.phase("between")
    tablet.later()
    page.locator("[data-opens=call]").tap()
    tablet.later()
    page.locator(".sheet [data-opens=irregular]").tap()
    tablet.later()
    page.locator("[data-of=pot_pushed]").tap()
    expect(page.locator(".sheet")).to_contain_text("POK-9")
    decisions = page.locator("[data-decision]")
    assert [key.get_attribute("data-decision") for key in decisions.all()] == ["award_moved", "override"]
    tablet.later()
    decisions.first.tap()
    assert HandIrregularity.objects.filter(session__table=tablet.table).count() == 1
    page.context.set_offline(False)
    tablet.stacks(2)
    for _ in range(600):
        rows = HandIrregularity.objects.filter(session__table=tablet.table).order_by("pk")
        if len(rows) == 3:
            break
        page.wait_for_timeout(50)
    assert [(row.hand and row.hand.number, row.kind, row.decision, row.seat, row.override) for row in rows] == [
        (None, "conduct", "warned", None, False),
        (1, "out_of_turn", "binds", 3, False),
        (2, "pot_pushed", "award_moved", None, False),
    ]
