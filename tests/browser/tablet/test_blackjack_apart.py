"""A co-player who doubles where the owner does not gets one card: on the tablet the hand has an end for each (BJ-6, where
co-players double always). What it pays is held to the server.
"""

import itertools
import random  # noqa: TID251  (the numbers are chosen here, for a test)
from collections.abc import Callable
from typing import ClassVar

import pytest
from playwright.sync_api import Page, expect

from payouts.rules.lines import Stake
from payouts.rules.rulesets.schema import Posted
from tables.games.blackjack.rules import BlackjackRules
from tables.games.blackjack.settle import Bank, HandOutcome, Result, settle_outcomes
from tests.blackjack import Blackjack
from tests.browser.tablet.test_blackjack import acts, cell, lines, placed, shut
from tests.browser.tablet.test_blackjack_cards import says, tablet_of
from tests.browser.tablet.test_blackjack_pays import SETTLE, draft_of, fits
from tests.browser.tablets import Tablet

pytestmark = pytest.mark.browser
_numbers = itertools.count(1)
ROUNDS = 400
GUESTS = {"own": 3_000, "high": 2_000, "low": 1_000}  # in the order of their right to the box


class Always(Blackjack):
    """Co-players double as they like; two splits a box."""

    posted: ClassVar[dict[str, Posted]] = Blackjack.posted | {
        "blackjack_rules": BlackjackRules(
            coplayer_doubles="always", coplayer_may_double_blackjack="always", max_hands_per_box=3
        ),
    }


@pytest.fixture
def floor(floor_server: object) -> Blackjack:
    return Always(suffix=f".bja{next(_numbers)}")


def shared(tablet: Tablet) -> None:
    """Guest 1 owns box 1, guest 2 owns box 2 and stakes on box 1 too."""
    tablet.seat(1, 2)
    tablet.box(1).locator(".top").tap()
    tablet.page.get_by_role("button", name="Gast 2 · sitzt an Box 2").tap()
    shut(tablet)
    tablet.lock()


def doubles(tablet: Tablet, guest: int, words: str = "Verdoppeln") -> None:
    sheet = acts(tablet, 1)
    key = sheet.locator("section", has_text=f"Gast {guest} · ").get_by_role("button", name=words, exact=True)
    key.first.tap()
    shut(tablet)


def test_both_ends_are_tapped(floor: Blackjack, new_floor_page: Callable[..., Page]) -> None:
    """The co-player's one card loses, the hand that draws on wins; each has its keys, and a bust bank pays both."""
    tablet = Tablet(new_floor_page(has_touch=True), floor.bj, floor.martina)
    shared(tablet)
    doubles(tablet, 2)
    expect(cell(tablet, 1, "win:1")).to_have_accessible_name("gewinnt")
    expect(cell(tablet, 1, "lose:1:doubled")).to_have_accessible_name("Verdoppelt: verliert")
    cell(tablet, 2, "bust:1").tap()
    tablet.hand("bust")
    expect(cell(tablet, 1, "win:1:doubled")).to_have_attribute("aria-pressed", "true")
    expect(tablet.box(1).locator(".paid")).to_have_text("+30G1\u00a0+10 · G2\u00a0+20")
    tablet.hand("19")
    cell(tablet, 1, "win:1").tap()
    says(tablet, "Noch 1 Box")
    expect(tablet.box(1).locator(".paid")).to_have_text("offengewinnt")
    cell(tablet, 1, "lose:1:doubled").tap()
    expect(tablet.box(1).locator(".paid")).to_have_text("−10G1\u00a0+10 · G2\u00a0−20")
    tablet.finish()
    assert [line[1:] for line in lines(tablet) if line[0] == 1] == [
        (1, "stake", 10, 20),
        (2, "stake", 10, 0),
        (2, "double_1", 10, 0),
    ]

    # The owner doubles too: it is one card for both. On two hands of which one has two ends, one is chosen.
    tablet.lock()
    doubles(tablet, 2)
    cell(tablet, 1, "double:1").tap()
    expect(cell(tablet, 1, "win:1:doubled")).to_have_count(0)
    expect(cell(tablet, 1, "bust:1")).to_be_disabled()  # one card more is never a bust
    cell(tablet, 2, "split:1").tap()
    tablet.hand("bust")
    expect(tablet.box(1).locator(".paid")).to_have_text("+40G1\u00a0+20 · G2\u00a0+20")
    tablet.finish()
    tablet.lock()
    cell(tablet, 1, "split:1").tap()
    doubles(tablet, 2, "Verdoppeln · Hand 1")
    cell(tablet, 2, "bust:1").tap()
    cell(tablet, 1, "bust:1").tap()
    cell(tablet, 1, "hand:1:doubled").tap()
    cell(tablet, 1, "win:1:doubled").tap()
    cell(tablet, 1, "hand:2").tap()
    cell(tablet, 1, "push:2").tap()
    tablet.hand("18")
    tablet.finish()
    assert [line[1:] for line in lines(tablet, 3) if line[0] == 1] == [
        (1, "stake", 10, 0),
        (1, "split_2", 10, 10),
        (2, "stake", 10, 20),
        (2, "double_1", 10, 20),
    ]
    assert tablet.page.get_by_role("alert").count() == 0


