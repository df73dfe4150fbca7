"""How fast hands are ranked, against phevaluator in the same run (phevaluator checks nothing)."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from phevaluator import evaluate_7cards

from payouts.rules.hands.ranks import best_hand, check_bulk, rank_bulk, rank_ids

ALONE = 200_000
BULK = 1_000_000
TURNS = 11  # of which the best counts: what else the machine does can only make a turn slower
SEED = 20_261
ONE_AT_A_TIME, IN_BULK = 1.0, 15.0  # asked: multiples of phevaluator's public function


def deal(count: int, seed: int = SEED) -> NDArray[np.uint8]:
    """So many hands of seven different cards, the same for the same seed."""
    cards = np.random.default_rng(seed).integers(52, size=(2 * count + 100, 7), dtype=np.uint8)
    in_order = np.sort(cards, axis=1)
    return cards[(in_order[:, 1:] != in_order[:, :-1]).all(axis=1)][:count]  # two of three hands have no card twice


def measure() -> dict[str, dict[str, float]]:
    """Hands a second: `limit` is phevaluator's public function one at a time from integers, `ratio` ours as a multiple of it.

    Checked and ranked one at a time, and in bulk; checking in bulk is timed apart. The last two have no measure beside them.
    """
    bulk = deal(BULK)
    hands = [tuple(hand) for hand in bulk[:ALONE].tolist()]
    split = [(hand[:2], hand[2:]) for hand in hands[: ALONE // 10]]
    best = _race(
        {
            "limit": (len(hands), lambda: [evaluate_7cards(*hand) for hand in hands]),
            "alone": (len(hands), lambda: [rank_ids(hand) for hand in hands]),
        }
    ) | _race(
        {
            "best_hand": (len(split), lambda: [best_hand(hole, board) for hole, board in split]),
            "bulk": (len(bulk), lambda: rank_bulk(bulk)),
            "check": (len(bulk), lambda: check_bulk(bulk)),
        }
    )
    return {
        "hands one at a time, checked, a second": _row(best["limit"], best["alone"], ONE_AT_A_TIME),
        "hands in bulk, a second": _row(best["limit"], best["bulk"], IN_BULK),
        "hands checked in bulk, a second": {"ours": round(best["check"])},
        "hands with their five cards, a second": {"ours": round(best["best_hand"])},
    }


def _row(limit: float, ours: float, asked: float) -> dict[str, float]:
    return {"limit": round(limit), "ours": round(ours), "ratio": round(ours / limit, 2), "asked": asked}


def _race(tasks: dict[str, tuple[int, Callable[[], Any]]]) -> dict[str, float]:
    """Things a second of each task, taken in turns so that a busy spell of the machine meets all of them."""
    fastest = dict.fromkeys(tasks, float("inf"))
    for _ in range(TURNS):
        for name, (_, task) in tasks.items():
            start = time.perf_counter()
            task()
            fastest[name] = min(fastest[name], time.perf_counter() - start)
    return {name: count / fastest[name] for name, (count, _) in tasks.items()}
