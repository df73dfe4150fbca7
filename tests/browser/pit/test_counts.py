"""The tray on the pit's page in a browser: begun, entered by the piece, sent back, counted again, signed, given up (CNT)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from casino.people.pins import pin_set
from payouts.models import Count
from tests.browser.look.test_everywhere import look
from tests.browser.people import LOOKED_AT, be
from tests.browser.pit.test_floor import REFUSED, form
from tests.browser.tablet.test_count import CountedHouse
from tests.casino.devices.devices import PIN
from tests.counts import OPENER, VALUES

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
LESS = (*OPENER[:-1], 9)  # 1 000.00 are missing


@pytest.fixture
def house(floor_server: object) -> CountedHouse:
    house = CountedHouse()
    for person in (house.boss, house.manager):
        pin_set(person=person, pin=PIN)
    return house


def press(page: Page, step: str, button: str = ".button") -> None:
    with page.expect_navigation():
        form(page, step).locator(button).click()


def enter(page: Page, *pieces: object) -> None:
    """By keyboard: each number, on to the next, then the PIN."""
    form(page, "enter-count").locator(f"[name=pieces-{VALUES[0]}]").focus()
    for number in pieces:
        page.keyboard.type(str(number))
        page.keyboard.press("Tab")
    page.keyboard.type(PIN)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def witness(page: Page, ok: str) -> None:
    form(page, "witness-count").locator("[name=secret]").fill(PIN)
    press(page, "witness-count", f"[name=ok][value='{ok}']")


@pytest.mark.parametrize("language", LOOKED_AT)
def test_a_tray_is_counted_on_the_pits_pages(
    house: CountedHouse, new_floor_page: Callable[..., Page], language: str
) -> None:
    page = new_floor_page(language=language, allowed=REFUSED, reduced_motion="reduce")
    at_table = f"/floor/tables/{house.counted.pk}/"

    def seen_by(person: object) -> None:
        be(page, person)
        page.goto(at_table)

    seen_by(house.boss)
    expect(form(page, "count-tray").locator("option")).to_have_count(1)
    faults = look(page, "pit_count", language)
    press(page, "count-tray")
    enter(page, "", *OPENER[1:])
    expect(form(page, "enter-count").get_by_role("alert")).to_be_visible()
    expect(page.locator(f"[name=pieces-{VALUES[1]}]")).to_have_value(str(OPENER[1]))
    faults += look(page, "pit_count_refused", language)
    page.goto(at_table)
    enter(page, *LESS)
    expect(form(page, "witness-count")).to_have_count(0)  # who has counted
    seen_by(house.manager)
    faults += look(page, "pit_count_witness", language)
    witness(page, "")
    seen_by(house.boss)
    enter(page, *LESS)
    seen_by(house.manager)
    witness(page, "1")
    count = Count.objects.get(place_id=house.counted.pk)
    assert count.state == "again"
    seen_by(house.boss)
    faults += look(page, "pit_count_again", language)
    enter(page, *OPENER)
    seen_by(house.manager)
    witness(page, "1")
    count.refresh_from_db()
    assert count.state == "signed"
    rows = page.locator("[data-counts] tbody tr")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text(house.manager.full_name)
    faults += look(page, "pit_counts", language)
    assert faults == []


@pytest.mark.parametrize("language", LOOKED_AT)
def test_a_tile_says_that_its_tray_is_counted_until_that_is_given_up(
    house: CountedHouse, new_floor_page: Callable[..., Page], language: str
) -> None:
    house.opened()
    page = new_floor_page(language=language, allowed=REFUSED, reduced_motion="reduce")
    be(page, house.boss)
    page.goto("/floor/")
    tile = page.locator(".tile", has=page.get_by_role("link", name=house.counted.name, exact=True))
    faults = look(page, "floor_counted", language)
    before = tile.inner_text()
    page.goto(f"/floor/tables/{house.counted.pk}/")
    form(page, "count-tray").locator("select").select_option("spot")
    press(page, "count-tray")
    page.goto("/floor/")
    assert tile.inner_text() != before
    faults += look(page, "floor_being_counted", language)
    page.goto(f"/floor/tables/{house.counted.pk}/")
    press(page, "give-up-count")
    assert Count.objects.get(place_id=house.counted.pk, purpose="spot").state == "given_up"
    page.goto("/floor/")
    assert tile.inner_text() == before
    assert faults == []
