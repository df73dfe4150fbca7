"""Servers of these tests alone, with a web process on them; and a probe without memory."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import pytest

from casino.ops import health, probes
from casino.ops.models import AuditRun, Heartbeat
from tests.casino.ops import audit_runs
from tests.casino.ops.own_servers import PROJECT, Browser, OwnServers, wait_for_web
from tests.databases import clone, superuser, use

POOL = 4


@pytest.fixture
def fresh_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every question is asked of the servers anew."""
    monkeypatch.setattr(health, "readiness", probes.look)


@pytest.fixture(scope="session")
def _left_whole(django_db_setup: None, django_db_blocker: object) -> Iterator[str]:
    name = "left_whole"
    with django_db_blocker.unblock():
        clone(name)
        yield name
        with superuser("postgres") as link:
            link.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
def left_whole(_left_whole: str, django_db_blocker: object) -> Iterator[str]:
    """A database that commits and that many tests share: each takes back what it does. Gives its name."""
    with django_db_blocker.unblock():
        use(_left_whole)
        Heartbeat.objects.all().delete()
        if AuditRun.objects.exists():
            audit_runs.forget()
        try:
            yield _left_whole
        finally:
            use("tests")


@pytest.fixture(scope="session")
def own_servers() -> Iterator[OwnServers]:
    """A migrated PostgreSQL and a Redis that may be stopped and killed; whoever does so leaves them running."""
    servers = OwnServers(Path(mkdtemp(prefix="saalchef-own-")))
    try:
        servers.start_postgres()
        servers.start_redis()
        prepare = "import django; django.setup(); from django.core.management import call_command as call;"
        prepare += "call('migrate', verbosity=0); call('collectstatic', interactive=False, verbosity=0)"
        subprocess.run([sys.executable, "-c", prepare], cwd=PROJECT, env=servers.environment(), check=True)
        yield servers
    finally:
        servers.close()
        rmtree(servers.folder, ignore_errors=True)


@pytest.fixture(scope="session")
def web(own_servers: OwnServers) -> Path:
    """The socket of a uvicorn with a pool of four connections, as `make run` starts it."""
    path = own_servers.folder / "web.sock"
    environment = own_servers.environment(DATABASE_POOL_SIZE=str(POOL), METRICS_TOKEN="metrics-token-of-this-test")
    command = ("uvicorn", "casino.asgi:application", "--uds", str(path), "--lifespan", "off")
    own_servers.start(*command, log="web.log", environment=environment)
    wait_for_web(path)
    return path


@pytest.fixture
def browser(web: Path) -> Iterator[Browser]:
    browser = Browser(web)
    yield browser
    browser.close()
