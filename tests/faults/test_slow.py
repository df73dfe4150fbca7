"""A slow machine is no fault: a hit that moves is followed, however slowly; one that stands still is found."""

import threading
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from tests.faults import campaign
from tests.faults.campaign import FOUND_S, Campaign
from tests.faults.floor import ScriptedEvening


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A campaign in which nothing may take any time."""
    monkeypatch.setattr(campaign, "STILL_S", 0.0)
    run: Any = Campaign(7, 1.0)
    run.evening = SimpleNamespace(stop=threading.Event(), differences=[], pit=SimpleNamespace(hits=[]))
    run.evening.differs = run.evening.differences.append
    scene = SimpleNamespace(name="double royal", parts={})
    run.evening.script = SimpleNamespace(announce=lambda _name: scene, over=lambda: None)
    return run


@pytest.mark.parametrize("moves", [True, False])
def test_a_hit_is_followed_while_it_moves(run: Any, moves: bool) -> None:
    steps = count()
    looks = count()
    run._where = lambda: f"step {next(steps) if moves else 0}"
    run._ended = lambda _hits: next(looks) > 20
    run._scene()
    assert run.evening.differences == ([] if moves else ["a hit (double royal) has not moved for 0 s: step 0"])


def test_a_hit_that_is_left_early_is_no_finding() -> None:
    evening: Any = ScriptedEvening.__new__(ScriptedEvening)
    spoken: list[str] = []
    vars(evening).update({"_lock": threading.Lock(), "differences": [], "say": spoken.append, "finish_s": FOUND_S})
    evening.shut()
    assert (evening.differences, spoken) == ([], [f"--- the hit at hand is left after {FOUND_S:.0f} s"])
    del evening.finish_s
    evening.shut()
    assert evening.differences == ["the jackpot did not open again within 240 s"]
