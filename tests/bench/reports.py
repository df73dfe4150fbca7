"""Reports, verification and memory on five weeks of a house with forty tables (`tests/scale`), and what a round waits meanwhile.

`SCALE=1000000` says how many stakes (100 000 where nobody does, `full`: ten millions, which takes an hour and 25 GB). Limits of
times and of memory are those that are promised, so that a ratio of 1 is just kept.
"""

import multiprocessing
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.bench.floor import dealer
from tests.bench.floor_place import Seat, new_seats
from tests.bench.weeks import ROOT, Desk, weeks

DAY_MS, MONTH_MS, EPOCH_MS, MEMORY_MB = 1_000, 3_000, 1_000, 300
BUSY_MOST, SEALS_ASKED, ROUNDS_ASKED, CORES_ASKED = 1.5, 0.1, 0.5, 1.6
EXPORTED = ("payouts", "results", "day-protocol", "corrections", "parameters")
LOCKS_S = float(os.environ.get("BENCH_SECONDS") or "8")
Rows = dict[str, dict[str, float]]


def measure() -> Rows:
    """Everything; the house is made first."""
    began = time.monotonic()
    with weeks() as made:
        desk, at = made.desk, made.at
        took = round(time.monotonic() - began)
        rows: Rows = {"the house, s": {"ours": took, "stakes": made.stakes, "rounds": made.rounds}}
        rows |= _times(desk, at) | _verified(desk, made.keys) | _memory(desk, at)
        return rows | _beside(desk, at, new_seats(made.place, 1)[0])


DESK = "tests.bench.reports_desk"


def _times(desk: Desk, at: tuple[str, ...]) -> Rows:
    found = desk.run(DESK, "times", *at)
    rows: Rows = {}
    for kind, spent in found.items():
        limits = {"day": EPOCH_MS if kind == "jackpot-statement" else DAY_MS, "month": MONTH_MS}
        if kind == "jackpot-statement":
            limits["month"] = EPOCH_MS  # it tells the whole epoch, whatever days it is asked for
        for span, limit in limits.items():
            rows[f"{kind}, {span}, ms"] = _within(limit, spent[span]["ms"]) | {"lines": spent[span]["lines"]}
    return rows


def _within(limit: float, ours: float) -> dict[str, float]:
    return {"limit": limit, "ours": round(ours, 1), "ratio": round(limit / max(ours, 0.001), 2), "asked": 1.0}


def _verified(desk: Desk, keys: Path) -> Rows:
    rows: Rows = {}
    seals = desk.run(DESK, "seals", str(keys))
    for name, asked, found in (
        ("seals verified, rows a second", SEALS_ASKED, seals),
        ("rounds settled again, a second", ROUNDS_ASKED, desk.run(DESK, "rounds")),
    ):
        limit, ours = found.pop("limit"), found.pop("ours")
        rows[name] = {
            "limit": round(limit),
            "ours": round(ours),
            "ratio": round(ours / limit, 2),
            "asked": asked,
            **found,
        }
    # both cores: processor time of all that verifies, backends too, for each second that passes
    row = {"limit": os.cpu_count() or 1, "ours": seals["cores"], "ratio": seals["cores"], "asked": CORES_ASKED}
    return rows | {"cores at work while seals are verified": row}


# Memory
def _memory(desk: Desk, at: tuple[str, ...]) -> Rows:
    """The most that a program and what it starts hold at a time: proportional set size, so what two share counts once."""
    programs = {
        "memory of reports, MB": desk.command(DESK, "times", *at),
        **{f"memory of exports, {kind}, MB": desk.command(DESK, "export", kind, *at) for kind in EXPORTED},
        "memory of verify, MB": [sys.executable, "-W", "ignore", "manage.py", "verify"],
    }
    return {name: _within(MEMORY_MB, _most(desk, command)) for name, command in programs.items()}


def _most(desk: Desk, command: list[str]) -> float:
    with subprocess.Popen(command, cwd=ROOT, env=desk.environment, stdout=subprocess.DEVNULL) as process:
        most = 0
        while process.poll() is None:
            most = max(most, sum(_pss(pid) for pid in _with_children(process.pid)))
            time.sleep(0.2)
    assert process.returncode == 0, command
    return most / 1024


def _pss(pid: int) -> int:
    """Kilobytes; nothing of one that has just ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def _with_children(pid: int) -> Iterator[int]:
    yield pid
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = path.read_text(encoding="ascii").split()
        except OSError:
            continue
        for child in children:
            yield from _with_children(int(child))


# A round meanwhile
def _beside(desk: Desk, at: tuple[str, ...], seat: Seat) -> Rows:
    """What a lock takes at the 99th of a hundred, in turns alone and while somebody asks for report after report."""
    spent: dict[bool, list[float]] = {False: [], True: []}
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        for busy in (False, True, False, True):
            with _reports(desk, at) if busy else _nothing():
                spent[busy] += pool.apply(locks, (desk.environment, seat, LOCKS_S / 2))
    quiet, beside = (sorted(spent[busy])[len(spent[busy]) * 99 // 100] for busy in (False, True))
    row = {
        "limit": round(BUSY_MOST * quiet, 1),
        "ours": round(beside, 1),
        "ratio": round(BUSY_MOST * quiet / beside, 2),
    }
    return {"lock p99 beside reports, ms": row | {"asked": 1.0, "quiet": round(quiet, 1), "locks": len(spent[True])}}


@contextmanager
def _reports(desk: Desk, at: tuple[str, ...]) -> Iterator[None]:
    with subprocess.Popen(
        desk.command(DESK, "loop", *at), cwd=ROOT, env=desk.environment, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield
        finally:
            process.kill()


@contextmanager
def _nothing() -> Iterator[None]:
    yield


def locks(environment: dict[str, str], seat: Seat, seconds: float) -> list[float]:
    """One tablet in a process of its own: milliseconds of each lock."""
    lock: Callable[[], Any]
    lock, settle = dealer(environment, seat)
    result, spent, end = seat.result(), [], time.perf_counter() + seconds
    pause = threading.Event()
    while time.perf_counter() < end:
        began = time.perf_counter()
        round_id = lock()
        spent.append(1_000 * (time.perf_counter() - began))
        settle(round_id, result)
        pause.wait(0.005)
    return spent[10:]
