"""The Caddyfile that ships, run by a Caddy of the system: whoever sends or reads slowly holds nobody up, and limits count work."""

import http.client
import os
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import ThreadingUnixStreamServer
from tempfile import TemporaryDirectory

import pytest
from websockets.sync.client import connect
from websockets.sync.server import ServerConnection, unix_serve

from casino.launcher.processes import die_with_parent
from tests.casino.launcher.clones import free_port
from tests.casino.ops.own_servers import PROJECT, OwnServers, wait_for, wait_for_web

CADDY = shutil.which("caddy")
SLOW = 30
PLACES, KNOWN = 6, 4  # sign-ins at a time: strangers', and those of browsers that say they have signed in before
LONG = 12_000_000  # bytes of an answer; the sockets on its way take some eight millions of what nobody reads
pytestmark = pytest.mark.timeout(400)


@dataclass(frozen=True)
class Proxy:
    """A Caddy on this machine, and the folder of the sockets behind it."""

    folder: Path
    port: int
    trust: ssl.SSLContext

    def ask(self, method: str, path: str, **headers: str) -> tuple[int, dict[str, str]]:
        """Status and headers of the answer."""
        address = ("127.0.0.2", 0)  # not the one that the proxy's own two sites speak from
        link = http.client.HTTPSConnection(
            "localhost", self.port, context=self.trust, source_address=address, timeout=60
        )
        try:
            link.request(method, path, body=b"a=1" if method == "POST" else None, headers=headers)
            response = link.getresponse()
            response.read()
            return response.status, dict(response.getheaders())
        finally:
            link.close()

    def answers(self) -> bool:
        """Whether it serves."""
        with suppress(OSError):
            return self.ask("GET", "/")[0] > 0
        return False

    def begin(self, *pieces: bytes, stack: ExitStack) -> ssl.SSLSocket:
        """A socket that has sent this much so far."""
        link = stack.enter_context(socket.create_connection(("localhost", self.port), timeout=60))
        link = stack.enter_context(self.trust.wrap_socket(link, server_hostname="localhost"))
        link.sendall(b"".join(pieces))
        return link


@contextmanager
def caddy(folder: Path) -> Iterator[Proxy]:
    """Caddy with the file of `deploy/`, its addresses turned to this folder and to ports that are free."""
    if not CADDY:
        why = "there is no Caddy (`caddy`) on this machine"
        pytest.fail(why) if os.environ.get("CI") else pytest.skip(why)
    port = free_port()
    text = (PROJECT / "deploy" / "Caddyfile").read_text()
    for theirs, ours in {
        "\n{\n": f"\n{{\n\tadmin off\n\thttp_port {free_port()}\n",
        ":8010": f":{free_port()}",
        "saal.example": f"https://localhost:{port}",
        "/run/saalchef": str(folder),
    }.items():
        assert theirs in text, theirs
        text = text.replace(theirs, ours)
    (folder / "Caddyfile").write_text(text)
    root = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
    with (folder / "caddy.log").open("wb") as log:
        process = subprocess.Popen(
            [CADDY, "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")],
            env={"PATH": os.environ["PATH"]} | dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), str(folder)),
            stdout=log,
            stderr=log,
            preexec_fn=die_with_parent(signal.SIGKILL),  # noqa: PLW1509
        )
    try:
        wait_for(root.exists, 60)
        proxy = Proxy(folder, port, ssl.create_default_context(cafile=root))
        wait_for(proxy.answers, 60)
        yield proxy
    finally:
        quit_by(signal.SIGTERM, process)


def quit_by(number: signal.Signals, process: "subprocess.Popen[bytes]") -> None:
    """Both take a while to let go of connections."""
    process.send_signal(number)
    process.wait(60)


@pytest.fixture
def folder() -> Iterator[Path]:
    with TemporaryDirectory(prefix="saalchef-proxy-") as name:
        yield Path(name)


# Before the gunicorn that is deployed
@pytest.fixture
def house(own_servers: OwnServers, folder: Path) -> Iterator[Proxy]:
    with caddy(folder) as proxy:
        served = own_servers.environment(
            SAALCHEF_HTTPS="1", TRUST_PROXY="1", CSRF_TRUSTED_ORIGINS=f"https://localhost:{proxy.port}"
        )
        command = ("gunicorn", "-c", "deploy/gunicorn.conf.py", "--bind", f"unix:{folder / 'web.sock'}")
        process = own_servers.start(*command, log="proxied.log", environment=served)
        try:
            wait_for_web(folder / "web.sock")
            yield proxy
        finally:
            quit_by(signal.SIGQUIT, process)


