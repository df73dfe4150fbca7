"""`make demo`: which house it plays on, and what it says when there is none."""

import http.client
import json
import signal
from pathlib import Path
from types import SimpleNamespace

import pytest

from casino.launcher import demo, run
from casino.launcher.errors import StartError
from casino.simulate import demo as evening
from tests.casino.launcher.clones import free_port


def test_no_house_runs_where_none_was_started_or_one_was_killed(tmp_path: Path) -> None:
    assert demo.running(tmp_path) == ""
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "run.lock").write_text("\n")  # stopped in order
    assert demo.running(tmp_path) == ""
    (tmp_path / "var" / "run.lock").write_text(f"http://127.0.0.1:{free_port()}/ (process 1)\n")
    assert demo.running(tmp_path) == ""


def test_a_house_that_runs_is_played_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "run.lock").write_text("http://127.0.0.1:8000/ (process 1)\n")
    played: list[tuple[str, str, str, bool]] = []
    monkeypatch.setattr(demo, "answers", lambda _address: True)
    monkeypatch.setattr(demo, "evening", lambda url, _left, *how, take: played.append((url, *how, take)) or 1)
    monkeypatch.setenv("SEED", "9")
    monkeypatch.setenv("SPEED", "16")
    monkeypatch.setenv("TAKE", "1")
    monkeypatch.setattr(signal, "signal", lambda *_given: None)
    assert demo.demo(tmp_path) == 1
    assert played == [("http://127.0.0.1:8000", "9", "16", True)]


def test_a_house_that_does_not_come_up_is_told_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "nothing"))  # no project there: the house ends at once
    with pytest.raises(StartError, match="No house came up"), demo.own_house(tmp_path):
        pass


@pytest.mark.parametrize(
    ("seed", "speed", "said"),
    [
        ("seven", "", "SEED=seven is no whole number."),
        ("", "fast", "SPEED=fast is no number; 0 is without pauses."),
        ("", "-1", "--speed: 0 (no pauses) or more, not -1."),
        ("", "nan", "--speed: 0 (no pauses) or more, not nan."),
    ],
)
def test_what_is_no_number_has_its_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seed: str, speed: str, said: str
) -> None:
    assert evening.evening("http://127.0.0.1:1", tmp_path / "displays.json", seed, speed) == 2
    assert capsys.readouterr().out.splitlines()[-1] == f"Not played: {said}"


@pytest.mark.parametrize(
    ("checks", "said"),
    [
        ({"audits": (False, "1 in breach"), "worker": (True, "beats")}, run.Amiss(("audits",))),
        ({"seals": (False, "failed: folder, seal"), "worker": (True, "beats")}, run.Amiss(("seals",))),
        ({"audits": (False, "1 in breach"), "worker": (False, "no heartbeat yet")}, "waiting for audits, worker"),
        ({"audits": (False, "not run yet"), "worker": (True, "beats")}, "waiting for audits"),
    ],
)
def test_a_house_whose_audit_found_something_starts_all_the_same(
    checks: dict[str, tuple[bool, str]], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tray below nothing after a lucky evening must not keep the house from starting again: it says so, and goes on."""
    body = {"checks": {name: {"ok": ok, "age_s": 0.0, "detail": detail} for name, (ok, detail) in checks.items()}}

    class Answer:
        status = 503

        def read(self) -> bytes:
            return json.dumps(body).encode()

    class Connection:
        def __init__(self, *_given: object, **_named: object) -> None: ...

        def request(self, *_given: object, **_named: object) -> None: ...

        def getresponse(self) -> Answer:
            return Answer()

        def close(self) -> None: ...

    monkeypatch.setattr(http.client, "HTTPConnection", Connection)
    assert run.readiness(SimpleNamespace(reachable="127.0.0.1", port=1, token="t")) == said
