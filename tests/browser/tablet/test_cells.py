"""The frame gives a box as many cells as its game asks for: each is as large as a finger, none lies beyond the screen."""

from collections.abc import Callable
from typing import ClassVar

import pytest
from playwright.sync_api import Page

from payouts.rules.rulesets.schema import Posted
from tables.games.uth.rules import UthRules
from tables.models import RoundResult
from tables.services import table_entry_level_set
from tests.browser.floor_house import FloorHouse
from tests.browser.look.test_everywhere import drawn_at
from tests.browser.look.test_tablet import wrong
from tests.browser.tablets import Tablet
from tests.floor import done

pytestmark = pytest.mark.browser
UPRIGHT = (800, 1280)
FINGER = 58

# By line of a box: how many cells stand in it, and how much place is left beside the last one.
LINES = """(box) => {
    const cells = [...document.querySelectorAll(".column")][box - 1].querySelector(".cells");
    const right = cells.getBoundingClientRect().right;
    const lines = new Map();
    for (const cell of cells.children) {
        const { top, right: end } = cell.getBoundingClientRect();
        const there = lines.get(Math.round(top)) ?? { count: 0 };
        lines.set(Math.round(top), { count: there.count + 1, left: Math.round(right - end) });
    }
    return [...lines.values()];
}"""
SMALLEST = """() => [...document.querySelectorAll(".cell")].map(cell => cell.getBoundingClientRect())
    .reduce((least, one) => Math.min(least, one.width, one.height), 1e9)"""
SIDEWAYS = "document.scrollingElement.scrollWidth - innerWidth"


class Showdown(FloorHouse):
    """Who does not play stays to the showdown: two cells more instead of the fold."""

    posted: ClassVar[dict[str, Posted]] = {"uth_rules": UthRules(no_play="showdown")}


class ManyPlays(FloorHouse):
    """More multiples than boxes of a standing tablet have place for."""

    posted: ClassVar[dict[str, Posted]] = {"uth_rules": UthRules(no_play="showdown", play_multiples=(6, 5, 4, 3, 2, 1))}


def settling(floor: FloorHouse, page: Page, level: str = "fast") -> Tablet:
    """Boxes 1 and 7 play, with stakes of every kind; bets are locked."""
    floor.open_for()
    where = {"house_id": floor.house.pk, "table_id": floor.table.pk, "actor_id": floor.reto.pk}
    done(table_entry_level_set, **where, entry_level=level)
    tablet = Tablet(page, floor.table, floor.martina)
    tablet.seat(1, 7)
    for part in ("trips", "coin"):
        tablet.tile(7, part).tap()
    tablet.lock()
    return tablet


@pytest.mark.parametrize(
    ("house", "level", "cells"), [(FloorHouse, "fast", 9), (Showdown, "fast", 10), (FloorHouse, "full_cards", 5)]
)
def test_cells_fill_the_line_of_a_standing_tablet(
    floor_server: object, new_floor_page: Callable[..., Page], house: type[FloorHouse], level: str, cells: int
) -> None:
    page = new_floor_page(has_touch=True, reduced_motion="reduce")
    tablet = settling(house(), page, level)
    page.locator("[data-cell='4:win'], [data-cell='4:']").first.tap()
    assert wrong(tablet, f"cells_{level}_{cells}", "de") == []
    drawn_at(page, *UPRIGHT)
    for box in (1, 7):
        assert page.evaluate(LINES, box) == [{"count": cells, "left": 0}]


def test_more_cells_than_a_line_holds_take_two_and_are_scrolled_to(
    floor_server: object, new_floor_page: Callable[..., Page]
) -> None:
    """Fourteen cells: seven and seven; where seven boxes of them are too high, fingers scroll. Each can be tapped."""
    page = new_floor_page(has_touch=True, reduced_motion="reduce")
    tablet = settling(ManyPlays(), page)
    for width, height in ((1280, 800), (1024, 768), UPRIGHT):
        drawn_at(page, width, height)
        assert page.evaluate(SMALLEST) >= FINGER, (width, height)
        assert page.evaluate(SIDEWAYS) <= 0, (width, height)
    assert page.evaluate(LINES, 7) == [{"count": 7, "left": 0}, {"count": 7, "left": 0}]
    tablet.cell(1, "6+")
    tablet.box(7).locator("[data-cell='0:win']").tap()
    tablet.finish()
    [played] = tablet.rounds()
    boxes = RoundResult.objects.get(round=played).result["boxes"]
    assert {box: (one["play"], one["result"]) for box, one in boxes.items()} == {"1": (6, "win"), "7": (0, "win")}
