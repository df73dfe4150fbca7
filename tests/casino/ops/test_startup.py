"""Real processes refuse to start on an unsafe database, each with a sentence and the status that a supervisor understands."""

import json
import signal
from pathlib import Path

import pytest
from django.db import connection

from casino.launcher.embedded import postgres
from casino.ops import startup
from tests.casino.ops.own_servers import OwnServers, end, wait_for, wait_for_web

WEB = ("uvicorn", "casino.asgi:application", "--lifespan", "off", "--uds")
GUNICORN = ("gunicorn", "-c", "deploy/gunicorn.conf.py", "--workers", "2", "--bind")
COMMANDS = {
    "uvicorn": (*WEB, "{folder}/refused-uvicorn.sock"),
    "gunicorn": (*GUNICORN, "unix:{folder}/refused-gunicorn.sock"),
    "worker": ("celery", "-A", "casino", "worker", "--concurrency", "1"),
    "beat": ("celery", "-A", "casino", "beat"),
}


def test_each_process_refuses_to_serve_as_the_owner(own_servers: OwnServers) -> None:
    """All at once, for the sake of time."""
    environment = own_servers.environment(role=postgres.OWNER)
    started = {
        name: own_servers.start(
            *(part.format(folder=own_servers.folder) for part in command),
            log=f"refused-{name}.log",
            environment=environment,
        )
        for name, command in COMMANDS.items()
    }
    for name, process in started.items():
        assert process.wait(60) == startup.REFUSED, name
        written = (own_servers.folder / f"refused-{name}.log").read_text()
        assert "The role saalchef_owner that serves owns, or may come to own, the database" in written, name
        assert "Serve as a role that owns nothing (DATABASE_URL)" in written, name
        refused = [json.loads(line) for line in written.splitlines() if '"event": "start_refused"' in line]
        assert {line["code"] for line in refused} == {"database.role_owns"}, name
        assert {line["level"] for line in refused} == {"critical"}, name
        assert "Traceback" not in written, name


def test_web_waits_for_a_database_that_comes_late(own_servers: OwnServers) -> None:
    path = own_servers.folder / "late.sock"
    own_servers.signal(own_servers.postgres, signal.SIGKILL)
    try:
        process = own_servers.start(*WEB, str(path), log="late.log")
        log = own_servers.folder / "late.log"
        wait_for(lambda: "database_awaited" in log.read_text(), 30)
        assert not path.exists()
    finally:
        own_servers.start_postgres()
    wait_for_web(path)
    end(process)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup, "WAIT_S", 0.6)


def test_database_that_never_comes_ends_in_a_status_that_asks_for_another_start(
    left_whole: str,
    impatient: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    connection.close()
    monkeypatch.setitem(connection.settings_dict, "HOST", str(tmp_path))
    with pytest.raises(SystemExit) as left:
        startup.refuse_unsafe_database()
    assert left.value.code == startup.UNREACHABLE
    assert "The database did not answer for 1 seconds. Check that PostgreSQL runs" in capsys.readouterr().err


def test_database_that_hangs_is_as_good_as_away(
    own_servers: OwnServers, impatient: None, left_whole: str, monkeypatch
) -> None:
    monkeypatch.setitem(connection.settings_dict, "HOST", str(own_servers.folder))
    with own_servers.stopped(own_servers.postgres), pytest.raises(SystemExit) as left:
        startup.refuse_unsafe_database()
    assert left.value.code == startup.UNREACHABLE


def test_safe_database_leaves_no_connection_open(left_whole: str) -> None:
    startup.refuse_unsafe_database()
    others = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        " AND backend_type = 'client backend'"
    )
    with connection.cursor() as cursor:  # the server takes a moment to see that one is closed
        wait_for(lambda: [cursor.execute(others), cursor.fetchone() == (0,)][1], 10)


def test_trouble_while_looking_is_not_swallowed(left_whole: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(startup, "unsafe_database", break_down)
    with pytest.raises(ZeroDivisionError):
        startup.refuse_unsafe_database()


def test_servers_of_their_own_need_nothing_that_tests_set(
    own_servers: OwnServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`make faults` and `make soak` start them outside of the tests."""
    for name in ("SEAL_KEY_PATH", "STATIC_ROOT"):
        monkeypatch.delenv(name, raising=False)
    environment, folder = own_servers.environment(), own_servers.folder
    paths = {name: environment[name] for name in ("SEAL_KEY_PATH", "STATIC_ROOT")}
    assert paths == {"SEAL_KEY_PATH": str(folder / "seals" / "key.pem"), "STATIC_ROOT": str(folder / "static")}
