"""Which processes are ours: told by a marker in their environment or by their working folder, never
by name alone.
"""

import ctypes
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

# every process that `make run` starts carries it, with the folder of its clone
MARKER = "SAALCHEF_PLACE"
# they overwrite their environment: told by folder and program
SERVERS = {"postgres", "redis-server", "valkey-server"}

_prctl = getattr(ctypes.CDLL(None), "prctl", None)  # Linux only


def _pids() -> Iterator[int]:
    try:
        names = os.listdir("/proc")
    except FileNotFoundError:  # no Linux: nothing can be told, so nothing is ours
        return
    yield from (int(name) for name in names if name.isdigit())


def environment(pid: int) -> dict[str, str]:
    """What the process was started with; empty if it is gone or not ours to read."""
    try:
        raw = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return {}
    pairs = (os.fsdecode(item).partition("=") for item in raw.split(b"\0") if item)
    return {name: value for name, _, value in pairs}


def is_server_of(pid: int, folder: Path) -> bool:
    """Whether the process is a database server that works in `folder` (each of PostgreSQL's
    processes does).
    """
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip() in SERVERS and os.readlink(
            f"/proc/{pid}/cwd"
        ) == str(folder)
    except OSError:
        return False


def servers_of(folder: Path) -> list[int]:
    """Process ids of the servers that work in that data folder."""
    real = folder.resolve()
    return [pid for pid in _pids() if is_server_of(pid, real)]


def marked(place: str, program: str | None = None) -> list[int]:
    """Process ids of what `make run` started for that place (or of its one program), without our
    own lineage.
    """
    wanted = {MARKER: place} | ({"SAALCHEF_PROGRAM": program} if program else {})
    own = set(_lineage())
    return [pid for pid in _pids() if pid not in own and wanted.items() <= environment(pid).items()]


def _lineage() -> Iterator[int]:
    pid = os.getpid()
    while pid > 1:
        yield pid
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return
        pid = int(stat.rpartition(")")[2].split()[1])


def send(pids: Iterable[int], number: signal.Signals) -> None:
    """Signal processes, those already gone excepted."""
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue


def wait_until(done: Callable[[], bool], seconds: float, step: float = 0.02) -> bool:
    """Wait for `done()`, at most `seconds`; tells whether it came true."""
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            return False
        time.sleep(step)
    return True


def end(find: Callable[[], list[int]], first: signal.Signals, patience_s: float) -> int:
    """End what `find` finds, with `first`, after `patience_s` with SIGKILL. Returns how many there
    were.
    """
    found = find()
    if found:
        send(found, first)
        if not wait_until(lambda: not find(), patience_s):
            send(find(), signal.SIGKILL)
            wait_until(lambda: not find(), 5)
    return len(found)


def die_with_parent(number: signal.Signals) -> Callable[[], None]:
    """For `preexec_fn`: the kernel sends the child `number` when its parent ends, however it
    ends."""
    set_parent_death_signal = 1

    def arrange() -> None:
        if _prctl is not None:
            _prctl(set_parent_death_signal, int(number))

    return arrange


def output_of(process: "subprocess.Popen[bytes]") -> Iterator[bytes]:
    """What the process says, as it says it; an empty piece now and then, so that the caller can
    show that time passes.
    """
    assert process.stdout is not None
    stream = process.stdout.fileno()
    while True:
        ready, _, _ = select.select([stream], [], [], 0.2)
        chunk = os.read(stream, 65536) if ready else b""
        if ready and not chunk:
            return
        yield chunk
