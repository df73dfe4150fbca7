"""The tablet's own copy of a hand's money says what the rules say: each hand of `tests/vectors/poker_hands.json`, others by chance,
random schedules and pots; its keys take no more than is posted, and a fold is one that can be (POK-6, POK-7, HAND-5, RAK).
"""
# ruff: noqa: N802 - tests are named after the rules

import json
import random  # noqa: TID251  (the numbers are chosen here, for a test)
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from casino.games.poker.tablet import rake_data, variant_data
from payouts.rules.rulesets.rake import RakeSchedule, RakeTier, TimeCharge, rake, time_charge
from tables.games.poker.streets import Betting, Street, course_of
from tables.games.poker.variants import VARIANTS
from tests.vectors import showdowns
from tests.vectors.hands import (
    FILE,
    course,
    drawn,
    examples,
    game_of,
    outcome,
    plain,
    schedule,
    schedule_of,
    sharing_of,
)

pytestmark = pytest.mark.browser
APP = Path(__file__).parents[3] / "casino/static/casino/tablet/app"
ADDRESS = "http://tablet.test/"
SCHEDULES, POTS, STAYS, HANDS = 300, 20, 500, 2_000
LOAD = """async (names) => {
    const modules = await Promise.all(names.map((name) => import(`tablet/poker/${name}`)));
    window.money = Object.assign({}, ...modules);
}"""
PLAY = """(hands) => hands.map(({game, variant, stacks, betting, payments, winners, terms}) => {
    const course = payments ? {payments, after: [], walk: false, board: true} : money.courseOf(game, variant, stacks, betting);
    if (course.code) return [course];
    const {walk, board, after} = course;
    const settled = money.settle({...course, stacks, winners}, {...terms, walk, flop: board});
    if (settled.code) return [settled];
    const {minor, code, parts, bp, ...figures} = settled.rake ?? {};
    const values = (rows) => rows.map((row) => Object.values(row));
    const hand = {
        course: [values(course.payments), after, walk, board],
        uncalled: settled.uncalled && Object.values(settled.uncalled),
        pots: settled.pots.map((pot, at) => [[pot.amount_minor, settled.seats[at]], pot.rake_minor, values(pot.shares)]),
        rake: settled.rake && [minor, code, figures],
        nets: settled.nets,
    };
    return [hand, {left: course.left, allIn: course.allIn, stacks: settled.stacks}];
})"""
WHOLE = """({game, variant, stacks, betting, winners, terms}) => {
    const course = money.courseOf(game, variant, stacks, betting);
    const settled = money.settle({...course, stacks, winners}, {...terms, walk: course.walk, flop: course.board});
    return JSON.stringify([course, settled]);
}"""
SHOW = """(rows) => rows.map(({board, hands, game}) => {
    const seats = Object.keys(hands).map(Number);
    const split = (cards) => cards.split(" ").filter(Boolean);
    const held = Object.fromEntries(Object.entries(hands).map(([seat, hole]) => [seat, split(hole)]));
    return money.winnersByCards([{seats}], {board: split(board), hands: held}, game)[0];
})"""
NEXT_POT = "(rows) => rows.map(([pots, winners, low]) => money.asked(pots, winners, low))"
FOLDS = """(rows) => rows.map(([amounts, posted, left]) => {
    const folds = money.foldsOf(amounts, {posted, left});
    const cycle = [money.nextFold(folds, null)];
    while (cycle.at(-1) !== null) cycle.push(money.nextFold(folds, cycle.at(-1)));
    return cycle;
})"""
TAKE = """(rows) => rows.map(({schedule, ...hand}) => {
    const {minor, parts, code} = money.rakesOf(schedule, hand);
    const main = money.rakeOf(schedule, {...hand, pot: hand.pots[0]});
    return [minor, parts, code, main.minor, main.code];
})"""
KEYS = (
    "(rows) => rows.map(([schedule, players]) => [money.keysOf(schedule, players, 8), money.mostOf(schedule, players)])"
)
OWED = "(rows) => rows.map(([minutes, paid]) => money.halvesOwed(paid * 30 * 60000, minutes * 60000))"
CODES = {"walk", "no_flop", "no_flop_fee", "small_pot", "no_tier", "capped", "percent", "fixed"}
SAARLAND = RakeSchedule(
    tiers=(RakeTier(pot_from_minor=5_000, fixed_minor=400), RakeTier(pot_from_minor=20_000, fixed_minor=800)),
    step_minor=100,
)
TAXE = RakeSchedule(tiers=(RakeTier(fixed_minor=500),), step_minor=100)
EXAMPLES = [  # of the rules: schedule, pots, flop, walk; the fee of each
    (RakeSchedule(), [10_050, 2_000], True, False, (500, 100)),
    (RakeSchedule(), [30_000, 8_000], True, False, (1_000, 0)),
    (RakeSchedule(), [10_000], False, False, (0,)),
    (RakeSchedule(), [300], True, True, (0,)),
    (TAXE, [300], True, False, (300,)),
    (SAARLAND, [4_900], True, False, (0,)),
    (SAARLAND, [5_000], True, False, (400,)),
    (SAARLAND, [20_000], True, False, (800,)),
]


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    """A page that has the modules, and nothing else: it asks no server."""
    page = chromium.new_page()
    page.route(f"{ADDRESS}**", _serve)
    page.goto(ADDRESS)
    names = [path.relative_to(APP / "poker").with_suffix("") for path in (APP / "poker/money").glob("*.js")]
    page.evaluate(LOAD, ["rake", *map(str, names)])
    yield page
    page.close()


