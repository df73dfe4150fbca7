"""What one socket still has to send: the newest text for each key. A slow reader misses what is
between, and holds up nobody.

Note [Sending at once]: a socket whose reader keeps up takes a text without waiting, so its send is
begun, and nearly always ended, by whoever puts the text in. A task for each socket, woken for each
text, cost as much again as the sending itself (`make bench ARGS=fanout`). Only a send that has to
wait gets a task, which carries the begun one on. So the server's `send` may not ask for its own
task; uvicorn's waits for an event, and for nothing else.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Generator
from types import coroutine
from typing import Any

from structlog import get_logger

Send = Callable[[dict[str, Any]], Awaitable[None]]

log = get_logger(__name__)


class Mailbox:
    """Texts by key on their way to one socket."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._texts: dict[object, str] = {}
        self._sending = False
        self._task: asyncio.Task[None] | None = None

    def put(self, key: object, text: str) -> None:
        """Send a text, or, while another one waits for the reader, replace what waits behind it
        under the same key.
        """
        self._texts[key] = text
        if self._sending:
            return
        self._sending = True
        begun = self._send_all()
        try:
            waits_for = begun.send(None)
        except StopIteration:
            return
        self._task = asyncio.ensure_future(_carried_on(begun, waits_for))

    def close(self) -> None:
        """Give up what waits."""
        self._sending = True
        if self._task is not None:
            self._task.cancel()

    async def _send_all(self) -> None:
        while self._texts:
            text = self._texts.pop(next(iter(self._texts)))
            try:
                await self._send({"type": "websocket.send", "text": text})
            except (OSError, RuntimeError):  # it was closed: whoever listens to it ends it
                return
            except Exception:  # and whatever else it is, it is not the other sockets'
                log.exception("live_send_failed")
                return
        self._sending = False


@coroutine
def _carried_on(begun: Coroutine[Any, Any, None], waits_for: Any) -> Generator[Any, Any, None]:
    """A coroutine that was begun outside a task, and told what it waits for, goes on in one."""
    try:
        yield waits_for
        yield from begun.__await__()
    finally:
        begun.close()
