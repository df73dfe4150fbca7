"""An evening that breaks off ends: tables that wait for betting to open do not wait for ever, and nobody for them."""

from types import SimpleNamespace

import pytest

from casino.simulate.floor import Evening
from casino.simulate.options import Options
from casino.simulate.tablet import Stopped

WAITS_S = 30


class Frozen:
    """A table that waits for betting to open, and meanwhile asks only whether the evening is over."""

    name = "UTH 1"

    def __init__(self, evening: Evening) -> None:
        self.evening = evening

    def play(self, plan: object) -> None:
        assert self.evening.stop.wait(WAITS_S)
        raise Stopped


@pytest.fixture
def evening():
    found = Evening(Options(), lambda _text: None)
    found.tables, found.rounds_each = [Frozen(found)], 1
    found.plans = [SimpleNamespace(rounds=lambda: iter([SimpleNamespace(number=1, to_data=dict)]))]
    return found


def test_what_breaks_while_it_is_watched_is_told(evening):
    def watch() -> None:
        raise RuntimeError("the terminal is gone")

    with pytest.raises(RuntimeError, match="the terminal is gone"):
        evening.play(watch)
    assert evening.stop.is_set()


def test_without_a_pit_nobody_waits_for_its_decision(evening):
    evening.pit = SimpleNamespace(error=RuntimeError("the pit cannot go on"))
    evening.play(lambda: None)
    assert evening.stop.is_set()
