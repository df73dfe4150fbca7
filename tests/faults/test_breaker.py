"""What breaks a house, tried on processes that only sleep: stops end by themselves, and what hits nobody counts for nothing."""

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.faults.breaker import AHEAD_S, BETWEEN, CLOCK, STOPPED_S, Breaker
from tests.faults.clock import HouseClock

PROGRAMS = ("web", "ws", "worker", "beat", "coordinators", "redis", "postgres")


class Clock:
    """Stands where it is put; whoever is to be called back is called when it gets there."""

    def __init__(self) -> None:
        self.now, self.due = 100.0, list[tuple[float, Callable[[], None]]]()

    def timer(self, seconds: float, act: Callable[[], None]) -> Any:
        return SimpleNamespace(start=lambda: self.due.append((self.now + seconds, act)))

    def go(self, seconds: float) -> None:
        self.now += seconds
        for one in [one for one in self.due if one[0] <= self.now]:
            self.due.remove(one)
            one[1]()


class Rig:
    """A breaker, and a sleeping process in place of each program."""

    def __init__(self, folder: Path) -> None:
        self.processes = {name: subprocess.Popen(["sleep", "600"]) for name in PROGRAMS}
        self.clock, self.said, self.broken = Clock(), list[str](), 0
        programs = {name: self.program(one) for name, one in self.processes.items()}
        self.house_clock = HouseClock(folder)
        house = SimpleNamespace(programs=programs, sql=lambda _query: [(1,)], clock=self.house_clock)
        network = SimpleNamespace(break_sockets=lambda _share: self.broken)
        self.breaker = Breaker(
            house, network, 7, lambda: "open", self.said.append, timer=self.clock.timer, clock=lambda: self.clock.now
        )

    @staticmethod
    def program(process: "subprocess.Popen[bytes]") -> Any:
        return SimpleNamespace(pid=process.pid, all=lambda: [process.pid], children=list)

    def state(self, name: str) -> str:
        """Of a program's process: sleeping (S), stopped (T), dead and not buried (Z)."""
        pid = self.processes[name].pid
        os.waitid(os.P_PID, pid, os.WSTOPPED | os.WCONTINUED | os.WEXITED | os.WNOHANG | os.WNOWAIT)
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0]

    def breaks(self, kind: str) -> int:
        return self.breaker._break(kind, self.breaker.kinds[kind])

    def settled(self, name: str, *states: str) -> bool:
        """Whether it comes to that: a signal is carried out a moment after it was sent."""
        return any(self.state(name) in states for _ in range(100_000))


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    made = Rig(tmp_path)
    try:
        yield made
    finally:
        for process in made.processes.values():
            process.kill()
            process.wait()


def test_a_stop_ends_by_itself_after_ten_seconds_and_the_report_has_them(rig: Rig) -> None:
    assert rig.breaks("stop beat") == 1
    assert rig.settled("beat", "T")
    rig.clock.go(STOPPED_S - 0.1)
    assert rig.state("beat") == "T"
    rig.clock.go(0.2)
    assert rig.settled("beat", "S")
    [told] = rig.breaker.told()
    assert (told["hit"], told["stopped_s"], told["woke"]) == (1, 10.1, 1)


def test_whom_two_stops_hold_the_second_wakes(rig: Rig) -> None:
    rig.breaks("stop beat")
    rig.clock.go(4)
    rig.breaks("stop beat")
    rig.clock.go(6)
    assert rig.settled("beat", "T")
    rig.clock.go(4)
    assert rig.settled("beat", "S")
    assert [one["stopped_s"] for one in rig.breaker.told()] == [10.0, 10.0]


def test_who_hangs_while_something_is_signed_is_not_woken_meanwhile_and_dies_then(rig: Rig) -> None:
    rig.breaks("stop worker")
    with rig.breaker.between_approval_and_reset():
        rig.clock.go(STOPPED_S)
        assert rig.settled("worker", "T")
    assert rig.settled("worker", "Z")
    assert rig.breaker.counts[BETWEEN] == 1


def test_whose_stop_lasts_longer_than_the_signing_is_not_woken_by_its_end(rig: Rig) -> None:
    rig.breaker.house.sql = lambda _query: [(0,)]  # somebody was quicker
    rig.breaks("stop worker")
    with rig.breaker.between_approval_and_reset():
        rig.clock.go(STOPPED_S - 1)
    assert rig.settled("coordinators", "S")
    assert rig.settled("worker", "T")
    rig.clock.go(1)
    assert rig.settled("worker", "S")
    assert rig.breaker.counts[BETWEEN] == 0


def test_the_end_waits_until_nobody_is_stopped(rig: Rig) -> None:
    rig.breaker.timer = lambda _seconds, act: threading.Timer(0.2, act)  # the real one, and impatient
    rig.breaks("stop ws")
    rig.breaker.end()
    assert rig.breaker.told()[0]["woke"] == 1
    assert rig.settled("ws", "S")


