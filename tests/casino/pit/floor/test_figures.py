"""What the rounds of a table say together: figures that add up on its page."""

import re

from tests.casino.pit.floor.floor_desk import FloorDesk, words
from tests.floor import stakes_for, taps
from tests.worlds import world

pytestmark = world(FloorDesk)


def figures(row: str) -> list[str]:
    """The sums that one row of the table says; what is struck through counts no more."""
    cells = re.findall(r'<td class="sum">(.*?)</td>', row, re.DOTALL)
    return ["struck" if "<del>" in cell else cell.strip() for cell in cells]


def test_figures_of_a_table_add_up(desk):
    """Stakes less what was paid are the result; coins and prizes stand beside it, and make no part of it (PRG-2, PRG-5)."""
    guests = desk.open()[:2]
    won = taps(
        b1={"play": 4, "result": "win", "hand": "full_house", "cards": "Kc 4h"}, b2={"play": 1, "result": "lose"}
    )
    path = f"tables/{desk.table.pk}/"
    desk.settle(desk.lock(stakes_for(guests, coins=2, trips=500))["id"], won | {"board": "Ks 8h Kh 2d 8c"})
    second = desk.lock(stakes_for(guests, coins=1))
    desk.settle(second["id"], taps(b1={"result": "fold"}, b2={"result": "fold"}))
    desk.correct(second["id"], taps(b1={"result": "fold"}, b2={"play": 4, "result": "win"}))
    voided = desk.lock(stakes_for(guests, coins=1))
    desk.post("boss", f"rounds/{voided['id']}/void/", reason="misdeal")
    desk.lock(stakes_for(guests[:1], coins=1))
    page = desk.get("boss", path)
    running, void, corrected, first, together = (
        figures(row) for row in re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)[1:]
    )
    assert first == ["145.00", "255.00", "−110.00", "10.00", "50.00"]
    assert corrected == ["120.00", "165.00", "−45.00", "5.00", "0.00"]
    assert (void, running) == (["struck", "–", "–", "struck", "–"], ["30.00", "–", "–", "5.00", "–"])
    assert together == ["265.00", "420.00", "−155.00", "15.00", "50.00"]
    assert "Result today CHF −155.00" in words(page)
    assert "2 settled rounds together" in words(page)
