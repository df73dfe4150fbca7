"""The list of groups: it names what is there, and what a test of the gate may not do is seen."""

import ast
import functools
import os
import signal
import subprocess
import sys
import time

import pytest

from tests import groups


def test_every_line_names_something_and_no_group_is_unknown() -> None:
    assert set(groups.PLACES.values()) == {groups.SMOKE, *groups.PROOF}
    for place in groups.PLACES:
        path, _, test = place.partition("::")
        file = groups.TESTS / f"{path}.py"
        assert (groups.TESTS / path).is_dir() or file.is_file() or [*groups.TESTS.glob(f"{path}.py")], place
        assert not test or f"def {test}(" in file.read_text(encoding="utf-8"), place


def test_what_a_test_takes_from_another_is_there() -> None:
    """In every group: those that run seldom would be found out only then."""
    missing = []
    for path in groups.TESTS.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tests."):
                there = names_in(str(node.module))
                missing += [f"{path.name}: {node.module}.{one.name}" for one in node.names if one.name not in there]
    assert missing == []


@functools.cache
def names_in(module: str) -> set[str]:
    """What a module or a folder of tests has by name."""
    place = groups.TESTS.parent / module.replace(".", "/")
    if place.is_dir():
        return {one.stem for one in place.iterdir()} | names_in(f"{module}.__init__")
    found: set[str] = set()
    for node in ast.walk(ast.parse(place.with_suffix(".py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {(one.asname or one.name).partition(".")[0] for one in node.names}
    return found


def test_the_longest_line_decides() -> None:
    names = {
        "jackpot/test_meter.py::test_any": "gate",
        "jackpot/test_tasks.py::test_any": "live",
        "meta/test_catalogues.py::test_the_check_finds[empty]": "exhaustive",
        "meta/test_catalogues.py::test_any": "gate",
        "browser/pit/test_board.py::test_any[de]": "browser-pit",
        "browser/tablet/test_round.py": "browser-tablet",
        "browser/look/test_tablet_more.py": "browser-look",
        "browser/desk/test_audit.py": "browser-desk",
        "smoke/test_pages.py": "smoke",
    }
    assert {name: groups.group_of(name) for name in names} == names


def test_a_test_that_sleeps_or_starts_or_signals_a_process_is_seen() -> None:
    seen: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groups, "_breaches", seen)
        subprocess.run(["git", "--version"], check=True, stdout=subprocess.DEVNULL)
        os.kill(os.getpid(), 0)  # asks, and signals nobody
        assert seen == []
        time.sleep(0.001)
        subprocess.run([sys.executable, "-Sc", ""], check=True)
        os.kill(os.getpid(), signal.SIGWINCH)  # which nobody minds
    assert seen == ["sleeps 0.001 s", f"starts {sys.executable}", f"signals process {os.getpid()}"]