@pytest.mark.parametrize("kind", ["kill beat", "stop beat", "kill web worker", "stop web worker", "break sockets"])
def test_a_fault_that_hits_nobody_is_missed(rig: Rig, kind: str) -> None:
    rig.processes["beat"].kill()
    assert rig.settled("beat", "Z")  # dead, and not started again yet; and gunicorn has no children here
    assert rig.breaks(kind) == 0
    assert (rig.breaker.counts[kind], rig.breaker.missed[kind]) == (0, 1)
    assert rig.said == [f"--- {kind} (open)", f"--- {kind} hit nobody"]
    assert rig.clock.due == []


def test_what_hit_nobody_comes_again_once_all_others_have_come(rig: Rig) -> None:
    breaker = rig.breaker
    breaker.kinds = {name: (lambda name=name: name != "missing" or rig.broken) for name in ("one", "two", "missing")}
    for _ in range(9):
        breaker.next()
        assert breaker.faults[-1].kind != "missing" or "missing" in breaker._due
    assert breaker.counts["missing"] == 0
    assert min(breaker.counts["one"], breaker.counts["two"]) >= 2
    rig.broken, before = 1, len(breaker.faults)
    for _ in range(4):
        breaker.next()
    assert "missing" in {one.kind for one in breaker.faults[before:] if one.hit}


TOLD = "import time, datetime; print(time.time(), datetime.datetime.now(datetime.UTC).timestamp(), time.monotonic())"


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no C compiler: clocks stand as they are")
def test_a_clock_that_jumps_is_set_right_after_ten_seconds_and_nothing_else_is_told_otherwise(rig: Rig) -> None:
    environment = os.environ | rig.house_clock.environment
    command = [sys.executable, "-c", f"import sys\nfor _ in sys.stdin: exec({TOLD!r}, {{}}); sys.stdout.flush()"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True) as program:

        def ahead() -> list[int]:
            """Of the two ways to ask for the time of day, and of the clock that runs by itself."""
            program.stdin.write("now\n")
            program.stdin.flush()
            told = [float(one) for one in program.stdout.readline().split()]
            return [
                round(one - here) for one, here in zip(told, [time.time(), time.time(), time.monotonic()], strict=True)
            ]

        assert ahead() == [0, 0, 0]
        assert rig.breaks(CLOCK) == len(PROGRAMS)
        jump = rig.house_clock.ahead
        assert AHEAD_S[0] <= abs(jump) <= AHEAD_S[1]
        assert ahead() == [jump, jump, 0]
        assert rig.breaks(CLOCK) == 0  # it is wrong already
        rig.clock.go(STOPPED_S)
        assert ahead() == [0, 0, 0]
        program.stdin.close()
    assert (rig.house_clock.jumps, rig.breaker.counts[CLOCK], rig.breaker.missed[CLOCK]) == (2, 1, 1)


def test_without_a_compiler_no_clock_jumps_and_it_is_said(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    house = SimpleNamespace(programs={}, clock=HouseClock(tmp_path))
    said: list[str] = []
    breaker = Breaker(house, rig.breaker.network, 7, lambda: "open", said.append)
    assert (CLOCK in breaker.kinds, house.clock.environment, said) == (
        False,
        {},
        ["--- no C compiler here: no clock jumps"],
    )


class Holding:
    """A link of the superuser, and its transaction, that hold what a command waits for."""

    info = SimpleNamespace(backend_pid=1)

    def __enter__(self) -> "Holding":
        return self

    def __exit__(self, *_error: object) -> None:
        pass

    def transaction(self) -> "Holding":
        return self

    def execute(self, _query: str, _values: object = None) -> None:
        pass


def test_whoever_serves_a_command_is_killed_in_the_middle_of_it_and_the_web_the_next_time(rig: Rig) -> None:
    house: Any = rig.breaker.house
    waiting = [(rig.processes["postgres"].pid,)]
    house.link = Holding
    house.sql = lambda *_query: waiting
    kind = "killed in the middle of a hand_end"
    for name in ("postgres", "web"):
        with rig.breaker.within(kind, "tray", "a table"):
            assert rig.settled(name, "Z")
    assert (rig.breaker.counts[kind], rig.breaker.missed[kind]) == (2, 0)
    waiting.clear()
    with rig.breaker.within(kind, "tray", "a table"):
        pass  # and it was done before anybody looked
    assert (rig.breaker.counts[kind], rig.breaker.missed[kind]) == (2, 1)


def test_the_web_is_killed_once_a_command_was_answered(rig: Rig) -> None:
    with rig.breaker.after("killed between two commands"):
        assert not rig.breaker.faults
    assert rig.settled("web", "Z")
    rig.breaker.end()
    with rig.breaker.after("killed between two commands"):
        pass  # once nothing is to break any more
    assert [fault.hit for fault in rig.breaker.faults] == [1]
