"""How a poker table at *pots* looks on the tablet: every state in every language and three sizes, with nine guests."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.look.test_tablet import wrong
from tests.browser.people import LOOKED_AT
from tests.browser.pots import pot_tablet

pytestmark = pytest.mark.browser


@pytest.mark.timeout(600)  # a busy machine is no failure
@pytest.mark.parametrize("language", LOOKED_AT)
def test_every_state(floor_server: object, new_floor_page: Callable[..., Page], language: str) -> None:
    tablet = pot_tablet(new_floor_page, language=language, reduced_motion="reduce")
    page = tablet.page
    amiss: list[str] = []

    def look(name: str) -> None:
        amiss.extend(wrong(tablet, f"pots_{name}", language))
        tablet.later()

    for seat in range(1, 10):
        tablet.buy_in(seat, 4_000 if seat == 3 else 20_000)
    look("between")
    tablet.next_hand()
    look("dealt")
    page.locator(".dock [data-opens='bet']").tap()
    look("bet")
    page.locator(".rail-key").first.tap()
    tablet.later()
    page.locator("[data-opens='button']").tap()
    look("button")
    page.locator(".rail-key").first.tap()
    tablet.tap("bet-1000 cell-0-1 cell-0-4 cell-0-6 cell-0-8 next bet-2000 cell-1-9 next bet-2000 cell-2-2 next")
    look("asked")
    tablet.tap("win-7")
    page.locator(".rail-key").nth(1).tap()  # several winners
    tablet.tap("win-3")
    look("split")
    tablet.tap("win-5 next")
    tablet.phase("between")
    look("result")
    page.keyboard.press("F1")
    look("help")
    page.keyboard.press("Escape")
    page.locator("[data-opens=call]").tap()
    look("floor")
    page.locator(".sheet [data-opens=irregular]").tap()
    look("cases")
    page.locator("[data-of=conduct]").tap()
    look("case")
    page.locator(".rail-key").first.tap()
    tablet.next_hand()
    look("next")
    tablet.tap("bet-400 cell-0-4 cell-0-6 cell-0-8 cell-0-9 next next next")
    page.locator("[data-opens=showdown]").tap()
    cards = ["As", "9d", "4c", "9h", "Kd", "Ac", "7s"]
    for card in cards[:6]:
        page.locator(f"[data-card='{card}']").tap()
    look("cards")
    for card in cards[6:7]:
        page.locator(f"[data-card='{card}']").tap()
    page.locator("[data-takes=cards]").tap()
    tablet.phase("between")
    look("shown")
    tablet.later()
    tablet.next_hand()
    tablet.stacks(2)
    tablet.later()
    page.locator(".rail-key").first.tap()
    look("correct")
    assert not amiss, "\n".join(amiss)
