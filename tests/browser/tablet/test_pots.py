"""Poker at *pots* on the tablet: streets, folds, all-ins, winners; the house books what was shown (POK-2, POK-6, POK-7)."""
# ruff: noqa: N802 - tests are named after the rules

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pots import PotTablet, pot_tablet

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]
NewPage = Callable[..., Page]


@pytest.fixture
def tablet(floor_server: object, new_floor_page: NewPage) -> PotTablet:
    made = pot_tablet(new_floor_page)
    for seat, minor in ((1, 20_000), (3, 4_000), (5, 12_000), (7, 20_000)):
        made.buy_in(seat, minor)
    return made


def test_POK_6_a_raised_hand_with_a_side_pot_is_nine_taps(tablet: PotTablet) -> None:
    """Seat 3 is all-in on the turn by itself; the side pot is asked for first."""
    tablet.next_hand()
    tablet.tap("bet-1000 cell-0-1 next bet-2000 next bet-4500 next")
    expect(tablet.page.locator("[data-cell='2-3']")).to_contain_text("all-in")
    tablet.tap("win-7 win-3")
    tablet.phase("between")
    assert tablet.taps == 9
    expect(tablet.page.locator("[data-result='0']")).to_contain_text("114")
    tablet.next_hand()
    assert tablet.stacks(1) == {1: 0, 3: 74, 5: -75, 7: -8}
    assert [tablet.stack_at(seat) for seat in (1, 3, 5, 7)] == ["200", "114", "45", "192"]


def test_POK_7_a_pot_is_split_and_says_whose_the_odd_chip_is(tablet: PotTablet) -> None:
    tablet.next_hand()
    tablet.tap("bet-400 cell-0-3 next next next")
    tablet.key("Geteilt").tap()
    tablet.tap("win-1 win-7 win-5 win-7 next")
    tablet.phase("between")
    expect(tablet.page.locator("[data-result='0']")).to_contain_text("POK-7")
    tablet.next_hand()
    assert tablet.stacks(1) == {1: 2, 3: -1, 5: 3, 7: -4}


def test_a_fold_takes_what_was_in_and_each_tap_is_taken_back(tablet: PotTablet) -> None:
    tablet.next_hand()
    cell = tablet.page.locator("[data-cell='0-5']")
    tablet.tap("bet-600 bet-1800 cell-0-5")
    for words in ("6", "2"):  # the amount before, the big blind
        expect(cell.locator("small")).to_have_text(words)
        tablet.tap("cell-0-5")
    expect(cell).to_have_attribute("aria-pressed", "false")
    tablet.key("Rückgängig").tap()
    expect(cell.locator("small")).to_have_text("2")
    tablet.tap("cell-0-1 cell-0-3")  # the last fold leaves one, and ends the hand
    tablet.phase("between")
    tablet.later()
    tablet.key("Rückgängig").tap()
    tablet.phase("dealt")
    tablet.tap("cell-0-3")
    tablet.next_hand()
    assert sum(tablet.stacks(1).values()) == 0


def test_POK_2_offline_the_stacks_run_on(tablet: PotTablet) -> None:
    tablet.page.context.set_offline(True)
    for _ in range(2):
        tablet.next_hand()
        tablet.tap("bet-1000 cell-0-1 cell-0-7 next next next win-5")
    tablet.next_hand()
    assert [tablet.stack_at(seat) for seat in (3, 5)] == ["20", "140"]
    tablet.page.context.set_offline(False)
    assert tablet.stacks(2) == {1: 0, 3: -10, 5: 11, 7: -2}
