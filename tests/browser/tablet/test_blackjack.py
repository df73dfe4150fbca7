"""Black Jack on the tablet: boxes that guests share, hands as they end, what is staked when the cards lie (BJ-2 to BJ-9, BOX, PRM)."""

import itertools
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tables.models import RoundLine
from tests.blackjack import Blackjack
from tests.browser.tablets import Tablet

pytestmark = pytest.mark.browser
_numbers = itertools.count(1)


@pytest.fixture
def floor(floor_server: object) -> Blackjack:
    return Blackjack(suffix=f".bj{next(_numbers)}")


@pytest.fixture
def tablet(floor: Blackjack, new_floor_page: Callable[..., Page]) -> Tablet:
    return Tablet(new_floor_page(has_touch=True), floor.bj, floor.martina)


def cell(tablet: Tablet, box: int, name: str) -> Locator:
    return tablet.box(box).locator(f'[data-cell="{name}"]')


def lines(tablet: Tablet, number: int = 1) -> list[tuple[int, int, str, int, int]]:
    """Of a settled round: box, guest, kind, francs staked, francs paid out."""
    rows = RoundLine.objects.filter(round=tablet.rounds()[number - 1]).order_by("box", "id")
    found = rows.values_list("box", "guest__number", "kind", "stake_minor", "returned_minor", "won_minor")
    return [(box, guest, kind, stake // 100, (back + won) // 100) for box, guest, kind, stake, back, won in found]


def test_a_round_of_seven_boxes(tablet: Tablet) -> None:
    """Bust, Black Jack, a doubled and a split hand as they happen; the bank; the rest with one tap."""
    tablet.seat(*range(1, 8))
    tablet.lock()
    for box, name in ((1, "blackjack:1"), (2, "bust:1"), (3, "double:1"), (4, "split:1")):
        cell(tablet, box, name).tap()
    tablet.page.screenshot(path="/tmp/bj1.png")
    expect(tablet.box(1).locator(".paid")).to_have_text("+15")
    tablet.hand("19")
    cell(tablet, 3, "win:1").tap()
    cell(tablet, 4, "push:2").tap()
    tablet.hand("rest:lose")
    tablet.page.screenshot(path="/tmp/bj2.png")
    tablet.finish()
    assert lines(tablet) == [
        (1, 1, "stake", 10, 25),
        (2, 2, "stake", 10, 0),
        (3, 3, "stake", 10, 20),
        (3, 3, "double_1", 10, 20),
        (4, 4, "stake", 10, 0),
        (4, 4, "split_2", 10, 10),
        *((box, box, "stake", 10, 0) for box in (5, 6, 7)),
    ]
    assert tablet.page.get_by_role("alert").count() == 0  # the house has booked what was shown
