"""The examples in `deploy/` are true: the roles serve, every unit starts as it stands there, and answers behind its proxy."""

import configparser
import contextlib
import http.client
import os
import re
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

from casino.launcher.embedded import postgres
from casino.launcher.embedded.accounts import server_account
from casino.launcher.processes import die_with_parent, wait_until
from tests.casino.launcher.clones import PROJECT, open_folder
from tests.servers import servers as session_servers

DEPLOY = PROJECT / "deploy"
UNITS = sorted(path.name for path in DEPLOY.glob("*.service"))
pytestmark = pytest.mark.timeout(400)


@dataclass
class Installation:
    """An empty PostgreSQL that `roles.sql` was run on, migrated, with the environment of `env.example`."""

    folder: Path
    environ: dict[str, str]
    superuser_url: str
    sealer: dict[str, str]  # what stands in the worker's own file

    def turned(self, text: str) -> str:
        return text.replace("/run/saalchef", str(self.folder)).replace("/var/lib/saalchef", str(self.folder / "state"))

    def here(self, path: str) -> Path:
        return Path(self.turned(path))

    def start(self, unit: str) -> "subprocess.Popen[bytes]":
        """What systemd does for the unit: folders, environment, ExecStartPre, ExecStart; its paths turned to this installation."""
        service = section(unit)
        for name in service.get("RuntimeDirectory", "").split():
            self.here(f"/run/{name}").mkdir(exist_ok=True)
        for name in service.get("StateDirectory", "").split():
            self.here(f"/var/lib/{name}").mkdir(parents=True, exist_ok=True)
        extra = dict(pair.partition("=")[::2] for pair in shlex.split(self.turned(service.get("Environment", ""))))
        if before := service.get("ExecStartPre"):
            subprocess.run(shlex.split(self.turned(before)), env=self.environ | extra, check=True)
        if "seal-env" in (DEPLOY / unit).read_text():
            extra |= self.sealer
        program, *command = shlex.split(self.turned(service["ExecStart"]))
        program = program.rpartition("/")[2]
        with (self.folder / f"{unit}.log").open("wb") as log:
            return subprocess.Popen(
                [sys.executable, "-m", MODULES.get(program, program), *command],
                cwd=PROJECT,
                env=self.environ | extra,
                stdout=log,
                stderr=log,
                preexec_fn=die_with_parent(signal.SIGKILL),  # noqa: PLW1509
            )


TOKEN = "metrics-token-of-this-test"
MODULES = {"gunicorn": "gunicorn.app.wsgiapp"}


def section(unit: str) -> configparser.SectionProxy:
    """What a unit says of its service."""
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(DEPLOY / unit)
    return parser["Service"]


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
        stack.callback(process.wait, 60)
        stack.callback(process.send_signal, signal.SIGINT)
        postgres.wait_ready(server, lambda: process.poll() is None, folder / "postgres.log")
        superuser = server.url(postgres.SUPERUSER, "postgres")
        passwords = ["-v", "owner_password=own'er", "-v", "app_password=app", "-v", "seal_password=seal"]
        run = ["-X", "-v", "ON_ERROR_STOP=1", *passwords, "-d", superuser, "-f", str(DEPLOY / "roles.sql")]
        subprocess.run(
            [server.programs / "psql", *run], check=True, capture_output=True, env=postgres.plain_environment()
        )
        secret, signature = folder / "secret", folder / "signature"
        for key in (secret, signature):
            key.write_text(secrets.token_hex(32))
        environ = example_environment() | {
            "PATH": os.environ["PATH"],
            "SECRET_KEY_FILE": str(secret),
            "SIGNATURE_KEY_FILE": str(signature),
            "DATABASE_URL": server.url(postgres.APP),
            "REDIS_URL": session_servers.redis_url,
            "STATIC_ROOT": str(folder / "static"),
            "SEAL_KEY_PATH": str(folder / "seals" / "key.pem"),
            "REPORTS_DIR": str(folder / "state" / "reports"),
            "SAALCHEF_INSTANCE": "deploy",
            "METRICS_TOKEN": TOKEN,
        }
        sealer = {"DATABASE_SEAL_URL": server.url(postgres.SEALER)}
        owner = environ | sealer | {"DATABASE_OWNER_URL": server.url(postgres.OWNER)}
        for command in (["migrate", "-v0"], ["collectstatic", "--noinput", "-v0"], ["seal_key"]):
            subprocess.run([sys.executable, "manage.py", *command], cwd=PROJECT, env=owner, check=True)
        yield Installation(folder, environ, superuser, sealer)


def get(folder: Path, name: str, path: str, headers: dict[str, str] | None = None) -> int:
    """The status of a request; 0 if nobody answers."""
    return answer(folder, name, path, headers)[0]


