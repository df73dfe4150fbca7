"""A cable between browser and server that a test may pull out.

A browser's own "offline" lets requests of a page through that a service worker brings back just then; a cable does not.
"""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit


class Cable:
    """Passes bytes on to the server at `address`; `self.address` is where the browser finds it."""

    def __init__(self, address: str) -> None:
        self._far = urlsplit(address)
        self._links: set[asyncio.StreamWriter] = set()
        self._is_in = True
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        assert self._ready.wait(10)

    async def _serve(self) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._plug, "127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        self._ready.set()
        await self._end.wait()
        server.close()

    def pull(self) -> None:
        """Out: what runs is cut, what comes is refused."""
        asyncio.run_coroutine_threadsafe(self._pull(), self._loop).result(10)

    def plug(self) -> None:
        """In again."""
        self._is_in = True

    def close(self) -> None:
        """Away with it."""
        self.pull()
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(10)

    async def _pull(self) -> None:
        self._is_in = False
        for writer in self._links:
            writer.transport.abort()

    async def _plug(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._is_in:
            writer.transport.abort()
            return
        far_reader, far_writer = await asyncio.open_connection(self._far.hostname, self._far.port)
        ends = {writer, far_writer}
        self._links |= ends
        try:
            if self._is_in:  # it may have been pulled out meanwhile
                await asyncio.gather(_pass_on(reader, far_writer), _pass_on(far_reader, writer))
        finally:
            self._links -= ends
            for end in ends:
                end.transport.abort()


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
