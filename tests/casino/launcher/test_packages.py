"""The packages of a clone: made once, made again when something changed or broke off, explained when they cannot be made."""

import base64
import fcntl
import hashlib
import io
import os
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from casino.launcher import packages, places, start
from casino.launcher.errors import StartError
from casino.launcher.processes import wait_until
from casino.launcher.terminal import Terminal
from casino.text.catalogues import outdated
from tests.casino.launcher.clones import PROJECT, copy_project


def make_wheel(folder: Path, version: str) -> str:
    """A small package in a wheel; returns its line for a file of pins."""
    files = {
        "dice.py": f"version = '{version}'\n",
        f"dice-{version}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: dice\nVersion: {version}\n",
        f"dice-{version}.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b'=').decode()},\n"
        for name, text in files.items()
    )
    path = folder / f"dice-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for name, text in (files | {f"dice-{version}.dist-info/RECORD": record}).items():
            wheel.writestr(name, text)
    return f"dice=={version} --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone that needs one small package, which pip finds in a folder of its own and nowhere else."""
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    root = tmp_path / "clone"
    root.mkdir()
    for name in packages.FILES.values():
        (root / name).write_text(make_wheel(tmp_path, "1"))
    return root


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    with io.StringIO() as stream:
        yield Terminal(stream)


def installed(python: Path) -> str:
    return subprocess.run(
        [python, "-c", "import dice; print(dice.version)"], capture_output=True, text=True, check=True
    ).stdout


def test_they_are_installed_once_and_again_when_something_changed(
    clone: Path, tmp_path: Path, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_REQUIRE_VIRTUALENV", "1")
    monkeypatch.setenv("PIP_USER", "1")
    monkeypatch.setenv("PIP_TARGET", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("PYTHONPATH", str(PROJECT))
    python = packages.ensure(clone, terminal, dev=False)
    assert installed(python) == "1\n"
    log = clone / "var" / "log" / "packages.log"
    log.write_text("nothing is done twice")
    assert packages.ensure(clone, terminal, dev=False) == python
    assert log.read_text() == "nothing is done twice"
    (clone / "requirements.txt").write_text(make_wheel(tmp_path, "2"))
    assert installed(packages.ensure(clone, terminal, dev=False)) == "2\n"
    broken_off = clone / "var" / "venv" / "installed.json"
    broken_off.unlink()  # as an interrupted installation leaves it
    (python.parent.parent / "half").touch()
    packages.ensure(clone, terminal, dev=False)
    assert not (python.parent.parent / "half").exists()
    python.unlink()  # the Python it was made with is gone
    python.symlink_to("/nowhere/python3")
    assert installed(packages.ensure(clone, terminal, dev=False)) == "2\n"
    assert not (tmp_path / "elsewhere").exists()


def test_killed_in_the_middle_it_is_made_whole_by_the_next_start(clone: Path, terminal: Terminal) -> None:
    program = (
        "import sys, pathlib; from casino.launcher import packages; from casino.launcher.terminal import Terminal\n"
        "packages.ensure(pathlib.Path(sys.argv[1]), Terminal(), dev=False)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(clone)], cwd=PROJECT, stdout=subprocess.DEVNULL
    ) as process:
        assert wait_until((clone / "var" / "venv" / "bin").is_dir, 60)
        process.send_signal(signal.SIGKILL)
    assert installed(packages.ensure(clone, terminal, dev=False)) == "1\n"


def test_what_cannot_be_fetched_is_one_sentence(clone: Path, tmp_path: Path, terminal: Terminal) -> None:
    for wheel in tmp_path.glob("*.whl"):
        wheel.unlink()
    with pytest.raises(StartError, match="The packages could not be installed") as caught:
        packages.ensure(clone, terminal, dev=False)
    assert "dice" in caught.value.sentence
    assert "Check the network" in caught.value.remedy
    assert "packages.log" in caught.value.remedy


def test_what_was_tampered_with_is_not_installed(clone: Path, tmp_path: Path, terminal: Terminal) -> None:
    with zipfile.ZipFile(tmp_path / "dice-1-py3-none-any.whl", "a") as wheel:
        wheel.writestr("more.py", "")
    with pytest.raises(StartError, match="DO NOT MATCH THE HASHES"):
        packages.ensure(clone, terminal, dev=False)


def test_packages_of_a_running_house_are_not_changed(clone: Path, terminal: Terminal) -> None:
    places.writable_var(clone)
    with places.run_lock(clone / "var"), pytest.raises(StartError, match="running already"):
        packages.ensure(clone, terminal, dev=False)


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "var").write_text(
        "a file is in the way"
    )  # root may write everywhere, so a closed folder proves nothing
    with pytest.raises(StartError, match="Nothing can be written") as caught:
        places.writable_var(tmp_path)
    assert "Clone into a folder of yours" in caught.value.remedy


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_one_sentence(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StartError, match="Nothing can be written"):
            places.writable_var(tmp_path)
    finally:
        tmp_path.chmod(0o700)


def test_a_full_disk_is_one_sentence(clone: Path, terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(packages.ROOM_MB, "runtime", 10**9)
    with pytest.raises(StartError, match="MB left"):
        packages.ensure(clone, terminal, dev=False)


def test_the_right_to_run_ends_with_its_holder(tmp_path: Path) -> None:
    with places.run_lock(tmp_path):
        places.say_running(tmp_path, "http://127.0.0.1:1/")
        with pytest.raises(StartError, match=r"running already: http://127\.0\.0\.1:1/"), places.run_lock(tmp_path):
            pass
    with (tmp_path / "run.lock").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_fresh_clone_is_compiled_before_its_first_command(
    tmp_path: Path, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = copy_project(tmp_path / "clone")
    catalogues = [po.with_suffix(".mo") for po in clone.glob("casino/locale/*/LC_MESSAGES/django.po")]
    for compiled in catalogues:
        compiled.unlink()
    monkeypatch.setattr(packages, "ensure", lambda *_, **__: Path(sys.executable))
    assert start._prepared(clone, terminal, dev=True) == Path(sys.executable)
    assert [path for path in catalogues if not path.exists()] == []
    assert outdated(clone / "casino" / "locale") == []
    catalogues[0].with_suffix(".po").write_bytes(b'msgid "\xff"')
    with pytest.raises(StartError, match=r"^The catalogues could not be compiled: UnicodeDecodeError: "):
        start._prepared(clone, terminal, dev=True)