def _serve(route: Route) -> None:
    name = route.request.url.removeprefix(ADDRESS)
    if name:
        route.fulfill(path=APP / f"{name}.js", content_type="text/javascript")
    else:
        body = f'<script type="importmap">{{"imports": {{"tablet/": "{ADDRESS}"}}}}</script>'
        route.fulfill(body=body, content_type="text/html")


@pytest.fixture(scope="module")
def dice() -> random.Random:
    return random.Random(41)


def entered(hand: dict[str, Any]) -> dict[str, Any]:
    """A hand as the tablet has it."""
    game = game_of(hand)
    sharing = sharing_of(hand)
    posted = schedule_of(hand.get("schedule"))
    return {
        "game": {"chip": game.chip_minor, "ante": game.ante_minor},
        "variant": variant_data(game, hand["variant"], passes=hand.get("passes", False)),
        "stacks": hand.get("stacks", {}),
        "betting": {
            "streets": [{"to": to_minor, "folds": folds} for to_minor, folds in hand.get("streets", [])],
            "dead": hand.get("dead", {}),
        },
        "payments": [_payment(payment) for payment in hand["payments"]] if "payments" in hand else None,
        "winners": [{"high": high, "low": low} for high, low in hand.get("winners", [])],
        "terms": {
            "schedule": posted and rake_data(posted),
            "players": len(hand.get("payments") or hand["stacks"]),
            "carried": hand.get("carried", 0),
            "chip": sharing.chip_minor,
            "order": list(sharing.order),
            "all_to_worst": sharing.all_to_worst,
        },
    }


def _payment(payment: list[Any]) -> dict[str, Any]:
    return dict(zip(("seat", "live_minor", "ante_minor", "dead_minor", "folded"), payment, strict=True))


def beside(hand: dict[str, Any], written: dict[str, Any]) -> dict[str, Any]:
    """What follows from what comes of a hand: who has how much left, who is all-in, the stacks after."""
    payments = course(hand).payments
    left = {payment.seat: hand["stacks"][str(payment.seat)] - payment.total_minor for payment in payments}
    return {
        "left": plain(left),
        "allIn": [payment.seat for payment in payments if not payment.folded and not left[payment.seat]],
        "stacks": {seat: hand["stacks"][seat] + net for seat, net in written["nets"].items()},
    }


def test_POK_6_POK_7_HAND_5_RAK_3_a_hand_in_money_is_the_rules(page: Page) -> None:
    """Of the file, and others; with a chance of their own in each run none is left out for long."""
    rows: list[list[dict[str, Any]]] = json.loads(FILE.read_text("utf-8"))
    rows += [[hand, outcome(hand)] for hand in drawn(HANDS, seed=random.randrange(10**9))]
    for (hand, written), (ours, *more) in zip(
        rows, page.evaluate(PLAY, [entered(hand) for hand, _ in rows]), strict=True
    ):
        assert ours == written, hand
        if "stacks" in hand and more:
            assert more == [beside(hand, written)], hand


