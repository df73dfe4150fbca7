"""The web process on a real database: its connections, what it answers while the database is away, static files, sockets."""

import signal
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import unix_connect

from tests.casino.ops.conftest import POOL
from tests.casino.ops.own_servers import Answer, Browser, OwnServers, wait_for

N = 480  # a leak of kept connections shows after a few dozen
PAGE = "/sign-in/"  # it asks the database
CONNECTIONS = (
    "SELECT count(*), count(*) FILTER (WHERE state = 'idle') FROM pg_stat_activity"
    " WHERE usename = 'saalchef_app' AND datname = 'saalchef'"
)


def crowd(web: Path, *, browsers: int, requests: int) -> Counter[int]:
    """So many browsers at once, each asking so often; gives how often each status came."""
    statuses: Counter[int] = Counter()

    def ask() -> None:
        browser = Browser(web)
        for _ in range(requests):
            statuses[browser.ask(PAGE).status] += 1
        browser.close()

    threads = [threading.Thread(target=ask) for _ in range(browsers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return statuses


def test_many_requests_leak_no_connection_and_never_need_more_than_the_pool(web: Path, own_servers: OwnServers) -> None:
    most = 0
    done = threading.Event()

    def watch() -> None:
        nonlocal most
        while not done.wait(0.05):
            most = max(most, int(str(own_servers.sql(CONNECTIONS)[0][0])))

    watcher = threading.Thread(target=watch)
    watcher.start()
    statuses = crowd(web, browsers=16, requests=N // 16)
    done.set()
    watcher.join()
    assert statuses == {200: N}
    assert 1 <= most <= POOL
    connections, idle = own_servers.sql(CONNECTIONS)[0]
    assert connections == idle  # none is left in a transaction


def test_connections_that_were_cut_are_replaced_before_anybody_sees_it(web: Path, own_servers: OwnServers) -> None:
    crowd(web, browsers=POOL, requests=5)
    cut = own_servers.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'saalchef_app'")
    assert cut
    assert crowd(web, browsers=POOL, requests=5) == {200: POOL * 5}


def test_database_that_is_killed_answers_503_and_is_found_again(web: Path, own_servers: OwnServers) -> None:
    def ask(path: str, **headers: str) -> Answer:
        browser = Browser(web)
        try:
            return browser.ask(path, **headers)
        finally:
            browser.close()

    crowd(web, browsers=POOL, requests=2)
    own_servers.signal(own_servers.postgres, signal.SIGKILL)
    try:
        with ThreadPoolExecutor(3) as at_once:
            asked_page = at_once.submit(ask, PAGE)
            asked_program = at_once.submit(ask, PAGE, Accept="application/json", Accept_Language="en")
            # A session: the error comes from a middleware, before any view.
            asked_home = at_once.submit(ask, "/", Cookie="saalchef-own=" + "a" * 32)
            page, program, home = asked_page.result(), asked_program.result(), asked_home.result()
        assert ask("/healthz").status == 200
    finally:
        own_servers.start_postgres()
    for answer in (page, program, home):
        assert (answer.status, answer.headers["retry-after"]) == (503, "5")
        assert answer.headers["x-request-id"]
        assert answer.seconds < 5
        assert "Traceback" not in answer.body
        assert str(own_servers.folder) not in answer.body
    assert page.headers["content-type"].startswith("text/html")
    assert program.headers["content-type"] == "application/problem+json"
    assert program.json()["code"] == "service.database_away"
    assert "may have been" in str(program.json()["detail"])
    assert wait_for(lambda: ask(PAGE).status == 200, 10) < 5
    assert crowd(web, browsers=8, requests=5) == {200: 40}
    log = (own_servers.folder / "web.log").read_text()
    assert "request_failed" in log
    assert "Traceback" not in log


def test_static_files_are_served_for_ever_and_nothing_else_is(browser: Browser) -> None:
    page = browser.ask(PAGE).body
    address = next(part for part in page.split('"') if part.startswith("/static/") and part.endswith(".css"))
    style = browser.ask(address)
    assert (style.status, style.headers["content-type"].split(";")[0]) == (200, "text/css")
    assert "immutable" in style.headers["cache-control"]
    assert style.headers["x-content-type-options"] == "nosniff"
    for other in ("/static/", "/static/../manage.py", "/static/%2e%2e/%2e%2e/etc/passwd", "/static/none.css"):
        assert browser.ask(other).status == 404, other


def test_unknown_socket_is_closed_with_4404(web: Path) -> None:
    for path in ("/", "/ws/nothing/", "/healthz"):
        with unix_connect(str(web), f"ws://localhost{path}", origin="http://localhost") as socket:
            with pytest.raises(ConnectionClosedError):
                socket.recv(timeout=5)
            assert socket.close_code == 4404, path


@pytest.mark.parametrize("origin", [None, "http://elsewhere.example", "http://localhost.elsewhere.example", "null"])
def test_socket_from_elsewhere_is_refused(web: Path, origin: str | None) -> None:
    with pytest.raises(InvalidStatus) as refused, unix_connect(str(web), "ws://localhost/ws/", origin=origin):
        pass
    assert refused.value.response.status_code == 403
