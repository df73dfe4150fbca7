"""The jackpot: what one meter costs the tables, how fast a hit freezes them, and how long each step to the reopening takes.

A step's time is that from asking for what makes it due until somebody else sees it committed, so it holds the whole command too. At
the end come the same with what fails: Redis, the worker, the process itself.
"""

import math
import os
import secrets
import statistics
import time
from contextlib import ExitStack
from typing import Any

from tests.bench.floor import play_many, processes
from tests.bench.floor_place import new_seats
from tests.bench.jackpot_hall import Displays, Hall, redis_stopped, web, worker_and_beat
from tests.bench.jackpot_tables import Tables
from tests.bench.place import Bench, bench_place

SECONDS = float(os.environ.get("BENCH_SECONDS") or "3")
TIMES = 5  # that all tables play on one jackpot, and on one each
TABLES, PROCESSES = 64, 8
HITS, OVERDUE = 30, 8
DISPLAYS, REQUIRED = 200, 4
ASKED_OF_ONE = 0.9
ASKED_MS = {"verifying": 250, "alone": 3_000, "displays": 500, "open": 250}
STILL_S = 0.3  # after which nobody is at work on the act before
FORGOTTEN_S = 1.2  # after which whoever sweeps does not take the jackpot for one that was due already

Rows = dict[str, dict[str, float]]


def measure() -> Rows:
    """All figures; times in milliseconds, `ours` the 99th of a hundred (of thirty: the worst), `limit` what is asked."""
    with bench_place() as place:
        return _one_meter(place) | _freeze(place) | _steps(place)


# Tables
def _one_meter(place: Bench) -> Rows:
    """Rounds a second, tables on a jackpot each (`limit`) and on one, in turns; the ratio is that of the middle turn."""
    halls = [new_seats(place, TABLES, jackpots=jackpots) for jackpots in (TABLES, 1)]
    rates: list[list[float]] = [[], []]
    with processes(PROCESSES) as pool:
        for turn in range(TIMES + 1):  # the first one warms up
            for which in (0, 1) if turn % 2 else (1, 0):
                seconds = SECONDS if turn else SECONDS / 4
                jobs = [(place.environment, halls[which][one::PROCESSES], seconds) for one in range(PROCESSES)]
                rates[which].append(sum(pool.map(play_many, jobs, chunksize=1)))
    limits, ours = (found[1:] for found in rates)
    ratio = statistics.median(mine / limit for mine, limit in zip(ours, limits, strict=True))
    row = {"limit": round(statistics.median(limits)), "ours": round(statistics.median(ours))}
    row |= {"ratio": round(ratio, 2), "asked": ASKED_OF_ONE}
    return {f"{TABLES} tables, one jackpot, rounds a second": row | _load()}


def _freeze(place: Bench) -> Rows:
    """At busy tables one settles a royal flush: until every table has been refused its next stake, and no stake slips by."""
    found, late, played, chance = [], 0, 0.0, secrets.SystemRandom()
    with ExitStack() as stack:
        hall = Hall(stack, place, tables=TABLES, displays=REQUIRED)
        tables = Tables(stack, place, hall.do("seats"), PROCESSES)
        for _ in range(HITS):
            began = time.monotonic()
            tables.go()
            time.sleep(chance.uniform(0.2, 0.6))
            found.append(tables.win(chance.randrange(TABLES)))
            played += time.monotonic() - began
            late += hall.do("reopen")
    assert not late, f"{late} stakes were taken after the claim"
    assert all(one.last > 0 for one in found)
    refusals = [took for one in found for took in one.refusals]
    last = _figures([one.last for one in found]) | {"stakes after the claim": late}
    rounds = sum(one.rounds for one in found)
    last |= {"a round takes, ms": round(1_000 * TABLES * played / rounds), "a refusal takes, p99, ms": _p99(refusals)}
    return {
        f"claim to last refusal, {TABLES} tables, ms": last,
        f"settling the claim, {TABLES} tables, ms": _figures([one.settled for one in found]),
    }


# Steps
def _steps(place: Bench) -> Rows:
    with ExitStack() as stack:
        hall = Hall(stack, place, tables=2, displays=REQUIRED)
        with ExitStack() as screens:
            displays = Displays(screens, screens.enter_context(web(place)), hall.do("new_displays", DISPLAYS))
            displays.when(1)
            with worker_and_beat(place):
                rows = _alive(hall, displays)
            with redis_stopped(place):
                rows |= _left_alone(hall, "by another, process killed, ms", "end_last_and_die", OVERDUE, FORGOTTEN_S)
        with redis_stopped(place):
            return rows | _left_alone(hall, "by itself, nobody else lives, ms", "end_last_finding_out", HITS, 0)


def _alive(hall: Hall, displays: Displays) -> Rows:
    """Whole hits, with web, worker, beat and Redis."""
    drained, shown, opened = [], [], []
    for _ in range(HITS):
        last = _still(hall.do("hit"))
        drained.append(hall.time_to("verifying", "end_last", last))
        _still(hall.do("sign_first"))
        signed, epoch = hall.do("sign_last")
        shown.append(displays.when(epoch) - signed)
        display = _still(hall.do("confirm_but_one"))
        opened.append(hall.time_to("open", "confirm_last", display))
    return {
        "last round ended to verifying, ms": _figures(drained, ASKED_MS["verifying"]),
        f"approved to {DISPLAYS} displays, ms": _figures(shown, ASKED_MS["displays"]),
        "last confirmation to open, ms": _figures(opened, ASKED_MS["open"]),
    }


def _still(done: Any) -> Any:
    """What an act gave, once nobody is at work on it: between two acts people take longer."""
    time.sleep(STILL_S)
    return done


def _left_alone(hall: Hall, name: str, act: str, times: int, pause_s: float) -> Rows:
    """Redis hangs and the worker is dead; hits are rejected."""
    drained = []
    for _ in range(times):
        last = hall.do("hit")
        drained.append(hall.time_to("verifying", act, last))
        assert not hall.do("reopen")
        time.sleep(pause_s)
    return {f"… {name}": _figures(drained, ASKED_MS["alone"])}


# Figures
def _figures(seconds: list[float], asked_ms: float = 0) -> dict[str, float]:
    worst = _p99(seconds)
    row = (
        {"limit": asked_ms, "ours": worst, "ratio": round(asked_ms / worst, 2), "asked": 1.0}
        if asked_ms
        else {"ours": worst}
    )
    return row | {"p50, ms": round(1_000 * statistics.median(seconds), 1), "times": len(seconds)} | _load()


def _p99(seconds: list[float]) -> float:
    ordered = sorted(seconds)
    return round(1_000 * ordered[math.ceil(0.99 * len(ordered)) - 1], 1)


def _load() -> dict[str, float]:
    return {"load": round(os.getloadavg()[0], 1)}


if __name__ == "__main__":
    for name, row in measure().items():
        print(f"{name:44} {row}")