def test_HAND_2_HAND_4_HAND_5_cards_win_what_they_win_by_the_rules(page: Page) -> None:
    """Of the file, and others with a chance of their own in each run."""
    rows = json.loads(showdowns.FILE.read_text("utf-8"))
    others = showdowns.dealt(showdowns.COUNT, seed=random.randrange(10**9))
    rows += [[showdown, showdowns.won(showdown)] for showdown in others]
    games = []
    for showdown, _ in rows:
        variant = VARIANTS[showdown["variant"]]
        game = {"hole": variant.hole, "low": variant.low}
        game |= {name: showdown[name] for name in ("qualifier", "draw_low")}
        games.append({"board": showdown["board"], "hands": showdown["hands"], "game": game})
    for (showdown, written), ours in zip(rows, page.evaluate(SHOW, games), strict=True):
        assert ours == written, showdown


def test_POK_6_the_result_is_what_the_command_sends(page: Page) -> None:
    """The hand of the rules: an all-in of 85 and two of 130, before a button at seat 1."""
    [hand] = [hand for hand in examples() if len(hand.get("stacks", ())) == 7]
    course, settled = json.loads(page.evaluate(WHOLE, entered(hand)))
    assert course == {
        "payments": [
            _payment([1, 0, 0, 0, True]),
            _payment([2, 15, 0, 0, True]),
            _payment([3, 85, 0, 0, False]),
            _payment([5, 130, 0, 0, False]),
            _payment([6, 0, 0, 0, True]),
            _payment([7, 130, 0, 0, False]),
            _payment([9, 45, 0, 0, True]),
        ],
        "paid": [
            {"1": 0, "2": 15, "3": 15, "5": 15, "6": 0, "7": 15, "9": 15},
            {"2": 0, "3": 30, "5": 30, "7": 30, "9": 30},
            {"3": 40, "5": 85, "7": 85, "9": 0},
            {"3": 0, "5": 0, "7": 0},
        ],
        "after": [[2, 3, 5, 7, 9], [3, 5, 7, 9], [3, 5, 7], [3, 5, 7]],
        "left": {"1": 188, "2": 397, "3": 0, "5": 95, "6": 230, "7": 310, "9": 154},
        "allIn": [3],
        "walk": False,
        "board": True,
    }
    main = [_share(3, 153, 1), _share(7, 152, 0)]
    assert settled == {
        "uncalled": None,
        "pots": [
            {"amount_minor": 315, "rake_minor": 10, "shares": main},
            {"amount_minor": 90, "rake_minor": 0, "shares": [_share(7, 90, 0)]},
        ],
        "seats": [[3, 5, 7], [5, 7]],
        "rake": {"minor": 10, "parts": [10, 0], "code": "rake.capped", "cap_minor": 10},
        "nets": {"1": 0, "2": -15, "3": 68, "5": -130, "6": 0, "7": 112, "9": -45},
        "stacks": {"1": 188, "2": 397, "3": 153, "5": 95, "6": 230, "7": 552, "9": 154},
    }


def _share(seat: int, minor: int, odd_minor: int) -> dict[str, Any]:
    return {"seat": seat, "half": "whole", "amount_minor": minor, "odd_minor": odd_minor}


def test_POK_6_the_pot_that_was_made_last_is_asked_for_first(page: Page) -> None:
    pots = [
        {"amount_minor": 120, "seats": [1, 2, 3]},
        {"amount_minor": 60, "seats": [2, 3]},
        {"amount_minor": 5, "seats": [3]},
    ]
    side, main = {"at": 1, **pots[1]}, {"at": 0, **pots[0]}
    turns = [
        ([], False, {**side, "half": "whole"}),
        ([{}, {"high": [3]}], False, {**main, "half": "whole"}),
        ([{"high": [1]}, {"high": [3]}], False, None),
        ([], True, {**side, "half": "high"}),
        ([{}, {"high": [3]}], True, {**side, "half": "low"}),
        ([{}, {"high": [3], "low": []}], True, {**main, "half": "high"}),
        ([{"high": [1], "low": [2]}, {"high": [3], "low": []}], True, None),
    ]
    assert page.evaluate(NEXT_POT, [[pots, winners, low] for winners, low, _ in turns]) == [turn for *_, turn in turns]


