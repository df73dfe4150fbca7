"""How fast an evening goes, when it is over, and the line that says how far it is: by a clock that stands where it is put."""

from types import SimpleNamespace

import pytest

from casino.simulate import floor, report
from casino.simulate.floor import UNIT_S, Evening
from casino.simulate.options import Options
from casino.simulate.plan import Royal
from tests.turns import each

BEGUN_S = 1000.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    standing = SimpleNamespace(now=BEGUN_S, monotonic=lambda: standing.now)
    for module in (floor, report):
        monkeypatch.setattr(module, "time", standing)
    return standing


def evening(**options: object) -> Evening:
    found = Evening(Options(**options), lambda _text: None)
    found.played_since = BEGUN_S
    return found


@each(("speed", "waits"), [(0.0, []), (1.0, [3 * UNIT_S]), (8.0, [3 * UNIT_S / 8])])
def test_a_pause_is_as_long_as_in_life_or_so_many_times_shorter(speed: float, waits: list[float]) -> None:
    waited: list[float] = []
    found = evening(speed=speed)
    found.stop = SimpleNamespace(wait=waited.append)
    found.pause(3)
    assert waited == waits


def test_an_evening_of_rounds_is_over_after_the_last_however_long_it_takes(clock: SimpleNamespace) -> None:
    found = evening()
    found.rounds_each = 5
    clock.now += 1e6
    assert [found._over(number) for number in (1, 5, 6)] == [False, False, True]


def test_an_evening_of_minutes_is_over_after_them_and_after_the_last_royal_flush(clock: SimpleNamespace) -> None:
    found = evening(minutes=2.0)
    found.royals, found.rounds_each = (Royal(1, 1, 9),), 5
    clock.now += 120
    assert not found._over(900)
    clock.now += 0.1
    assert [found._over(number) for number in (9, 10)] == [False, True]


def line(found: Evening, settled: int, **more: object) -> str:
    """What is said after so many settled rounds with a coin each, and one that runs."""
    played = [
        SimpleNamespace(state=state, plan=SimpleNamespace(coins=1)) for state in ["settled"] * settled + ["locked"]
    ]
    found.tables = [SimpleNamespace(played=played), SimpleNamespace(played=[])]
    found.jackpot = {"shown_minor": 1_003_400, "phase": "open"}
    vars(found).update(more)
    return report.progress_line(found)


def test_the_bar_fills_with_the_rounds(clock: SimpleNamespace) -> None:
    found = evening()
    found.rounds_each = 8
    assert line(found, 0) == f"[{'-' * 24}] 0 rounds, 0 coins, meter 10’034.00 (open)"
    assert line(found, 8) == f"[{'#' * 12}{'-' * 12}] 8 rounds, 8 coins, meter 10’034.00 (open)"
    assert line(found, 16).startswith(f"[{'#' * 24}] 16 rounds")


def test_the_bar_fills_with_the_minutes_and_not_beyond_its_end(clock: SimpleNamespace) -> None:
    found = evening(minutes=1.0)
    clock.now += 15
    assert line(found, 3).startswith(f"[{'#' * 6}{'-' * 18}] 3 rounds")
    clock.now += 600
    assert line(found, 3).startswith(f"[{'#' * 24}] 3 rounds")


def test_the_line_has_the_phase_as_the_pit_sees_it_and_what_differs(clock: SimpleNamespace) -> None:
    pit = SimpleNamespace(now={"shown_minor": 500, "phase": "draining"})
    said = line(evening(), 1, pit=pit, differences=["a figure"])
    assert said.endswith("meter 5.00 (draining), 1 DIFFER")
