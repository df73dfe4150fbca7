"""How long a thousand displays of one process wait for a new value: our hub against a bare `websockets` broadcast of the same text.

From the beginning of the sending until the last of them has every byte, in milliseconds; both in turns, from one reader, over TCP,
without compression.
"""

import json
import os
import resource
import selectors
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench.floor_place import new_seats
from tests.bench.place import Bench, bench_place
from tests.casino.launcher.clones import free_port

ROOT = Path(__file__).parents[2]
SOCKETS, TIMES = 1_000, 40
ASKED = 0.5  # at most twice what the library takes
WAIT_S = 30.0
# Nothing but what is measured: no reads, heartbeats or checks meanwhile.
QUIET = {"LIVE_READ_S": "3600", "LIVE_HEARTBEAT_S": "3600", "LIVE_CHECK_S": "36000", "DATABASE_POOL_SIZE": "4"}
WEB = {"SAALCHEF_HTTPS": "0", "ALLOWED_HOSTS": "localhost", "STATIC_ROOT": str(ROOT / "casino" / "static")}


def measure() -> dict[str, dict[str, float]]:
    """Median and worst of `TIMES` messages to `SOCKETS` sockets of one process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4 * SOCKETS + 500)), hard))
    with ExitStack() as stack:
        place = stack.enter_context(bench_place())
        ours = stack.enter_context(_server(place, "ours", new_seats(place, 1)[0].jackpot))
        bare = stack.enter_context(_server(place, "bare", ours.text))
        bare.text, bare.path = ours.text, "/"
        crowds = [stack.enter_context(_crowd(server)) for server in (ours, bare)]
        spent: list[list[float]] = [[], []]
        for number in range(1, TIMES + 6):
            for crowd, times in zip(crowds, spent, strict=True):
                times.append(1_000 * crowd.send(number))
    mine, limit = ([round(time, 2) for time in sorted(times[5:])] for times in spent)  # the first ones warm up
    middle = [statistics.median(mine), statistics.median(limit)]
    row = {
        "limit": round(middle[1], 1),
        "ours": round(middle[0], 1),
        "ratio": round(middle[1] / middle[0], 2),
        "asked": ASKED,
        "worst, ms": mine[-1],
        "worst of the limit, ms": limit[-1],
        "bytes": len(ours.text.encode()),
    }
    return {f"{SOCKETS} displays told, ms": row}


@dataclass
class _Server:
    """A process of `fanout_web`."""

    process: "subprocess.Popen[str]"
    port: int
    text: str = ""
    path: str = ""
    cookie: str = ""

    def send(self, number: int) -> float:
        """Have it send; gives when it began."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{number}\n")
        self.process.stdin.flush()
        return float(self.line())

    def line(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the server has ended"
        return line


@contextmanager
def _server(place: Bench, kind: str, argument: str) -> Iterator[_Server]:
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.fanout_web", kind, str(port), argument],
        cwd=ROOT,
        env=os.environ | place.environment | QUIET | WEB,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:  # closing its input ends it
        try:
            server = _Server(process, port)
            vars(server).update(json.loads(server.line()))
            yield server
            process.communicate(timeout=30)
        finally:
            process.kill()


@dataclass
class _Crowd:
    """All sockets of one server."""

    server: _Server
    frame: int  # bytes of one message on the line
    links: list[socket.socket] = field(default_factory=list)
    selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)

    def open(self) -> None:
        """Connect them all; each is told where the jackpot stands."""
        head = (
            f"GET {self.server.path} HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nUpgrade: websocket\r\n"
        )
        head += "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        head += f"Cookie: {self.server.cookie}\r\n\r\n"
        for _ in range(SOCKETS):
            link = socket.create_connection(("127.0.0.1", self.server.port), WAIT_S)
            link.sendall(head.encode())
            answer = b""
            while b"\r\n\r\n" not in answer:
                answer += link.recv(1)
            assert answer.startswith(b"HTTP/1.1 101"), answer
            link.setblocking(False)
            self.links.append(link)
            self.selector.register(link, selectors.EVENT_READ)
        self.await_message()

    def send(self, number: int) -> float:
        """Have a message sent; gives the seconds until the last socket has it whole."""
        began = self.server.send(number)
        return self.await_message() - began

    def await_message(self) -> float:
        """When the last socket had the message."""
        missing = dict.fromkeys(self.links, self.frame)
        end = time.monotonic() + WAIT_S
        while missing:
            for key, _ in self.selector.select(1):
                link: socket.socket = key.fileobj  # type: ignore[assignment]  # they are
                missing[link] -= len(link.recv(65_536))
                assert missing[link] >= 0, "more than one message came"
                if not missing[link]:
                    del missing[link]
            assert time.monotonic() < end, f"{len(missing)} sockets wait in vain"
        return time.monotonic()


@contextmanager
def _crowd(server: _Server) -> Iterator[_Crowd]:
    length = len(server.text.encode())
    assert 125 < length < 65_536
    crowd = _Crowd(server, length + 4)
    try:
        crowd.open()
        yield crowd
    finally:
        crowd.selector.close()
        for link in crowd.links:
            link.close()
