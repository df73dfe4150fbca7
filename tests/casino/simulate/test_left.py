"""What an evening notes of what it sets up: at once, whole, for its owner's eyes alone, and gone when it is cleared away."""

import json
import os
from pathlib import Path

import pytest

from casino.simulate import left
from casino.simulate.left import Left
from tests.turns import each


def test_it_is_on_file_as_soon_as_it_is_there_and_the_file_goes_with_the_last_of_it(tmp_path: Path) -> None:
    path = tmp_path / "left.json"
    ours = Left(str(path)).of("j1")
    assert not path.exists()
    ours.note("tables", {"table": "t1", "session": "s1"})
    ours.note("displays", "d1")
    assert path.stat().st_mode & 0o777 == 0o600  # cookies are among it
    again = Left(str(path))
    assert (bool(again), again.jackpot, again.rows("displays")) == (True, "j1", ["d1"])
    assert again.rows("tables") == [{"table": "t1", "session": "s1"}]
    ours.cleared("displays", "d1")
    assert Left(str(path)).rows("displays") == []
    ours.cleared("tables", {"table": "t1", "session": "s1"})
    assert list(tmp_path.iterdir()) == []


@each("text", ["", "{", "[]", '{"tables": 7}', '{"player": "x"}', "\0"])
def test_a_file_that_says_nothing_is_nothing(tmp_path: Path, text: str) -> None:
    path = tmp_path / "left.json"
    path.write_text(text)
    assert not Left(str(path))


def test_an_evening_that_still_plays_is_known_by_its_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "left.json"
    Left(str(path)).note("displays", "d1")
    running = {os.getpid(): b"python\0-m\0casino.launcher\0demo", 7: b"python\0-m\0casino.launcher\0demo", 8: b"sh"}
    monkeypatch.setattr(left, "command_of", lambda process: running.get(process, b""))
    assert Left(str(path)).is_played is False  # by ourselves
    for player, plays in ((7, True), (8, False), (9, False)):
        path.write_text(json.dumps(json.loads(path.read_text()) | {"player": player}))
        assert Left(str(path)).is_played is plays
