"""What a run shall be: address, servers, environment; read from the caller's environment and
checked before anything starts.
"""

import errno
import os
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from casino.launcher.embedded import postgres, redis, servers
from casino.launcher.environment import for_place, own_database, own_redis, plain
from casino.launcher.errors import StartError
from casino.launcher.fit import given
from casino.launcher.places import Place, find_place
from casino.launcher.processes import MARKER, environment, marked

WILDCARDS = ("", "0.0.0.0", "::")


@dataclass(frozen=True)
class Plan:
    """Everything a run needs to know."""

    place: Place
    host: str
    port: int
    sockets: Path
    postgres: postgres.Postgres | None
    redis: redis.Redis | None
    environ: dict[str, str]
    # of this run alone: `/readyz` tells its bearer what is amiss; empty if the caller has one of
    # their own
    token: str

    @property
    def programs(self) -> tuple[str, ...]:
        """The embedded servers to run."""
        return tuple(
            name for name, server in (("postgres", self.postgres), ("redis", self.redis)) if server
        )

    @property
    def address(self) -> str:
        """Where a browser on this machine finds the house (the number, as `localhost` may be two
        addresses).
        """
        return f"http://{_bracketed(self.reachable)}:{self.port}/"

    @property
    def open_to_network(self) -> bool:
        """Whether other machines can reach the house."""
        return self.reachable != self.host or not (
            self.host.startswith("127.") or self.host in ("localhost", "::1")
        )

    @property
    def demo(self) -> bool:
        """Whether there are demo people, as the settings read it."""
        return self.environ["SAALCHEF_DEMO"].strip().lower() in (
            "1",
            "true",
            "on",
            "ok",
            "y",
            "yes",
        )

    @property
    def reachable(self) -> str:
        """The host to connect to from this machine."""
        return {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)


def make_plan(root: Path, environ: Mapping[str, str]) -> Plan:
    """Read the caller's wishes. Raises StartError where they cannot be met."""
    has_database, has_redis = own_database(environ), own_redis(environ)
    place = find_place(root, embedded=not (has_database and has_redis))
    host, port = environ.get("HOST") or "127.0.0.1", _port(environ.get("PORT") or "8000")
    database = None if has_database else servers.embedded_postgres(place)
    cache = None if has_redis else servers.embedded_redis(place)
    urls: dict[str, str] = {}
    if database:
        urls |= {
            "DATABASE_URL": database.url(postgres.APP),
            "DATABASE_OWNER_URL": database.url(postgres.OWNER),
            "DATABASE_SEAL_URL": database.url(postgres.SEALER),
        }
    if cache:
        urls["REDIS_URL"] = cache.url
    result = for_place(place, environ, urls) | {"HOST": host, "PORT": str(port)}
    result.setdefault("ALLOWED_HOSTS", ",".join(_names(host)))
    result.setdefault("WATCHED_DISKS", str(place.var))
    token = "" if given(environ, "METRICS_TOKEN") else secrets.token_hex(16)
    if token:
        result["METRICS_TOKEN"] = token
    return Plan(place, host, port, place.sockets(), database, cache, result, token)


def check_port(host: str, port: int) -> None:
    """Refuse an address that cannot be served. Raises StartError."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen(1)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            sentence, remedy = (
                f"Port {port} is taken by another program.",
                f"Choose another: make run PORT={_next(port)}",
            )
        elif error.errno == errno.EACCES:
            sentence, remedy = (
                f"Port {port} is not for ordinary users.",
                "Choose one from 1024 up: make run PORT=8000",
            )
        else:
            sentence = f"This machine cannot serve at HOST={host} ({error.strerror or error})."
            remedy = "Leave HOST out, or give an address of this machine."
        raise StartError(sentence, remedy) from error


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65535):
        raise StartError(
            f"PORT={text[:40]} is no port.", "Give a number from 1 to 65535: make run PORT=8001"
        )
    return int(text)


def _next(port: int) -> int:
    return port + 1 if port < 65535 else 8000


def _names(host: str) -> list[str]:
    """The names under which a browser may ask; for a wildcard also this machine's name and
    addresses.
    """
    names = ["localhost", "127.0.0.1", "[::1]"]
    if host not in WILDCARDS:
        return names + [_bracketed(host)] * (_bracketed(host) not in names)
    try:
        found = {
            _bracketed(str(item[4][0])) for item in socket.getaddrinfo(socket.gethostname(), None)
        }
    except OSError:
        found = set()
    return [*names, socket.gethostname().lower(), *sorted(found - set(names))]


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def running_environment(root: Path) -> dict[str, str]:
    """What the house of this clone was started with, if it runs and is ours; else nothing."""
    supervisors = marked(str(root.resolve()), "supervisor")
    return environment(supervisors[0]) if supervisors else {}


def as_it_runs(root: Path) -> dict[str, str]:
    """The caller's environment in the mode, demo or in earnest, of the house that runs."""
    mode = running_environment(root).get("SAALCHEF_DEMO")
    return dict(os.environ) | ({"SAALCHEF_DEMO": mode} if mode else {})


def for_commands(root: Path) -> dict[str, str]:
    """The environment of one command of `manage.py` on the data of this clone: that of the house
    while it runs, whose mode and servers nobody has to say again. Who names another database means
    that one.
    """
    running = running_environment(root)
    if running and _named(os.environ) in ("", _named(running)):
        environ = plain(os.environ) | running
    else:
        environ = make_plan(root, os.environ).environ
    own = (MARKER, "SAALCHEF_PROGRAM")  # else a restart would end the command
    return {name: value for name, value in environ.items() if name not in own}


def _named(environ: Mapping[str, str]) -> str:
    """The address of the database that an environment names; empty for none."""
    file = environ.get("DATABASE_URL_FILE")
    try:
        return environ.get("DATABASE_URL") or (Path(file).read_text().strip() if file else "")
    except OSError:
        return file or ""
