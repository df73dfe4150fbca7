"""The cage in a browser, by keyboard alone: a slip is scanned, paid by PIN, taken back; and how each step looks."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from casino.people.pins import pin_set
from jackpot.models import Slip
from tests.browser.hit_house import HitHouse
from tests.browser.look.test_everywhere import keep, look
from tests.browser.people import LOOKED_AT, be
from tests.browser.pit.test_floor import REFUSED

pytestmark = pytest.mark.browser
PIN = "271828"
BACK = {
    "de": ("Auszahlung zurücknehmen", "Nächster Beleg"),
    "en": ("Take the payment back", "Next slip"),
    "fr": ("Reprendre le paiement", "Bon suivant"),
    "it": ("Ritirare il pagamento", "Buono successivo"),
}


def typed(page: Page, text: str) -> None:
    """As a scanner does, and a hurried cashier: where the focus is, and Enter."""
    page.keyboard.type(text)
    page.keyboard.press("Enter")


@pytest.mark.parametrize("language", LOOKED_AT)
def test_scanned_paid_and_taken_back_by_keyboard(
    floor_server: object, new_floor_page: Callable[..., Page], language: str
) -> None:
    house, wrong = HitHouse(displays=1), []
    house.hit()
    house.verify_all()
    house.approve()
    pin_set(person=house.cage, pin=PIN)
    page = new_floor_page(language=language, allowed=REFUSED, reduced_motion="reduce")
    be(page, house.cage)
    take_back, onward = BACK[language]
    wrong += look(page, "cage_home", language)
    typed(page, "7")
    expect(page.get_by_role("alert")).to_be_visible()
    wrong += look(page, "cage_unknown", language)
    page.goto("/floor/slips/")
    expect(page.locator("#slip-number")).to_be_focused()  # the page gives it after it has loaded
    typed(page, "1")
    page.wait_for_url("**/slips/*-*/")
    wrong += look(page, "cage_slip", language)
    typed(page, "111222")
    expect(page.locator(".pay").get_by_role("alert")).to_be_visible()
    wrong += look(page, "cage_refused", language)
    typed(page, PIN)
    expect(page.get_by_role("link", name=onward)).to_be_focused()
    wrong += look(page, "cage_paid", language)
    page.emulate_media(media="print")
    expect(page.locator(".signatures")).to_be_visible()
    expect(page.locator(".slip .qr")).to_be_visible()
    expect(page.locator(".back")).to_be_hidden()
    keep(page, "cage_paper", language)
    page.emulate_media(media="screen")
    summary = page.locator(".back summary")
    for _ in range(3):
        page.keyboard.press("Tab")
        if summary.evaluate("node => node === document.activeElement"):
            break
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("falscher Gast")
    page.keyboard.press("Tab")
    wrong += look(page, "cage_back", language)
    typed(page, PIN)
    expect(page.locator("#pin")).to_be_focused()
    slip = Slip.objects.get(house=house.house, number=1)
    assert (slip.state, slip.taken_back.reason) == ("open", "falscher Gast")
    expect(page.locator(".slip")).to_contain_text("falscher Gast")
    typed(page, PIN)
    expect(page.get_by_role("link", name=onward)).to_be_focused()
    expect(page.get_by_text(take_back)).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator("#slip-number")).to_be_focused()
    expect(page.locator(".slips li")).to_have_count(2)
    wrong += look(page, "cage_list", language)
    assert wrong == []
