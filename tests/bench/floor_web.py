"""Tablets that lock and settle over HTTP: gunicorn as the house runs it, with two workers, and clients on kept connections.

The clients cost as little as can be (a socket, a ready request, the length of the answer), for they share cores with the server.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from casino.launcher.processes import wait_until
from tests.bench.floor_place import Seat
from tests.casino.launcher.clones import free_port

ROOT = Path(__file__).parents[2]
WORKERS = 2


@contextmanager
def web(environment: dict[str, str]) -> Iterator[int]:
    """Gunicorn with the deployed configuration and two workers; its port. Pages need a STATIC_ROOT in the environment."""
    port = free_port()
    command = ["gunicorn", "-c", "deploy/gunicorn.conf.py", "--workers", str(WORKERS), "--keep-alive", "60"]
    with tempfile.TemporaryDirectory() as static:
        more = {"SAALCHEF_HTTPS": "0", "ALLOWED_HOSTS": "localhost", "LOG_LEVEL": "WARNING"}
        more["STATIC_ROOT"] = environment.get("STATIC_ROOT", static)
        process = subprocess.Popen(
            [sys.executable, "-m", *command, "--bind", f"127.0.0.1:{port}"],
            cwd=ROOT,
            env=os.environ | environment | more,
        )
        try:
            assert wait_until(lambda: _answers(port), 120), "the web server does not answer"
            yield port
        finally:
            process.terminate()
            process.wait(30)


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 1) as link:
            link.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return link.recv(12) == b"HTTP/1.1 200"
    except OSError:
        return False


def play_tables(port: int, seats: list[Seat], seconds: float) -> tuple[float, list[float]]:
    """All tables at once, each on its own connection: rounds a second of all, and the seconds of every command."""
    rates: list[float] = []
    spent: list[float] = []

    def run(seat: Seat) -> None:
        tablet = Tablet(port, seat)
        for _ in range(20):
            tablet.play()
        tablet.spent.clear()
        count, started = 0, time.perf_counter()
        while (elapsed := time.perf_counter() - started) < seconds:
            tablet.play()
            count += 1
        rates.append(count / elapsed)
        spent.extend(tablet.spent)

    threads = [threading.Thread(target=run, args=(seat,)) for seat in seats]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(rates) == len(seats), "a tablet failed"
    return sum(rates), spent


class Tablet:
    """One tablet with its connection."""

    def __init__(self, port: int, seat: Seat, host: str = "localhost") -> None:
        self.seat, self.host, self.spent = seat, host, list[float]()
        self.link = socket.create_connection(("127.0.0.1", port), 30)
        self.link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.answers = self.link.makefile("rb")
        self.head = "".join(f"{name}: {value}\r\n" for name, value in seat.headers.items())
        self.lock, self.settle = json.dumps({"stakes": seat.stakes()}), json.dumps({"result": seat.result()})

    def play(self) -> None:
        """Lock a round and settle it."""
        round_id = uuid4()
        self.post(f"/api/tables/{self.seat.table}/rounds/{round_id}/lock/", self.lock, "locked")
        self.post(f"/api/rounds/{round_id}/settle/", self.settle, "settled")

    def close(self) -> None:
        """Hang up."""
        self.answers.close()
        self.link.close()

    def post(self, path: str, body: str, state: str) -> None:
        """Send a command, and note how long its answer took; the round must be in this state then."""
        request = (
            f"POST {path} HTTP/1.1\r\nHost: {self.host}\r\n{self.head}Idempotency-Key: {uuid4()}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        )
        begun = time.perf_counter()
        self.link.sendall(request.encode())
        status, answer = self._answer()
        self.spent.append(time.perf_counter() - begun)
        assert status == 200, answer
        told: dict[str, Any] = json.loads(answer)
        assert told["present"]["state"] == state, told

    def _answer(self) -> tuple[int, bytes]:
        status, length = int(self.answers.readline().split()[1]), 0
        while (line := self.answers.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return status, self.answers.read(length)
