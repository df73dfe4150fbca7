"""The tablet's own copy of the rake and of the time charge says what the server says: the rules' examples, random schedules and
pots; and its keys take no more than the schedule (RAK-1 to RAK-3).
"""

import random  # noqa: TID251  (the numbers are chosen here, for a test)
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from casino.games.poker.tablet import rake_data
from payouts.rules.rulesets.rake import RakeSchedule, RakeTier, TimeCharge, rake, time_charge

pytestmark = pytest.mark.browser
SOURCE = Path(__file__).parents[3] / "casino/static/casino/tablet/app/poker/rake.js"
SCHEDULES, POTS, STAYS = 300, 20, 500
LOAD = """async (source) => {
    const address = URL.createObjectURL(new Blob([source], {type: "text/javascript"}));
    window.rakes = await import(address);
}"""
TAKE = """(asked) => asked.map(({schedule, ...hand}) => {
    const {minor, code} = rakes.rakeOf(schedule, hand);
    return [minor, code];
})"""
KEYS = "(asked) => asked.map(([schedule, players]) => [rakes.keysOf(schedule, players, 8), rakes.mostOf(schedule, players)])"
OWED = "(asked) => asked.map(([minutes, paid]) => rakes.halvesOwed(paid * 30 * 60000, minutes * 60000))"
CODES = {"walk", "no_flop", "no_flop_fee", "small_pot", "no_tier", "capped", "percent", "fixed"}
SAARLAND = RakeSchedule(
    tiers=(RakeTier(pot_from_minor=5_000, fixed_minor=400), RakeTier(pot_from_minor=20_000, fixed_minor=800)),
    step_minor=100,
)
TAXE = RakeSchedule(tiers=(RakeTier(fixed_minor=500),), step_minor=100)
EXAMPLES = [  # of the rules: schedule, pot, flop, walk; the fee
    (RakeSchedule(), 10_050, True, False, 500),
    (RakeSchedule(), 30_000, True, False, 1_000),
    (RakeSchedule(), 10_000, False, False, 0),
    (RakeSchedule(), 300, True, True, 0),
    (TAXE, 300, True, False, 300),
    (SAARLAND, 4_900, True, False, 0),
    (SAARLAND, 5_000, True, False, 400),
    (SAARLAND, 20_000, True, False, 800),
]


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    """A page that has the module, and nothing else: it asks no server."""
    page = chromium.new_page()
    page.evaluate(LOAD, SOURCE.read_text())
    yield page
    page.close()


@pytest.fixture(scope="module")
def dice() -> random.Random:
    return random.Random(41)


def tier(dice: random.Random, step: int) -> dict[str, Any]:
    cap = dice.choice([None, dice.randint(1, 30) * step])
    fee = {"fixed_minor": dice.randint(0, 20) * step} if dice.random() < 0.4 else {"percent_bp": dice.randint(1, 1_500)}
    return {
        "players_from": dice.randint(2, 6),
        "pot_from_minor": dice.choice([0, 3_000, 10_000]),
        "cap_minor": cap,
        **fee,
    }


def schedule(dice: random.Random) -> RakeSchedule:
    step = dice.choice([5, 50, 100, 500])
    every = [tier(dice, step) for _ in range(dice.randint(1, 4))]
    places = {(row["players_from"], row["pot_from_minor"]): row for row in every}
    no_drop = dice.random() < 0.5
    return RakeSchedule(
        tiers=tuple(RakeTier(**row) for row in places.values()),
        step_minor=step,
        no_flop_no_drop=no_drop,
        no_flop_minor=None if no_drop or dice.random() < 0.5 else dice.randint(1, 4) * step,
        minimum_pot_minor=dice.choice([0, 0, 1_500]),
    )


def hand(dice: random.Random) -> dict[str, Any]:
    pot = dice.choice([dice.randint(0, 4_000), dice.randint(0, 60_000)])
    return {"pot": pot, "players": dice.randint(2, 10), "flop": dice.random() < 0.8, "walk": dice.random() < 0.1}


def test_the_fee_of_a_pot_is_the_servers(page: Page, dice: random.Random) -> None:
    pots: list[dict[str, Any]] = []
    posted_for: list[RakeSchedule] = []
    for posted, pot, flop, walk, minor in EXAMPLES:
        pots.append({"schedule": rake_data(posted), "pot": pot, "players": 6, "flop": flop, "walk": walk})
        posted_for.append(posted)
        assert rake(posted, [pot], players=6, flop=flop, walk=walk).total_minor == minor
    for _ in range(SCHEDULES):
        posted = schedule(dice)
        pots += [{"schedule": rake_data(posted), **hand(dice)} for _ in range(POTS)]
        posted_for += [posted] * POTS
    codes = set()
    for posted, row, fee in zip(posted_for, pots, page.evaluate(TAKE, pots), strict=True):
        ours = rake(posted, [row["pot"]], players=row["players"], flop=row["flop"], walk=row["walk"])
        assert fee == [ours.total_minor, ours.reason.code], (posted, row)
        codes.add(ours.reason.code)
    assert {code.removeprefix("rake.") for code in codes} == CODES


def test_no_key_takes_more_than_is_posted(page: Page, dice: random.Random) -> None:
    """Each key is on the step and is what some pot of so many players pays; the greatest is the most that is posted."""
    rows = [(schedule(dice), dice.randint(2, 10)) for _ in range(SCHEDULES)]
    offered = page.evaluate(KEYS, [[rake_data(posted), players] for posted, players in rows])
    for (posted, players), (keys, most) in zip(rows, offered, strict=True):
        assert len(keys) <= 8
        assert keys == sorted(set(keys))
        assert all(key > 0 and key % posted.step_minor == 0 for key in keys)
        greatest = rake(posted, [10**9], players=players, flop=True).total_minor
        assert most is None or (greatest <= most and all(key <= most for key in keys)), (posted, players)
        assert most is None or not most or keys[-1] == most, (posted, players)
    assert page.evaluate(
        KEYS, [[rake_data(SAARLAND), 6], [rake_data(TAXE), 2], [rake_data(RakeSchedule(step_minor=100)), 9]]
    ) == [
        [[400, 800], 800],
        [[500], 500],
        [[100, 200, 300, 400, 500, 600, 800, 1_000], 1_000],
    ]


def test_what_is_owed_for_time_is_the_servers(page: Page, dice: random.Random) -> None:
    rows = [[65, 1], *([dice.randint(0, 600), dice.randint(0, 12)] for _ in range(STAYS))]
    ours = [time_charge(TimeCharge(), minutes=minutes, paid=paid).half_hours for minutes, paid in rows]
    assert page.evaluate(OWED, rows) == ours
    assert ours[0] == 2
