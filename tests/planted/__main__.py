"""`make planted`: faults are planted one at a time in a copy of HEAD, and it is seen which test notices first, and after how long.

    python -m tests.planted [NAME ...]    these, or all that were not tried on this commit yet
    python -m tests.planted show          the table of this commit

Each meets the gate's tests of its own folders first; what stays green there meets the whole gate, then the groups of `make proof`
touch it. The faults are in `faults.toml`, chosen by somebody who had not read the tests. Results: `var/planted.json`, by commit.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Any

from casino.text.catalogues import compile_outdated
from tests.groups import GATE

ROOT = Path(__file__).parents[2]
FAULTS = Path(__file__).with_name("faults.toml")
RESULT = ROOT / "var" / "planted.json"
LIMIT_S = 1_500  # of one run of tests: a fault may hang it, which is noticed too
FIRST = re.compile(r"^(?:SUBFAILED\S*|FAILED|ERROR) (tests/.+?)(?: - .*)?$", re.MULTILINE)  # a name may hold spaces


def faults() -> list[dict[str, Any]]:
    """What is planted: a name, a kind, a file, the text in it and its replacement, the harm, folders of tests and groups."""
    found: list[dict[str, Any]] = tomllib.loads(FAULTS.read_text())["fault"]
    return found


def planted(fault: dict[str, Any], root: Path) -> str:
    """The file's text with the fault in it. Raises ValueError where its place is not there exactly once."""
    text = (root / fault["path"]).read_text()
    if (times := text.count(fault["find"])) != 1:
        raise ValueError(f"{fault['name']}: its place is in {fault['path']} {times} times")
    return text.replace(fault["find"], fault["put"])


def noticed(copy: Path, *arguments: str) -> str:
    """The first test that a run makes red; empty where none is."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "2", "--dist", "loadfile", *arguments]
    try:
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        return f"hung for {LIMIT_S} s"
    if done.returncode in (0, 5):  # green, or no test of this group in the folder
        return ""
    first = FIRST.search(done.stdout)
    return first[1] if first else f"pytest ended with {done.returncode}: {done.stdout.strip().splitlines()[-1:]}"


def tried(fault: dict[str, Any], copy: Path) -> dict[str, Any]:
    """Plant one fault, ask the tests, take it back."""
    path, begun = copy / fault["path"], time.monotonic()
    sound = path.read_bytes()
    path.write_text(planted(fault, copy))
    stages = [("folder", ["--group", GATE, *fault["tests"]]), ("gate", ["--group", GATE])]
    stages += [(group, ["--group", group]) for group in fault["groups"]]
    row = {"kind": fault["kind"], "where": "nowhere", "by": "no test"}
    try:
        for where, arguments in stages:
            if by := noticed(copy, *arguments):
                row |= {"where": where, "by": by}
                break
    finally:
        path.write_bytes(sound)
    row["seconds"] = round(time.monotonic() - begun)
    if row["by"].startswith("tests/") and noticed(copy, "-n0", row["by"]):
        row |= {"where": "nowhere", "by": f"{row['by']}, which is red without the fault too"}
    return row


def show(rows: dict[str, Any]) -> None:
    """The table, and its sums."""
    print("| fault | kind | noticed in | first by | s |\n| --- | --- | --- | --- | --- |")
    for name, row in rows.items():
        print(f"| {name} | {row['kind']} | {row['where']} | {row['by']} | {row['seconds']} |")
    places = [row["where"] for row in rows.values()]
    gate = sum(where in ("folder", "gate") for where in places)
    print(f"{len(places)} planted, {len(places) - places.count('nowhere')} noticed, {gate} of them in the gate.")


def main(names: list[str]) -> int:
    """Plant what is asked for; 1 where no test noticed something."""
    commit = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=ROOT, text=True).strip()
    kept: dict[str, Any] = json.loads(RESULT.read_text()) if RESULT.exists() else {}
    rows = kept.setdefault(commit, {})
    wanted = [one for one in faults() if (one["name"] in names if names else one["name"] not in rows)]
    if names == ["show"]:
        wanted = []
    elif unknown := set(names) - {one["name"] for one in wanted}:
        print(
            f"There is no fault {', '.join(sorted(unknown))}; there are {', '.join(one['name'] for one in faults())}."
        )
        return 2
    place = Path(tempfile.mkdtemp(prefix="saalchef-planted-"))
    try:
        subprocess.run(["git", "clone", "-q", str(ROOT), place / "copy"], check=True)
        compile_outdated(place / "copy" / "casino" / "locale")
        for fault in wanted:
            rows[fault["name"]] = row = tried(fault, place / "copy")
            RESULT.parent.mkdir(exist_ok=True)
            RESULT.write_text(json.dumps(kept, indent=1) + "\n")
            print(f"{row['seconds']:>5} s  {fault['name']}: {row['where']}, {row['by']}", flush=True)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    show(rows)
    return int(any(row["where"] == "nowhere" for row in rows.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
