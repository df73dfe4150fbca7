"""An evening that is killed in the middle of a hit: whoever comes next finds the house as it was before, and the jackpot open."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from pytest_django import DjangoDbBlocker

from casino.simulate.broken import clear_away
from casino.simulate.left import Left
from casino.simulate.options import Wrong
from jackpot.models import Jackpot, Slip
from payouts.audit import run_audits
from tests.browser.conftest import Server
from tests.casino.api.demo_house import demo_house
from tests.casino.simulate.as_it_was import check_that_the_house_is_as_it_was

PLAYS = """
import sys
from casino.simulate.options import Options
from casino.simulate.report import Terminal
from casino.simulate.run import run

url, keep, royal = sys.argv[1:]
options = Options(url=url, seed=5, tables=2, rounds=2_000, displays="prompt,never", keep=keep, tell=True, speed=8.0)
options.royals = ("table=1,box=1,round=2", "table=2,box=2,round=2") if royal else ()
sys.exit(run(options, Terminal()))
"""


@pytest.fixture(scope="module")
def house(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Server]:
    yield from demo_house("killed", django_db_blocker)


def killed(house: Server, keep: Path, *phases: str) -> None:
    """An evening whose program dies as soon as the jackpot is in one of these phases, and has been in another before."""
    program = [sys.executable, "-c", PLAYS, house.address, str(keep), "royal" if phases[0] != "open" else ""]
    with subprocess.Popen(program, cwd=settings.BASE_DIR, stdout=subprocess.PIPE, text=True) as evening:
        assert evening.stdout is not None
        try:
            if phases[0] == "open":
                said = next((line for line in evening.stdout if "displays hang over them" in line), "")
                assert said, "the evening did not begin"
            end = time.monotonic() + 200
            while Jackpot.objects.get().phase not in phases:
                assert time.monotonic() < end
                assert evening.poll() is None, evening.stdout.read()
                time.sleep(0.02)
        finally:
            evening.kill()


@pytest.mark.timeout(500)  # a minute; more where other work shares the machine
@pytest.mark.parametrize("phase", ["open", "draining", "showing"])
def test_what_a_killed_evening_left_is_cleared_away_by_who_comes_next(
    house: Server, tmp_path: Path, phase: str
) -> None:
    keep, said = tmp_path / "left.json", []
    killed(house, keep, phase)
    with pytest.raises(AssertionError):
        check_that_the_house_is_as_it_was()
    clear_away(house.address, Left(str(keep)), said.append)
    check_that_the_house_is_as_it_was()
    assert not keep.exists()
    assert Jackpot.objects.get().phase == "open"
    assert not Slip.objects.filter(state="open").exists()
    assert "broken off" in said[0]
    assert [one for one in run_audits() if one.breaches] == []


def test_an_evening_that_still_plays_is_left_alone(
    house: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = Left(str(tmp_path / "left.json"))
    left.note("displays", "d1")
    monkeypatch.setattr(Left, "is_played", True)
    with pytest.raises(Wrong, match="Another evening is being played"):
        clear_away(house.address, left, lambda _text: None)
