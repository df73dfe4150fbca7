"""A real uvicorn on a database of its own, and a real Chromium that tells on every page.

Each page that a test opens is watched: a request outside the origin, a breach of the content policy, an error in the console or
in a script fails the test. `SHOTS=<folder>` keeps pictures of every page in every language and size.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.management import call_command
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from pytest_django import DjangoDbBlocker

from casino.launcher.processes import die_with_parent
from payouts.models import House
from tests import databases
from tests.browser.cable import Cable, cable_to
from tests.browser.settings import PASSWORD_HASHERS
from tests.cast import make_house, stock_house
from tests.servers import folder, servers
from tests.watched import watched

if TYPE_CHECKING:
    from tests.browser.tablets import Tablet

CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", "--disable-sync"]
CHROMIUM += ["--disable-component-update", "--font-render-hinting=none"]

WAIT_MS = 45_000  # for what must come; a busy machine is no failure
expect.set_options(timeout=WAIT_MS)


@pytest.fixture(autouse=True)
def cheap_passwords(settings: Any) -> None:
    """As in the servers' settings: one of the real ones takes as long as opening a page."""
    settings.PASSWORD_HASHERS = PASSWORD_HASHERS


@pytest.fixture(scope="session")
def chromium_program() -> str:
    """The system's Chromium, or the one that CHROMIUM names."""
    program = (
        os.environ.get("CHROMIUM")
        or shutil.which("chromium-headless-shell")  # the same engine without a window, and quicker
        or shutil.which("chromium")
        or shutil.which("chromium-browser")
        or shutil.which("google-chrome")
    )
    if not program:
        why = "no Chromium was found: install it, or name it in CHROMIUM; nothing of tests/browser was tested"
        pytest.fail(why) if os.environ.get("CI") else pytest.skip(why)
    return program


@pytest.fixture(scope="module")
def chromium(chromium_program: str) -> Iterator[Browser]:
    """One for each module: Playwright's event loop runs in this thread as long as it is there, and no other one can, so that a
    test elsewhere that needs one would fail in the same process.
    """
    # Django's ORM refuses to work where an event loop runs; nothing here is asynchronous.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    try:
        with (
            sync_playwright() as playwright,
            playwright.chromium.launch(executable_path=chromium_program, args=CHROMIUM) as browser,
        ):
            yield browser
    finally:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@dataclass
class Server:
    """One running uvicorn: where it answers, and the database it serves."""

    address: str
    database: str
    log: Path
    process: "subprocess.Popen[bytes]"


def _serve(database: str, application: str = "casino.asgi", **environment: str) -> Iterator[Server]:
    databases.clone(database)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield from _serve_at(listener, database, application, environment)


def _serve_at(
    listener: socket.socket, database: str, application: str, environment: dict[str, str]
) -> Iterator[Server]:
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    log = folder / f"{database}.log"
    own = {
        "DATABASE_URL": urlsplit(servers.app_url)._replace(path=f"/{database}").geturl(),
        "ALLOWED_HOSTS": "127.0.0.1",
        "DJANGO_SETTINGS_MODULE": "tests.browser.settings",
    }
    environment = os.environ | own | environment
    if environment["SAALCHEF_DEMO"] == "1":
        subprocess.run(
            [sys.executable, "manage.py", "demo"],
            env=environment,
            cwd=settings.BASE_DIR,
            check=True,
            stdout=subprocess.DEVNULL,
        )
    program = [sys.executable, "-m", "uvicorn", f"{application}:application", "--fd", str(listener.fileno())]
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*program, "--log-level", "warning", "--timeout-graceful-shutdown", "2"],
            env=environment,
            cwd=settings.BASE_DIR,
            stdout=out,
            stderr=out,
            pass_fds=[listener.fileno()],
            preexec_fn=die_with_parent(signal.SIGKILL),  # noqa: PLW1509  (one system call, made ready before the fork)
        )
    try:
        # The listener was open before the server started, so this waits in its queue instead of asking again and again.
        listener.close()  # the server has it now: should the server end, the question below ends too
        try:
            urllib.request.urlopen(f"{address}/healthz", timeout=100).close()
        except OSError as error:
            pytest.fail(f"the server did not come up ({error}):\n{log.read_text(errors='replace')}")
        yield Server(address, database, log, process)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


