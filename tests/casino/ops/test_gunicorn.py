"""Gunicorn with the configuration that is deployed: connections are kept, and an unsafe database ends it before a worker begins."""

from casino.launcher.embedded import postgres
from casino.ops import startup
from tests.casino.ops.own_servers import Browser, OwnServers, end, wait_for_web

PAGE = "/sign-in/"  # it asks the database
GUNICORN = ("gunicorn", "-c", "deploy/gunicorn.conf.py", "--workers")
BACKENDS = "SELECT pid, backend_start FROM pg_stat_activity WHERE usename = 'saalchef_app' AND datname = 'saalchef'"
THREADS = 4


def test_connections_are_kept_from_one_request_to_the_next(own_servers: OwnServers) -> None:
    path, before = own_servers.folder / "kept.sock", set(own_servers.sql(BACKENDS))
    process = own_servers.start(*GUNICORN, "1", "--bind", f"unix:{path}", log="kept.log")
    wait_for_web(path)
    browser = Browser(path)
    try:
        assert browser.ask(PAGE).status == 200
        first = set(own_servers.sql(BACKENDS)) - before
        assert first
        for _ in range(3 * THREADS):
            assert browser.ask(PAGE).status == 200
        later = set(own_servers.sql(BACKENDS)) - before
        assert first <= later  # the very same ones are still there
        assert len(later) <= THREADS
    finally:
        browser.close()
        end(process)


def test_unsafe_database_ends_it_before_a_worker_begins(own_servers: OwnServers) -> None:
    """However many workers there are: none of them may end it with another status."""
    process = own_servers.start(
        *GUNICORN,
        "3",
        "--bind",
        f"unix:{own_servers.folder / 'unsafe.sock'}",
        log="unsafe.log",
        environment=own_servers.environment(role=postgres.OWNER),
    )
    assert process.wait(60) == startup.REFUSED
    written = (own_servers.folder / "unsafe.log").read_text()
    assert written.count('"event": "start_refused"') == 1
    assert "Booting worker" not in written
