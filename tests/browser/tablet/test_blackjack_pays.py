"""The tablet's own copy of Black Jack's settlement and of the prime rule says what the server says: random rounds and boxes."""

import itertools
import random  # noqa: TID251  (the numbers are chosen here, for a test)
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from playwright.sync_api import Page

from payouts.rules.lines import Stake
from tables.games.blackjack.rules import BlackjackRules
from tables.games.blackjack.settle import Bank, HandOutcome, Result, settle_outcomes
from tables.rules.limits import BoxLimits, fifty_table, ten_table, twenty_table
from tables.rules.prime import BoxStake, OrderUnclear, allocate
from tests.blackjack import Blackjack
from tests.browser.tablets import Tablet

pytestmark = pytest.mark.browser
ROUNDS, BOXES = 400, 2_000
_numbers = itertools.count(1)
SETTLE = """async (rounds) => {
    const { page } = await import("tablet/frame/page");
    const { payouts } = await import("tablet/game");
    return rounds.map(({ bank_takes, draft }) => {
        page.game.bank_takes = bank_takes;
        const found = payouts(draft);
        return Object.keys(draft.seats).flatMap(box => found[box].lines.map(line =>
            [line.box, line.guest, line.kind, line.stake, line.returned, line.won, line.code, line.odds]));
    });
}"""
ALLOCATE = """async (boxes) => {
    const { allocate } = await import("tablet/round/prime");
    return boxes.map(({ limits, stakes }) => allocate(limits, stakes)
        .map(one => [one.guest, one.accepted, one.returned, one.rank, one.room, one.code]));
}"""


@pytest.fixture(scope="module")
def dice() -> random.Random:
    return random.Random(23)


@pytest.fixture
def page(floor_server: object, new_floor_page: Callable[..., Page]) -> Page:
    floor = Blackjack(suffix=f".bjp{next(_numbers)}")
    return Tablet(new_floor_page(has_touch=True), floor.bj, floor.martina).page


