"""The first step: which Python, which machine, and what a person is told when it does not fit."""

import ast
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from casino.launcher import bootstrap, fit
from tests.casino.launcher.clones import PROJECT

FILE = PROJECT / "casino" / "launcher" / "bootstrap.py"


def test_an_old_python_can_read_it() -> None:
    parts = [ast.parse(path.read_text(), feature_version=(3, 4)) for path in (FILE, FILE.with_name("fit.py"))]
    newer = (ast.JoinedStr, ast.NamedExpr, ast.AnnAssign, ast.AsyncFunctionDef, ast.Match, ast.Starred)
    calls = {
        id(argument)
        for tree in parts
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for argument in node.args
    }
    assert [
        node for tree in parts for node in ast.walk(tree) if isinstance(node, newer) and id(node) not in calls
    ] == []


def test_it_imports_nothing_that_is_not_there_yet() -> None:
    """What runs before the packages are installed comes from the standard library and from each other."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(FILE), "nothing"], capture_output=True, text=True, check=False, env=os.environ
    )
    assert done.returncode == 2
    assert done.stderr.startswith("usage:")


@pytest.mark.parametrize("version", [(2, 7), (3, 4), (3, 10), (3, 14)])
def test_a_python_out_of_range_is_one_sentence(version: tuple[int, int]) -> None:
    sentence, remedy = fit.problem(version, True, True)
    assert sentence == "Python 3.11, 3.12 or 3.13 is needed, and this is Python {}.{}.".format(*version)
    assert "make PYTHON=" in remedy


@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 13)])
def test_a_fitting_python_is_taken(version: tuple[int, int]) -> None:
    assert fit.problem(version, True, True) == []


def test_a_python_without_venv_is_one_sentence() -> None:
    sentence, remedy = fit.problem((3, 12), False, True)
    assert "ensurepip" in sentence
    assert "apt install python3.12-venv" in remedy


def test_a_python_beyond_the_embedded_redis_needs_another() -> None:
    sentence, remedy = fit.problem((3, 13), True, False)
    assert "no embedded Redis for Python 3.13" in sentence
    assert "REDIS_URL" in remedy
    assert fit.problem((3, 12), True, False) == []


@pytest.mark.parametrize(("system", "machine"), [("Darwin", "arm64"), ("Linux", "aarch64"), ("FreeBSD", "amd64")])
def test_a_machine_without_the_servers_is_one_sentence(system: str, machine: str) -> None:
    sentence, remedy = fit.platform_problem(system, machine, {}, False)
    assert f"this is {system} on {machine}" in sentence
    assert "DATABASE_URL, DATABASE_OWNER_URL and REDIS_URL" in remedy
    own = {"DATABASE_URL": "postgres://a/b", "DATABASE_OWNER_URL_FILE": "/run/owner", "REDIS_URL": "redis://c"}
    assert fit.platform_problem(system, machine, own, False) == []
    assert fit.platform_problem("Linux", "x86_64", {}, False) == []


def _python(folder: Path, name: str, version: str) -> Path:
    """A stand-in for a Python: it answers the probe as that version would."""
    path = folder / name
    path.write_text(f"#!/bin/sh\necho {version}\n" if version else "#!/bin/sh\nexit 1\n")
    path.chmod(0o755)
    return path


def test_a_fitting_python_elsewhere_on_the_path_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("REDIS_URL")
    assert fit.another_python() == ""
    _python(tmp_path, "python3", "3.9")
    _python(tmp_path, "python3.13", "3.13")  # no Redis for it here
    _python(tmp_path, "python3.12", "")  # broken
    assert fit.another_python() == ""
    fitting = _python(tmp_path, "python3.11", "3.11")
    assert fit.another_python() == str(fitting)
    _python(tmp_path, "valkey-server", "")
    assert fit.another_python() == str(tmp_path / "python3.13")


def test_what_does_not_fit_ends_with_a_sentence_and_a_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(fit, "own_problem", lambda: ["This does not fit.", "Do that."])
    assert bootstrap.main(["run"]) == 1
    assert capsys.readouterr().err == "\nSaalchef: This does not fit.\nDo that.\n\n"


def test_the_moment_at_which_a_command_was_typed_is_kept_for_all_that_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also over another Python that the first one hands over to: what is counted from it says how long a person has waited."""
    from casino.launcher import run, start

    monkeypatch.setattr(start, "main", lambda _arguments: 0)
    monkeypatch.delenv(fit.BEGUN, raising=False)
    before = time.monotonic()
    assert bootstrap.main(["run"]) == 0
    assert before - 0.001 <= run.command_time() <= time.monotonic()
    first = os.environ[fit.BEGUN]
    bootstrap.main(["run"])
    assert os.environ[fit.BEGUN] == first
    for wrong in ("soon", str(time.monotonic() + 99)):
        monkeypatch.setenv(fit.BEGUN, wrong)
        assert run.command_time() <= time.monotonic()
