"""A Black Jack is paid at once only against a first card of the bank from 2 to 9: until then it waits for the bank (BJ-4)."""

import itertools
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tables.models import RoundResult
from tests.blackjack import Blackjack
from tests.browser.tablet.test_blackjack import acts, cell, lines, shut
from tests.browser.tablet.test_blackjack_cards import rests, says, tablet_of
from tests.browser.tablets import Tablet

pytestmark = pytest.mark.browser
_numbers = itertools.count(1)
AGAINST = "sofort gegen 2–9"


@pytest.fixture
def floor(floor_server: object) -> Blackjack:
    return Blackjack(suffix=f".bjn{next(_numbers)}")


@pytest.fixture
def tablet(floor: Blackjack, new_floor_page: Callable[..., Page]) -> Tablet:
    return Tablet(new_floor_page(has_touch=True), floor.bj, floor.martina)


def bank(tablet: Tablet) -> object:
    return RoundResult.objects.get(round=tablet.rounds()[-1], revision=tablet.rounds()[-1].revision).result.get("bank")


def test_alone_it_waits_for_the_bank_or_for_its_first_card(tablet: Tablet) -> None:
    """What it pays stands there with its condition; the round does not end before; a low card says enough."""
    tablet.seat(1, 2)
    tablet.lock()
    cell(tablet, 1, "blackjack:1").tap()
    cell(tablet, 2, "bust:1").tap()
    expect(tablet.box(1).locator(".paid")).to_have_text(f"+15{AGAINST}")
    says(tablet, "Bank fehlt")
    says(tablet, "oder 2–9")
    expect(tablet.action).to_be_disabled()
    tablet.hand("blackjack")  # of a ten
    expect(tablet.box(1).locator(".paid")).to_have_text("±0")
    expect(tablet.page.locator("[data-hand=low]")).to_be_disabled()
    tablet.hand("20")
    expect(tablet.box(1).locator(".paid")).to_have_text("+15")
    tablet.finish()
    assert bank(tablet) == "20"

    tablet.lock()
    cell(tablet, 1, "blackjack:1").tap()
    cell(tablet, 2, "bust:1").tap()
    tablet.hand("low")
    expect(tablet.box(1).locator(".paid")).to_have_text("+15")
    expect(tablet.page.locator("[data-hand=blackjack]")).to_be_disabled()
    tablet.hand("ace")  # the one or the other
    expect(tablet.page.locator("[data-hand=low]")).to_have_attribute("aria-pressed", "false")
    expect(tablet.box(1).locator(".paid")).to_have_text("offen")
    says(tablet, "Bank fehlt")
    tablet.hand("low")
    expect(tablet.page.locator("[data-hand=ace]")).to_have_attribute("aria-pressed", "false")
    tablet.finish()
    assert [line[2:] for line in lines(tablet, 2)] == [("stake", 10, 25), ("stake", 10, 0)]
    assert bank(tablet) is None

    tablet.key("Runde 2 korrigieren").tap()  # it was paid at once: no bank is asked for now either
    expect(tablet.page.locator("[data-hand=low]")).to_have_attribute("aria-pressed", "true")
    cell(tablet, 1, "bust:1").tap()
    cell(tablet, 2, "blackjack:1").tap()
    tablet.finish()
    [_, second] = tablet.rounds()
    assert second.revision == 2
    assert tablet.page.get_by_role("alert").count() == 0


def test_even_money_for_all_waits_for_nothing(tablet: Tablet) -> None:
    """BJ-9: who took it is paid; who did not waits for the bank. Its key belongs to the hand, not to insurance."""
    tablet.seat(1, 2)
    tablet.box(1).locator(".top").tap()
    tablet.page.get_by_role("button", name="Gast 2 · sitzt an Box 2").tap()
    shut(tablet)
    tablet.lock()
    tablet.hand("ace")
    cell(tablet, 1, "blackjack:1").tap()
    cell(tablet, 2, "bust:1").tap()
    sheet = acts(tablet, 1)
    sheet.locator("section", has_text="Gast 1 · ").get_by_role("button", name="Even Money").tap()
    shut(tablet)
    expect(tablet.box(1).locator(".paid")).to_have_text("offen")
    says(tablet, "Bank fehlt")
    sheet = acts(tablet, 1)
    sheet.locator("section", has_text="Gast 2 · ").get_by_role("button", name="Even Money").tap()
    shut(tablet)
    expect(tablet.box(1).locator(".paid")).to_have_text("+20G1\u00a0+10 · G2\u00a0+10")
    tablet.finish()
    assert [line[1:] for line in lines(tablet) if line[0] == 1] == [
        *((1, "stake", 10, 20), (1, "even_money", 0, 0)),
        *((2, "stake", 10, 20), (2, "even_money", 0, 0)),
    ]


def test_by_cards_only_an_ace_or_a_ten_is_asked_for(floor: Blackjack, new_floor_page: Callable[..., Page]) -> None:
    """Its second card says it: where only a Black Jack waits the bank draws no further."""
    tablet = tablet_of(floor, new_floor_page(has_touch=True), "full_cards")
    tablet.seat(1, 2)

    def dealt(first: str, *more: str) -> None:
        """Box 1 has a Black Jack, box 2 draws to 26."""
        tablet.lock()
        tablet.act()
        tablet.cards(f"As 9h {first} Kd 7d Th")
        for card in more:
            says(tablet, "Bank")
            tablet.cards(card)
        says(tablet, "Blatt bestätigen")
        tablet.act()
        tablet.finish()

    dealt("9c")
    dealt("Qc", "5d")
    dealt("Qs", "Ac")
    found = [lines(tablet, number)[0][2:] for number in (1, 2, 3)]
    assert found == [("stake", 10, 25), ("stake", 10, 25), ("stake", 10, 10)]
    kept = RoundResult.objects.filter(round__table=tablet.table).order_by("round__number")
    assert [one.result["bank_cards"] for one in kept] == ["9c", "Qc 5d", "Qs Ac"]

    tablet.lock()  # a hand that stands waits for the total
    tablet.act()
    tablet.cards("As 9h Qc Kd 7d")
    rests(tablet)
    tablet.cards("5d 4d")
    says(tablet, "Blatt bestätigen")
    assert tablet.page.get_by_role("alert").count() == 0
