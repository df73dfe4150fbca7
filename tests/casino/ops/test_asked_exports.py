"""Exports by a real web process and a real worker: ten who ask at once, a worker killed in the middle, a broken-off download."""

import os
import signal
import socket
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.casino.ops.own_servers import PROJECT, Browser, OwnServers, end, wait_for, wait_for_web

pytestmark = pytest.mark.timeout(400)
TEN, LOOKS = 10, 40_000
CSRF = "a" * 32
AUDITOR = f"""
import django; django.setup()
from django.conf import settings
from payouts.models import Event
from payouts.selectors import gaming_day_at
from tests.cast import make_house
from tests.casino.people import people
house = make_house("Casino Ida")
person = people.make(house, "ida", "auditor", language="en")
Event.objects.bulk_create([
    Event(name="audit.round", house_id=house.pk, actor_id=person.pk, subject_kind="round", subject_id=str(number), after={{}})
    for number in range({LOOKS})
], batch_size=2_000)
cookie = people.signed_in(person).cookies[settings.SESSION_COOKIE_NAME]
print(f"{{cookie.key}}={{cookie.value}}; {{settings.CSRF_COOKIE_NAME}}={CSRF}", gaming_day_at(house_id=house.pk), sep="|")
"""
SWEEP = "import django; django.setup(); from casino.audit.reports.runs import reports_sweep; reports_sweep()"


@dataclass
class Site:
    """A web process, an auditor who is signed in to it, and a day on which he looked at very much."""

    servers: OwnServers
    environment: dict[str, str]
    web: Path
    process: "subprocess.Popen[bytes]"
    reports: Path
    cookie: str
    day: str

    def send(self, method: str, path: str, body: str | None = None) -> tuple[int, str, bytes]:
        """Status, address to go to, and body."""
        browser = Browser(self.web)
        headers = {"Cookie": self.cookie, "X-CSRFToken": CSRF, "Accept-Language": "en", "Connection": "close"}
        headers |= {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        try:
            browser.request(method, path, body, headers)
            response = browser.getresponse()
            return response.status, response.headers.get("Location", ""), response.read()
        finally:
            browser.close()

    def read(self, path: str, expected: int = 200) -> bytes:
        status, _, body = self.send("GET", path)
        assert status == expected, body[:400]
        return body

    def script(self, text: str, **environment: str) -> str:
        program = [sys.executable, "-c", text]
        environment = self.environment | environment
        done = subprocess.run(program, cwd=PROJECT, env=environment, check=True, capture_output=True, text=True)
        return done.stdout

    def run(self, run: str) -> tuple[object, ...]:
        return self.servers.sql(f"SELECT state, tries, failed FROM casino_reportrun WHERE id = '{run}'")[0]

    def open_files(self) -> list[str]:
        """Which reports the web process has open."""
        found = []
        for link in Path(f"/proc/{self.process.pid}/fd").iterdir():
            try:
                found.append(os.readlink(link))
            except FileNotFoundError:  # closed meanwhile
                continue
        return [path for path in found if path.startswith(str(self.reports))]


@pytest.fixture(scope="module")
def site(own_servers: OwnServers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    reports, web = tmp_path_factory.mktemp("exports"), own_servers.folder / "exports.sock"
    environment = own_servers.environment(REPORTS_DIR=str(reports))
    command = ("uvicorn", "casino.asgi:application", "--uds", str(web), "--lifespan", "off")
    process = own_servers.start(*command, log="exports-web.log", environment=environment)
    made = Site(own_servers, environment, web, process, reports, "", "")
    made.cookie, made.day = made.script(AUDITOR).strip().split("|")
    wait_for_web(web)
    yield made
    end(process)


def killed(worker: "subprocess.Popen[bytes]") -> None:
    """The worker and whoever works for it, as by a machine without memory: none of them says another word."""
    children = Path(f"/proc/{worker.pid}/task/{worker.pid}/children").read_text().split()
    for pid in (worker.pid, *map(int, children)):
        os.kill(pid, signal.SIGKILL)
    worker.wait()


def together(act) -> list:
    with ThreadPoolExecutor(TEN) as threads:
        return [one.result() for one in [threads.submit(act) for _ in range(TEN)]]


RUNS = "SELECT count(*) FROM casino_reportrun WHERE kind = 'looks'"


def test_ten_ask_a_worker_is_killed_over_it_and_all_ten_are_given_the_same_whole_file(
    site: Site, tmp_path: Path
) -> None:
    asked = urlencode({"from": site.day, "to": site.day, "format": "xlsx"})
    [(before,)] = site.servers.sql(RUNS)  # of other tests
    answers = together(lambda: site.send("POST", "/audit/reports/looks/", asked))
    ((status, page),) = {answer[:2] for answer in answers}
    assert status == 302
    run = page.split("/")[-2]
    assert site.servers.sql(RUNS) == [(before + 1,)]

    parts = tmp_path / "parts"  # where a library leaves its temporary files if nobody tells it another place
    parts.mkdir()
    environment = site.environment | {"TMPDIR": str(parts)}
    first = site.servers.worker(log="exports-first.log", environment=environment)
    half = site.reports / f"{run}.1.half"
    wait_for(half.exists, 120)
    killed(first)
    assert half.exists()  # it was in the middle of it
    assert site.run(run) == ("running", 1, "")
    assert b"data-waits" in site.read(page)
    site.read(f"{page}file/", 404)

    site.servers.sql(f"UPDATE casino_reportrun SET alive_at = now() - interval '31 s' WHERE id = '{run}'")
    second = site.servers.worker(log="exports-second.log", environment=environment)
    try:
        site.script(SWEEP)  # as the clock does every 20 s
        wait_for(lambda: site.run(run)[0] != "running" or site.run(run)[1] == 2, 120)
        wait_for(lambda: site.run(run)[0] != "running", 120)
        assert site.run(run) == ("done", 2, "")
    finally:
        end(second)
    site.script(SWEEP)
    assert [path.name for path in site.reports.iterdir()] == [f"{run}.2.xlsx"]
    assert [path for path in parts.rglob("*") if path.is_file()] == []

    (content,) = set(together(lambda: site.read(f"{page}file/")))
    ((lines,),) = site.servers.sql(f"SELECT lines FROM casino_reportrun WHERE id = '{run}'")
    with zipfile.ZipFile(BytesIO(content)) as book:
        assert book.testzip() is None
        assert book.read("xl/worksheets/sheet1.xml").count(b"<row ") == lines + 1
    assert lines >= LOOKS
    broken_off(site, f"{page}file/", content)


def broken_off(site: Site, path: str, content: bytes) -> None:
    """Who goes away in the middle of a download leaves nothing open, and the next one is whole."""
    with socket.socket(socket.AF_UNIX) as link:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        link.connect(str(site.web))
        link.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {site.cookie}\r\n\r\n".encode())
        begun = link.recv(4096)
        assert b" 200 " in begun.split(b"\r\n")[0]
        wait_for(
            lambda: site.open_files() == [str(file) for file in site.reports.iterdir()], 30
        )  # the file, after the head
    wait_for(lambda: site.open_files() == [], 30)
    assert site.read(path) == content
    wait_for(lambda: site.open_files() == [], 30)
    assert "request_failed" not in (site.servers.folder / "exports-web.log").read_text()
