"""The wire between clients and house, in the place of the reverse proxy, and what goes wrong on it.

Pages and API go to gunicorn, `/ws/` to the process of the sockets. While it is rough, an answer is lost after the house has done
what it was asked; a request is lost, sent twice at once, repeated later, or held back until its client has asked again. The house
is told from which address a request came. What is longer than the house reads is handed on as it comes, piece by piece.
"""

import asyncio
import json
import random  # noqa: TID251  (what goes wrong comes from the seed)
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

ANSWER_S = 60.0
LONG = 1 << 20  # bytes of a body
LATER_S, HELD_S = (0.2, 4.0), (0.3, 2.0)
DROPPED, LOST, TWICE, LATER, HELD, PLAIN = (
    "answer dropped", "request lost", "sent twice at once", "sent again later", "held back", "plain"
)  # fmt: skip
# Per cent of commands (requests with a key), and of anything else.
ROUGH = {DROPPED: 4, LOST: 2, TWICE: 4, LATER: 5, HELD: 3}
OTHERS = {DROPPED: 2, LOST: 1}


@dataclass(frozen=True)
class Request:
    """One request as it came."""

    head: bytes
    body: bytes

    @property
    def line(self) -> str:
        """Method and path."""
        return self.head.split(b"\r\n", 1)[0].decode(errors="replace")

    def header(self, name: str) -> str:
        """The value of a header; empty if there is none."""
        for line in self.head.split(b"\r\n")[1:]:
            key, _, value = line.partition(b":")
            if key.decode().strip().lower() == name:
                return value.decode().strip()
        return ""

    @property
    def bytes(self) -> bytes:
        """To be sent on; the house hangs up after its answer."""
        return self.head.removesuffix(b"\r\n\r\n") + b"\r\nConnection: close\r\n\r\n" + self.body


@dataclass(eq=False)
class Delivery:
    """One command as it was handed to the house, the wire's own record: `begun` and `ended` are places in the order of all that
    the wire did (`ended` 0: it has not), `status` 0 where no whole answer came back.
    """

    how: str
    begun: int
    ended: int = 0
    status: int = 0
    told: Any = None


