"""A cable between browser and server that a test may pull out.

A browser's own "offline" lets requests of a page through that a service worker brings back just then; a cable does not.
"""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

PATIENCE_S = 60  # for its own thread; a busy machine is no failure


class Cable:
    """Passes bytes on to the server at `address`; `self.address` is where the browser finds it."""

    def __init__(self, address: str) -> None:
        self._far = urlsplit(address)
        self._links: set[asyncio.StreamWriter] = set()
        self._is_in, self._swallows = True, False
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        assert self._ready.wait(PATIENCE_S)

    async def _serve(self) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._plug, "127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        self._ready.set()
        await self._end.wait()
        # No more come in. Who has just come has to be let in first: a server that is closed leaves his socket lying open.
        for listener in server.sockets:
            self._loop.remove_reader(listener.fileno())
        while links := asyncio.all_tasks() - {asyncio.current_task()}:
            await self._pull()
            await asyncio.wait(links, timeout=0.1)
        server.close()

    def pull(self) -> None:
        """Out: what runs is cut, what comes is refused."""
        self._swallows = False
        asyncio.run_coroutine_threadsafe(self._pull(), self._loop).result(PATIENCE_S)

    def swallow(self) -> None:
        """What runs is cut; what comes is taken and never answered, as by a network that is full."""
        self.pull()
        self._swallows = True

    def plug(self) -> None:
        """In again; what was swallowed is cut, or the browser would wait on it for the answer to what it asks next."""
        self.pull()
        self._is_in = True

    def close(self) -> None:
        """Away with it."""
        self.pull()
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(PATIENCE_S)

    async def _pull(self) -> None:
        self._is_in = False
        for writer in self._links:
            writer.transport.abort()

    async def _plug(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._swallows:
            self._links.add(writer)  # until the cable is pulled out
            return
        ends = {writer}
        try:
            if not self._is_in:
                return
            far_reader, far_writer = await self._connect(reader)
            ends.add(far_writer)
            self._links |= ends
            if self._is_in:  # it may have been pulled out meanwhile
                await asyncio.gather(_pass_on(reader, far_writer), _pass_on(far_reader, writer))
        finally:
            self._links -= ends
            for end in ends:
                end.transport.abort()

    async def _connect(self, reader: asyncio.StreamReader) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Where the bytes of a new connection go."""
        return await asyncio.open_connection(self._far.hostname, self._far.port)


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while some := await reader.read(65_536):
            writer.write(some)
            await writer.drain()
        writer.write_eof()


@contextmanager
def cable_to(address: str) -> Iterator[Cable]:
    """A cable to this server."""
    cable = Cable(address)
    try:
        yield cable
    finally:
        cable.close()
