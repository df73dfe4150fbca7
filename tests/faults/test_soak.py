"""The soak's measuring: a process that leaks is found, and one that does not is left alone. The soak itself is `make soak`; its
short form runs in the continuous integration.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.faults import soak
from tests.faults.usage import FEW, Look, Usage, died, grown, usage_of

# For each line it reads it keeps so many megabytes and opens so many sockets and files, and says that it has.
EATER = """
import socket, sys
kept, megabytes, sockets, files = [bytearray(60_000_000)], *map(int, sys.argv[1:])
for line in sys.stdin:
    kept += [bytearray(b"x" * 1_000_000) for _ in range(megabytes)]
    kept += [socket.socket() for _ in range(sockets)] + [open("/dev/null") for _ in range(files)]
    print("done", flush=True)
"""


def watched(*eats: int) -> list[str]:
    """What is found of a process that eats so much between any two looks."""
    command = [sys.executable, "-c", EATER, *map(str, eats)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        looks = []
        for rounds in range(2 * FEW):
            process.stdin.write("eat\n")
            process.stdin.flush()
            assert process.stdout.readline() == "done\n"
            looks.append(Look(rounds, {"eater": usage_of(process.pid)}))
        process.stdin.close()
    return grown(looks, 0)


@pytest.mark.parametrize(
    ("eats", "found"),
    [((0, 0, 0), []), ((3, 0, 0), ["resident KB"]), ((0, 1, 0), ["sockets"]), ((0, 0, 1), ["files"])],
    ids=["nothing", "memory", "sockets", "files"],
)
def test_a_process_that_leaks_is_found(eats: tuple[int, int, int], found: list[str]) -> None:
    assert [one.partition(":")[0] for one in watched(*eats)] == [f"eater, {what}" for what in found]


def test_what_is_counted_for_the_whole_house_is_judged_too() -> None:
    looks = [Look(rounds, house={"links to the database": 9 + rounds, "temporary files": 3}) for rounds in range(12)]
    assert grown(looks, 4) == ["links to the database: 14.5 once warm, 18.5 at the end"]


def test_growth_before_all_is_warm_is_none() -> None:
    looks = [Look(rounds, {"web": Usage(1000 * min(rounds, 10), 1, 1)}) for rounds in range(10, 20)]
    assert grown([Look(0, {"web": Usage(1, 0, 0)}), *looks], 10) == []


def test_too_few_looks_tell_nothing() -> None:
    with pytest.raises(ValueError, match="too few"):
        grown([Look(rounds) for rounds in range(7)], 0)


def looks_at(*pids: dict[str, int]) -> list[Look]:
    """Looks at parts, by their processes: at each of these as often as is looked at the end."""
    found = [Look(at, {part: Usage(1, 1, 1, pid) for part, pid in parts.items()}) for at, parts in enumerate(pids)]
    return [one for one in found for _ in range(FEW)]


@pytest.mark.parametrize(
    ("looks", "restarts", "found"),
    [
        (looks_at({"web": 1, "beat": 2}), {}, []),
        (looks_at({"web": 1}), {"web": 1, "ws": 0}, ["web died, and was started again 1 times"]),
        (looks_at({"web": 1, "beat": 2}, {"web": 1}), {}, ["beat is missing from the last looks"]),
        (
            [*looks_at({"web": 1, "beat": 2}), Look(9, {"web": Usage(1, 1, 1, 1)})],
            {},
            ["beat is missing from the last looks"],
        ),
        ([Look(0, {"web": Usage(1, 1, 1, 1), "web child 3": Usage(1, 1, 1, 3)}), *looks_at({"web": 1})], {}, []),
        (looks_at({"web child 1": 1}, {"web child 1": 2}), {}, ["web child 1 was 2 processes, one after another"]),
    ],
    ids=[
        "lives",
        "started again",
        "missing",
        "missing at the very end",
        "there for a moment",
        "replaced by its parent",
    ],
)
def test_a_process_that_died_is_found(looks: list[Look], restarts: dict[str, int], found: list[str]) -> None:
    assert died(looks, restarts) == found


def test_a_look_says_which_process_it_saw() -> None:
    with subprocess.Popen(["sleep", "600"]) as process:
        used = usage_of(process.pid)
        process.kill()
    assert used is not None
    assert used.pid == process.pid


@pytest.mark.parametrize(("part", "status"), [("", 0), ("grown", 1), ("died", 1), ("differences", 1)])
def test_a_soak_ends_with_1_whatever_of_it_is_wrong(
    part: str, status: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report: dict[str, Any] = {
        "rounds": 400,
        "seconds": 1,
        "figures": {},
        "bloat": [],
        **{key: [] for key in soak.WRONG},
    }
    monkeypatch.setattr(soak.Soak, "run", lambda _self: report | ({part: ["this"]} if part else {}))
    monkeypatch.setattr(soak, "FOLDER", tmp_path)
    assert soak.main() == status
    assert ("WRONG: this" in capsys.readouterr().out) is bool(status)


# The short form
ROUNDS, TABLES = 200, 4
PARTS = ("web", "ws", "worker", "beat", "postgres", "redis")
LEAKS, MORE = (
    1.5,
    20,
)  # a few hundred rounds warm nobody: what they show is a leak in every round, not one of a few per cent


@pytest.mark.skipif(not (os.environ.get("CI") or os.environ.get("FAULTS")), reason="takes a minute: FAULTS=1")
@pytest.mark.timeout(600)
def test_a_short_soak_loses_no_process_and_leaks_nothing_in_every_round() -> None:
    report = soak.Soak(ROUNDS, TABLES, soak.SEED).run()
    assert (report["differences"], report["died"]) == ([], [])
    assert report["rounds"] >= ROUNDS
    assert {
        part: [what for what in report["figures"] if what.startswith(part)] != [] for part in PARTS
    } == dict.fromkeys(PARTS, True)
    assert gross(report["figures"]) == []
    assert {row["table"] for row in report["bloat"]} >= {"tables_round", "payouts_entry"}


def gross(figures: dict[str, tuple[float, float]]) -> list[str]:
    """What grew so much that it must leak. A backend of the database still fills its caches by then."""
    return [
        what
        for what, (before, now) in figures.items()
        if now > (before * LEAKS if what.endswith(" KB") else before + MORE) and "of a backend" not in what
    ]


def test_what_grew_so_much_that_it_leaks_is_found() -> None:
    figures = {
        "web, resident KB": (100, 149),
        "web, files": (10, 30),
        "ws, resident KB": (100, 151),
        "ws, files": (10, 31),
    }
    assert gross(figures) == ["ws, resident KB", "ws, files"]
