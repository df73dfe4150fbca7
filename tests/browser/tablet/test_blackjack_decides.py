"""Who decides for a box of Black Jack: on the tablet as on the server, and nobody where the rule cannot choose (BOX-2, PRM-2); who
follows a second split (BJ-7).
"""

import itertools
import random  # noqa: TID251  (the numbers are chosen here, for a test)
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from playwright.sync_api import Page, expect

from tables.models import RoundStake
from tables.rules.boxes import DeciderUnclear, NobodyDecides, decider
from tables.rules.prime import BoxStake
from tests.blackjack import Blackjack
from tests.browser.tablet.test_blackjack import acts, amount, cell, placed, shut
from tests.browser.tablets import Tablet

pytestmark = pytest.mark.browser
BOXES = 2_000
_numbers = itertools.count(1)
DECIDES = """async (boxes) => {
    const { standing } = await import("tablet/frame/live");
    const { deciderOf, isUnclear } = await import("tablet/blackjack/table");
    const before = standing.value;
    const found = boxes.map(({ guests, stakes, away }) => {
        standing.value = { ...before, guests };
        const draft = { seats: { 1: { stakes } }, flags: { away_1: away } };
        return isUnclear(draft, 1) ? "unclear" : deciderOf(draft, 1) ?? "nobody";
    });
    standing.value = before;
    return found;
}"""


@pytest.fixture
def floor(floor_server: object) -> Blackjack:
    return Blackjack(suffix=f".bjd{next(_numbers)}")


@pytest.fixture
def tablet(floor: Blackjack, new_floor_page: Callable[..., Page]) -> Tablet:
    return Tablet(new_floor_page(has_touch=True), floor.bj, floor.martina)


def test_who_decides_is_who_decides_on_the_server(tablet: Tablet) -> None:
    """Guests who have left are away, and own no box any more; where two have the same right it is nobody."""
    dice, asked, expected = random.Random(12), [], []
    for _ in range(BOXES):
        ids = [str(UUID(int=dice.getrandbits(128), version=4)) for _ in range(dice.randint(1, 6))]
        gone = frozenset(one for one in ids if dice.random() < 0.15)
        away = frozenset(one for one in ids if dice.random() < 0.15)
        stakes, guests = [], []
        for place, one in enumerate(ids):
            owner, seated = place == 0 and dice.random() < 0.5, dice.random() < 0.5
            stake = BoxStake(one, dice.choice([1_000, 2_000]), owner and one not in gone, seated, dice.randint(1, 3))
            stakes.append(stake)
            own = {"box": 1 if owner else None, "seated": seated, "distance": stake.distance}
            guests += [] if one in gone else [{"id": one, "number": place + 1} | own]
        rows = [{"guest": one.guest, "minor": one.amount_minor} for one in stakes]
        dice.shuffle(rows)
        try:
            expected.append(decider(stakes, gone | away))
        except DeciderUnclear:
            expected.append("unclear")
        except NobodyDecides:
            continue  # the tablet does not know whether a guest whom it does not know is there
        asked.append({"guests": guests, "stakes": rows, "away": sorted(away)})
    assert tablet.page.evaluate(DECIDES, asked) == expected
    assert expected.count("unclear") > BOXES / 20


def stake_too(tablet: Tablet, *guests: int) -> None:
    """Guests who are at the table stake on box 1, each the least."""
    tablet.box(1).locator(".top").tap()
    for number in guests:
        tablet.page.evaluate("passed += 650")
        tablet.page.locator(".choices .do", has_text=f"Gast {number} ·").tap()
    shut(tablet)


def test_where_it_is_unclear_the_croupier_says_it(tablet: Tablet, floor: Blackjack) -> None:
    """Two stand as near to the shoe, and the owner is away: ×2 opens the sheet, which asks who does not decide."""
    for _ in range(2):
        floor.guest(None, seated=False, distance=9)
    tablet.reload()
    tablet.seat(1)
    stake_too(tablet, 1, 2)
    tablet.lock()
    expect(cell(tablet, 1, "double:1")).to_have_accessible_name("Verdoppeln")
    sheet = acts(tablet, 1)
    sheet.get_by_role("button", name="Gast 3 ist abwesend").tap()
    expect(sheet.locator("h3").first).to_contain_text("Unklar, wer entscheidet")
    expect(sheet.get_by_role("button", name="Verdoppeln", exact=True).first).to_be_disabled()
    shut(tablet)
    expect(cell(tablet, 1, "double:1")).to_have_accessible_name("Verdoppeln – Wer entscheidet?")
    cell(tablet, 1, "double:1").tap()
    expect(sheet.locator("h3").first).to_contain_text("Unklar, wer entscheidet")
    sheet.get_by_role("button", name="Gast 1 ist abwesend").tap()
    expect(sheet.locator("h3").filter(has_text="Gast 2 ·")).to_contain_text("entscheidet")
    shut(tablet)
    cell(tablet, 1, "double:1").tap()
    cell(tablet, 1, "win:1").tap()
    tablet.hand("19")
    tablet.finish()
    assert placed(tablet) == [(1, 2, "double_1", 10)]
    assert tablet.page.get_by_role("alert").count() == 0


def sources(tablet: Tablet) -> list[tuple[int, int, str, int]]:
    rows = RoundStake.objects.filter(round=tablet.rounds()[0], placed__gt=0).order_by("placed")
    found: Any = rows.values_list("guest__number", "source__number", "kind", "accepted_minor")
    return [(guest, source or guest, kind, minor // 100) for guest, source, kind, minor in found]


def test_who_follows_a_second_split_has_a_stake_on_its_hand(tablet: Tablet) -> None:
    """Guest 2 took the place of guest 3 on hand 2, and stakes for hand 3 as much; guest 3 has nothing there."""
    tablet.seat(1, 2, 3)
    stake_too(tablet, 2, 3)
    for place, francs in ((1, "20"), (2, "30")):
        tablet.tile(1, f"stake{place}").tap()
        amount(tablet, francs)
    tablet.lock()
    cell(tablet, 1, "split:1").tap()
    sheet = acts(tablet, 1)
    sheet.locator("section", has_text="Anstelle von Gast 3").get_by_role("button", name="Gast 2 ").first.tap()
    tablet.page.evaluate("passed += 650")
    sheet.get_by_role("button", name="Split · Hand 2", exact=True).tap()
    expect(sheet.locator("section", has_text="Anstelle von Gast 3")).to_have_count(0)
    tablet.page.evaluate("passed += 650")
    keys = sheet.get_by_role("button", name="Einsatz Hand 3", exact=True)
    expect(keys.nth(1)).to_be_disabled()  # of guest 3, whose right is before
    keys.nth(2).tap()
    shut(tablet)
    for hand in (1, 2, 3):
        cell(tablet, 1, f"hand:{hand}").tap()
        cell(tablet, 1, f"win:{hand}").tap()
    tablet.hand("rest:lose")
    tablet.hand("20")
    tablet.finish()
    assert sources(tablet) == [
        (1, 1, "split_2", 10),
        (2, 3, "split_2", 30),
        (1, 1, "split_3", 10),
        (2, 2, "split_3", 30),
    ]
    assert tablet.page.get_by_role("alert").count() == 0
