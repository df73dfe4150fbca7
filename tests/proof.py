"""`make proof`: everything that is not in the gate, group by group; each says its seconds and what failed.

    python -m tests.proof [GROUP ...]     these groups, or all; `browser` is each whose name begins so
    python -m tests.proof show            on which commit each group was last seen green, and which files touch it since

Every file touches every group, but tests (`test_*.py`) only their own and pages (`*.md`) only `live`, which runs the API's guide.

A test that failed is run once more alone; one that passes then is *unsteady*, and more than three of them are a failure. The result
goes to `var/proof.json`, with the commit; a group's line stays until it is run again.
"""

import json
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as Tree
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.groups import FUZZ, GATE, PLACES, PROOF, group_of

ROOT = Path(__file__).parents[1]
RESULT = ROOT / "var" / "proof.json"
UNSTEADY_MOST = 3
NAMED_MOST = 8  # of the files that touch a group
LIMIT_S = 3_600  # of a group: a hang is broken off, a slow machine is not
# Groups that are more than their tests, or want the machine for themselves.
COMMANDS = {"exhaustive": ["tests.exhaustive"]}
ALONE = {"bench", "faults", "scale"}
ENVIRONMENT = {
    "CI": "1",
    "DISPLAY_UPDATES": "10000",
    "FAULTS": "1",
}  # no test is skipped for want of a program; short forms of what is long are played


def pytest_run(name: str, *arguments: str) -> tuple[int, list[str], dict[str, int]]:
    """Run tests; the exit status, the ids of those that failed, and how many passed, failed and were skipped."""
    report = ROOT / "var" / f"proof-{name}.xml"
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", "-o", "junit_family=xunit1", f"--junitxml={report}", *arguments]
    try:
        status = subprocess.run(
            command, cwd=ROOT, env=os.environ | ENVIRONMENT, timeout=LIMIT_S, check=False
        ).returncode
    except subprocess.TimeoutExpired:
        return 1, [], {}
    return status, *read(report)


def read(report: Path) -> tuple[list[str], dict[str, int]]:
    """What a report of pytest says."""
    failed, counts = [], {"passed": 0, "failed": 0, "skipped": 0}
    for case in Tree.parse(report).iter("testcase") if report.exists() else ():
        bad = case.find("failure") is not None or case.find("error") is not None
        counts["failed" if bad else "skipped" if case.find("skipped") is not None else "passed"] += 1
        if bad:
            file, _, classes = str(case.get("file")), "", str(case.get("classname"))
            inner = classes.removeprefix(file.removesuffix(".py").replace("/", ".")).strip(".")
            failed.append("::".join(part for part in (file, inner, str(case.get("name"))) if part))
    return sorted(set(failed)), counts


def prove(group: str) -> dict[str, Any]:
    """Run a group; what there is to say of it."""
    begun = time.monotonic()
    workers = "0" if group in ALONE else "2"
    status, failed, counts = pytest_run(group, "--group", group, "-n", workers, "--dist", "loadfile")
    unsteady = []
    if 0 < len(failed) <= 20:
        for test in failed:
            again, _, _ = pytest_run(f"{group}-again", test, *(["--group", FUZZ] if group == FUZZ else []), "-n0")
            unsteady += [test] if again == 0 else []
    red = [test for test in failed if test not in unsteady]
    broken = status not in (0, 1) or (status == 1 and not failed)
    if group in COMMANDS:
        done = subprocess.run([sys.executable, "-m", *COMMANDS[group]], cwd=ROOT, check=False)
        broken |= done.returncode != 0
    seconds = round(time.monotonic() - begun)
    green = not red and not broken and len(unsteady) <= UNSTEADY_MOST
    return {"green": green, "seconds": seconds, "red": red, "unsteady": unsteady, "broken": broken} | counts


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def changed_since(commit: str) -> list[str]:
    """Files that differ from the commit in the working tree, new ones too."""
    changed = _git("diff", "--name-only", commit).splitlines()
    return sorted({*changed, *_git("ls-files", "--others", "--exclude-standard").splitlines()})


def touching(group: str, files: Iterable[str]) -> list[str]:
    """Those of the files that touch a group."""
    return [file for file in files if _touches(group, Path(file))]


def _touches(group: str, file: Path) -> bool:
    if file.suffix == ".md":
        return group == "live"
    if file.parts[0] != "tests" or not file.match("test_*.py"):
        return True
    name = file.relative_to("tests").as_posix()
    groups = {group_of(name), *(PLACES[place] for place in PLACES if place.startswith(f"{name.removesuffix('.py')}::"))}
    return group in groups or (group == FUZZ and GATE in groups)  # where the gate's properties are drawn by chance


def show(kept: dict[str, Any]) -> None:
    """A line for each group, and the files that touch it since it was green."""
    for group in PROOF:
        row = kept.get(group)
        if row is None:
            print(f"{group:<14} never run here")
            continue
        ago = _git("rev-list", "--count", f"{row['commit']}..HEAD") or "?"
        green = row["last_green"]
        seen = f"last seen green {green['at']} ({green['commit'][:10]})" if green else "never seen green"
        word, passed = "green" if row["green"] else "RED", row.get("passed", 0)
        print(f"{group:<14} {word:<5} {row['seconds']:>5} s {passed:>5} passed, {ago} commits ago; {seen}")
        if green:
            _show_files(touching(group, changed_since(green["commit"])))
        for kind in ("red", "unsteady"):
            for test in row[kind]:
                print(f"{'':<14} {kind}: {test}")
        if row["broken"]:
            print(f"{'':<14} it did not run to its end")


def _show_files(files: list[str]) -> None:
    more = f" and {len(files) - NAMED_MOST} more" if len(files) > NAMED_MOST else ""
    print(f"{'':<14} touched since by {', '.join(files[:NAMED_MOST]) or 'nothing'}{more}")


def _named(name: str) -> list[str]:
    return [group for group in PROOF if group == name or group.startswith(f"{name}-")]


def main(arguments: list[str]) -> int:
    """Run groups, or tell of earlier runs; 1 if something is red."""
    kept: dict[str, Any] = json.loads(RESULT.read_text()) if RESULT.exists() else {}
    if arguments == ["show"]:
        show(kept)
        return 0
    if unknown := [name for name in arguments if not _named(name)]:
        print(f"There is no group {', '.join(unknown)}; there are {', '.join(PROOF)}, and `show`.")
        return 2
    RESULT.parent.mkdir(exist_ok=True)
    commit, changed = _git("rev-parse", "HEAD"), bool(_git("status", "--porcelain"))
    green = True
    for group in [group for name in arguments for group in _named(name)] or PROOF:
        at = datetime.now(UTC).strftime("%Y-%m-%d %H:%M")
        row = prove(group) | {"commit": commit, "changed": changed, "at": at}
        before = kept.get(group, {}).get("last_green")
        row["last_green"] = {"commit": commit, "at": at} if row["green"] and not changed else before
        kept[group] = row
        RESULT.write_text(json.dumps(kept, indent=2) + "\n")
        green &= row["green"]
    show(kept)
    return 0 if green else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
