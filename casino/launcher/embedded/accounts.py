"""The ordinary user that servers run as when everything else runs as root (PostgreSQL refuses to
run as root).
"""

import os
import pwd
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from casino.launcher.errors import StartError


class Dropped(TypedDict, total=False):
    """The arguments of `subprocess` that run a child as another user."""

    user: int
    group: int
    extra_groups: Sequence[int]


@dataclass(frozen=True)
class Account:
    """A user of this machine; `drop` tells whether we must change to them (we are root) or are them
    already.
    """

    uid: int
    gid: int
    drop: bool

    @property
    def popen(self) -> Dropped:
        """Arguments for `subprocess`; empty when we are that user already."""
        return Dropped(user=self.uid, group=self.gid, extra_groups=[]) if self.drop else Dropped()

    def become(self) -> None:
        """Turn this process into that user for good."""
        if self.drop:
            os.setgroups([])
            os.setgid(self.gid)
            os.setuid(self.uid)

    def own(self, *paths: Path) -> None:
        """Hand over files or folders of ours."""
        if self.drop:
            for path in paths:
                os.chown(path, self.uid, self.gid, follow_symlinks=False)

    def may(self, mode: str, path: Path) -> bool:
        """Whether that user may read (`r`), write (`w`) or execute (`x`) the path, as the system
        sees it (ACLs too).
        """
        if not self.drop:
            return os.access(path, {"r": os.R_OK, "w": os.W_OK, "x": os.X_OK}[mode])
        answer = subprocess.run(["test", f"-{mode}", str(path)], cwd="/", check=False, **self.popen)
        return answer.returncode == 0


def server_account(owned: Path) -> Account:
    """Who runs the servers whose files lie at `owned`: we ourselves, or as root its owner if they
    are a user, else nobody.

    Raises StartError where no such user exists.
    """
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid(), drop=False)
    owner = owned.stat().st_uid
    try:
        entry = pwd.getpwuid(owner) if owner != 0 and has_name(owner) else pwd.getpwnam("nobody")
    except KeyError:
        raise StartError(
            "PostgreSQL refuses to run as root, and this machine has no user 'nobody' to run"
            " it as.",
            "Start as an ordinary user.",
        ) from None
    return Account(entry.pw_uid, entry.pw_gid, drop=True)


def owner_account(data: Path) -> Account:
    """As root: the owner of a data folder, who alone may run the server that works in it."""
    state = data.stat()
    return Account(state.st_uid, state.st_gid, drop=state.st_uid != 0)


def has_name(uid: int) -> bool:
    """Whether this machine knows the user by a name."""
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True
