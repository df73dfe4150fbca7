"""What a box is paid, and why: one figure under it, its parts below, and a line for each stake (its sentence, the rule's id); the
figure is their sum.
"""

from collections.abc import Callable
from typing import ClassVar

import pytest
from playwright.sync_api import Page, expect

from jackpot.rules.jackpot_rules import JackpotRules
from payouts.rules.rulesets.schema import Posted
from tests.browser.floor_house import FloorHouse
from tests.browser.look.test_tablet import wrong
from tests.browser.tablets import Tablet

pytestmark = pytest.mark.browser
HIGHER = "Die Bank ist höher."
GONE = "kein Play-Einsatz, die Box hat gepasst."
TAKEN = "Der Jackpot-Einsatz ging bei «Nichts geht mehr» in den Jackpot und zählt hier nicht mehr."
WAITS = "Ein Preis, der wartet, zählt hier nicht: Die Kasse zahlt ihn, wenn er freigegeben ist."
TRIPS_LOST = ["Trips", "5", "0", "−5", "Trips verliert: kein Blatt, für das Trips zahlt. UTH-7"]
COIN_LOST = [
    "Jackpot-Einsatz 5",
    "–",
    "0",
    "±0",
    "Jackpot-Einsatz verliert: kein Blatt, für das der Jackpot zahlt. PRG-2",
]
WON = [
    ["Ante", "5", "10", "+5", "Ante gewinnt: höher als die Bank, bezahlt 1:1. UTH-4"],
    ["Blind", "5", "20", "+15", "Blind gewinnt mit Full House, bezahlt 3:1. UTH-6"],
    ["Play", "20", "40", "+20", "Play gewinnt: höher als die Bank, bezahlt 1:1. UTH-5"],
    ["Trips", "5", "45", "+40", "Trips gewinnt mit Full House, bezahlt 8:1. UTH-7"],
    ["Jackpot-Einsatz 5", "–", "50", "+50", "Der Jackpot-Einsatz gewinnt CHF\u00a050.00 mit Full House. PRG-5"],
]
LOST = [
    ["Ante", "5", "0", "−5", f"Ante verliert: {HIGHER} UTH-4"],
    ["Blind", "5", "0", "−5", f"Blind verliert: {HIGHER} UTH-6"],
    ["Play", "5", "0", "−5", f"Play verliert: {HIGHER} UTH-5"],
    TRIPS_LOST,
    COIN_LOST,
]
FOLDED = [
    ["Ante", "5", "0", "−5", f"Ante verliert: {GONE} UTH-3"],
    ["Blind", "5", "0", "−5", f"Blind verliert: {GONE} UTH-3"],
    TRIPS_LOST,
    COIN_LOST,
]
NO_PAIR = ["Ante", "5", "5", "±0", "Ante geht zurück: Bank ohne Paar. UTH-4"]
ENVY = ["Envy", "–", "500", "+500", "Envy für einen Royal Flush: Der Jackpot-Einsatz erhält CHF\u00a0500.00. PRG-6"]


def under(tablet: Tablet, box: int) -> list[str]:
    """What stands under a box: the figure, the hand, the parts."""
    return tablet.box(box).locator(".paid > *").all_inner_texts()


def why(tablet: Tablet, box: int) -> list[list[str]]:
    """The rows of the sheet: stake, laid, paid out, what the guest gets, why; the last one is the sum of the others."""
    figure = under(tablet, box)[0]
    tablet.box(box).locator(".paid").tap()
    expect(tablet.page.locator(".why")).to_be_visible()
    *rows, last = [row.split("\t") for row in tablet.page.locator(".why :is(tbody, tfoot) tr").all_inner_texts()]
    tablet.key("Zurück").tap()
    for column in (1, 2, 3):
        assert number(last[column]) == sum(number(row[column]) for row in rows)
    assert last[3] == figure
    assert last[4] == (f"{TAKEN} {WAITS}" if "wartet" in str(rows) else TAKEN)
    return rows


def number(text: str) -> int:
    """What a cell says; a dash, or what comes later, is nothing."""
    digits = text.strip("±+").replace("−", "-").replace("’", "")
    return int(digits) if digits.lstrip("-").isdigit() else 0


def test_every_line_says_its_rule_and_why(tablet: Tablet) -> None:
    tablet.seat(1, 2, 3)
    for box in (1, 2, 3):
        tablet.tile(box, "trips").tap()
        tablet.tile(box, "coin").tap()
    tablet.lock()
    tablet.box(1).locator(".top").tap()
    tablet.hand("full_house")
    tablet.cards("Ks 8h Kh 2d 8c Kc 4h")
    tablet.action.tap()
    assert under(tablet, 1) == ["offen", "Full House"]
    tablet.cell(1, "4+")
    tablet.cell(2, "1-")
    tablet.cell(3, "fold")
    assert under(tablet, 1) == ["+130", "Full House", "+80 · JP\u00a050"]
    assert under(tablet, 2) == ["−20"]
    assert why(tablet, 1) == WON
    assert why(tablet, 2) == LOST
    assert why(tablet, 3) == FOLDED
    assert tablet.action.inner_text().split("\n")[-1] == "Haus −95: Spiel\u00a0−45, JP-Preise\u00a0−50"
    tablet.key("Bank: ohne Paar").tap()
    assert why(tablet, 1) == [NO_PAIR, *WON[1:]]
    assert why(tablet, 2) == [NO_PAIR, *LOST[1:]]


class Careful(FloorHouse):
    """Prizes from CHF 1 000 up wait until people have approved them."""

    posted: ClassVar[dict[str, Posted]] = {"jackpot_rules": JackpotRules(prize_approval_from_minor=100_000)}


def test_envy_is_named_and_what_waits_is_not_paid_now(
    floor_server: object, new_floor_page: Callable[..., Page]
) -> None:
    floor = Careful()
    floor.open_for(1, 2, 3)
    tablet = Tablet(new_floor_page(has_touch=True), floor.table, floor.martina)
    tablet.seat(1, 2, 3)
    for box in (1, 2):
        tablet.tile(box, "coin").tap()
    tablet.lock()
    tablet.cell(1, "1-")
    tablet.cell(2, "4+")
    tablet.hand("straight_flush")
    tablet.cards("Th Jh Qh Kh 2d 9h 3s")
    tablet.action.tap()
    tablet.cell(3, "4+")
    tablet.hand("royal_flush")
    tablet.cards("Ah 4s")
    tablet.action.tap()
    assert under(tablet, 1) == ["+485", "−15 · Envy\u00a0500"]
    assert under(tablet, 2) == ["+775", "Straight Flush", "+275 · JP\u00a01’500 wartet · Envy\u00a0500"]
    assert under(tablet, 3) == ["+2’525", "Royal Flush"]
    assert wrong(tablet, "envy", "de") == []
    assert why(tablet, 1)[-1] == ENVY
    assert why(tablet, 2)[3][:4] == ["Jackpot-Einsatz 5", "–", "1’500 wartet", "–"]
    tablet.finish()
    expect(tablet.page.get_by_role("alert")).to_have_count(0)  # the house has booked what was shown
