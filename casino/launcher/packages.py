"""The packages of a clone: `var/venv` with exactly the pinned versions, made on the first start.
Standard library only.
"""

import fcntl
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from casino.launcher.environment import for_pip
from casino.launcher.errors import StartError
from casino.launcher.places import run_lock, writable_var
from casino.launcher.processes import die_with_parent, output_of
from casino.launcher.terminal import Step, Terminal

FILES = {"runtime": "requirements.txt", "dev": "requirements-dev.txt"}
ROOM_MB = {"runtime": 700, "dev": 600}  # what an installation takes on the disk, with some room
PYTHON = f"{sys.version_info[0]}.{sys.version_info[1]}"


def ensure(root: Path, terminal: Terminal, *, dev: bool) -> Path:
    """Return the Python of the clone's venv, with the packages that the pins ask for. Raises
    StartError.

    Nothing is done when the pins and the Python are those of the last time. An interrupted
    installation has left no note of what is installed; it is made again from the beginning.
    """
    var = writable_var(root)
    names = ["runtime", "dev"] if dev else ["runtime"]
    wanted = {name: hashlib.sha256((root / FILES[name]).read_bytes()).hexdigest() for name in names}
    with _alone(var / "setup.lock", terminal):
        venv, note = var / "venv", var / "venv" / "installed.json"
        installed = _read(note)
        if installed.get("python") != PYTHON or _version(venv) != PYTHON:
            installed = {}
        missing = [name for name in names if installed.get(name) != wanted[name]]
        if not missing:
            return venv / "bin" / "python"
        _room(var, missing)
        if not installed or "runtime" in missing:
            with run_lock(var):  # packages are not changed under a running house
                _install(root, venv, missing, terminal, anew=not installed)
        else:
            _install(root, venv, missing, terminal, anew=False)
        note.write_text(json.dumps(installed | {"python": PYTHON} | wanted))
    return venv / "bin" / "python"


def _install(root: Path, venv: Path, names: list[str], terminal: Terminal, *, anew: bool) -> None:
    log = root / "var" / "log" / "packages.log"
    log.write_text("")
    (venv / "installed.json").unlink(missing_ok=True)
    if anew:
        with terminal.step("Python environment") as step:
            _watch([sys.executable, "-I", "-m", "venv", "--clear", str(venv)], log, step)
    options = [
        "--require-hashes",
        "--no-deps",
        "--only-binary=:all:",
        "--progress-bar=off",
        "--no-warn-script-location",
    ]
    for name in names:
        pins = root / FILES[name]
        total = len(re.findall(r"^[A-Za-z0-9].*==", pins.read_text(), re.MULTILINE))
        with terminal.step("packages" if name == "runtime" else "packages for tests") as step:
            command = [
                str(venv / "bin" / "python"),
                "-I",
                "-m",
                "pip",
                "install",
                *options,
                "-r",
                str(pins),
            ]
            _watch(command, log, step, total)
            step.remark = f"{total} packages"


def _watch(command: list[str], log: Path, step: Step, total: int = 0) -> None:
    """Run an installer, show how far it is, keep what it says in the log. Raises StartError when it
    fails.
    """
    said, count, now = b"", 0, ""
    with (
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=for_pip(os.environ),
            preexec_fn=die_with_parent(signal.SIGTERM),  # noqa: PLW1509  (there are no threads here)
        ) as process,
        log.open("ab") as output,
    ):
        try:
            for chunk in output_of(process):
                output.write(chunk)
                said += chunk
                *lines, said = said.split(b"\n")
                for line in lines:
                    word = re.match(rb"(?:Collecting|Ignoring) ([A-Za-z0-9_.-]+)", line)
                    count, now = (count + 1, word[1].decode()) if word else (count, now)
                    now = "installing" if line.startswith(b"Installing") else now
                step.note(f"{min(count, total)} of {total}: {now}" if total else "")
        except BaseException:
            process.terminate()
            raise
    if process.returncode != 0:
        raise _failure(log)


def _failure(log: Path) -> StartError:
    """What the installer's last words mean."""
    lines = log.read_text(errors="replace").splitlines()
    errors = (
        [line for line in lines if line.startswith(("ERROR:", "Error:"))]
        or lines[-1:]
        or ["no output"]
    )
    reason = re.sub(r"^(ERROR|Error): *", "", errors[0])[:300]
    if "No space left" in "".join(lines[-30:]):
        remedy = "Make room on the disk and start again."
    elif (
        "No matching distribution" in reason
        or "ould not find a version" in reason
        or "onnection" in reason
    ):
        remedy = "Check the network (HTTPS_PROXY, or PIP_INDEX_URL for a mirror) and start again."
    else:
        remedy = "Start again; what was downloaded is kept."
    return StartError(
        f"The packages could not be installed: {reason.rstrip('.')}.", f"{remedy} The log is {log}."
    )


def _version(venv: Path) -> str:
    """The version of the venv's Python; empty if it does not run (the Python it was made with may
    be gone).
    """
    probe = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        command = [str(venv / "bin" / "python"), "-I", "-S", "-c", probe]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def _read(note: Path) -> dict[str, str]:
    try:
        found = json.loads(note.read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _room(var: Path, names: list[str]) -> None:
    needed = sum(ROOM_MB[name] for name in names)
    free = shutil.disk_usage(var).free // 2**20
    if free < needed:
        raise StartError(
            f"The disk of {var} has {free} MB left, and the packages need {needed} MB.",
            "Make room, start again.",
        )


@contextmanager
def _alone(lock: Path, terminal: Terminal) -> Iterator[None]:
    with lock.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            terminal.say("Waiting for another set-up of this clone to end ...")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
