"""How many taps a round takes: two hundred rounds of five boxes with cards as they fall, tapped by a script on the real page.

The script plays like a croupier: it changes the stakes that guests change, locks, taps each box, the hands that pay something, the
cards that the house wants to see, and finishes. The page's clock is put on after each change of phase, since a script does not wait
for its finger.
"""

import random  # noqa: TID251  (the numbers are chosen here, for a test)
from collections.abc import Callable
from statistics import median, quantiles
from typing import Any

import pytest
from playwright.sync_api import Page

from payouts.rules.cards import DECK, card_texts
from payouts.rules.hands import Category, category_of, rank_ids
from payouts.rules.uth import compare
from tables.models import Round
from tests.browser.floor_house import FloorHouse
from tests.browser.tablets import Tablet

pytestmark = pytest.mark.browser
ROUNDS, BOXES = 200, 5
MEDIAN_MOST, P90_MOST = 9, 13
COINS = (1, 2, 4, 5)  # boxes whose guests like the jackpot
PLAY = """async (rounds) => {
    let [ahead, taps] = [0, 0];
    const clock = performance.now.bind(performance);
    performance.now = () => clock() + ahead;
    const one = (selector) => document.querySelector(selector);
    const drawn = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    const tap = async (found) => {
        if (!found || found.disabled) throw new Error(`nothing to tap: ${document.body.innerText}`);
        taps += 1;
        found.click();
        await drawn();
    };
    const phase = async (name) => {
        while (one(".round").dataset.phase !== name) await new Promise(done => setTimeout(done, 5));
        ahead += 700;
    };
    const column = (box) => one(`.columns > :nth-child(${box})`);
    const text = (selector, words) => [...document.querySelectorAll(selector)].find(found => found.innerText.trim() === words);
    const counted = [];
    for (const round of rounds) {
        taps = 0;
        for (const { box, part, to } of round.changes) {
            await tap(column(box).querySelector(`[data-part=${part}]`));
            if (to) await tap(text(".dock .key", to));
        }
        await tap(one(".action"));
        await phase("play");
        if (round.no_pair) await tap([...document.querySelectorAll(".rail-key")].find(key => key.innerText.includes("ohne Paar")));
        for (const { box, cell, tie, hand, cards } of round.boxes) {
            await tap(column(box).querySelector(`[data-cell="${cell}"]`));
            if (tie) await tap(one("[data-hand=tie]"));
            if (!hand) continue;
            await tap(one(`[data-hand=${hand}]`));
            if (!one(".cards")) continue;
            for (const card of cards) {
                const key = one(`[data-card="${card}"]`);
                if (!key.disabled) await tap(key);
            }
            await tap(one(".action"));
        }
        await tap(one(".action"));
        await phase("bets");
        counted.push(taps);
    }
    return counted;
}"""


def changed(dice: random.Random, stakes: dict[int, dict[str, int]]) -> list[dict[str, Any]]:
    """What guests change before a round: an Ante, Trips, a coin."""
    found: list[dict[str, Any]] = []
    for box, there in stakes.items():
        if dice.random() < 0.06:
            there["ante"] = dice.choice([one for one in (5, 10, 15, 20, 25) if one != there["ante"]])
            found.append({"box": box, "part": "ante", "to": str(there["ante"])})
        if dice.random() < 0.06:
            there["trips"] = 0 if there["trips"] else 5
            # The first tap on a Trips that is off places the minimum; taking it back is its tile and "off".
            found.append({"box": box, "part": "trips", "to": None if there["trips"] else "aus"})
        if dice.random() < 0.05:
            there["coin"] = 1 - there["coin"]
            found.append({"box": box, "part": "coin", "to": None})
    return found


def tapped(
    box: int, there: dict[str, int], board: tuple[int, ...], hole: tuple[int, ...], dealer: int
) -> dict[str, Any]:
    """What a croupier taps for one box."""
    rank = rank_ids(board + hole)
    hand, ranks = category_of(rank), sorted(card_texts(hole)[n][0] for n in (0, 1))
    high = any(one in "AK" for one in ranks) or ranks[0] == ranks[1]
    flop = category_of(rank_ids(board[:3] + hole)) > Category.HIGH_CARD
    play = 4 if high else 2 if flop else 1 if hand > Category.HIGH_CARD else 0
    result = str(compare(rank, dealer)) if play else "fold"
    pays = (
        (there["trips"] and hand >= Category.THREE_OF_A_KIND)
        or (result == "win" and hand >= Category.STRAIGHT)
        or (there["coin"] and hand >= Category.FULL_HOUSE)
        or hand is Category.ROYAL_FLUSH
    )
    return {
        "box": box,
        "cell": f"{play}:{'win' if result == 'tie' else result}" if play else "0:fold",
        "tie": result == "tie",
        "hand": hand.name.lower() if pays else None,
        "cards": card_texts(board + hole),
    }


def evening(dice: random.Random) -> list[dict[str, Any]]:
    """Rounds with cards as they fall. A hand on the board is everybody's: such a deal is dealt anew, taps cannot tell it apart."""
    stakes = {box: {"ante": 5, "trips": 0, "coin": int(box in COINS)} for box in range(1, BOXES + 1)}
    rounds: list[dict[str, Any]] = []
    while len(rounds) < ROUNDS:
        deck = dice.sample(DECK, 7 + 2 * BOXES)
        board, dealer = tuple(deck[:5]), rank_ids(tuple(deck[:7]))
        if category_of(rank_ids(board)) >= Category.THREE_OF_A_KIND:
            continue
        changes = changed(dice, stakes)
        boxes = [tapped(box, stakes[box], board, tuple(deck[5 + 2 * box : 7 + 2 * box]), dealer) for box in stakes]
        no_pair = category_of(dealer) is Category.HIGH_CARD
        rounds.append({"changes": changes, "boxes": boxes, "no_pair": no_pair})
    return rounds


@pytest.mark.timeout(300)  # a busy machine is no failure
def test_two_hundred_rounds(floor_server: object, new_floor_page: Callable[..., Page]) -> None:
    floor = FloorHouse()
    floor.open_for()
    tablet = Tablet(new_floor_page(has_touch=True), floor.table, floor.martina)
    tablet.seat(*range(1, BOXES + 1))
    for box in COINS:
        tablet.tile(box, "coin").tap()
    taps = tablet.page.evaluate(PLAY, evening(random.Random(7)))
    assert Round.objects.filter(table=floor.table, state="settled").count() == ROUNDS
    assert tablet.page.get_by_role("alert").count() == 0
    assert min(taps) == BOXES + 2
    assert median(taps) <= MEDIAN_MOST
    assert quantiles(taps, n=10)[-1] <= P90_MOST
    print(f"taps a round: median {median(taps)}, p90 {quantiles(taps, n=10)[-1]}, most {max(taps)}")