@pytest.fixture(scope="session")
def static_files(django_db_setup: None) -> None:
    """Static files as production serves them: hashed names, compressed."""
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=["redoc"])


@pytest.fixture(scope="session")
def real_server(chromium_program: str, static_files: None) -> Iterator[Server]:
    """The house as it is in earnest: no demo."""
    yield from _serve("browser")


@pytest.fixture(scope="session")
def demo_server(chromium_program: str, static_files: None) -> Iterator[Server]:
    """The demo house."""
    yield from _serve("browser_demo", SAALCHEF_DEMO="1")


@pytest.fixture(scope="session")
def real_floor_server(chromium_program: str, static_files: None) -> Iterator[Server]:
    """A database of many houses, each with a floor for one test."""
    yield from _serve("browser_floor")


@pytest.fixture(scope="session")
def real_display_server(chromium_program: str, static_files: None) -> Iterator[Server]:
    """A database of many houses, each with a jackpot for one test; its process may be stopped and woken."""
    yield from _serve("browser_display")


def _with_orm(server: Server, django_db_blocker: DjangoDbBlocker) -> Iterator[Server]:
    with django_db_blocker.unblock():
        databases.use(server.database)
        try:
            yield server
        finally:
            databases.use("tests")


@pytest.fixture
def server(real_server: Server, django_db_blocker: DjangoDbBlocker) -> Iterator[Server]:
    """The server, with this test's ORM on the same database; what a test commits stays, so people have names of their own."""
    yield from _with_orm(real_server, django_db_blocker)


@pytest.fixture
def floor_server(request: pytest.FixtureRequest, django_db_blocker: DjangoDbBlocker) -> Iterator[Server]:
    """The same for tests that make a house of their own (`floor_house.FloorHouse`); by parameter in demo mode (`IN_BOTH_MODES`)."""
    for server in _with_orm(request.getfixturevalue(getattr(request, "param", "real_floor_server")), django_db_blocker):
        watched()  # no worker runs here, and every board would say so
        yield server


IN_BOTH_MODES = pytest.mark.parametrize("floor_server", ["real_floor_server", "demo_server"], indirect=True)


@pytest.fixture
def cable(floor_server: Server) -> Iterator[Cable]:
    """What a tablet hangs on, to be pulled out and put in again."""
    with cable_to(floor_server.address) as cable:
        yield cable


@pytest.fixture(scope="session")
def real_sharing_server(chromium_program: str, static_files: None) -> Iterator[Server]:
    """A house whose list has one game more (`sharing_app.py`)."""
    yield from _serve("browser_sharing", "tests.browser.sharing_app")


@pytest.fixture
def sharing_server(real_sharing_server: Server, django_db_blocker: DjangoDbBlocker) -> Iterator[Server]:
    """The same as `floor_server` for a table of that game."""
    for server in _with_orm(real_sharing_server, django_db_blocker):
        watched()
        yield server


@pytest.fixture
def display_server(real_display_server: Server, django_db_blocker: DjangoDbBlocker) -> Iterator[Server]:
    """The same for tests of displays (`display_house.Shown`)."""
    yield from _with_orm(real_display_server, django_db_blocker)


@pytest.fixture
def house(server: Server) -> House:
    """The first house of the server, with something in its books; some tests make others beside it."""
    house = House.objects.order_by("created_at").first()
    if house is None:
        house = make_house()
        stock_house(house)
    return house


@dataclass
class Watched:
    """What a page did that it should not have."""

    address: str
    breaches: list[str]
    allowed: re.Pattern[str] | None = None
    paused: bool = False

    def add(self, text: str) -> None:
        """Keep it, unless the test said that it will happen."""
        if not self.paused and not (self.allowed and self.allowed.search(text)):
            self.breaches.append(text)


_watched: dict[BrowserContext, Watched] = {}


def address_of(page: Page) -> str:
    """The server that the page talks to."""
    return _watched[page.context].address


