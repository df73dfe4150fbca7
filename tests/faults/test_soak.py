"""The soak's measuring: a process that leaks is found, and one that does not is left alone. The soak itself is `make soak`."""

import subprocess
import sys

import pytest

from tests.faults.usage import FEW, Look, Usage, grown, usage_of

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
