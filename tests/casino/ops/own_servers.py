"""A PostgreSQL and a Redis, with the processes of Saalchef on them, that a test may stop, kill and start again."""

import http.client
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from casino.launcher.embedded import postgres, redis
from casino.launcher.embedded.accounts import server_account
from casino.launcher.processes import die_with_parent, servers_of, wait_until

PROJECT = Path(__file__).resolve().parents[3]


@dataclass
class OwnServers:
    """Both servers in a short private folder. Every process started here ends with the test run at the latest."""

    folder: Path
    processes: list["subprocess.Popen[bytes]"] = field(default_factory=list)

    def __post_init__(self) -> None:
        account = server_account(self.folder)
        account.own(self.folder)
        programs = postgres.find_programs(self.folder, account)
        self.postgres = postgres.Postgres(self.folder / "postgres", self.folder, programs, account)
        self.redis = redis.Redis(self.folder / "redis", self.folder, redis.find_program(self.folder, account), account)
        self.account = account

    def start_postgres(self) -> None:
        postgres.initialise(self.postgres, durable=False)
        postgres.heal(self.postgres)
        process = self._server("postgres", self.postgres.command(), signal.SIGQUIT)
        postgres.wait_ready(self.postgres, lambda: process.poll() is None, self.folder / "postgres.log")
        postgres.make_roles(self.postgres)

    def start_redis(self) -> None:
        redis.initialise(self.redis)
        process = self._server("redis", self.redis.command(), signal.SIGTERM)
        redis.wait_ready(self.redis, lambda: process.poll() is None, self.folder / "redis.log")

    def _server(self, name: str, command: list[str], stop: signal.Signals) -> "subprocess.Popen[bytes]":
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                command,
                cwd="/",
                env=postgres.plain_environment(),
                stdout=log,
                stderr=log,
                preexec_fn=die_with_parent(stop),  # noqa: PLW1509
                start_new_session=True,
                **self.account.popen,
            )
        self.processes.append(process)
        return process

    def signal(self, server: "postgres.Postgres | redis.Redis", number: signal.Signals) -> None:
        """To all processes of the server; a killed one is gone (reaped, its folder free) when this returns."""
        for pid in servers_of(server.data):
            with suppress(ProcessLookupError):  # a server process may end by itself meanwhile
                os.kill(pid, number)
        if number == signal.SIGKILL:
            assert wait_until(lambda: [process.poll() for process in self.processes] and not servers_of(server.data), 5)

    @contextmanager
    def stopped(self, server: "postgres.Postgres | redis.Redis") -> Iterator[None]:
        """The server hangs: it takes connections, as far as the kernel does that for it, and answers nothing."""
        self.signal(server, signal.SIGSTOP)
        try:
            yield
        finally:
            self.signal(server, signal.SIGCONT)

    def environment(self, role: str = postgres.APP, **more: str) -> dict[str, str]:
        """What a process of Saalchef on these servers needs."""
        return {
            "PATH": os.environ["PATH"],
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "SECRET_KEY": secrets.token_hex(32),
            "SIGNATURE_KEY": secrets.token_hex(32),
            "DATABASE_URL": self.postgres.url(role),
            "DATABASE_OWNER_URL": self.postgres.url(postgres.OWNER),
            "DATABASE_SEAL_URL": self.postgres.url(postgres.SEALER),
            "REDIS_URL": self.redis.url,
            "SAALCHEF_HTTPS": "0",
            "SAALCHEF_INSTANCE": "own",
            "STATIC_ROOT": os.environ.get("STATIC_ROOT") or str(self.folder / "static"),
            "SEAL_KEY_PATH": os.environ.get("SEAL_KEY_PATH") or str(self.folder / "seals" / "key.pem"),
            "LOG_LEVEL": "INFO",
        } | more

    def start(self, *command: str, log: str, environment: dict[str, str] | None = None) -> "subprocess.Popen[bytes]":
        """Start `python -m command …` of Saalchef, its output in the file `log` of the folder."""
        with (self.folder / log).open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", *command],
                cwd=PROJECT,
                env=environment or self.environment(),
                stdout=output,
                stderr=output,
                preexec_fn=die_with_parent(signal.SIGKILL),  # noqa: PLW1509
            )
        self.processes.append(process)
        return process

    def worker(self, *more: str, log: str, environment: dict[str, str] | None = None) -> "subprocess.Popen[bytes]":
        """A worker with one child."""
        command = ("celery", "-A", "casino", "worker", "--concurrency", "1", "--queues", "celery,long", *more)
        return self.start(*command, log=log, environment=environment)

    def sql(self, query: str) -> list[tuple[object, ...]]:
        """Rows of a query as the superuser."""
        with psycopg.connect(self.postgres.url(postgres.SUPERUSER), autocommit=True) as link:
            cursor = link.execute(query)
            return cursor.fetchall() if cursor.description else []

    def close(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()
        for server in (self.postgres, self.redis):
            self.signal(server, signal.SIGKILL)


def end(process: "subprocess.Popen[bytes]") -> int:
    """End a process as a supervisor does; gives its status."""
    process.terminate()
    try:
        return process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise


def wait_for(come_true: Callable[[], bool], seconds: float) -> float:
    """Seconds until it came true; fails after `seconds`, or after a minute where that is longer: a busy machine is no failure."""
    began = time.monotonic()
    assert wait_until(come_true, max(seconds, 60), step=0.05), f"did not come true within {max(seconds, 60)} s"
    return time.monotonic() - began


@dataclass(frozen=True)
class Answer:
    """An HTTP answer, and how long it took (seconds)."""

    status: int
    headers: dict[str, str]
    body: str
    seconds: float

    def json(self) -> dict[str, object]:
        return json.loads(self.body)


class Browser(http.client.HTTPConnection):
    """Asks a server on a unix socket."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=30)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))

    def ask(self, path: str, **headers: str) -> Answer:
        began = time.monotonic()
        self.close()  # a server closes what was idle for some seconds
        self.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        response = self.getresponse()
        body = response.read().decode()
        return Answer(response.status, dict(response.getheaders()), body, time.monotonic() - began)

    def answers(self) -> bool:
        """Whether the server takes requests yet."""
        try:
            return self.ask("/healthz").status == 200
        except OSError:
            self.close()
            return False


def wait_for_web(path: Path) -> None:
    """Return once the web process on this socket answers."""
    browser = Browser(path)
    try:
        wait_for(browser.answers, 30)
    finally:
        browser.close()
