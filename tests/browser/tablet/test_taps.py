"""How many taps a round takes: two hundred rounds of five boxes with cards as they fall, tapped by a script on the real page.

The script plays like a croupier: it changes the stakes that guests change, locks, taps each box, the hands that pay something, the
cards that the house wants to see, and finishes. A tap on the large action comes as late as that of a finger that has seen what it
says now: the page's stop-watch is put on for this tap alone, so that a script need not wait and all other times stay true.
"""

import random  # noqa: TID251  (the numbers are chosen here, for a test)
from statistics import median, quantiles
from typing import Any

import pytest

from payouts.rules.hands.cards import DECK, card_texts
from payouts.rules.hands.ranks import Category, category_of, rank_ids
from tables.games.uth.settle import compare
from tables.models import Round
from tests.browser.tablets import Tablet

pytestmark = pytest.mark.browser
ROUNDS, BOXES = 200, 5
DICE = (
    46  # seven hands on the board, of four kinds; of 12 000 rounds by these dice the median is 9 and p90 is 12, as here
)
MEDIAN_MOST, P90_MOST = 9, 13
ON_BOARD = set(map(int, (Category.THREE_OF_A_KIND, Category.STRAIGHT, Category.FULL_HOUSE, Category.FOUR_OF_A_KIND)))
COINS = (1, 2, 4, 5)  # boxes whose guests like the jackpot
PLAY = """async (rounds) => {
    const [LATE_MS, MOST_MS] = [700, 30_000];
    let [ahead, taps] = [0, 0];
    const clock = performance.now.bind(performance);
    performance.now = () => clock() + ahead;
    const one = (selector) => document.querySelector(selector);
    const drawn = () => new Promise(done => setTimeout(done));  // the page draws in what comes before this
    const tap = async (found, late = 0) => {
        if (!found || found.disabled) throw new Error(`nothing to tap: ${document.body.innerText}`);
        taps += 1;
        ahead = late;
        found.click();
        ahead = 0;
        await drawn();
    };
    const phase = async (name) => {
        const until = clock() + MOST_MS;
        while (one(".round").dataset.phase !== name) {
            if (clock() > until) throw new Error(`round ${counted.length + 1}, no ${name}: ${document.body.innerText}`);
            await new Promise(done => setTimeout(done, 5));
        }
    };
    const act = async (name) => {
        await tap(one(".action"), LATE_MS);
        await phase(name);
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
        await act("play");
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
        await act("bets");
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
            found.append({"box": box, "part": "trips", "to": None})  # on with the minimum, off: one tap
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
    """Rounds with cards as they fall, also where the board alone makes a hand: it is everybody's, and tapped where it pays."""
    stakes = {box: {"ante": 5, "trips": 0, "coin": int(box in COINS)} for box in range(1, BOXES + 1)}
    rounds: list[dict[str, Any]] = []
    while len(rounds) < ROUNDS:
        deck = dice.sample(DECK, 7 + 2 * BOXES)
        board, dealer = tuple(deck[:5]), rank_ids(tuple(deck[:7]))
        changes = changed(dice, stakes)
        boxes = [tapped(box, stakes[box], board, tuple(deck[5 + 2 * box : 7 + 2 * box]), dealer) for box in stakes]
        no_pair = category_of(dealer) is Category.HIGH_CARD
        on_board = category_of(rank_ids(board))
        rounds.append({"changes": changes, "boxes": boxes, "no_pair": no_pair, "on_board": int(on_board)})
    return rounds


@pytest.mark.timeout(1_200)  # a busy machine is no failure
def test_two_hundred_rounds(tablet: Tablet) -> None:
    tablet.seat(*range(1, BOXES + 1))
    for box in COINS:
        tablet.tile(box, "coin").tap()
    rounds = evening(random.Random(DICE))
    taps = tablet.page.evaluate(PLAY, rounds)
    assert Round.objects.filter(table=tablet.table, state="settled").count() == ROUNDS
    assert tablet.page.get_by_role("alert").count() == 0
    boards = [(one["on_board"], count) for one, count in zip(rounds, taps, strict=True) if one["on_board"] in ON_BOARD]
    assert {board for board, _count in boards} == ON_BOARD
    assert min(taps) == BOXES + 2
    assert median(taps) <= MEDIAN_MOST
    assert quantiles(taps, n=10)[-1] <= P90_MOST
    told = f"taps a round: median {median(taps)}, p90 {quantiles(taps, n=10)[-1]}, most {max(taps)}"
    print(f"{told}; with a hand on the board {[count for _board, count in boards]}")
