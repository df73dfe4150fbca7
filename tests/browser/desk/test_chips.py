"""Chips and the first inventory in a browser: asked for by the piece, signed, counted by keyboard; how each page looks."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from payouts.models import Approval, Inventory
from tests.browser.floor_house import FloorHouse
from tests.browser.look.test_everywhere import look
from tests.browser.people import LOOKED_AT, be, somebody
from tests.casino.people import people
from tests.tables.inventory_cases import BANK, OPENER

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


def press(page: Page, place: str) -> None:
    with page.expect_navigation():
        page.locator(place).click()


def sign(page: Page, language: str, shot: str) -> list[str]:
    """The request that waits, as its signer sees it; then it is signed."""
    faults = look(page, shot, language)
    press(page, "form.step button.act >> nth=0")
    return faults


@pytest.mark.parametrize("language", LOOKED_AT)
def test_chips_come_into_service_by_the_piece(new_floor_page: Callable[..., Page], language: str) -> None:
    floor = FloorHouse()
    cage = somebody(floor.house, "cage")
    page = new_floor_page(language=language, allowed="status of 4", reduced_motion="reduce")
    be(page, floor.manager)
    page.goto("/cage/chips/")
    faults = look(page, "chips", language)
    page.locator("#ask-pieces-50000").fill("1.5")
    page.locator("#ask-reason").fill("Lieferung 4711, zwei Kisten")
    press(page, "form.step button.act")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator("#ask-pieces-50000")).to_have_value("1.5")
    faults += look(page, "chips_refused", language)
    page.locator("#ask-pieces-50000").fill("200")
    page.locator("#ask-pieces-250").fill("4000")
    press(page, "form.step button.act")
    approval = Approval.objects.get(house=floor.house, action="chips.issue", state="open")
    be(page, cage)
    page.goto(f"/cage/chips/asked/{approval.pk}/")
    page.locator("#sign-secret").fill(people.code(cage))
    faults += sign(page, language, "chips_to_sign")
    page.goto("/cage/chips/")
    expect(page.locator(".history li")).to_have_count(1)
    faults += look(page, "chips_in_service", language)
    assert faults == []


@pytest.mark.parametrize("language", LOOKED_AT)
def test_first_inventory_is_counted_by_keyboard(new_floor_page: Callable[..., Page], language: str) -> None:
    floor = FloorHouse()
    auditor = somebody(floor.house, "auditor")
    manager = somebody(floor.house, "manager")
    page = new_floor_page(language=language, allowed="status of 4", reduced_motion="reduce")
    be(page, floor.manager)
    page.goto("/cage/inventory/")
    faults = look(page, "inventory", language)
    page.locator("#ask-cash").focus()
    page.keyboard.type("2000000")
    for number, _place in enumerate(page.locator("form.counting section:first-of-type .typed-pieces input").all()):
        page.keyboard.press("Tab")
        page.keyboard.type("5000" if number % 2 else "500")  # ever put into service, and in the vault
    for _table in page.locator("form.counting fieldset").all():
        for value in BANK:
            page.keyboard.press("Tab")
            page.keyboard.type(str(OPENER[value]))
        for _other in range(4):
            page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type("Von den vier Anwesenden gezählt")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    faults += look(page, "inventory_review", language)
    press(page, "form.step button.act")
    approval = Approval.objects.get(house=floor.house, action="inventory.first", state="open")
    for person in (auditor, manager):
        be(page, person)
        page.goto(f"/cage/inventory/asked/{approval.pk}/")
        page.locator("#sign-secret").fill(people.code(person))
        faults += sign(page, language, "inventory_to_sign")
    assert Inventory.objects.filter(house=floor.house).exists()
    page.goto("/cage/inventory/")
    faults += look(page, "inventory_done", language)
    assert faults == []
