"""A key that takes no tap now says why, and is read as well as any other: text2 on s2 within a line of 2 px (ux 5.5)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.floor_house import FloorHouse
from tests.browser.look.test_tablet import wrong
from tests.browser.tablets import Tablet

pytestmark = pytest.mark.browser
LOOKS = """key => {
    const { color, backgroundColor, boxShadow, opacity } = getComputedStyle(key);
    const token = name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    const rgb = text => `rgb(${[1, 3, 5].map(at => parseInt(token(text).slice(at, at + 2), 16)).join(", ")})`;
    return [color === rgb("text2"), backgroundColor === rgb("s2"), boxShadow === `${rgb("line")} 0px 0px 0px 2px inset`, opacity];
}"""


def says(key: Locator, why: str) -> None:
    expect(key).to_be_disabled()
    expect(key.locator("small, .value")).to_have_text(why)
    assert key.evaluate(LOOKS) == [True, True, True, "1"]


def test_what_takes_no_tap_says_why(floor_server: object, new_floor_page: Callable[..., Page]) -> None:
    floor = FloorHouse()
    floor.open_for()
    page = new_floor_page(has_touch=True, reduced_motion="reduce", allowed="INTERNET_DISCONNECTED")
    tablet = Tablet(page, floor.table, floor.martina)
    undo, tie = tablet.page.locator(".rail-key").first, tablet.key("Egalité")
    says(undo, "noch nichts getippt")
    tablet.seat(1)
    expect(undo).to_be_enabled()
    tablet.lock()
    tablet.box(1).locator(".top").tap()
    says(tie, "erst Ergebnis")
    assert wrong(tablet, "disabled", "de") == []
    tablet.cell(1, "fold")
    says(tie, "Passe")
    tablet.cell(1, "2-")
    expect(tie).to_be_enabled()
    expect(tie.locator("small")).to_have_count(0)
    page.context.set_offline(True)
    says(page.locator(".rail-key.royal"), "Offline")
    says(tablet.key("Aufsicht rufen"), "Offline")
    page.context.set_offline(False)
    expect(page.locator(".rail-key.royal")).to_be_enabled()
