"""How long a newcomer waits, how long anybody else, and what the house takes of memory: the real `make run` in a fresh clone."""

import http.client
import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from casino.launcher.processes import die_with_parent, marked, servers_of, wait_until
from tests.casino.launcher.clones import copy_project, free_port, open_folder

SECOND_START_S = 10.0  # what a second start may take
PATIENCE_S = 300.0
PROGRAMS = ("postgres", "redis", "web", "worker", "beat", "supervisor", "runner")


def measure() -> dict[str, dict[str, float]]:
    """Seconds until `/readyz` says yes, and megabytes per program: `ours` shares what is shared (PSS), `resident` does not.

    The first start makes its packages anew; what pip has in its cache is not fetched again.
    """
    with open_folder() as folder, tempfile.TemporaryDirectory() as home:
        clone = copy_project(folder / "saalchef")
        with _run(clone, home) as first:
            pass
        with _run(clone, home) as second:
            memory = {f"memory of {name}, MB": _memory(_processes(clone, name)) for name in PROGRAMS}
    memory["memory of all, MB"] = {
        key: round(sum(row[key] for row in memory.values()), 1) for key in ("ours", "resident", "processes")
    }
    rows = {"first start, s": {"ours": first}}
    rows["second start, s"] = {
        "limit": SECOND_START_S,
        "ours": second,
        "ratio": round(SECOND_START_S / second, 2),
        "asked": 1.0,
    }
    return rows | memory


@contextmanager
def _run(clone: Path, home: str) -> Iterator[float]:
    """A whole run; gives the seconds from the command to readiness, and stops it at the end as Ctrl-C does."""
    port = free_port()
    environ = {name: os.environ[name] for name in os.environ if name in ("PATH", "LANG") or name.startswith("PIP_")}
    begun = time.monotonic()
    with (clone / "run.out").open("wb") as output:
        process = subprocess.Popen(
            ["make", "run", f"PORT={port}"],
            cwd=clone,
            env=environ | {"HOME": home, "PIP_CACHE_DIR": str(Path.home() / ".cache" / "pip")},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=die_with_parent(signal.SIGTERM),  # noqa: PLW1509  (there are no threads here)
        )
    try:
        if (
            not wait_until(lambda: _ready(port) or process.poll() is not None, PATIENCE_S, 0.05)
            or process.poll() is not None
        ):
            raise RuntimeError((clone / "run.out").read_text())
        yield round(time.monotonic() - begun, 1)
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.wait(60)


def _ready(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _processes(clone: Path, program: str) -> list[int]:
    if program == "runner":
        return [int(number) for number in re.findall(r"process (\d+)", (clone / "var" / "run.lock").read_text())]
    return servers_of(clone / "var" / program) if program in ("postgres", "redis") else marked(str(clone), program)


def _memory(pids: list[int]) -> dict[str, float]:
    sums = {"Pss": 0, "Rss": 0}
    for pid in pids:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        for key in sums:
            found = re.search(rf"^{key}:\s+(\d+) kB", text, re.MULTILINE)
            sums[key] += int(found[1]) if found else 0
    return {"ours": round(sums["Pss"] / 1024, 1), "resident": round(sums["Rss"] / 1024, 1), "processes": len(pids)}