def answer(folder: Path, name: str, path: str, headers: dict[str, str] | None = None) -> tuple[int, str]:
    """Status and body of a request through the unix socket, as Caddy sends it on; 0 if nobody answers."""
    connection = http.client.HTTPConnection("saal.example", timeout=10)
    connection.sock = socket.socket(socket.AF_UNIX)
    try:
        connection.sock.connect(str(folder / name))
        connection.request("GET", path, headers={"X-Forwarded-Proto": "https"} | (headers or {}))
        response = connection.getresponse()
        return (
            response.status,
            "" if response.status == http.HTTPStatus.SWITCHING_PROTOCOLS else response.read().decode(),
        )
    except (OSError, http.client.HTTPException):
        return 0, ""
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
        cwd=PROJECT, env=installation.environ | {"SEAL_WEBHOOK": "https://heads.example"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_all_units_together_make_a_house_that_is_ready(installation: Installation) -> None:
    folder = installation.folder
    running = {unit: installation.start(unit) for unit in UNITS}
    try:
        assert wait_until(lambda: get(folder, "web.sock", "/readyz") == 200, 200, 0.2), logs(folder)
        assert get(folder, "web.sock", "/sign-in/") == 200  # not sent to https: the proxy is believed
        upgrade = {
            "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Origin": "https://saal.example",
        }  # fmt: skip
        assert wait_until(lambda: get(folder, "ws.sock", "/ws/nothing", upgrade) == 101, 60, 0.2), logs(folder)
        assert get(folder, "ws.sock", "/ws/nothing", upgrade | {"Origin": "https://evil.example"}) == 403
        assert {unit: process.poll() for unit, process in running.items()} == dict.fromkeys(UNITS)
    finally:
        for process in running.values():
            process.terminate()
        for process in running.values():
            process.wait(90)  # as long as systemd waits before it kills


def test_metrics_count_the_requests_of_all_workers_and_forget_who_died(installation: Installation) -> None:
    folder = installation.folder
    metrics = folder / "metrics"
    metrics.mkdir(exist_ok=True)
    (metrics / "counter_1.db").write_bytes(b"of a run before this one")
    web = installation.start("saalchef-web.service")
    try:
        assert wait_until(lambda: get(folder, "web.sock", "/healthz") == 200, 60, 0.2), logs(folder)
        assert not (metrics / "counter_1.db").exists()
        assert wait_until(lambda: len(counting(metrics)) == 3, 60, 0.2), logs(folder)
        before = requests_counted(folder)
        for number in range(30):
            assert get(folder, "web.sock", "/healthz") == 200
            assert requests_counted(folder) >= before + number
        asked = requests_counted(folder)
        assert asked >= before + 60  # whichever worker is asked, it speaks for all
        dead = counting(metrics)[0]
        alive = metrics / f"gauge_livesum_{dead}.db"
        alive.touch()
        os.kill(dead, signal.SIGKILL)
        assert wait_until(lambda: not alive.exists(), 60), logs(folder)
        assert wait_until(
            lambda: len(counting(metrics)) == 4, 60, 0.2
        )  # one in its place; what the dead one counted stays
        assert requests_counted(folder) >= asked
    finally:
        web.terminate()
        web.wait(60)


def counting(metrics: Path) -> list[int]:
    """The processes that have counted in this folder."""
    return [int(path.stem.removeprefix("counter_")) for path in sorted(metrics.glob("counter_*.db"))]


def requests_counted(folder: Path) -> float:
    status, text = answer(folder, "web.sock", "/metrics", {"Authorization": f"Bearer {TOKEN}"})
    assert status == 200, logs(folder)
    found = re.search(r"^django_http_requests_before_middlewares_total (\S+)", text, re.MULTILINE)
    assert found, text
    return float(found[1])


def logs(folder: Path) -> str:
    return "\n".join(path.name + "\n" + path.read_text()[-1500:] for path in folder.glob("*.service.log"))


def test_every_unit_stays_down_when_the_database_is_unsafe() -> None:
    """Exit status 3 means that starting again does not help (`casino/ops/startup.py`)."""
    assert [f"saalchef-{name}.service" for name in ("beat", "long", "web", "worker", "ws")] == UNITS
    for unit in UNITS:
        assert "\nRestartPreventExitStatus=3\n" in (DEPLOY / unit).read_text(), unit


def test_long_reports_lie_where_the_units_may_write() -> None:
    assert example_environment()["REPORTS_DIR"] == "/var/lib/saalchef/reports"
    written = {unit: section(unit).get("StateDirectory") for unit in UNITS if "ProtectSystem" in section(unit)}
    by = {
        "long": "saalchef/reports",
        "web": "saalchef/reports",
        "worker": "saalchef/reports saalchef/seals",
        "beat": None,
        "ws": None,
    }
    assert written == {f"saalchef-{name}.service": folder for name, folder in by.items()}