def test_POK_6_a_fold_cycles_through_what_the_seat_may_have_paid(page: Page, dice: random.Random) -> None:
    turns = [
        ([30], 0, 100, [0, None]),
        ([30], 2, 100, [2, None]),
        ([30, 90], 0, 100, [30, 0, None]),
        ([6, 30, 90], 2, 100, [30, 6, 2, None]),
        ([2, 30], 2, 100, [2, None]),
        ([6, 30, 90], 2, 30, [6, 2, None]),
        ([6, 30], 2, 2, [None]),
        ([], 2, 100, [2, None]),
    ]
    assert page.evaluate(FOLDS, [turn[:3] for turn in turns]) == [cycle for *_, cycle in turns]
    rows = []
    for _ in range(STAYS):
        posted = dice.choice([0, 100, 200])
        amounts = sorted(dice.sample(range(200, 9_000, 100), dice.randint(1, 4)))
        rows.append([amounts, posted, dice.randint(0, 90) * 100])
    for (amounts, _, left), cycle in zip(rows, page.evaluate(FOLDS, rows), strict=True):
        folds = cycle[:-1]
        assert folds == sorted(set(folds), reverse=True)
        game = game_of({"chip": 100, "variant": "holdem"})
        for minor in folds:
            betting = Betting([Street(amounts[-1], {1: minor})])
            assert course_of(game, "holdem", {1: left, 2: 9_000, 3: 9_000}, betting).payments[0].live_minor == minor


def rows_of(dice: random.Random) -> Iterator[tuple[RakeSchedule, dict[str, Any]]]:
    for posted, pots, flop, walk, _ in EXAMPLES:
        yield posted, {"pots": pots, "players": 6, "flop": flop, "walk": walk}
    for _ in range(SCHEDULES):
        posted = schedule_of(schedule(dice))
        for _ in range(POTS):
            pots = [dice.randint(0, dice.choice([4_000, 60_000, 10**11])) for _ in range(dice.choice([1, 1, 2, 4]))]
            more = {"players": dice.randint(2, 10), "flop": dice.random() < 0.8, "walk": dice.random() < 0.1}
            yield posted, {"pots": pots, **more}


def test_RAK_3_the_fee_of_pots_is_the_rules(page: Page, dice: random.Random) -> None:
    rows = [*rows_of(dice)]
    codes = set()
    fees = page.evaluate(TAKE, [{"schedule": rake_data(posted), **hand} for posted, hand in rows])
    for (posted, hand), fee in zip(rows, fees, strict=True):
        ours = rake(posted, **hand)
        main = rake(posted, **hand | {"pots": hand["pots"][:1]})
        wanted = [ours.total_minor, [*ours.parts], ours.reason.code, main.total_minor, main.reason.code]
        assert fee == wanted, (posted, hand)
        codes.add(ours.reason.code)
    assert {code.removeprefix("rake.") for code in codes} == CODES
    parts = [rake(posted, pots, players=6, flop=flop, walk=walk).parts for posted, pots, flop, walk, _ in EXAMPLES]
    assert parts == [parts for *_, parts in EXAMPLES]


def test_RAK_1_no_key_takes_more_than_is_posted(page: Page, dice: random.Random) -> None:
    """Each key is on the step and is what some pot of so many players pays; the greatest is the most that is posted."""
    rows = [(schedule_of(schedule(dice)), dice.randint(2, 10)) for _ in range(SCHEDULES)]
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


def test_RAK_2_what_is_owed_for_time_is_the_rules(page: Page, dice: random.Random) -> None:
    rows = [[65, 1], *([dice.randint(0, 600), dice.randint(0, 12)] for _ in range(STAYS))]
    ours = [time_charge(TimeCharge(), minutes=minutes, paid=paid).half_hours for minutes, paid in rows]
    assert page.evaluate(OWED, rows) == ours
    assert ours[0] == 2
