"""How a table of Black Jack looks on the tablet: every state in every language and three sizes, with a box that six guests share.

`SHOTS=<folder>` keeps the pictures.
"""

import itertools
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from casino.people.models import Person
from tests.browser.look.test_tablet import wrong
from tests.browser.people import LOOKED_AT
from tests.browser.tablet.test_blackjack_apart import Always
from tests.browser.tablets import Tablet

pytestmark = pytest.mark.browser
_numbers = itertools.count(1)


def cell(tablet: Tablet, box: int, name: str) -> None:
    tablet.page.evaluate("passed += 650")
    tablet.box(box).locator(f'[data-cell="{name}"]').tap()


@pytest.mark.timeout(300)  # a busy machine is no failure
@pytest.mark.parametrize("language", LOOKED_AT)
def test_every_state(floor_server: object, new_floor_page: Callable[..., Page], language: str) -> None:
    floor = Always(suffix=f".bjl{next(_numbers)}")
    Person.objects.filter(pk=floor.martina.pk).update(language=language, full_name="Jean-Baptiste Oberholzer")
    page = new_floor_page(has_touch=True, language=language, reduced_motion="reduce")
    tablet, found = Tablet(page, floor.bj, floor.martina), []
    back = page.locator(".rail-key").first

    def look(name: str) -> None:
        found.extend(wrong(tablet, f"bj_{name}", language))
        page.evaluate("passed += 650")

    page.keyboard.press("F1")
    look("help")
    page.keyboard.press("Escape")
    tablet.seat(1, 2, 3, 4, 5, 6)
    for box, francs in ((1, "100"), (3, "300"), (5, "500")):
        tablet.tile(box, "stake0").tap()
        tablet.chip(francs).tap()
    tablet.box(1).locator(".top").tap()
    for _ in range(5):  # who sits at another box stakes on this one too
        page.evaluate("passed += 650")
        page.locator(".choices section .do:not(.place)").first.tap()
    expect(page.locator(".beside")).to_have_count(5)
    look("drawer")
    back.tap()
    for box in (4, 6):
        tablet.box(box).locator(".top").tap()
        page.evaluate("passed += 650")
        page.locator(".choices section .do:not(.place)").first.tap()
        page.evaluate("passed += 650")
        back.tap()
    tablet.tile(1, "stake3").tap()
    tablet.chip("500").tap()
    look("bets")
    tablet.lock()
    look("back")
    page.locator(".say .close").first.tap()
    cell(tablet, 1, "blackjack:1")
    cell(tablet, 2, "blackjack:1")
    look("natural")
    tablet.hand("low")
    for _ in range(3):
        page.evaluate("passed += 650")
        back.tap()
    tablet.hand("ace")
    cell(tablet, 2, "blackjack:1")
    cell(tablet, 3, "insurance")
    cell(tablet, 4, "split:1")
    cell(tablet, 4, "bust:2")
    cell(tablet, 5, "double:1")
    look("play")
    for box in (4, 6):  # a co-player doubles, and who decides does not
        tablet.box(box).locator(".top").tap()
        page.locator(".sheet section:has(h3)").nth(1).locator(".do:enabled").first.tap()
        page.evaluate("passed += 650")
        back.tap()
    look("ends")
    tablet.box(6).locator(".top").tap()
    look("acts_two")
    back.tap()
    tablet.box(1).locator(".top").tap()
    page.locator(".sheet .do").first.tap()
    look("acts")
    page.locator(".sheet .do:enabled", has_text="2").first.tap()
    back.tap()
    tablet.hand("19")
    look("open")
    cell(tablet, 5, "win:1")
    cell(tablet, 1, "push:1")
    tablet.hand("rest:lose")
    look("done")
    tablet.box(4).locator(".paid").tap()
    look("why")
    back.tap()
    tablet.finish()
    look("after")
    print("FOUND", language, *found, sep="\n##")
    assert not found, "\n".join(found)