class Network:
    """Listens on a free port. `heard` is given key, line, status and body of each answer, whether or not a client gets it."""

    def __init__(self, web: Path, ws: Path, seed: int, heard: Callable[[str, str, int, bytes], None]) -> None:
        self.web, self.ws, self.heard = web, ws, heard
        self.chance = random.Random(f"network {seed}")
        self.rough = False
        self.counts: Counter[str] = Counter()
        self.delivered: dict[str, list[Delivery]] = {}  # by key
        self._order = count(1)
        self.address = ""
        self._pipes: set[asyncio.StreamWriter] = set()
        self._later: set[asyncio.Task[Any]] = set()
        self._loop = asyncio.new_event_loop()
        self._up = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="network")

    def start(self) -> "Network":
        """Listen."""
        self._thread.start()
        assert self._up.wait(10)
        return self

    def stop(self) -> None:
        """Hang up on everybody."""
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(15)

    def break_sockets(self, share: float) -> int:
        """Break this share of the open sockets in the middle; gives how many. From any thread."""
        return asyncio.run_coroutine_threadsafe(self._break(share), self._loop).result(10)

    def calm(self, seconds: float) -> bool:
        """From now on nothing goes wrong; whether all that was held back has arrived within `seconds`."""
        self.rough = False
        return asyncio.run_coroutine_threadsafe(self._settled(seconds), self._loop).result(seconds + 5)

    # Inside the loop
    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        self._end = asyncio.Event()
        server = await asyncio.start_server(self._client, "127.0.0.1", 0, limit=1 << 20)
        self.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        self._up.set()
        await self._end.wait()
        server.close()
        mine = asyncio.current_task()
        others = [task for task in asyncio.all_tasks() if task is not mine]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _break(self, share: float) -> int:
        broken = [pipe for pipe in self._pipes if self.chance.random() < share]
        for pipe in broken:
            pipe.transport.abort()
        return len(broken)

    async def _settled(self, seconds: float) -> bool:
        if self._later:
            await asyncio.wait(self._later, timeout=seconds)
        return not self._later

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            request = Request(head, b"")
            if request.header("upgrade").lower() == "websocket":
                await self._socket(request, reader, writer)
                return
            length = int(request.header("content-length") or 0)
            if length > LONG:
                await self._piped(self.web, request, reader, writer)
                return
            body = await reader.readexactly(length)
            answer = await self._fated(Request(_from(head, writer), body))
            if answer:
                writer.write(answer)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()

    def _fate(self, request: Request) -> str:
        if not self.rough:
            return PLAIN
        odds = ROUGH if request.header("idempotency-key") else OTHERS
        drawn = self.chance.uniform(0, 100)
        for fate, per_cent in odds.items():
            if (drawn := drawn - per_cent) < 0:
                return fate
        return PLAIN

    async def _fated(self, request: Request) -> bytes:
        """What the client hears; nothing, and its line is cut."""
        fate = self._fate(request)
        self.counts[fate] += 1
        if fate == LOST:
            return b""
        if fate == HELD:
            self._do_later(self.chance.uniform(*HELD_S), request, fate)
            return b""
        if fate == LATER:
            self._do_later(self.chance.uniform(*LATER_S), request, fate)
        if fate == TWICE:
            answers = await asyncio.gather(self._sent(request, fate), self._sent(request, fate))
            return answers[self.chance.randrange(2)]
        answer = await self._sent(request, PLAIN if fate == LATER else fate)
        return b"" if fate == DROPPED else answer

    def _do_later(self, seconds: float, request: Request, fate: str) -> None:
        async def later() -> None:
            await asyncio.sleep(seconds)
            await self._sent(request, fate)

        self._keep(later())

    def _keep(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._later.add(task)
        task.add_done_callback(self._later.discard)

    async def _sent(self, request: Request, how: str) -> bytes:
        """The house's whole answer; 502 where nobody listens, nothing where the line broke."""
        try:
            reader, writer = await asyncio.open_unix_connection(str(self.web), limit=1 << 20)
        except OSError:
            return b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        key, delivery = request.header("idempotency-key"), Delivery(how, next(self._order))
        if key:
            self.delivered.setdefault(key, []).append(delivery)
        try:
            writer.write(request.bytes)
            await writer.drain()
            answer = await asyncio.wait_for(reader.read(-1), ANSWER_S)
            return self._whole(request, answer, delivery)
        except (OSError, TimeoutError):
            return b""
        finally:
            delivery.ended = next(self._order)
            writer.close()

    def _whole(self, request: Request, answer: bytes, delivery: Delivery) -> bytes:
        """The answer if all of it came, noted; else nothing."""
        head, there, body = answer.partition(b"\r\n\r\n")
        told = Request(head, b"").header("content-length")
        if not there or (told and int(told) != len(body)):
            return b""
        status = int(head.split(b" ", 2)[1])
        self.counts[f"answered {status}"] += 1
        delivery.status, delivery.told = status, json_of(body)
        self.heard(request.header("idempotency-key"), request.line, status, body)
        return answer

    async def _socket(self, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.counts["sockets"] += 1
        self._pipes.add(writer)
        try:
            await self._piped(self.ws, request, reader, writer)
        finally:
            self._pipes.discard(writer)

    async def _piped(
        self, house: Path, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Hand on what comes, either way, until one of them hangs up."""
        there, to = await asyncio.open_unix_connection(str(house))
        try:
            to.write(_from(request.head, writer))
            await asyncio.wait(
                {asyncio.ensure_future(_pipe(reader, to)), asyncio.ensure_future(_pipe(there, writer))},
                return_when=asyncio.FIRST_COMPLETED,
            )
        finally:
            to.transport.abort()


def _from(head: bytes, writer: asyncio.StreamWriter) -> bytes:
    """The head with the address of who sent it, as the last that is named."""
    address = writer.get_extra_info("peername")[0]
    return head.removesuffix(b"\r\n\r\n") + f"\r\nX-Forwarded-For: {address}\r\n\r\n".encode()


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    except OSError:
        return


def json_of(body: bytes) -> Any:
    """The body as JSON; None if it is none."""
    try:
        return json.loads(body)
    except ValueError:
        return None
