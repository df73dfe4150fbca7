"""The pages of drop boxes in a browser: taken, counted by two, together, signed; given up; how each looks (DRP-4)."""

from collections.abc import Callable, Mapping

import pytest
from playwright.sync_api import Page, expect

from casino.people.models import Person
from casino.people.pins import pin_set
from payouts.models import Count
from payouts.rules.cash import cash_values
from tests.browser.look.test_everywhere import look
from tests.browser.people import LOOKED_AT, be, somebody
from tests.browser.tablet.test_count import CountedHouse
from tests.casino.devices.devices import PIN
from tests.drops import FULL

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
LESS = FULL | {20_00: 79, 50_00: 34}


class DropPages:
    """The pages of the box of UTH 3, as one person after the other sees them."""

    def __init__(self, page: Page, house: CountedHouse, language: str) -> None:
        self.page, self.house, self.language = page, house, language
        self.faults: list[str] = []

    def seen_by(self, person: Person) -> None:
        be(self.page, person)
        self.page.goto("/cage/drops/")
        self.page.get_by_role("link", name=self.house.counted.name, exact=True).click()
        self.page.wait_for_url(f"**/cage/drops/{self.house.counted.pk}/")

    def look(self, name: str) -> None:
        self.faults += look(self.page, name, self.language)

    def prove(self, step: str, button: str = ".button") -> None:
        place = self.page.locator(f"form[action$='/{step}/']")
        place.locator("[name=secret]").fill(PIN)
        with self.page.expect_navigation():
            place.locator(button).click()

    def enter(self, pieces: Mapping[int, object]) -> None:
        """By keyboard, the highest first."""
        values = cash_values("CHF")[::-1]
        self.page.locator(f"[name=pieces-{values[0]}]").focus()
        for value in values:
            self.page.keyboard.type(str(pieces.get(value, 0)))
            self.page.keyboard.press("Tab")
        self.page.keyboard.type(PIN)
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")


@pytest.mark.parametrize("language", LOOKED_AT)
def test_a_drop_box_is_taken_counted_twice_together_and_signed(
    floor_server: object, new_floor_page: Callable[..., Page], language: str
) -> None:
    house = CountedHouse()
    house.opened()
    house.sell(7_850_00)
    first, second = (somebody(house.house, "cage") for _person in range(2))
    for person in (first, second):
        pin_set(person=person, pin=PIN)
    page = new_floor_page(language=language, allowed="status of 4", reduced_motion="reduce")
    drops = DropPages(page, house, language)
    be(page, first)
    page.goto("/cage/drops/")
    drops.look("drops")
    drops.seen_by(first)
    drops.look("drop_to_take")
    drops.prove("take")
    drops.look("drop_taken")
    drops.enter(FULL | {5_00: ""})
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator("[name=pieces-10000]")).to_have_value("40")
    drops.look("drop_refused")
    drops.seen_by(first)
    drops.enter(FULL)
    drops.look("drop_first")
    drops.seen_by(second)
    drops.enter(LESS)
    drops.look("drop_differs")
    drops.enter(FULL)
    drops.seen_by(first)
    drops.look("drop_together")
    drops.prove("agree", "[name=ok][value='']")
    drops.seen_by(second)
    drops.enter(FULL)
    drops.seen_by(first)
    drops.prove("agree", "[name=ok][value='1']")
    assert Count.objects.get(place_id=house.counted.pk, place_kind="drop").state == "signed"
    expect(page.locator(".figures").first).to_contain_text("7’850.00")
    drops.look("drop_counted")
    drops.prove("take")
    drops.prove("give-up")
    assert Count.objects.filter(place_id=house.counted.pk, place_kind="drop", state="given_up").count() == 1
    page.goto("/cage/drops/")
    drops.look("drops_counted")
    assert drops.faults == []
