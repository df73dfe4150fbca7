"""`make` itself: what it can do, a line each, and a sentence for what it cannot."""

import re
import subprocess

from tests.casino.launcher.clones import PROJECT


def make(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(["make", *arguments], cwd=PROJECT, capture_output=True, text=True, check=False)


def test_help_has_a_line_for_every_target() -> None:
    done = make("help")
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    named = [name.removeprefix("  make ") for name, _ in lines]
    (phony,) = re.findall(r"^\.PHONY: (.*)$", (PROJECT / "Makefile").read_text(), re.MULTILINE)
    assert sorted(named) == sorted(phony.split())
    assert all(said.strip() for _, said in lines)
    assert make().stdout == done.stdout


def test_an_unknown_target_is_one_sentence_and_the_way_out() -> None:
    done = make("rnu")
    assert done.returncode == 2
    assert done.stderr.splitlines()[0] == "Saalchef: there is no target 'rnu'; `make help` shows those there are."
    assert done.stdout == ""


def test_a_python_that_there_is_not_is_one_sentence_and_the_way_out() -> None:
    for target in ("run", "lint"):
        done = make(target, "PYTHON=/nowhere/python3")
        assert done.returncode == 2
        [line] = done.stderr.splitlines()
        assert (
            "Saalchef: there is no program '/nowhere/python3'. Install Python 3.11 to 3.13, or say where it is: "
            in line
        )
        assert done.stdout == ""
