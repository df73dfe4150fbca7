"""A co-player who doubles a Black Jack alone; a round that was played without the server, and is put right before it is sent (BJ-5,
BJ-6).
"""

import itertools
from collections.abc import Callable
from typing import ClassVar

import pytest
from playwright.sync_api import Page, expect

from payouts.rules.rulesets.schema import Posted
from tables.games.blackjack.rules import BlackjackRules
from tests.blackjack import Blackjack
from tests.browser.cable import Cable
from tests.browser.tablet.test_alone import ALLOWED, cut
from tests.browser.tablet.test_blackjack import cell, lines, placed
from tests.browser.tablet.test_blackjack_apart import doubles, shared
from tests.browser.tablet.test_jackpot import on
from tests.browser.tablet.test_unanswered import wait_for_rounds
from tests.browser.tablets import Tablet

pytestmark = pytest.mark.browser
_numbers = itertools.count(1)


class Natural(Blackjack):
    """Co-players double a Black Jack as they like, any other hand with the owner."""

    posted: ClassVar[dict[str, Posted]] = Blackjack.posted | {
        "blackjack_rules": BlackjackRules(coplayer_may_double_blackjack="always"),
    }


@pytest.fixture
def floor(floor_server: object) -> Blackjack:
    return Natural(suffix=f".bjo{next(_numbers)}")


def test_a_coplayer_alone_doubles_a_black_jack(floor: Blackjack, new_floor_page: Callable[..., Page]) -> None:
    """Without cards the tap says what the hand is."""
    tablet = Tablet(new_floor_page(has_touch=True), floor.bj, floor.martina)
    shared(tablet)
    cell(tablet, 1, "blackjack:1").tap()
    with tablet.page.expect_response("**/place/") as sent:
        doubles(tablet, 2)
    assert sent.value.ok
    assert placed(tablet) == [(1, 2, "double_1", 10)]


def test_what_was_doubled_by_mistake_goes_from_a_round_that_was_not_sent_yet(
    floor: Blackjack, cable: Cable, new_floor_page: Callable[..., Page]
) -> None:
    options = {"allowed": ALLOWED, "service_workers": "block", "address": cable.address}
    tablet = Tablet(new_floor_page(has_touch=True, **options), floor.bj, floor.martina)
    tablet.seat(1)
    cut(tablet, cable)
    tablet.lock()
    cell(tablet, 1, "double:1").tap()
    tablet.hand("bust")
    tablet.finish()
    tablet.page.locator(".rail-key").first.tap()
    expect(tablet.page.locator(".round")).to_have_attribute("data-mode", "again")
    tablet.page.evaluate("passed += 650")
    cell(tablet, 1, "double:1").tap()
    expect(cell(tablet, 1, "double:1")).to_have_attribute("aria-pressed", "false")
    tablet.finish()
    on(tablet, cable)
    wait_for_rounds(tablet, 1)
    assert (placed(tablet), lines(tablet)) == ([], [(1, 1, "stake", 10, 20)])
