"""What the database stands on: room on the disks, the archive of its log, its standby. None of them
stops a command before it is too late, so a monitor has to be told.
"""

import os
import re
from collections.abc import Iterable, Sequence

from casino.ops.checked import Check

ROOM_LEAST = 0.05  # of a disk
ROOM_LEAST_BYTES = 2 << 30
ARCHIVE_LATE_S = 300.0  # beyond the server's `archive_timeout`

# What any role may read; of who replicates only the name.
COPIES = """
    SELECT current_setting('archive_mode') <> 'off', (SELECT setting::float8 FROM pg_settings
        WHERE name = 'archive_timeout'),
           extract(epoch FROM clock_timestamp() - coalesce(last_archived_time,
               pg_postmaster_start_time()))::float8,
           coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false),
           current_setting('synchronous_standby_names'), ARRAY(SELECT application_name
               FROM pg_stat_replication)
    FROM pg_stat_archiver
"""


def copies(answer: tuple[bool, float, float, bool, str, list[str]]) -> dict[str, Check]:
    """The checks `archive` and `standby` of what COPIES answered. What a house has not set up is
    not amiss, and is said.
    """
    archives, timeout_s, age_s, failing, names, connected = answer
    return {
        "archive": _archive(timeout_s, age_s, archives=archives, failing=failing),
        "standby": _standby(names, connected),
    }


def _archive(timeout_s: float, age_s: float, *, archives: bool, failing: bool) -> Check:
    if not archives:
        return Check(ok=True, age_s=None, detail="none is set up")
    if failing:
        return Check(ok=False, age_s=age_s, detail="the last try failed")
    late = timeout_s > 0 and age_s > timeout_s + ARCHIVE_LATE_S
    return Check(not late, age_s, f"nothing for {age_s:.0f} s" if late else "kept")


def _standby(names: str, connected: Sequence[str]) -> Check:
    """As many of the synchronous standbys as the server waits for are connected. Without them no
    command ends.
    """
    if not names.strip():
        return Check(ok=True, age_s=None, detail="none is set up")
    several = re.fullmatch(r"(?:(?:ANY|FIRST)\s+)?(\d+)\s*\((.*)\)", names.strip(), re.IGNORECASE)
    needed, listed = (int(several[1]), several[2]) if several else (1, names)
    known = {name.strip().strip('"').lower() for name in listed.split(",")}
    there = sum("*" in known or name.lower() in known for name in connected)
    return Check(there >= needed, 0.0, f"{there} connected, {needed} needed")


def disks(paths: Iterable[str]) -> Check:
    """The fullest of the disks on which these folders lie, on this machine."""
    worst = Check(ok=True, age_s=None, detail="none is looked at")
    least = 2.0
    for path in paths:
        try:
            disk = os.statvfs(path)
        except OSError:
            return Check(ok=False, age_s=0.0, detail="a folder is not there")
        free, share = disk.f_bavail * disk.f_frsize, disk.f_bavail / max(disk.f_blocks, 1)
        enough = share >= ROOM_LEAST and free >= ROOM_LEAST_BYTES
        if share < least or (worst.ok and not enough):
            least, worst = share, Check(enough, 0.0, f"{share:.0%} free")
    return worst
