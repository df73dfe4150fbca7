"""`make backup`: a physical copy of the running house's database, taken while it plays, and checked
before it counts.

Physical, never a dump: the audits compare transaction numbers. `pg_basebackup` brings the log that
was written meanwhile along, so the copy starts by itself; `pg_verifybackup` reads every file back
against the checksums of the manifest. The secret key is no part of it: PINs are keyed by it, so it
is kept elsewhere, as the environment is.

The copy is told to recover as from an archive (`recovery.signal`; there is none, the log is in it):
so each start of it begins a new timeline, and a house that is restored from it is told from the one
that was copied.
"""

import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import psycopg

from casino.launcher.embedded.accounts import Account
from casino.launcher.embedded.postgres import SUPERUSER, Postgres, plain_environment, verify
from casino.launcher.errors import StartError
from casino.launcher.plan import Plan, make_plan
from casino.launcher.terminal import Terminal

GB = 1_000_000_000


@dataclass(frozen=True)
class Backup:
    """A backup that was checked: where it lies, how large it is, and the seconds that copying and
    checking took.
    """

    folder: Path
    size_bytes: int
    copied_s: float
    checked_s: float

    def summary(self) -> str:
        """One line for people."""
        each = per_gb(self.copied_s + self.checked_s, self.size_bytes)
        return (
            f"{self.size_bytes / 1_000_000:.1f} MB, copied and checked in"
            f" {self.copied_s + self.checked_s:.1f} s ({each})"
        )


def backup(root: Path) -> int:
    """Take a backup of the running house into TO, by default a new folder below `var/backups`.
    Raises StartError.
    """
    plan, terminal = make_plan(root, os.environ), Terminal()
    server = running_server(plan)
    to = os.environ.get("TO", "")
    folder = (
        Path(to).absolute()
        if to
        else plan.place.home / "backups" / f"{datetime.now(UTC):%Y-%m-%dT%H%M%SZ}"
    )
    taken = take(server, folder, terminal)
    terminal.say(f"\nBackup in {taken.folder}: {taken.summary()}.")
    terminal.say(
        "Keep var/secret-key and var/signature-key elsewhere: PINs are keyed by the one, every"
        " signature is attested by the other, and they are not in here."
    )
    terminal.say(f"Try it: make drill FROM={taken.folder}")
    return 0


def running_server(plan: Plan) -> Postgres:
    """The embedded PostgreSQL of a house that runs. Raises StartError."""
    if plan.postgres is None:
        raise StartError(
            "DATABASE_URL names a PostgreSQL of your own: it is backed up where it runs.",
            "Use pg_basebackup with WAL archiving there (docs/OPERATIONS.md).",
        )
    try:
        with psycopg.connect(
            plan.postgres.url(SUPERUSER, "postgres"), connect_timeout=5
        ) as connection:
            verify(plan.postgres, connection)
    except psycopg.OperationalError as error:
        raise StartError(
            "The house does not run here.",
            "Start it with `make run`: a backup is taken while it plays.",
        ) from error
    return plan.postgres


def take(server: Postgres, folder: Path, terminal: Terminal) -> Backup:
    """Copy the database into `folder`, which must not be there yet, and check the copy. Raises
    StartError.

    It gets its name when it was checked: what lies under a backup's name is one.
    """
    if folder.exists():
        raise StartError(
            f"{folder} is there already.",
            "Name a folder that is new: make backup TO=/path/to/folder",
        )
    work = folder.with_name(f"{folder.name}.partial")
    account = server.account
    try:
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if folder.parent.parent == server.data.parent:  # the folder of all backups, beside the data
            account.own(folder.parent)
        work.mkdir(mode=0o700)
        account.own(work)
    except OSError as error:
        raise StartError(
            f"Nothing can be written in {folder.parent}: {error.strerror}.", "Name another folder."
        ) from error
    begun = time.monotonic()
    with terminal.step("backup"):
        command = [
            str(server.programs / "pg_basebackup"),
            "--pgdata",
            str(work),
            "--wal-method=stream",
            "--no-password",
        ]
        command += [
            "--checkpoint=fast",
            "--manifest-checksums=SHA256",
            "--dbname",
            server.url(SUPERUSER, "postgres"),
        ]
        run_as(account, command, "PostgreSQL could not be copied")
    copied_s = time.monotonic() - begun
    _begin_a_timeline(server, work)
    checked_s = check(server, work, terminal)
    work.rename(folder)
    return Backup(folder, size_of(folder), copied_s, checked_s)


def _begin_a_timeline(server: Postgres, folder: Path) -> None:
    """Neither of the two files is in the manifest that the copy is checked against."""
    with (folder / "postgresql.auto.conf").open("a") as settings:
        settings.write("restore_command = 'false'\n")
    signal = folder / "recovery.signal"
    signal.touch(mode=0o600)
    server.account.own(signal)


def check(server: Postgres, folder: Path, terminal: Terminal) -> float:
    """Read a backup back against its manifest; gives the seconds. Raises StartError."""
    begun = time.monotonic()
    with terminal.step("checksums"):
        command = [str(server.programs / "pg_verifybackup"), "--quiet", str(folder)]
        run_as(server.account, command, f"The backup in {folder} is not whole")
    return time.monotonic() - begun


def run_as(account: Account, command: Sequence[str], failed: str) -> None:
    """Run a program of PostgreSQL as the servers' user. Raises StartError with its last words."""
    done = subprocess.run(
        command,
        cwd="/",
        env=plain_environment(),
        capture_output=True,
        text=True,
        check=False,
        **account.popen,
    )
    if done.returncode != 0:
        words = (done.stderr.strip() or done.stdout.strip() or "no output").splitlines()[-1]
        raise StartError(f"{failed}: {words}.", "Put that right (is the disk full?) and try again.")


def size_of(folder: Path) -> int:
    """Bytes of all files in a folder."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())


def seconds_per_gb(seconds: float, size_bytes: int) -> float:
    """Seconds as a rate: what a copy of a gigabyte would take."""
    return round(seconds / (size_bytes / GB), 1)


def per_gb(seconds: float, size_bytes: int) -> str:
    """The same for people."""
    return f"{seconds_per_gb(seconds, size_bytes):.0f} s per GB"
