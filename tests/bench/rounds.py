"""How many rounds of Ultimate Texas Hold'em settle in a second, on one core, without a database.

`measure()` deals rounds of seven boxes beforehand, every box with Ante, Blind, Trips, Play or a fold, and a coin; timed
is everything from the text of the cards to the lines: parsing, checking, ranking, comparing, paying. Also what a
paytable's exact odds take.
"""

import gc
import time
from collections.abc import Callable

import numpy as np

from jackpot.rules.progressive_odds import coin_odds
from payouts.rules.hands.cards import card_text
from payouts.rules.rulesets import own_hand
from payouts.rules.rulesets.paytable import UTH_TRIPS
from payouts.rules.rulesets.paytable_odds import table_odds
from tables.games.uth.possible import UthTaps
from tables.games.uth.round import RoundRules, settle_cards, settle_taps
from tables.games.uth.settle import Outcome, UthCards, settle
from tables.games.uth.stakes import UthBox

ROUNDS = 2_000
BOXES = range(1, 8)
TIMES = 5
ASKED, ODDS_SECONDS = 10_000, 2

Round = tuple[str, str, dict[int, str], dict[int, int]]


def deal(rounds: int, seed: int = 7) -> list[Round]:
    """Board, dealer, holes as text, and plays of 0, 1, 2 or 4 times the Ante, the same ones every time."""
    chance = np.random.default_rng(seed)
    dealt = []
    for _ in range(rounds):
        cards = [card_text(int(card)) for card in chance.permutation(52)[:21]]
        holes = {box: " ".join(cards[5 + 2 * box : 7 + 2 * box]) for box in BOXES}
        plays = {box: int(chance.choice([0, 1, 2, 4], p=[0.2, 0.3, 0.1, 0.4])) for box in BOXES}
        dealt.append((" ".join(cards[:5]), " ".join(cards[5:7]), holes, plays))
    return dealt


def boxes_of_seven() -> tuple[UthBox, ...]:
    """Seven guests with an Ante of CHF 15 and Trips of CHF 5."""
    return tuple(UthBox(box, f"guest-{box}", 1500, 1500, 500) for box in BOXES)


def rates(work: Callable[[], int]) -> tuple[float, float]:
    """Rounds a second by the clock on the wall and by the processor's time, each the best of several runs."""
    wall = processor = 0.0
    gc.disable()
    try:
        for _ in range(TIMES):
            clock, own = time.perf_counter(), time.process_time()
            done = work()
            wall = max(wall, done / (time.perf_counter() - clock))
            processor = max(processor, done / (time.process_time() - own))
    finally:
        gc.enable()
    return wall, processor


def measure() -> dict[str, dict[str, float]]:
    """Rounds of seven boxes a second on one core against the 10 000 that are asked; seconds that the odds of both tables take."""
    rules, boxes, coins = RoundRules(), boxes_of_seven(), dict.fromkeys(BOXES, 500)
    dealt = deal(ROUNDS)
    taps = [_taps(rules, boxes, one) for one in dealt]

    def whole() -> int:
        for board, dealer, holes, plays in dealt:
            settle_cards(rules, boxes, UthCards.parse(board, dealer, holes), plays, coins)
        return len(dealt)

    def game_alone() -> int:
        for board, dealer, holes, plays in dealt:
            settle(rules.game, boxes, UthCards.parse(board, dealer, holes), plays)
        return len(dealt)

    def tapped() -> int:
        for one in taps:
            settle_taps(rules, boxes, one, coins)
        return len(taps)

    rows = {}
    for name, work in (("cards and coins", whole), ("cards", game_alone), ("taps and coins", tapped)):
        for clock, ours in zip(("wall clock", "processor"), rates(work), strict=True):
            rows[f"rounds, {name}, {clock}"] = _row(ASKED, ours, ours / ASKED)
    seconds = _odds_seconds()
    rows["odds of both tables, s"] = _row(ODDS_SECONDS, seconds, ODDS_SECONDS / seconds)
    return rows


def _row(limit: float, ours: float, ratio: float) -> dict[str, float]:
    return {"limit": limit, "ours": round(ours, 2), "ratio": round(ratio, 2), "asked": 1.0}


def _taps(rules: RoundRules, boxes: tuple[UthBox, ...], one: Round) -> UthTaps:
    board, dealer, holes, plays = one
    settled = settle_cards(rules, boxes, UthCards.parse(board, dealer, holes), plays)
    outcomes: dict[int, Outcome] = settled.outcomes
    return UthTaps(outcomes, dealer_without_pair=settled.dealer_pair is False)


def _odds_seconds() -> float:
    own_hand.class_counts.cache_clear()
    start = time.perf_counter()
    table_odds(UTH_TRIPS)
    coin_odds(rules=RoundRules().progressive)  # type: ignore[arg-type]  # the default has one
    return time.perf_counter() - start