def test_by_cards_the_third_is_theirs(floor: Blackjack, new_floor_page: Callable[..., Page]) -> None:
    """The hand draws on behind it, and is bust; a Black Jack that a co-player doubles stays one for the owner (BJ-5)."""
    tablet = tablet_of(floor, new_floor_page(has_touch=True), "full_cards")
    shared(tablet)
    tablet.act()
    tablet.cards("6h As Tc 5c Kd")  # 11 on box 1, a Black Jack on box 2
    tablet.key("Box 1").tap()
    sheet = tablet.page.locator(".sheet")
    sheet.locator("section", has_text="Gast 2 · ").get_by_role("button", name="Verdoppeln", exact=True).tap()
    shut(tablet)
    tablet.act()
    expect(tablet.page.get_by_role("button", name="Bleibt", exact=True)).to_be_disabled()
    tablet.cards("4c")
    says(tablet, "Karte oder bleiben")
    tablet.cards("9d")  # 15, then 24
    says(tablet, "Bank")
    tablet.cards("4d Qh")
    says(tablet, "Blatt bestätigen")
    tablet.act()
    expect(tablet.box(1).locator(".paid")).to_have_text("+10G1\u00a0−10 · G2\u00a0+20")
    tablet.finish()
    assert placed(tablet) == [(1, 2, "double_1", 10)]
    assert [line[1:] for line in lines(tablet)] == [
        (1, "stake", 10, 0),
        (2, "stake", 10, 20),
        (2, "double_1", 10, 20),
        (2, "stake", 10, 25),
    ]
    assert tablet.page.get_by_role("alert").count() == 0


def later(dice: random.Random, box: int, hands: int) -> list[Stake]:
    """What comes on a box after the lock: splits, some in place of who did not, and doubles for oneself or for another."""
    found: list[Stake] = []
    for hand in range(2, hands + 1):
        found.append(Stake(box, "own", f"split_{hand}", GUESTS["own"], "own"))
        for source in ("high", "low"):
            payer = dice.choice([source, source, "high", "low", "own", ""])
            if payer:
                found.append(Stake(box, payer, f"split_{hand}", GUESTS[source], source))
    for hand in range(1, hands + 1):
        kind = "stake" if hand == 1 else f"split_{hand}"
        there = dict(GUESTS) if hand == 1 else {}
        for one in found:
            if one.kind == kind:
                there[one.guest] = there.get(one.guest, 0) + one.amount_minor
        for source, amount in there.items():
            payer = dice.choice([source, source, *GUESTS, "", ""])
            if payer and (source == payer or source != "own"):
                found.append(Stake(box, payer, f"double_{hand}", amount, source))
    return found


def test_every_line_is_the_servers(floor: Blackjack, new_floor_page: Callable[..., Page]) -> None:
    """BJ-5, BJ-6, BJ-7: who pays for another's double or second hand has that one's end, and their own stake its own."""
    page = Tablet(new_floor_page(has_touch=True), floor.bj, floor.martina).page
    rules = BlackjackRules(coplayer_doubles="always", coplayer_may_double_blackjack="always")
    dice, asked, ours = random.Random(6), [], []
    for _ in range(ROUNDS):
        bank = dice.choice([one for one in Bank if one is not Bank.NONE])
        ends = [one for one in (Result.WIN, Result.LOSE, Result.PUSH, Result.BUST) if fits(one, bank)]
        hands = dice.choice([1, 1, 2, 3])
        stakes = [Stake(1, guest, "stake", minor) for guest, minor in GUESTS.items()]
        stakes += later(dice, 1, hands)
        outcomes = [HandOutcome(dice.choice(ends)) for _ in range(hands)]
        natural = hands == 1 and dice.random() < 0.3
        for place in range(hands):
            sources = {one.source for one in stakes if one.kind == f"double_{place + 1}"}
            if sources and (natural or "own" not in sources):
                own = Result.BLACKJACK if natural else outcomes[place].result
                outcomes[place] = HandOutcome(own, dice.choice(ends))
            elif natural:
                outcomes[place] = HandOutcome(Result.BLACKJACK)
        asked.append({"bank_takes": "all", "draft": draft_of(stakes, {1: outcomes}, bank)})
        lines_of = settle_outcomes(rules, stakes, {1: outcomes}, bank)
        ours.append(
            [
                [
                    *(one.box, one.guest, one.kind, one.stake_minor, one.returned_minor, one.won_minor),
                    *(one.reason.code, str(one.odds or "")),
                ]
                for one in lines_of
            ]
        )
    for one, expected, told in zip(asked, ours, page.evaluate(SETTLE, asked), strict=True):
        assert sorted(told) == sorted(expected), one
