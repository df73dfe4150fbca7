"""What moves on a tablet: a key that is pressed, a value that takes another's place, the columns at a change of phase (`ux` of the
tablet). Everything else stands still, and every key answers the finger, whatever fills it.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.floor_house import FloorHouse
from tests.browser.tablets import ASKS_NEVER, Tablet

pytestmark = pytest.mark.browser
MOVES = """(() => {
    window.moves = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) {
        moves.push([this.closest('[data-part]').dataset.part, this.textContent, how.at(-1)]);
        return animate.apply(this, how);
    };
    addEventListener('animationstart', ({ animationName, target, elapsedTime }) => moves.push([animationName, target.className]));
})()"""
LIGHTER, DARKER = "rgba(255, 255, 255, 0.08)", "rgba(0, 0, 0, 0.12)"
FADED = "async columns => { await Promise.all(columns.getAnimations().map(one => one.finished)); }"
# Each element or component that Preact looks at, whether it changes or not.
LOOKS = """import('preact').then(({ options }) => {
    const { diffed } = options;
    options.diffed = node => { window.looked += 1; diffed?.(node); };
})"""
LOOKED = "() => new Promise(done => requestAnimationFrame(() => setTimeout(() => done(window.looked))))"
LAID_OVER = "key => getComputedStyle(key).backgroundImage"


@pytest.fixture
def tablet(new_floor_page: Callable[..., Page]) -> Tablet:
    floor = FloorHouse()
    floor.open()
    page = new_floor_page(has_touch=True)
    page.add_init_script(MOVES)
    page.add_init_script(ASKS_NEVER)  # what is heard is drawn, too
    made = Tablet(page, floor.table, floor.martina)
    made.seat(1, 2)
    return made


def pressed(tablet: Tablet, selector: str) -> str:
    """What lies over a key while a finger is on it; the finger slides off again."""
    key, mouse = tablet.page.locator(selector), tablet.page.mouse
    key.hover()
    mouse.down()
    over: str = key.evaluate(LAID_OVER)
    mouse.move(1, 1)
    mouse.up()
    return over


def test_every_key_answers_the_finger(tablet: Tablet) -> None:
    """A key is lit when it is pressed, and goes darker if it is light already; also in a box that is done, as after a mis-tap."""
    found = {"a tile": pressed(tablet, ".column:first-child [data-part=trips]")}
    tablet.tile(1, "ante").tap()
    found["the chosen tile"] = pressed(tablet, ".column:first-child [data-part=ante]")
    found["an amount"] = pressed(tablet, ".dock .key:nth-of-type(2)")
    found["the lock"] = pressed(tablet, ".action")
    tablet.lock()
    found["a cell"] = pressed(tablet, ".column:first-child [data-cell='4:win']")
    tablet.cell(1, "4+")
    tablet.hand("straight")
    found["its cell"] = pressed(tablet, ".column:first-child [data-cell='4:win']")
    found["another cell of its box"] = pressed(tablet, ".column:first-child [data-cell='1:lose']")
    found["its hand"] = pressed(tablet, "[data-hand=straight]")
    found["another hand"] = pressed(tablet, "[data-hand=flush]")
    light = {"the chosen tile", "the lock", "its cell", "its hand"}
    assert found == {
        name: f"linear-gradient({over}, {over})" for name in found for over in (DARKER if name in light else LIGHTER,)
    }


def test_a_value_fades_in_when_it_takes_anothers_place(tablet: Tablet) -> None:
    """Changed, and taken back; not where a box is new or a sheet was open. At a change of phase columns fade, nothing in them."""
    page = tablet.page

    def took() -> object:
        page.locator(".columns").evaluate(FADED)
        return page.evaluate("moves.splice(0)")

    assert took() == [["bets", "columns"]]
    tablet.tile(1, "ante").tap()
    tablet.chip("10").tap()
    expect(tablet.tile(1, "ante").locator(".value")).to_have_text("10")
    assert took() == [["ante", "10", 120]]
    tablet.tile(1, "trips").tap()
    tablet.chip("10").tap()
    assert took() == [["trips", "5", 120], ["trips", "10", 120]]
    page.locator(".rail-key").first.tap()  # undo
    expect(tablet.tile(1, "trips").locator(".value")).to_have_text("5")
    assert took() == [["trips", "5", 120]]
    page.locator(".helps").tap()
    page.locator(".rail-key").first.tap()
    expect(tablet.tile(1, "ante").locator(".value")).to_have_text("10")
    assert took() == [["bets", "columns"]]  # they were away
    tablet.lock()
    tablet.cell(1, "1-")
    tablet.cell(2, "1-")
    tablet.finish()
    page.locator(".columns").evaluate(
        "async columns => { await Promise.all(columns.getAnimations().map(one => one.finished)); }"
    )
    assert took() == [["play", "columns"], ["bets", "columns"]]


def test_tap_on_a_box_leaves_the_others_as_they_are(tablet: Tablet) -> None:
    """What is drawn of seven boxes, the head and the keys is not looked at again: a slow tablet would be late with it."""
    page = tablet.page
    tablet.seat(3, 4, 5, 6, 7)
    tablet.lock()
    page.evaluate(LOOKS)
    looked = []
    for box in range(1, 8):
        page.evaluate("window.looked = 0")
        tablet.cell(box, "4+")
        looked.append(page.evaluate(LOOKED))
    assert 30 < sorted(looked)[4] < 180, looked  # all there is are five hundred; what the server tells may come between
