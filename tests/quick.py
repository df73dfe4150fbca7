"""`make quick`: the tests of the gate that stand beside what was changed since main, or since the last commit on main itself.

A test stands beside a file that it imports or names, or whose name it bears (`meter.py`, `test_meter.py`); where there is none,
whose name begins so. What changes everything (settings, the tests' own frame) is for `make test`.
"""

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from tests.groups import GATE, SMOKE, group_of

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"


def _git(*words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.split()


def changed() -> set[str]:
    """Files that differ from where this branch left main, new ones too."""
    base = (_git("merge-base", "HEAD", "main") or ["HEAD"])[0]
    return {*_git("diff", "--name-only", base), *_git("ls-files", "--others", "--exclude-standard")}


def beside(files: Iterable[str]) -> list[str]:
    """The files of tests that stand beside these."""
    tests = {path: path.read_text() for path in sorted(TESTS.rglob("test_*.py")) if _in_the_gate(path)}
    found = set()
    for file in map(Path, files):
        named, own = _named(file), f"test_{file.stem}"
        mine = {path for path, text in tests.items() if path == ROOT / file or named.search(text) or path.stem == own}
        while not mine and "_" in own:  # what no test names is of a thing with a shorter name
            own = own.rpartition("_")[0]
            mine = {path for path in tests if own != "test" and path.stem == own}
        found |= mine
    return sorted(str(path.relative_to(ROOT)) for path in found)


def _named(file: Path) -> re.Pattern[str]:
    """How a test names a file: by an import, or what is no module by its name."""
    if file.suffix != ".py":
        return re.compile(re.escape(file.name))
    *folders, name = map(re.escape, file.with_suffix("").parts)
    package = r"\.".join(folders)
    return re.compile(rf"\b{package}\.{name}\b|^from {package} import .*\b{name}\b", re.MULTILINE)


def _in_the_gate(path: Path) -> bool:
    return group_of(path.relative_to(TESTS).as_posix()) in (GATE, SMOKE)


def main() -> int:
    """Run them; the exit status of pytest, 0 where no test stands beside a change."""
    files = beside(changed())
    print(f"{len(files)} files of tests stand beside what was changed.", flush=True)
    command = [sys.executable, "-m", "pytest", "-q", "--group", GATE, "-n", "2", "--dist", "loadfile", *files]
    return subprocess.run(command, cwd=ROOT, check=False).returncode if files else 0


if __name__ == "__main__":
    sys.exit(main())