def stop_clock(page: Page, at: datetime | None = None) -> None:
    """The clock of the page that is opened next stands, now or at this time: what the machine takes does not count by it."""
    at = at or datetime.now(UTC)
    page.clock.install(time=at - timedelta(hours=1))
    page.clock.pause_at(at)


@contextmanager
def unwatched(page: Page) -> Iterator[None]:
    """For tools that a test itself puts into the page: axe measures by inline styles, which the policy rightly forbids."""
    watched = _watched[page.context]
    watched.paused = True
    try:
        yield
        page.evaluate("new Promise(done => setTimeout(done))")  # what the tool caused has been told by then
    finally:
        watched.paused = False


SLOW = "not used within a few seconds"  # a font that was fetched ahead: how soon its text stands hangs on the machine's speed


def watch(context: BrowserContext, address: str) -> Watched:
    """Listen to everything that a context's pages do."""
    watched = _watched[context] = Watched(address, [])
    origin = urlsplit(address)[:2]

    def request(sent) -> None:
        if urlsplit(sent.url)[:2] != origin and not sent.url.startswith(("data:", "blob:", "about:")):
            watched.add(f"request outside the origin: {sent.url}")

    context.on("request", request)

    def said(message) -> None:
        if message.type in ("error", "warning") and SLOW not in message.text:
            watched.add(f"console: {message.text}")

    context.on("console", said)
    context.on("weberror", lambda error: watched.add(f"script: {error.error}"))
    context.expose_function("tellPolicyBreach", lambda text: watched.add(f"policy: {text}"))
    context.add_init_script(
        "document.addEventListener('securitypolicyviolation', e => tellPolicyBreach(e.violatedDirective + ' ' + e.blockedURI))"
    )
    return watched


@pytest.fixture
def new_page(chromium: Browser, server: Server) -> Iterator[Callable[..., Page]]:
    """Opens a page in a browser of its own (cookies, language, size), watched until the test ends."""
    yield from _pages(chromium, server)


@pytest.fixture
def new_floor_page(chromium: Browser, floor_server: Server) -> Iterator[Callable[..., Page]]:
    """The same on the server with a floor for each test."""
    yield from _pages(chromium, floor_server)


@pytest.fixture
def new_sharing_page(chromium: Browser, sharing_server: Server) -> Iterator[Callable[..., Page]]:
    """The same on the server with a game that tests bring."""
    yield from _pages(chromium, sharing_server)


@pytest.fixture
def new_display_page(chromium: Browser, display_server: Server) -> Iterator[Callable[..., Page]]:
    """The same on the server with a jackpot for each test."""
    yield from _pages(chromium, display_server)


@pytest.fixture
def new_demo_page(chromium: Browser, demo_server: Server) -> Iterator[Callable[..., Page]]:
    """The same on the demo server."""
    yield from _pages(chromium, demo_server)


def _pages(chromium: Browser, server: Server) -> Iterator[Callable[..., Page]]:
    opened: list[BrowserContext] = []
    said_before = server.log.stat().st_size

    def open_page(
        language: str = "de",
        width: int = 1280,
        height: int = 800,
        allowed: str | None = None,
        address: str = server.address,
        **options: object,
    ) -> Page:
        context = chromium.new_context(
            base_url=address, locale=language, viewport={"width": width, "height": height}, **options
        )
        context.set_default_timeout(WAIT_MS)
        watched = watch(context, address)
        watched.allowed = re.compile(allowed) if allowed else None
        opened.append(context)
        return context.new_page()

    yield open_page
    for context in opened:
        context.close()
    told = [_watched.pop(context) for context in opened]
    assert [breach for watched in told for breach in watched.breaches] == []
    assert b"request_failed" not in server.log.read_bytes()[said_before:]


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """One page in German at 1280 × 800."""
    return new_page()


@pytest.fixture
def tablet(floor_server: Server, new_floor_page: Callable[..., Page]) -> "Tablet":
    """A tablet of the only open table of a house of its own, where nobody sits yet."""
    from tests.browser.floor_house import FloorHouse
    from tests.browser.tablets import Tablet

    floor = FloorHouse()
    floor.open_for()
    return Tablet(new_floor_page(has_touch=True), floor.table, floor.martina)
