"""Where the servers of a test run keep their files: in memory where there is room for it.

Every test that commits works in a database of its own. On a disk it takes 0.2 s and more to make one and as long to drop it, in
memory a tenth of that; and what a run leaves behind nobody ever reads. Nothing else differs: the servers' settings stay the same.
"""

import fcntl
import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM = 4 << 30  # bytes free for a process of the run; it uses a quarter of that
PREFIX = "saalchef-test-"
_held: list[int] = []  # locks on this process's folders: as long as it lives


def new_folder() -> Path:
    """A private folder for the servers of this process; `TMPDIR` says where, if it is set.

    What a run that was killed left in memory is cleared away by the next one: nobody holds its lock any more.
    """
    if os.environ.get("TMPDIR") or not _roomy():
        return Path(tempfile.mkdtemp(prefix=PREFIX))
    with (MEMORY / f"{PREFIX}{os.getuid()}.lock").open("w") as one_at_a_time:
        fcntl.flock(one_at_a_time, fcntl.LOCK_EX)
        for left in MEMORY.glob(f"{PREFIX}*/"):
            if _hold(left):
                shutil.rmtree(left, ignore_errors=True)
                os.close(_held.pop())
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=MEMORY))
        _hold(folder)
    return folder


def _hold(folder: Path) -> bool:
    """Take the folder's lock; tells whether it was free."""
    try:
        lock = os.open(folder, os.O_RDONLY)
    except OSError:  # another user's, or gone
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return False
    _held.append(lock)
    return True


def _roomy() -> bool:
    """Whether memory is a folder that may be written to, whose programs run, with room in it."""
    if not MEMORY.is_dir() or not os.access(MEMORY, os.W_OK | os.X_OK):
        return False
    told = dict(line.split(":") for line in Path("/proc/meminfo").read_text().splitlines())
    available = int(told["MemAvailable"].removesuffix("kB")) << 10
    runs = not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC  # the servers' programs may have to be copied there
    return runs and min(available, shutil.disk_usage(MEMORY).free) >= ROOM
