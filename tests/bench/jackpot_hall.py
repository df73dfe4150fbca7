"""The processes of a house whose jackpot is hit: who plays the hit, web, worker, beat, displays; and what may fail of them."""

import asyncio
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from queue import Empty
from typing import Any

import psycopg
import redis
from websockets.asyncio.client import connect

from casino.launcher.processes import die_with_parent, wait_until
from casino.launcher.serve import COMMANDS, WEB_CONNECTIONS
from tests.bench.place import Bench
from tests.casino.launcher.clones import free_port
from tests.casino.ops.own_servers import end

ROOT = Path(__file__).parents[2]
LOOK_S = 0.002  # between two looks at the phase
WAIT_S, BUILD_S = 60.0, 300.0
QUIET = {"LOG_LEVEL": "ERROR"}  # what is overloaded or stopped on purpose is not told on the screen
WEB = {"SAALCHEF_HTTPS": "0", "ALLOWED_HOSTS": "localhost", "STATIC_ROOT": str(ROOT / "casino" / "static")}
house: Any = None  # one a process: who plays the hit


class Hall:
    """A `jackpot_house.House` in a process of its own, and the phase of its jackpot as everybody else sees it."""

    def __init__(self, stack: ExitStack, place: Bench, *, tables: int, displays: int) -> None:
        self.place = place
        self._process = stack.enter_context(multiprocessing.get_context("spawn").Pool(1))
        self._link = stack.enter_context(psycopg.connect(place.servers.superuser_url, autocommit=True))
        made = {"count": tables, "displays": displays, "suffix": f".{time.monotonic_ns()}"}
        self.jackpot = self._process.apply_async(_answered, (_make, place.environment, made)).get(BUILD_S)

    def do(self, act: str, *values: object) -> Any:
        """Have an act done; gives what it gives."""
        return self._begun(act, values).get(WAIT_S)

    def time_to(self, phase: str, act: str, *values: object) -> float:
        """Seconds from an act that says when it began until its consequence, another phase, is committed."""
        begun = self._begun(act, values)
        reached = self.when(phase)
        return reached - float(begun.get(WAIT_S))

    def _begun(self, act: str, values: tuple[object, ...]) -> Any:
        return self._process.apply_async(_answered, (_do, act, *values))

    def when(self, phase: str) -> float:
        """The moment when this phase is seen."""
        deadline = time.monotonic() + WAIT_S
        while self.phase() != phase:
            assert time.monotonic() < deadline, f"it is {self.phase()}, not {phase}"
            time.sleep(LOOK_S)
        return time.monotonic()

    def phase(self) -> str:
        found = self._link.execute(
            "SELECT phase FROM jackpot_jackpot WHERE id = %s", [self.jackpot], prepare=True
        ).fetchone()
        assert found
        return str(found[0])


def _make(environment: dict[str, str], made: dict[str, Any]) -> str:
    global house
    os.environ.update(environment | QUIET)
    import django

    django.setup()
    from tests.bench.jackpot_house import House

    house = House(**made)
    return str(house.jackpot.pk)


def _do(act: str, *values: object) -> Any:
    return getattr(house, act)(*values)


def _answered(work: Any, *values: object) -> Any:
    try:
        return work(*values)
    except Exception:  # noqa: BLE001  (a refusal cannot be sent to another process)
        raise RuntimeError(traceback.format_exc()) from None


# Programs
@contextmanager
def worker_and_beat(place: Bench) -> Iterator[None]:
    """As the house runs them; they have swept once."""
    with ExitStack() as stack:
        for program in ("worker", "beat"):
            stack.enter_context(_program(place, COMMANDS[program]()))
        with psycopg.connect(place.servers.superuser_url, autocommit=True) as link:
            link.execute("DELETE FROM jackpot_signoflife")
            swept = "SELECT count(*) FROM jackpot_signoflife WHERE kind = 'sweep'"
            assert wait_until(lambda: link.execute(swept).fetchone() == (1,), WAIT_S), "no worker sweeps"
        yield


@contextmanager
def web(place: Bench) -> Iterator[int]:
    """The web process as the house runs it; its port."""
    port = free_port()
    command = ["uvicorn", "casino.asgi:application", "--port", str(port), "--timeout-graceful-shutdown", "1"]
    command += [
        "--ws-ping-interval",
        "20",
        "--ws-ping-timeout",
        "20",
        "--ws-per-message-deflate",
        "false",
        "--no-access-log",
    ]
    with _program(place, command, DATABASE_POOL_SIZE=WEB_CONNECTIONS, **WEB):
        yield port


@contextmanager
def _program(place: Bench, command: list[str], **more: str) -> Iterator[None]:
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=os.environ | place.environment | QUIET | more,
        stdout=subprocess.DEVNULL,
        preexec_fn=die_with_parent(signal.SIGKILL),  # noqa: PLW1509
    )
    try:
        yield
    finally:
        end(process)


@contextmanager
def redis_stopped(place: Bench) -> Iterator[None]:
    """Redis takes connections, as far as the kernel does that for it, and answers nothing."""
    with redis.Redis.from_url(place.servers.redis_url) as link:
        process: int = link.info("server")["process_id"]
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


# Displays
class Displays:
    """Sockets of displays in a process of their own: the moment when the last of them was told of an epoch."""

    def __init__(self, stack: ExitStack, port: int, displays: list[tuple[str, str]]) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._told = spawn.Queue()
        process = spawn.Process(target=_look_on, args=(port, displays, self._told), daemon=True)
        process.start()
        stack.callback(process.join)
        stack.callback(process.terminate)

    def when(self, epoch: int) -> float:
        """The moment when all had a snapshot of this epoch."""
        try:
            while True:
                number, moment = self._told.get(timeout=WAIT_S)
                if number == epoch:
                    return float(moment)
        except Empty:
            raise AssertionError(f"not every display was told of epoch {epoch}") from None


def _look_on(port: int, displays: list[tuple[str, str]], told: Any) -> None:
    asyncio.run(_all(port, displays, told))


async def _all(port: int, displays: list[tuple[str, str]], told: Any) -> None:
    had: dict[int, int] = {}
    doors = asyncio.Semaphore(10)

    async def one(path: str, cookie: str) -> None:
        newest = 0
        values: dict[str, Any] = {
            "origin": "http://localhost",
            "additional_headers": {"Cookie": cookie},
            "compression": None,
        }
        async with doors:
            socket = await _connected(f"ws://localhost:{port}{path}", values)
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "jackpot" and message["epoch"] > newest:
                newest = message["epoch"]
                had[newest] = had.get(newest, 0) + 1
                if had[newest] == len(displays):
                    told.put((newest, time.monotonic()))

    await asyncio.gather(*(one(*display) for display in displays))


async def _connected(address: str, values: dict[str, Any]) -> Any:
    deadline = time.monotonic() + WAIT_S
    while True:
        try:
            return await connect(address, **values)
        except OSError:  # the server is still starting
            if time.monotonic() > deadline:
                raise
            await asyncio.sleep(0.1)
