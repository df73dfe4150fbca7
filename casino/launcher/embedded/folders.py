"""Folders of the servers: a short private one for sockets; programs and data where the servers'
user can reach them.
"""

import os
import re
import shutil
import stat
import tempfile
from pathlib import Path

from casino.launcher.embedded.accounts import Account
from casino.launcher.errors import StartError

SOCKET_PATH_MAX = 107  # bytes: what the kernel takes for the name of a unix socket
_LONGEST_NAME = "/supervisor.sock.4194304"  # supervisor binds under its process id first


def fits_sockets(folder: Path) -> bool:
    """Whether sockets in that folder have names that the kernel takes and that need no quoting in a
    URL.
    """
    text = str(folder)
    return (
        len(os.fsencode(text + _LONGEST_NAME)) <= SOCKET_PATH_MAX
        and re.fullmatch(r"[A-Za-z0-9/._-]+", text) is not None
    )


def private_folder(name: str, account: Account) -> Path:
    """Make, or take again, the folder `name` under TMPDIR or /tmp that only `account` (and root)
    can enter.

    Only who may enter the folder reaches the sockets in it: that is the access control of the
    embedded servers. Raises StartError when the folder is somebody else's (the name can be guessed,
    and /tmp is everybody's).
    """
    wished = Path(os.environ.get("TMPDIR") or "/tmp").absolute() / name
    folder = (
        wished
        if fits_sockets(wished) and wished.parent.is_dir() and account.may("x", wished.parent)
        else Path("/tmp") / name
    )
    try:
        folder.mkdir(mode=0o700)
        folder.chmod(0o700)
    except FileExistsError:
        pass
    state = folder.lstat()
    ours = {os.geteuid(), account.uid}
    if (
        not stat.S_ISDIR(state.st_mode)
        or state.st_uid not in ours
        or stat.S_IMODE(state.st_mode) & 0o077
    ):
        raise StartError(
            f"{folder} should be a private folder of this user, and is not.",
            "Look at what it is, remove it, and start again.",
        )
    account.own(folder)
    return folder


def reachable(site: Path, parts: list[str], program: str, target: Path, account: Account) -> Path:
    """Where `account` can execute `program`: `site` itself, else `target` with a copy of `parts` of
    it, made once.

    As root the packages may lie where an ordinary user cannot look (a closed home, a tight umask).
    The parts keep their places to each other: the programs find their libraries by relative paths.
    """
    if account.may("x", site / program):
        return site
    if not target.exists():
        work = Path(tempfile.mkdtemp(dir=target.parent))
        for part in parts:
            source, copy = site / part, work / part
            copy.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(
                    source, copy, ignore=shutil.ignore_patterns("__pycache__", "include", "*.a")
                )
            else:
                shutil.copy(source, copy)
        for item in (work, *work.rglob("*")):
            item.chmod(0o755 if item.is_dir() or item.stat().st_mode & 0o100 else 0o644)
        work.rename(target)  # in one step: an interrupted copy is never taken for a whole one
    return target
