"""A house with displays, tablets and people, and web processes on it with sockets that a test may talk to."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.sync.client import ClientConnection

from casino.launcher.processes import die_with_parent, wait_until
from tests.casino.live.places import PROJECT, Place, Web
from tests.casino.ops.own_servers import OwnServers, end
from tests.databases import module_database
from tests.servers import servers

QUICK = {"LIVE_HEARTBEAT_S": "0.5", "LIVE_CHECK_S": "0.8"}


@pytest.fixture(autouse=True)
def _cheap_hashes(settings) -> None:
    settings.PASSWORD_HASHERS = ["tests.casino.people.hasher.CheapArgon2"]


@pytest.fixture(scope="module")
def place(django_db_setup: None, django_db_blocker: object) -> Iterator[Place]:
    """Two houses in a database of the module; what is committed stays for the module's other tests."""
    with django_db_blocker.unblock(), module_database("live") as name:
        yield Place(name)


@contextmanager
def web_process(place: Place, **more: str) -> Iterator[Web]:
    """A uvicorn on the place's database and, unless told otherwise, the Redis of all tests."""
    folder = Path(tempfile.mkdtemp(prefix="saalchef-live-"))
    environment = os.environ | {
        "DATABASE_URL": urlsplit(servers.app_url)._replace(path=f"/{place.database}").geturl(),
        "DATABASE_POOL_SIZE": "4",
        "LOG_LEVEL": "INFO",
    }
    command = [sys.executable, "-m", "uvicorn", "casino.asgi:application", "--uds", str(folder / "web.sock")]
    with (folder / "web.log").open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=PROJECT,
            env=environment | more,
            stdout=log,
            stderr=log,
            preexec_fn=die_with_parent(signal.SIGKILL),  # noqa: PLW1509
        )
    try:
        assert wait_until(
            lambda: "Uvicorn running on" in (folder / "web.log").read_text() or process.poll() is not None, 60
        )
        assert process.poll() is None, (folder / "web.log").read_text()
        yield Web(folder / "web.sock", folder / "web.log", process)
    finally:
        end(process)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def web(place: Place) -> Iterator[Web]:
    """Reads every second; short heartbeats and checks."""
    with web_process(place, **QUICK) as web:
        yield web


@pytest.fixture
def connect(web: Web) -> Iterator[Callable[..., ClientConnection]]:
    """Opens sockets, closed with the test."""
    with ExitStack() as stack:

        def opened(path: str, cookies: dict[str, str] | None = None, **more: Any) -> ClientConnection:
            return stack.enter_context(web.socket(path, cookies, **more))

        yield opened


@pytest.fixture(scope="module")
def own_redis() -> Iterator[OwnServers]:
    """A Redis that may be stopped and killed."""
    folder = Path(tempfile.mkdtemp(prefix="saalchef-redis-"))
    own = OwnServers(folder)
    try:
        own.start_redis()
        yield own
    finally:
        own.close()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def web_by_hints(place: Place, own_redis: OwnServers) -> Iterator[Web]:
    """Reads by itself only every ten minutes, on the Redis that may die: what comes sooner came by a hint."""
    with web_process(place, **QUICK, LIVE_READ_S="600", REDIS_URL=own_redis.redis.url) as web:
        yield web
