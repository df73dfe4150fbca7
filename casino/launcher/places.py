"""One clone and where its things lie. Standard library only.

`var/` in the clone holds everything that `make run` makes: packages, logs, data. Only sockets lie
elsewhere (their names must be short), and as root the servers' data as well when an ordinary user
cannot reach the clone.
"""

import fcntl
import hashlib
import os
import shlex
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from casino.launcher.embedded.accounts import Account, owner_account, server_account
from casino.launcher.embedded.folders import private_folder
from casino.launcher.errors import StartError

ELSEWHERE = Path("/var/lib")
LEFT = "demo-left.json"  # in `var`: what `make demo` has set up and not cleared away yet


@dataclass(frozen=True)
class Place:
    """A clone: its folder, its `var`, the home of the servers' data, and the user who runs the
    servers.
    """

    root: Path
    home: Path
    account: Account

    @property
    def var(self) -> Path:
        """What `make run` makes, and git ignores."""
        return self.root / "var"

    @property
    def log(self) -> Path:
        """One log per process."""
        return self.var / "log"

    @property
    def key(self) -> str:
        """Short name that tells this clone from others on the machine."""
        return place_key(self.root)

    @property
    def postgres_data(self) -> Path:
        """PostgreSQL's data folder."""
        return self.home / "postgres"

    @property
    def redis_data(self) -> Path:
        """Redis' data folder."""
        return self.home / "redis"

    @property
    def is_open(self) -> bool:
        """Whether `account` can run the programs of this clone: read its files, and what is
        installed for it.
        """
        installed = Path(sysconfig.get_paths()["purelib"])
        return self.account.may("x", Path(sys.executable)) and all(
            self.account.may("r", path) for path in (self.root / "manage.py", installed)
        )

    def hand_over(self) -> None:
        """Give `account` what programs write: seals with their key, reports."""
        for folder in (self.var / "seals", self.var / "reports"):
            folder.mkdir(parents=True, exist_ok=True)
            self.account.own(folder, *folder.rglob("*"))

    def sockets(self) -> Path:
        """The private folder of the sockets, made if need be. Raises StartError when somebody else
        has it.
        """
        return private_folder(f"saalchef-{self.account.uid}-{self.key}", self.account)


def place_key(root: Path) -> str:
    """Eight letters for a folder; the same for the same folder, whatever way leads there."""
    return hashlib.sha256(os.fsencode(root.resolve())).hexdigest()[:8]


def command_line(root: Path, *arguments: str) -> str:
    """What a person types in any other terminal to run a command of `manage.py` on the house of
    this clone.
    """
    python = Path(sys.executable)
    program = python.relative_to(root) if python.is_relative_to(root) else python
    command = shlex.join([str(program), "-m", "casino.launcher", "manage", *arguments])
    return f"cd {shlex.quote(str(root))} && {command}"


def find_place(root: Path, *, embedded: bool = True) -> Place:
    """The place of a clone. Its `var` is made; it must be writable. Raises StartError.

    Without embedded servers nobody else needs to reach anything.
    """
    root = root.resolve()
    var = writable_var(root)
    if os.geteuid() != 0 or not embedded:
        return Place(root, var, Account(os.geteuid(), os.getegid(), drop=False))
    if not var.is_symlink():
        # our own folder: the servers' user must get in, whatever our umask is
        var.chmod(var.stat().st_mode | 0o011)
    elsewhere = ELSEWHERE / f"saalchef-{place_key(root)}"
    for home in (var, elsewhere):
        if (
            (data := home / "postgres").exists()
            and (account := owner_account(data)).drop
            and account.may("x", home)
        ):
            return Place(root, home, account)
    account = server_account(root)
    if account.may("x", var):
        return Place(root, var, account)
    elsewhere.mkdir(exist_ok=True)
    elsewhere.chmod(0o711)  # whatever our umask is
    (elsewhere / "CLONE").write_text(f"{root}\n")
    if not account.may("x", elsewhere):
        raise StartError(
            f"PostgreSQL refuses to run as root, and the user 'nobody' can enter neither {var} nor"
            f" {elsewhere}.",
            "Clone into a folder that every user may enter, or start as an ordinary user.",
        )
    return Place(root, elsewhere, account)


def writable_var(root: Path) -> Path:
    """The clone's `var`, made if need be. Raises StartError where nothing can be written."""
    var = root / "var"
    try:
        var.mkdir(exist_ok=True)
        (var / "log").mkdir(mode=0o700, exist_ok=True)
        probe = var / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise StartError(
            f"Nothing can be written in {var}: {error.strerror}.",
            "Clone into a folder of yours with room in it; if `var` is another user's, delete it as"
            " that user.",
        ) from error
    return var


@contextmanager
def run_lock(var: Path) -> Iterator[None]:
    """Hold the right to run this clone; the kernel gives it back however the holder ends. Raises
    StartError if it is taken.
    """
    with (var / "run.lock").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise StartError(
                f"This clone is running already: {file.read().strip() or 'it is just starting'}.",
                "Stop that with Ctrl-C in its terminal, or use another clone with another PORT.",
            ) from None
        yield


def say_running(var: Path, text: str) -> None:
    """Tell whoever finds the lock taken where this clone is running."""
    (var / "run.lock").write_text(text + "\n")
