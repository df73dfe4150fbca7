"""What goes wrong in a round is recorded on the tablet with what was decided about it (BJ-11)."""

import itertools
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tables.models import Irregularity
from tests.blackjack import Blackjack
from tests.browser.tablet.test_alone import ALLOWED
from tests.browser.tablet.test_blackjack import cell
from tests.browser.tablet.test_refused import refused
from tests.browser.tablets import Tablet

pytestmark = pytest.mark.browser
_numbers = itertools.count(1)


@pytest.fixture
def tablet(floor_server: object, new_floor_page: Callable[..., Page]) -> Tablet:
    floor = Blackjack(suffix=f".bji{next(_numbers)}")
    page = new_floor_page(has_touch=True, allowed=ALLOWED, service_workers="block")
    return Tablet(page, floor.bj, floor.martina)


def record(tablet: Tablet, *choices: str) -> None:
    """Choose one after the other, as late as a finger that has seen them."""
    tablet.key("Streitfall").tap()
    for words in ("Unregelmässigkeit erfassen", *choices):
        tablet.page.evaluate("passed += 650")
        tablet.page.locator(".sheet").get_by_role("button", name=words, exact=True).tap()


def recorded(tablet: Tablet) -> list[tuple[str, str, int | None, int | None, str]]:
    rows = Irregularity.objects.filter(round__table=tablet.table).order_by("id")
    return list(rows.values_list("kind", "decision", "box", "hand", "card"))


def test_the_card_is_named_where_it_is_about_one(tablet: Tablet) -> None:
    """By its rank and its suit, if it is known; what ends nothing of a card asks for none."""
    page = tablet.page
    tablet.seat(1, 2)
    tablet.lock()
    cell(tablet, 1, "split:1").tap()
    call, said = "Karte nach missverstandener Ansage gezogen", page.get_by_role("alert")
    for choices in (
        (call, "Box 1", "Box 1 · 2.", "Karte gebrannt", "10", "10 Herz"),
        (call, "Box 2", "Karte behalten", "Nicht bekannt"),
        ("Technische Störung", "Runde geht weiter"),
    ):
        with page.expect_response("**/irregularities/"):
            record(tablet, *choices)
        expect(said).to_contain_text(f"Erfasst. {choices[0]}: ")
        expect(page.locator(".sheet")).to_have_count(0)
    assert recorded(tablet) == [
        ("call_misunderstood", "burnt", 1, 2, "Th"),
        ("call_misunderstood", "kept", 2, 1, ""),
        ("technical", "play_on", None, None, ""),
    ]


def test_what_is_refused_is_read(tablet: Tablet) -> None:
    """It stands on the screen until somebody closes it, whatever goes on."""
    tablet.seat(1)
    tablet.lock()
    tablet.page.route("**/irregularities/", refused("irregularity.box_wrong"))
    record(tablet, "Technische Störung", "Runde geht weiter")
    said = tablet.page.locator(".say[data-why=alarm]")
    expect(said).to_contain_text("Runde 1: Eine Unregelmässigkeit wurde nicht erfasst. So nicht.")
    tablet.hand("bust")
    tablet.finish()
    expect(said).to_be_visible()
    assert [one.state for one in tablet.rounds()] == ["settled"]
    assert recorded(tablet) == []
