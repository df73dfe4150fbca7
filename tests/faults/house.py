"""A demo house in processes of its own, as it is deployed: PostgreSQL, Redis, gunicorn, sockets, worker and beat, and coordinators
besides. Whatever dies is started again within a moment, as systemd does it: with all that its group left behind ended first.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from casino.launcher.embedded import postgres, redis
from casino.launcher.processes import die_with_parent, servers_of, wait_until
from payouts import seal_keys
from tests.casino.ops.own_servers import PROJECT, Browser, OwnServers
from tests.faults.clock import HouseClock
from tests.zone import quiet_zone

RESTART_S = 0.1  # systemd's own pause before it starts a unit again
LOOK_S = 0.05
FIRST_S = 90.0  # within which everything answers for the first time, on a machine that does other things besides
WEB_WORKERS = 2


@dataclass
class Program:
    """One program: how it is started, its process, and how often it was started so far."""

    name: str
    command: Sequence[str]
    environment: dict[str, str]
    work: Path = PROJECT
    more: dict[str, Any] = field(default_factory=dict)  # the user of a database server
    data: Path | None = None  # of a database server: its processes are told by it
    process: "subprocess.Popen[bytes] | None" = None
    starts: int = 0
    dead_since: float = 0.0

    def start(self, log: Path) -> None:
        """Start it; its output goes behind what it said before. Leading a session, it can be ended with all its children."""
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                self.command,
                cwd=self.work,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                preexec_fn=die_with_parent(signal.SIGKILL),  # noqa: PLW1509  (one system call, made ready before the fork)
                **self.more,
            )
        self.starts += 1
        self.dead_since = 0.0

    @property
    def lives(self) -> bool:
        """Whether its first process runs (or is stopped)."""
        return self.process is not None and self.process.poll() is None

    @property
    def pid(self) -> int:
        """Of its first process."""
        return self.process.pid if self.process else 0

    def children(self) -> list[int]:
        """Of its first process, by id."""
        return sorted(pid for pid, parent in _parents() if parent == self.pid)

    def all(self) -> list[int]:
        """All its processes."""
        if self.data is not None:
            return servers_of(self.data)
        return [pid for pid in (self.pid, *self.children()) if pid]


def _parents() -> Iterator[tuple[int, int]]:
    for name in os.listdir("/proc"):
        if name.isdigit():
            with suppress(OSError):
                yield int(name), int(Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[1])


class House:
    """All programs, and the supervisor that starts them again."""

    def __init__(self, folder: Path, *, coordinators: bool = True, served_by: str = "") -> None:
        self.servers = OwnServers(folder)
        self.folder = folder
        self.web_socket, self.ws_socket = folder / "web.sock", folder / "ws.sock"
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self.clock = HouseClock(folder)
        self.environment = self.servers.environment(
            SAALCHEF_DEMO="1", SAALCHEF_DEMO_TIME_ZONE=quiet_zone(),
            ALLOWED_HOSTS="127.0.0.1,localhost", LOG_LEVEL="WARNING", PYTHONUNBUFFERED="1",
            STATIC_ROOT=str(folder / "static"), HOME=os.environ.get("HOME") or "/",
            TMPDIR=str(self.temporary),
            SEAL_KEY_PATH=str(folder / "seals" / "key.pem"), SEAL_HEADS=str(folder / "heads"), TRUST_PROXY="1",
            **self.clock.environment,
        )  # fmt: skip
        seal_keys.make(folder / "seals" / "key.pem")
        self.programs = {one.name: one for one in self._programs(served_by, coordinators=coordinators)}
        self.restarts: Counter[str] = Counter()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._supervise, daemon=True, name="supervisor")

    def _programs(self, served_by: str, *, coordinators: bool) -> Iterator[Program]:
        own, plain = self.servers, postgres.plain_environment() | self.clock.environment
        account, root = dict(own.account.popen), Path("/")
        yield Program("postgres", own.postgres.command(), plain, root, account, own.postgres.data)
        yield Program("redis", own.redis.command(), plain, root, account, own.redis.data)
        gunicorn = ("gunicorn", "-c", "deploy/gunicorn.conf.py", "--workers", str(WEB_WORKERS))
        yield self._ours("web", *gunicorn, "--bind", f"unix:{self.web_socket}", *filter(None, [served_by]))
        sockets = ("uvicorn", "casino.asgi:application", "--uds", str(self.ws_socket), "--log-level", "warning")
        sockets += ("--ws-ping-interval", "20", "--ws-ping-timeout", "20", "--ws-per-message-deflate", "false")
        yield self._ours("ws", *sockets, DATABASE_POOL_SIZE="8")
        worker = ("worker", "--concurrency", "2", "--without-gossip", "--without-mingle")
        yield self._ours("worker", "celery", "-A", "casino.celery", *worker)
        yield self._ours("beat", "celery", "-A", "casino.celery", "beat")
        if coordinators:
            yield self._ours("coordinators", "tests.faults.coordinators")

    def _ours(self, name: str, *command: str, **more: str) -> Program:
        return Program(name, [sys.executable, "-m", *command], self.environment | more)

    # Beginning and end
    def start(self) -> None:
        """Make the demo house and start everything; returns once pages and sockets answer."""
        self.servers.account.own(self.folder)
        redis.initialise(self.servers.redis)
        postgres.initialise(self.servers.postgres, durable=False)
        for name in ("postgres", "redis"):
            self.programs[name].start(self.log(name))
        server = self.programs["postgres"]
        postgres.wait_ready(self.servers.postgres, lambda: server.lives, self.log("postgres"))
        postgres.make_roles(self.servers.postgres)
        self.module("tests.faults.prepare")
        for one in self.programs.values():
            if not one.lives:
                one.start(self.log(one.name))
        self._thread.start()
        for path in (self.web_socket, self.ws_socket):
            browser = Browser(path)
            assert wait_until(browser.answers, FIRST_S, step=0.2), self.said()
            browser.close()

    def manage(self, *command: str, check: bool = True) -> "subprocess.CompletedProcess[str]":
        """Run a command of `manage.py` on this house."""
        whole = [sys.executable, "manage.py", *command]
        return subprocess.run(
            whole, cwd=PROJECT, env=self.environment, check=check, capture_output=True, text=True, timeout=300
        )

    def module(self, name: str) -> None:
        """Run a module of ours on this house, to its end."""
        subprocess.run(
            [sys.executable, "-m", name],
            cwd=PROJECT,
            env=self.environment,
            check=True,
            timeout=300,
            stdout=subprocess.DEVNULL,
        )

    def stop(self) -> None:
        """End everything, the servers last; nothing of it stays."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(30)
        for one in reversed(self.programs.values()):
            self._sweep(one)

    def log(self, name: str) -> Path:
        """What a program said, in all its lives."""
        return self.folder / f"{name}.log"

    def said(self, most: int = 3000) -> str:
        """The last words of each program."""
        logs = [path for path in sorted(self.folder.glob("*.log")) if path.stat().st_size]
        return "\n".join(f"--- {path.name}\n{path.read_text(errors='replace')[-most:]}" for path in logs)

    # The supervisor
    def _supervise(self) -> None:
        while not self._over.wait(LOOK_S):
            for one in self.programs.values():
                if one.lives:
                    continue
                one.dead_since = one.dead_since or time.monotonic()
                if time.monotonic() - one.dead_since >= RESTART_S:
                    self._again(one)

    def _again(self, one: Program) -> None:
        self._sweep(one)
        if one.name == "postgres":
            postgres.heal(self.servers.postgres)
        self.restarts[one.name] += 1
        one.start(self.log(one.name))

    def _sweep(self, one: Program) -> None:
        """End what a program left behind, as systemd ends a unit's whole group; a stopped process too."""
        for pid in servers_of(one.data) if one.data is not None else ():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if one.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(one.process.pid, signal.SIGKILL)
            one.process.wait(10)
        if one.data is not None:
            wait_until(lambda: not servers_of(one.data or Path()), 5)

    # Looking
    @contextmanager
    def link(self) -> Iterator["psycopg.Connection[tuple[Any, ...]]"]:
        """A connection of the superuser."""
        url = self.servers.postgres.url(postgres.SUPERUSER)
        with psycopg.connect(url, autocommit=True, connect_timeout=3) as link:
            yield link

    def sql(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Rows of a query as the superuser. Raises psycopg.OperationalError while the database is away."""
        with self.link() as link:
            return link.execute(query, values).fetchall()
