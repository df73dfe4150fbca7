"""A transfer is taken back in a browser, by keyboard alone: asked for, signed by the pit boss, read from both; and how it looks."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from casino.people.pins import pin_set
from payouts.models import Approval, Transfer
from payouts.rules.ledger import recipes
from tests.browser.desk.test_matrix import press
from tests.browser.desk.test_posted import write
from tests.browser.look.test_everywhere import look
from tests.browser.people import LOOKED_AT, be, somebody
from tests.cast import make_house, post, stock_house

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
PIN = "271828"


@pytest.mark.parametrize("language", LOOKED_AT)
def test_transfer_is_reversed_by_keyboard(new_floor_page: Callable[..., Page], language: str) -> None:
    house = make_house(f"Casino Storno {language}")
    stock_house(house)
    manager, boss, auditor = (somebody(house, role) for role in ("manager", "pit_boss", "auditor"))
    pin_set(person=boss, pin=PIN)
    twice = post(house, "capital_in", recipes.capital_in(1_234_500), actor_id=somebody(house, "manager").pk)
    page = new_floor_page(language=language, allowed="status of (400|422)", reduced_motion="reduce")
    wrong = []
    be(page, manager)
    page.goto(f"/audit/transfers/{twice}/")
    wrong += look(page, "reversal_form", language)
    write(page, "reverse-reason", "?")
    press(page, "#reverse button.act")
    expect(page.get_by_role("alert")).to_be_visible()
    wrong += look(page, "reversal_refused", language)
    write(page, "reverse-reason", "Die Bareinlage des Morgens ist zweimal erfasst.")
    press(page, "#reverse button.act")
    asked = Approval.objects.get(house=house)
    wrong += look(page, "reversal_asked", language)
    be(page, boss)
    page.goto("/home/pit_boss/")
    press(page, f"a.button[href='/transfers/asked/{asked.pk}/']")
    wrong += look(page, "reversal_to_sign", language)
    write(page, "sign-secret", PIN)
    press(page, "button.act")
    reversal = Transfer.objects.get(reverses=twice)
    wrong += look(page, "reversal_signed", language)
    be(page, auditor)
    page.goto(f"/audit/transfers/{twice}/")
    press(page, f"main .notice a[href='/audit/transfers/{reversal.pk}/']")
    press(page, f"main .notice a[href='/audit/transfers/{twice}/']")
    expect(page.locator("#reverse")).to_have_count(0)
    assert wrong == []
