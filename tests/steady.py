"""`make steady`: the gate in fresh clones of HEAD, each time under other circumstances; all must be green.

    python -m tests.steady          RUNS of them (5); what was broken off on this commit goes on with the run that did not end
    python -m tests.steady show     what the runs of this commit were

A red run is to be understood, not repeated: forget it with `rm var/steady.json` once its fault is mended. Logs are in `var/steady`.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULT, LOGS = ROOT / "var" / "steady.json", ROOT / "var" / "steady"
KINDS = (PLAIN, ORDER, BUSY, DAY, USER) = (
    "plain", "in another order", "beside two busy processes", "as the day changes", "as an ordinary user"
)  # fmt: skip
NOBODY = "65534"
LIMIT_S = 3_600
CHANGE_HOUR = 6  # of the gaming day, by the clock on the wall (HSE-1)
RED = re.compile(r"^(?:FAILED|ERROR) (tests/\S+)", re.MULTILINE)


def day_changes(now: datetime) -> str:
    """A zone in which the gaming day changes within the hour."""
    ahead = (CHANGE_HOUR - 1 - now.astimezone(UTC).hour) % 24  # by so many hours it is five o'clock there
    return (
        f"Etc/GMT-{ahead}" if ahead <= 14 else f"Etc/GMT+{24 - ahead}"
    )  # in these names the sign is the other way round


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """So many processes that do nothing but compute."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for one in running:
            one.kill()
            one.wait()


def gate(kind: str, place: Path, log: Path) -> int:
    """Run the gate of a fresh clone; its exit status."""
    subprocess.run(["git", "clone", "-q", str(ROOT), place / "saalchef"], check=True)
    (place / "home").mkdir()
    more: dict[str, str] = {"TZ": day_changes(datetime.now(UTC))} if kind == DAY else {}
    command: Sequence[str] = ["make", "-C", str(place / "saalchef"), "test"]
    if kind == ORDER:
        command = [*command, f"ARGS=--random-order --random-order-seed={log.stem}"]
    if kind == USER and os.getuid() == 0:
        subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", str(place)], check=True)
        command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command]
    environment = {"HOME": str(place / "home"), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"} | more
    with log.open("wb") as out, busy(2 if kind == BUSY else 0):
        return subprocess.run(command, env=environment, stdout=out, stderr=out, timeout=LIMIT_S, check=False).returncode


def run(number: int, kind: str) -> dict[str, Any]:
    """One run; what there is to say of it."""
    LOGS.mkdir(parents=True, exist_ok=True)
    log, place, begun = LOGS / f"{number}.log", Path(tempfile.mkdtemp(prefix="saalchef-steady-")), time.monotonic()
    place.chmod(0o755)
    try:
        status = gate(kind, place, log)
    except subprocess.TimeoutExpired:
        status = 124
    finally:
        shutil.rmtree(place, ignore_errors=True)
    told = log.read_text(errors="replace")
    last = told.strip().splitlines()[-1:] or [""]
    return {
        "kind": kind, "green": status == 0, "seconds": round(time.monotonic() - begun), "red": RED.findall(told), "said": last[0],
    }  # fmt: skip


def show(rows: Mapping[str, Mapping[str, Any]]) -> None:
    """A line for each run."""
    for number, row in rows.items():
        print(
            f"{number:>3}  {'green' if row['green'] else 'RED':<5} {row['seconds']:>5} s  {row['kind']:<27} {row['said']}"
        )
        for test in row["red"]:
            print(f"{'':>5}{test}")


def main(arguments: Sequence[str]) -> int:
    """Run what was not run on this commit yet; 1 if something is red."""
    commit = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=ROOT, text=True).strip()
    kept: dict[str, Any] = json.loads(RESULT.read_text()) if RESULT.exists() else {}
    rows: dict[str, Any] = kept.setdefault(commit, {})
    runs = 0 if "show" in arguments else int(os.environ.get("RUNS") or len(KINDS))
    for number in range(1, runs + 1):
        if str(number) not in rows:
            rows[str(number)] = run(number, KINDS[(number - 1) % len(KINDS)])
            RESULT.parent.mkdir(exist_ok=True)
            RESULT.write_text(json.dumps(kept, indent=1) + "\n")
            show({str(number): rows[str(number)]})
    print()
    show(rows)
    return int(not all(row["green"] for row in rows.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