def test_slow_senders_hold_nothing_up_and_are_cut(house: Proxy, own_servers: OwnServers) -> None:
    assert house.ask("GET", "/sign-in/")[0] == 200
    with ExitStack() as stack, echoing(house.folder / "ws.sock"):
        socket_of_a_screen = stack.enter_context(connect(f"wss://localhost:{house.port}/ws/x", ssl=house.trust))
        form = b"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n"
        bodies = [house.begin(form, b"\r\n", stack=stack) for _ in range(SLOW)]
        for _ in range(2):
            assert send_a_byte_each(bodies) == bodies
            answers = [house.ask("GET", "/sign-in/")[0] for _ in range(12)]
            answers.append(house.ask("POST", "/sign-in/")[0])
            assert answers == [200] * 12 + [403]  # a form without its token: Django has answered
        assert send_a_byte_each(bodies) == bodies  # so it was not their end that let the others through
        left = bodies + [house.begin(form, b"X-More: ", stack=stack) for _ in range(SLOW)]
        deadline = time.monotonic() + 240
        while left and time.monotonic() < deadline:
            left = send_a_byte_each(left)
        assert left == []
        socket_of_a_screen.send("still open")
        assert socket_of_a_screen.recv(60) == "still open"
        assert house.ask("GET", "/sign-in/")[0] == 200
    assert "Traceback" not in (own_servers.folder / "proxied.log").read_text()  # what was cut off is no error of ours


def send_a_byte_each(links: list[ssl.SSLSocket]) -> list[ssl.SSLSocket]:
    """A byte a second on each; gives those that still take it."""
    time.sleep(1)
    return [link for link in links if takes_a_byte(link)]


def takes_a_byte(link: ssl.SSLSocket) -> bool:
    link.settimeout(0)
    try:
        link.sendall(b"a")
        while link.recv(4096):
            pass
    except ssl.SSLWantReadError:
        return True
    except OSError:
        return False
    return False


@contextmanager
def echoing(path: Path) -> Iterator[None]:
    """In the place of the process of sockets."""

    def echo(link: ServerConnection) -> None:
        for message in link:
            link.send(message)

    with unix_serve(echo, str(path)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield


# Before a server of ours that answers when it is told to
class Answering(BaseHTTPRequestHandler):
    """What is posted waits for a word; all else is answered at once."""

    protocol_version = "HTTP/1.1"
    server: "StandIn"

    def do_GET(self) -> None:
        self.answer()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.begun.release()
        self.server.let_go.wait(60)
        self.answer()

    def answer(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(self.server.length))
        known = "Host", "X-Forwarded-For", "X-Forwarded-Proto"
        self.send_header("X-Told", " ".join(self.headers[name] for name in known))
        self.end_headers()
        self.wfile.write(bytes(self.server.length))
        self.server.answered.release()

    def log_message(self, *_: object) -> None:
        pass


class StandIn(ThreadingUnixStreamServer):
    """In the place of gunicorn."""

    daemon_threads = True
    request_queue_size = 100

    def __init__(self, path: Path) -> None:
        super().__init__(str(path), Answering)
        self.begun = threading.Semaphore(0)
        self.answered = threading.Semaphore(0)
        self.let_go = threading.Event()
        self.length = 100


@pytest.fixture
def stand_in(folder: Path) -> Iterator[StandIn]:
    with StandIn(folder / "web.sock") as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def proxy(folder: Path, stand_in: StandIn) -> Iterator[Proxy]:
    with caddy(folder) as proxy:
        yield proxy


def test_so_many_sign_in_at_once_and_nobody_else_waits(proxy: Proxy, stand_in: StandIn) -> None:
    known = {"Cookie": "saalchef-csrf-x=y; saalchef-known-x=y"}
    posts = [("/elsewhere/", {})] * PLACES + [("/sign-in/", {})] * PLACES + [("/sign-in/", known)] * KNOWN
    with ThreadPoolExecutor(len(posts)) as askers:
        waiting = [askers.submit(proxy.ask, "POST", path, **headers) for path, headers in posts[: 2 * PLACES]]
        for _ in waiting:
            assert stand_in.begun.acquire(timeout=60)
        status, headers = proxy.ask("POST", "/sign-in/")
        assert (status, headers["Retry-After"]) == (503, "2")
        waiting += [askers.submit(proxy.ask, "POST", path, **headers) for path, headers in posts[2 * PLACES :]]
        for _ in range(KNOWN):
            assert stand_in.begun.acquire(timeout=60)
        assert proxy.ask("POST", "/sign-in/", **known)[0] == 503
        status, headers = proxy.ask("GET", "/", **{"X-Forwarded-For": "6.6.6.6"})
        assert (status, headers["X-Told"]) == (200, f"localhost:{proxy.port} 127.0.0.2 https")
        stand_in.let_go.set()
        assert [question.result()[0] for question in waiting] == [200] * len(posts)


def test_who_reads_no_answer_has_no_place(proxy: Proxy, stand_in: StandIn) -> None:
    stand_in.let_go.set()
    stand_in.length = LONG
    with ExitStack() as stack:
        for _ in range(PLACES):
            proxy.begin(b"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\na", stack=stack)
        for _ in range(PLACES):
            assert stand_in.answered.acquire(timeout=60)
        assert proxy.ask("POST", "/sign-in/")[0] == 200


def test_long_bodies_are_refused(proxy: Proxy) -> None:
    with ExitStack() as stack:
        head = b"POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 300000000\r\n\r\n"
        link = proxy.begin(head, stack=stack)
        with suppress(OSError):
            link.sendall(bytes(2_000_000))
        assert link.recv(12) == b"HTTP/1.1 413"
