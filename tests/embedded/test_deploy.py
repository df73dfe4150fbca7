"""The examples in `deploy/` are true: the roles serve, every unit starts as it stands there, and answers behind its proxy."""

import configparser
import contextlib
import http.client
import os
import secrets
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from casino.embedded import postgres
from casino.embedded.accounts import server_account
from casino.embedded.processes import die_with_parent, wait_until
from tests.embedded.clones import PROJECT, open_folder
from tests.servers import servers as session_servers

DEPLOY = PROJECT / "deploy"
UNITS = sorted(path.name for path in DEPLOY.glob("*.service"))
pytestmark = pytest.mark.timeout(240)


@dataclass
class Installation:
    """An empty PostgreSQL that `roles.sql` was run on, migrated, with the environment of `env.example`."""

    folder: Path
    environ: dict[str, str]
    superuser_url: str

    def start(self, unit: str) -> "subprocess.Popen[bytes]":
        """The unit's ExecStart, with its paths turned to this installation."""
        command, extra = exec_start(unit)
        program = command.pop(0).rpartition("/")[2]
        command = [part.replace("/run/saalchef", str(self.folder)) for part in command]
        with (self.folder / f"{unit}.log").open("wb") as log:
            return subprocess.Popen(
                [sys.executable, "-m", MODULES.get(program, program), *command],
                cwd=PROJECT,
                env=self.environ | extra,
                stdout=log,
                stderr=log,
                preexec_fn=die_with_parent(signal.SIGKILL),  # noqa: PLW1509
            )


MODULES = {"gunicorn": "gunicorn.app.wsgiapp"}


def exec_start(unit: str) -> tuple[list[str], dict[str, str]]:
    """Command and extra environment of a unit."""
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(DEPLOY / unit)
    service = parser["Service"]
    extra = dict(pair.partition("=")[::2] for pair in shlex.split(service.get("Environment", "")))
    return shlex.split(service["ExecStart"]), extra


def example_environment() -> dict[str, str]:
    lines = (DEPLOY / "env.example").read_text().splitlines()
    return dict(line.partition("=")[::2] for line in lines if line and not line.startswith("#"))


@pytest.fixture(scope="module")
def installation() -> Iterator[Installation]:
    with open_folder() as folder, contextlib.ExitStack() as stack:
        account = server_account(folder)
        account.own(folder)
        server = postgres.Postgres(folder / "postgres", folder, postgres.find_programs(folder, account), account)
        postgres.initialise(server, durable=False)
        with (folder / "postgres.log").open("wb") as log:
            process = subprocess.Popen(
                server.command(),
                cwd="/",
                env=postgres.plain_environment(),
                stdout=log,
                stderr=log,
                preexec_fn=die_with_parent(signal.SIGQUIT),  # noqa: PLW1509
                **account.popen,
            )
        stack.callback(process.wait, 20)
        stack.callback(process.send_signal, signal.SIGINT)
        postgres.wait_ready(server, lambda: process.poll() is None, folder / "postgres.log")
        superuser = server.url(postgres.SUPERUSER, "postgres")
        passwords = ["-v", "owner_password=own'er", "-v", "app_password=app"]
        run = ["-X", "-v", "ON_ERROR_STOP=1", *passwords, "-d", superuser, "-f", str(DEPLOY / "roles.sql")]
        subprocess.run(
            [server.programs / "psql", *run], check=True, capture_output=True, env=postgres.plain_environment()
        )
        secret = folder / "secret"
        secret.write_text(secrets.token_hex(32))
        environ = example_environment() | {
            "PATH": os.environ["PATH"],
            "SECRET_KEY_FILE": str(secret),
            "DATABASE_URL": server.url(postgres.APP),
            "REDIS_URL": session_servers.redis_url,
            "STATIC_ROOT": str(folder / "static"),
            "SAALCHEF_INSTANCE": "deploy",
        }
        owner = environ | {"DATABASE_OWNER_URL": server.url(postgres.OWNER)}
        for command in (["migrate", "-v0"], ["collectstatic", "--noinput", "-v0"]):
            subprocess.run([sys.executable, "manage.py", *command], cwd=PROJECT, env=owner, check=True)
        yield Installation(folder, environ, superuser)


def get(folder: Path, name: str, path: str, upgrade: dict[str, str] | None = None) -> int:
    """The status of a request through the unix socket, as Caddy sends it on; 0 if nobody answers."""
    connection = http.client.HTTPConnection("saal.example", timeout=10)
    connection.sock = socket.socket(socket.AF_UNIX)
    try:
        connection.sock.connect(str(folder / name))
        connection.request("GET", path, headers={"X-Forwarded-Proto": "https"} | (upgrade or {}))
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        connection.close()


def test_the_roles_are_as_weak_as_they_can_be(installation: Installation) -> None:
    with psycopg.connect(installation.superuser_url) as link:
        strong = link.execute(
            "SELECT rolname FROM pg_roles WHERE rolname LIKE 'saalchef\\_%' AND rolname <> 'saalchef_super'"
            " AND (rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls)"
        ).fetchall()
    assert strong == []


def test_the_database_passes_the_check(installation: Installation) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING", "--database", "default"],
        cwd=PROJECT, env=installation.environ, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_all_units_together_make_a_house_that_is_ready(installation: Installation) -> None:
    folder = installation.folder
    running = {unit: installation.start(unit) for unit in UNITS}
    try:
        assert wait_until(lambda: get(folder, "web.sock", "/readyz") == 200, 90, 0.2), logs(folder)
        assert get(folder, "web.sock", "/sign-in/") == 200  # not sent to https: the proxy is believed
        upgrade = {
            "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Origin": "https://saal.example",
        }  # fmt: skip
        assert wait_until(lambda: get(folder, "ws.sock", "/ws/nothing", upgrade) == 101, 30, 0.2), logs(folder)
        assert get(folder, "ws.sock", "/ws/nothing", upgrade | {"Origin": "https://evil.example"}) == 403
        assert {unit: process.poll() for unit, process in running.items()} == dict.fromkeys(UNITS)
    finally:
        for process in running.values():
            process.terminate()
        for process in running.values():
            process.wait(30)


def logs(folder: Path) -> str:
    return "\n".join(path.name + "\n" + path.read_text()[-1500:] for path in folder.glob("*.service.log"))


def test_every_unit_stays_down_when_the_database_is_unsafe() -> None:
    """Exit status 3 means that starting again does not help (`casino/startup.py`)."""
    assert [f"saalchef-{name}.service" for name in ("beat", "web", "worker", "ws")] == UNITS
    for unit in UNITS:
        assert "\nRestartPreventExitStatus=3\n" in (DEPLOY / unit).read_text(), unit
