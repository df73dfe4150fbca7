"""Each target of the Makefile that ends by itself and destroys nothing, and each part of `make bench`, comes to its first work with
the variables as the Makefile exports them: empty.
"""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from casino.launcher.processes import send, wait_until
from tests.bench.__main__ import PARTS
from tests.casino.launcher.clones import PROJECT, open_folder

WORK_S = 8.0  # of processors: what dies of a variable dies while it is read, after two or three
PATIENCE_S = 240.0  # until then, on a busy machine
NOT_STARTED = {
    "run": "goes on until Ctrl-C",
    "demo": "goes on until Ctrl-C",
    "lock": "asks the index, writes the pins",
    "landed": "writes what is never edited again",
    "reset": "deletes a house",
}
COLLECT = {"test", "screens", "machines", "fuzz"}  # their first work is to read every test
NEED_A_HOUSE = {"backup", "drill"}
SAYS_SO = {"model": "no spin was found"} if not shutil.which("spin") else {}
MEASURED = re.compile(r"Below what is asked: [^\n]*\nmake: ")
TICKS = os.sysconf("SC_CLK_TCK")
pytestmark = pytest.mark.timeout(1_100)


@pytest.fixture(scope="module")
def clone() -> Iterator[Path]:
    """A clone of HEAD, with the packages of this one."""
    with open_folder() as folder:
        subprocess.run(["git", "clone", "-q", PROJECT, folder / "saalchef"], check=True)
        (folder / "saalchef/var").mkdir()
        (folder / "saalchef/var/venv").symlink_to((PROJECT / "var/venv").resolve())
        (folder / "tmp").mkdir(mode=0o755)
        yield folder / "saalchef"


def targets() -> set[str]:
    return set(re.search(r"^\.PHONY: (.*)$", (PROJECT / "Makefile").read_text("utf-8"), re.MULTILINE)[1].split())


class Started:
    """`make` with these words, until it has ended or worked."""

    def __init__(self, clone: Path, *words: str) -> None:
        self.log = clone.parent / "make.out"
        environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in {*os.environ}}
        environment |= {"LANG": "C.UTF-8", "TMPDIR": str(clone.parent / "tmp")}
        with self.log.open("wb") as out:
            self.process = subprocess.Popen(
                ["make", "-C", str(clone), *words], env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                start_new_session=True,
            )  # fmt: skip

    def first_work(self) -> str:
        """What went wrong before it; empty where it ended well, or works."""
        try:
            begun = wait_until(self._has_begun, PATIENCE_S, 0.5)
            good = begun and self.process.poll() in (None, 0)
            return "" if good else f"it came to nothing: {self.log.read_text(errors='replace')[-2_000:]}"
        finally:
            self._end()

    def _has_begun(self) -> bool:
        return self.process.poll() is not None or used_s(self.process.pid) > WORK_S

    def _end(self) -> None:
        """As by Ctrl-C, which clears away; what does not end by it is killed."""
        pids = tree(self.process.pid)
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGINT)
        wait_until(lambda: self.process.poll() is not None, 10, 0.1)
        send({*pids, *tree(self.process.pid)} & {*stats()}, signal.SIGKILL)
        self.process.wait(10)


def stats() -> dict[int, tuple[int, float]]:
    """Parent and seconds of processors by process."""
    read = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            words = path.read_text().rpartition(")")[2].split()
            read[int(path.parent.name)] = int(words[1]), sum(map(int, words[11:15])) / TICKS
    return read


def tree(root: int) -> list[int]:
    """A process and all that it has started."""
    parents = {pid: parent for pid, (parent, _spent) in stats().items()}
    pids = [root]
    for pid in pids:
        pids += [child for child, parent in parents.items() if parent == pid]
    return pids


def used_s(root: int) -> float:
    """Seconds of processors, those of its children that have ended included."""
    now = stats()
    return sum(now[pid][1] for pid in tree(root) if pid in now)


def test_every_target_comes_to_its_first_work(clone: Path, subtests: pytest.Subtests) -> None:
    for target in sorted(targets() - {*NOT_STARTED, *NEED_A_HOUSE, "bench"}):
        with subtests.test(target):
            words = ["ARGS=--collect-only -q"] if target in COLLECT else []
            why = Started(clone, target, *words).first_work()
            assert why == "" or SAYS_SO.get(target, why + "?") in why


def test_a_target_that_needs_a_house_says_so(clone: Path, subtests: pytest.Subtests) -> None:
    for target in sorted(NEED_A_HOUSE):
        with subtests.test(target):
            assert "The house does not run here." in Started(clone, target).first_work()


def test_every_part_of_the_benchmarks_comes_to_its_first_work(clone: Path, subtests: pytest.Subtests) -> None:
    for part in PARTS:
        with subtests.test(part):
            why = Started(clone, "bench", f"ARGS={part}").first_work()
            assert why == "" or MEASURED.search(why)  # on a busy machine it may fall short


def test_a_part_that_dies_of_an_empty_variable_is_seen(clone: Path) -> None:
    weeks = clone / "tests/bench/weeks.py"
    sound = weeks.read_text("utf-8")
    assert 'os.environ.get("SCALE") or str(LESS)' in sound
    weeks.write_text(sound.replace('os.environ.get("SCALE") or str(LESS)', 'os.environ.get("SCALE", str(LESS))'))
    try:
        assert "invalid literal for int() with base 10: ''" in Started(clone, "bench", "ARGS=reports").first_work()
    finally:
        weeks.write_text(sound)
