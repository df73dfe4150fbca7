"""A tablet's lock while strangers flood the sign-in, against the same lock beside one busy process, in one run."""

import asyncio
import multiprocessing
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from multiprocessing.synchronize import Event
from urllib.parse import urlencode

from tests.bench.floor_place import new_seats
from tests.bench.floor_web import Tablet, web
from tests.bench.place import bench_place

SECONDS = 6.0
STRANGERS = 200
TIMES = 3
PATIENCE = float(os.environ.get("PATIENCE") or "0.25")  # of what they are told to wait: they come again too early
ASKED = 1 / 3  # as a ratio to the limit: at most three times as long


def measure() -> dict[str, dict[str, float]]:
    """Milliseconds that 95 of a hundred locks take at most: beside one busy process (`limit`), beside 200 strangers (`ours`)."""
    busy, flooded = [], []
    with (
        bench_place() as place,
        tempfile.TemporaryDirectory() as static,
        web(_with_pages(place.environment, static)) as port,
    ):
        tablet = Tablet(port, new_seats(place, 1, tablets=True)[0])
        for _ in range(20):
            tablet.play()
        for _ in range(TIMES):
            busy.append(_p95(tablet, _spin, ()))
            flooded.append(_p95(tablet, _flood, (port,)))
        tablet.close()
    limit, ours = statistics.median(busy), statistics.median(flooded)
    row = {"limit": round(limit, 1), "ours": round(ours, 1), "ratio": round(limit / ours, 2), "asked": round(ASKED, 2)}
    return {f"lock under {STRANGERS} strangers, p95 ms": row}


def _with_pages(environment: dict[str, str], static: str) -> dict[str, str]:
    found = environment | {"STATIC_ROOT": static}
    command = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
    subprocess.run(command, check=True, env=os.environ | found, stdout=subprocess.DEVNULL)
    return found


def _p95(tablet: Tablet, beside: object, arguments: tuple[object, ...]) -> float:
    context = multiprocessing.get_context("spawn")
    stop, begun = context.Event(), context.Event()
    process = context.Process(target=beside, args=(stop, begun, *arguments))  # type: ignore[arg-type]
    process.start()
    try:
        assert begun.wait(60), "the other process did not begin"
        tablet.spent.clear()
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            tablet.play()
        return statistics.quantiles(tablet.spent[::2], n=20)[-1] * 1000
    finally:
        stop.set()
        process.join(30)
        assert process.exitcode == 0


def _spin(stop: Event, begun: Event) -> None:
    begun.set()
    while not stop.is_set():
        sum(range(10_000))


def _flood(stop: Event, begun: Event, port: int) -> None:
    asyncio.run(_strangers(stop, begun, port))


async def _strangers(stop: Event, begun: Event, port: int) -> None:
    token, cookie = await _form(port)
    body = urlencode({"csrfmiddlewaretoken": token, "username": "m.frei", "password": "falsch", "code": "123456"})
    request = (
        f"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    ).encode()

    async def stranger() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while not stop.is_set():
            writer.write(request)
            status, head, _page = await _answer(reader)
            assert status in (200, 429, 503), status
            begun.set()
            if again := re.search(r"(?i)retry-after: (\d+)", head):
                await asyncio.sleep(int(again[1]) * PATIENCE)
        writer.close()

    await asyncio.gather(*(stranger() for _ in range(STRANGERS)))


async def _form(port: int) -> tuple[str, str]:
    """The token and the cookie of a sign-in form."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /sign-in/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
    _status, head, page = await _answer(reader)
    writer.close()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    cookie = re.search(r"(?i)set-cookie: (saalchef-csrf[^;]+)", head)
    assert token
    assert cookie
    return token[1], cookie[1]


async def _answer(reader: asyncio.StreamReader) -> tuple[int, str, str]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    length = re.search(r"(?i)content-length: (\d+)", head)
    page = await reader.readexactly(int(length[1])) if length else b""
    return int(head.split()[1]), head, page.decode()
