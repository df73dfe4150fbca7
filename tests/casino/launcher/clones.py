"""Clones for tests of the launcher: whole copies of the project, and their houses as a person would run them."""

import http.client
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from casino.launcher.places import ELSEWHERE, place_key
from casino.launcher.processes import die_with_parent, marked, send, servers_of, wait_until
from tests.zone import quiet_zone

PROJECT = Path(__file__).resolve().parents[3]
END_S = 300.0  # of a wait for what never comes: how long it takes is no verdict, but the machine's
PARTS = ("casino", "tables", "jackpot", "payouts", "templates", "manage.py", "pyproject.toml", "Makefile")


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that every user may enter (pytest's own is closed, and as root the servers run as an ordinary user)."""
    folder = Path(tempfile.mkdtemp(prefix="saalchef-clone-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        for clone in [folder, *folder.iterdir()]:
            shutil.rmtree(ELSEWHERE / f"saalchef-{place_key(clone)}", ignore_errors=True)
        shutil.rmtree(folder)


def copy_project(clone: Path) -> Path:
    """Copy what a house needs, without what runs made."""
    clone.mkdir(parents=True)
    for part in (*PARTS, *(path.name for path in PROJECT.glob("requirements*"))):
        source = PROJECT / part
        if source.is_dir():
            shutil.copytree(source, clone / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, clone / part)
    return clone


def free_port() -> int:
    """One that nobody has, below those that the system gives away by itself: until the house has it nobody else is given it."""
    while True:
        port = 20_000 + secrets.randbelow(12_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class RunningHouse:
    """A `make run` without its first step: the packages are those of the tests."""

    def __init__(self, clone: Path, port: int, **environ: str) -> None:
        self.clone, self.port = clone, port
        self.output = clone / "run.out"
        self.begun = time.monotonic()
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "casino.launcher", "run"],
                cwd=clone,
                env={"PATH": os.environ["PATH"], "PORT": str(port), "LANG": "C.UTF-8"}
                | {"SAALCHEF_DEMO_TIME_ZONE": quiet_zone()}
                | environ,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                preexec_fn=die_with_parent(signal.SIGTERM),  # noqa: PLW1509  (a killed test run takes its house along)
            )

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def said(self) -> str:
        return self.output.read_text()

    def wait_ready(self) -> None:
        """Until it says that it is ready, and is; or until it ends, which it does by itself where it cannot get ready."""
        done = wait_until(lambda: "Ready after" in self.said or self.process.poll() is not None, END_S, 0.1)
        assert done, self.said
        assert self.process.poll() is None, self.said
        self.wait_answers()

    def wait_answers(self) -> None:
        assert wait_until(self.answers, END_S, 0.2), self.said

    def answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == http.HTTPStatus.OK
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def of(self, program: str) -> list[int]:
        """Process ids of one program."""
        if program in ("postgres", "redis"):
            return servers_of(self.clone / "var" / program)
        return marked(str(self.clone), program)

    def left(self) -> list[int]:
        """Everything of this clone that lives, the runner itself excepted."""
        return [*marked(str(self.clone)), *self.of("postgres"), *self.of("redis")]

    def main(self, program: str) -> int:
        """The process of a program that the supervisor started (its parent)."""
        supervisor = self.of("supervisor")[0]
        return next(pid for pid in self.of(program) if parent(pid) == supervisor)

    def kill(self, *pids: int) -> None:
        send(pids, signal.SIGKILL)

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(END_S)


def parent(pid: int) -> int:
    try:
        found = re.search(r"^PPid:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    except OSError:
        return 0
    return int(found[1]) if found else 0