def one_box(dice: random.Random, box: int, bank: Bank) -> tuple[list[Stake], list[HandOutcome]]:
    """The stakes of one box, and how its hands ended."""
    guests = [f"g{box}{number}" for number in range(dice.randint(1, 3))]
    stakes = [Stake(box, guest, "stake", dice.randrange(500, 5_001, 5)) for guest in guests]
    hands = 2 if dice.random() < 0.2 else 1
    natural = hands == 1 and dice.random() < 0.3
    later: list[Stake] = []
    if hands == 2:
        later += [
            Stake(box, one.guest, "split_2", one.amount_minor) for one in stakes if dice.random() < 0.7 or not later
        ]
    for hand in range(1, hands + 1):
        on = [one for one in (*stakes, *later) if one.kind == ("stake" if hand == 1 else "split_2")]
        doubles = dice.random() < 0.4
        later += [
            Stake(box, one.guest, f"double_{hand}", one.amount_minor) for one in on if doubles and dice.random() < 0.7
        ]
    doubled = {one.guest for one in later if one.kind == "double_1"}
    for one in stakes:
        chosen = dice.choice(["insurance", "even_money", ""])
        if chosen == "insurance":
            later.append(Stake(box, one.guest, "insurance", one.amount_minor // 2))
        elif chosen and natural and one.guest not in doubled:
            later.append(Stake(box, one.guest, "even_money", 0))
    ends = [one for one in (Result.WIN, Result.LOSE, Result.PUSH, Result.BUST) if fits(one, bank)]
    if natural:
        outcomes = [HandOutcome(Result.BLACKJACK, dice.choice(ends) if doubled else None)]
    else:
        outcomes = [HandOutcome(dice.choice(ends)) for _ in range(hands)]
    return [*stakes, *later], outcomes


def fits(result: Result, bank: Bank) -> bool:
    if bank is Bank.BUST:
        return result not in (Result.LOSE, Result.PUSH)
    if bank is Bank.BLACKJACK:
        return result not in (Result.WIN, Result.PUSH)
    return not (bank is Bank.T21 and result is Result.WIN)


def draft_of(stakes: list[Stake], outcomes: dict[int, list[HandOutcome]], bank: Bank) -> dict[str, Any]:
    """A round as the tablet holds it."""
    seats: dict[str, Any] = {}
    for one in stakes:
        if one.kind == "stake":
            there = seats.setdefault(str(one.box), {"stakes": []})
            there["stakes"].append({"guest": one.guest, "minor": one.amount_minor})
    placed = [
        {
            "box": one.box,
            "guest": one.guest,
            "source": one.source or one.guest,
            "kind": one.kind,
            "minor": one.amount_minor,
        }
        for one in stakes
        if one.kind != "stake"
    ]
    results = {
        str(box): {
            str(place): {"result": str(one.result)} | ({"doubled": str(one.doubled)} if one.doubled else {})
            for place, one in enumerate(ends)
        }
        for box, ends in outcomes.items()
    }
    return {"seats": seats, "placed": placed, "results": results, "flags": {"bank": str(bank)}}


def test_every_line_is_the_servers(page: Page, dice: random.Random) -> None:
    asked, lines = [], []
    for _ in range(ROUNDS):
        bank = dice.choice([one for one in Bank if one is not Bank.NONE])
        rules = replace(BlackjackRules(), bank_blackjack_takes=dice.choice(["all", "original"]))
        stakes: list[Stake] = []
        outcomes: dict[int, list[HandOutcome]] = {}
        for box in sorted(dice.sample(range(1, 8), dice.randint(1, 7))):
            more, outcomes[box] = one_box(dice, box, bank)
            stakes += more
        asked.append({"bank_takes": rules.bank_blackjack_takes, "draft": draft_of(stakes, outcomes, bank)})
        lines.append(
            [
                [
                    *(one.box, one.guest, one.kind, one.stake_minor, one.returned_minor, one.won_minor),
                    *(one.reason.code, str(one.odds or "")),
                ]
                for one in settle_outcomes(rules, stakes, outcomes, bank)
            ]
        )
    for one, ours, told in zip(asked, lines, page.evaluate(SETTLE, asked), strict=True):
        assert sorted(told) == sorted(ours), one
    codes = {line[6] for round_ in lines for line in round_}
    assert {"blackjack.even_money", "blackjack.original_only", "blackjack.insurance_won", "blackjack.push"} <= codes


def limits_of(dice: random.Random) -> BoxLimits:
    table = dice.choice([ten_table, twenty_table, fifty_table])(dice.choice([200_00, 500_00]))
    return replace(table, minimum_per=dice.choice(["stake", "box"]), prime_partial=dice.choice(["cut", "return_whole"]))


def test_the_prime_rule_is_the_servers(page: Page, dice: random.Random) -> None:
    """PRM-1, PRM-3, BOX-3, BOX-4."""
    asked, found = [], []
    while len(asked) < BOXES:
        limits = limits_of(dice)
        legal = [
            one for one in range(1_000, 30_001, 1_000) if limits.step_at(one) is None and one >= limits.minimum_minor
        ]
        stakes = [
            BoxStake(
                str(UUID(int=dice.getrandbits(128), version=4)),
                dice.choice(legal),
                owner=place == 0 and dice.random() < 0.8,
                seated=dice.random() < 0.5,
                distance=dice.randint(1, 9),
            )
            for place in range(dice.randint(1, 6))
        ]
        try:
            ours = allocate(limits, stakes)
        except OrderUnclear:
            continue
        bands = [{"from": one.from_minor, "step": one.step_minor} for one in limits.steps]
        posted = {"minimum": limits.minimum_minor, "maximum": limits.maximum_minor, "bands": bands}
        posted |= {"minimum_per": limits.minimum_per, "partial": limits.prime_partial}
        rows = [
            {"guest": one.guest, "minor": one.amount_minor}
            | {"owner": one.owner, "seated": one.seated, "distance": one.distance}
            for one in stakes
        ]
        asked.append({"limits": posted, "stakes": rows})
        found.append(
            [
                [one.guest, one.accepted_minor, one.returned_minor, one.rank, one.data["room_minor"], one.reason.code]
                for one in ours
            ]
        )
    for one, ours, told in zip(asked, found, page.evaluate(ALLOCATE, asked), strict=True):
        assert told == ours, one
    codes = {row[5] for box in found for row in box}
    assert {"prime.fits", "prime.cut", "prime.full", "prime.whole_only", "prime.too_little", "prime.passed"} <= codes
