"""Why a box is paid so: each stake with what became of it, in a whole sentence with odds, hand and prize, and the rule's id."""

import pytest
from playwright.sync_api import expect

from tests.browser.tablets import Tablet

pytestmark = pytest.mark.browser
HIGHER = "Die Bank ist höher."
GONE = "kein Play-Einsatz, die Box hat gepasst."
TRIPS_LOST = ["Trips", "5", "0", "Trips verliert: keine Hand, für die Trips zahlt. UTH-7"]
COIN_LOST = ["Jackpot-Einsatz", "5", "0", "Jackpot-Einsatz verliert: keine Hand, für die der Jackpot zahlt. PRG-2"]
WON = [
    ["Ante", "5", "10", "Ante gewinnt: höher als die Bank, bezahlt 1:1. UTH-4"],
    ["Blind", "5", "20", "Blind gewinnt mit Full House, bezahlt 3:1. UTH-6"],
    ["Play", "20", "40", "Play gewinnt: höher als die Bank, bezahlt 1:1. UTH-5"],
    ["Trips", "5", "45", "Trips gewinnt mit Full House, bezahlt 8:1. UTH-7"],
    ["Jackpot-Einsatz", "5", "50", "Der Jackpot-Einsatz gewinnt CHF\u00a050.00 mit Full House. PRG-5"],
]
LOST = [
    ["Ante", "5", "0", f"Ante verliert: {HIGHER} UTH-4"],
    ["Blind", "5", "0", f"Blind verliert: {HIGHER} UTH-6"],
    ["Play", "5", "0", f"Play verliert: {HIGHER} UTH-5"],
    TRIPS_LOST,
    COIN_LOST,
]
FOLDED = [
    ["Ante", "5", "0", f"Ante verliert: {GONE} UTH-3"],
    ["Blind", "5", "0", f"Blind verliert: {GONE} UTH-3"],
    TRIPS_LOST,
    COIN_LOST,
]
NO_PAIR = ["Ante", "5", "5", "Ante geht zurück: Bank ohne Paar. UTH-4"]


def why(tablet: Tablet, box: int) -> list[list[str]]:
    """The rows of the sheet: stake, laid, paid out, why."""
    tablet.box(box).locator(".paid").tap()
    expect(tablet.page.locator(".why")).to_be_visible()
    rows = [row.split("\t") for row in tablet.page.locator(".why tbody tr").all_inner_texts()]
    tablet.key("Zurück").tap()
    return rows


def test_every_line_says_its_rule_and_why(tablet: Tablet) -> None:
    tablet.seat(1, 2, 3)
    for box in (1, 2, 3):
        tablet.tile(box, "trips").tap()
        tablet.tile(box, "coin").tap()
    tablet.lock()
    tablet.cell(1, "4+")
    tablet.hand("full_house")
    tablet.cards("Ks 8h Kh 2d 8c Kc 4h")
    tablet.action.tap()
    tablet.cell(2, "1-")
    tablet.cell(3, "fold")
    assert why(tablet, 1) == WON
    assert why(tablet, 2) == LOST
    assert why(tablet, 3) == FOLDED
    tablet.key("Bank: ohne Paar").tap()
    assert why(tablet, 1) == [NO_PAIR, *WON[1:]]
    assert why(tablet, 2) == [NO_PAIR, *LOST[1:]]
