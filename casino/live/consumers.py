"""A socket of a screen: told of its jackpots, listened to not at all.

Who shows no cookie is refused unheard. Any other is checked first and accepted then: nothing that a
stranger sends is kept, and a browser is told no code of a socket that was never open. So many may
wait for their check, and be open; who comes then is refused as if nobody were there, and tries
again by itself. Codes it is closed with:

- 4401: signed out, or the device is not (or no longer) enrolled: sign in, or enrol, before
connecting again;
- 4403: the person may not see jackpots;
- 4404: no such socket, device or jackpot, or the tablet's table is linked to none;
- 1009: it sent something long: these sockets take nothing;
- 1013: the database is away: connect again in a while. Sockets that are open stay so, and are told
that what they show is old.
"""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from typing import Any

from channels.db import database_sync_to_async
from django.conf import settings
from django.db import DatabaseError, InterfaceError

from casino.live.hub import Hub, hub
from casino.live.mailbox import Mailbox, Send
from casino.live.who import UNKNOWN, TurnedAway, jackpots_of

TOO_BIG, AGAIN = 1009, 1013
FRAME_MOST = 1024  # bytes of a frame that is passed over in silence
# sockets of this process, and those of them that wait for their check
OPEN_MOST, UNCHECKED_MOST = 1000, 64
CLOSE_S = 5.0
# over so many parts of the period the checks of sockets are spread that connected at once
SPREAD = 16

Receive = Callable[[], Awaitable[dict[str, Any]]]
_checks = ThreadPoolExecutor(2, "live-check")
_numbers = count()


class LiveSocket:
    """The ASGI application of one feed; each call is one socket."""

    here = unchecked = 0  # of all feeds

    def __init__(self, feed: str) -> None:
        self.feed = feed

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Serve a socket until either side ends it."""
        await receive()  # websocket.connect
        full = LiveSocket.here >= OPEN_MOST or LiveSocket.unchecked >= UNCHECKED_MOST
        if full or not any(name == b"cookie" for name, _value in scope["headers"]):
            # before it is accepted: the handshake ends with 403
            await send({"type": "websocket.close"})
            return
        LiveSocket.here += 1
        try:
            code = await self._served(scope, receive, send)
            if code:
                await asyncio.wait_for(send({"type": "websocket.close", "code": code}), CLOSE_S)
        except (OSError, TimeoutError):  # it is gone already, or reads nothing
            return
        finally:
            LiveSocket.here -= 1

    async def _served(self, scope: dict[str, Any], receive: Receive, send: Send) -> int | None:
        """Why the server ends the socket, or None if the browser did."""
        reached = await self._known(scope)
        await send({"type": "websocket.accept"})
        if isinstance(reached, int):
            return reached
        mailbox, here = Mailbox(send), hub()
        here.join(mailbox, self.feed, reached)
        work = (_listen(receive), self._check(scope, here, mailbox, reached))
        tasks = [asyncio.create_task(one) for one in work]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            return next(iter(done)).result()
        finally:
            here.leave(mailbox)
            mailbox.close()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _known(self, scope: dict[str, Any]) -> tuple[Any, ...] | int:
        """The jackpots that it may be told of, or the code that it is closed with."""
        LiveSocket.unchecked += 1
        try:
            return await self._asked(scope)
        except TurnedAway as turned_away:
            return turned_away.code
        except (DatabaseError, InterfaceError):
            return AGAIN
        finally:
            LiveSocket.unchecked -= 1

    async def _asked(self, scope: dict[str, Any]) -> tuple[Any, ...]:
        asked = database_sync_to_async(jackpots_of, thread_sensitive=False, executor=_checks)
        return await asked(self.feed, scope)  # type: ignore[no-any-return]

    async def _check(
        self, scope: dict[str, Any], here: Hub, mailbox: Mailbox, reached: tuple[Any, ...]
    ) -> int:
        """Ask again and again whether the socket is still whose it was; gives the code once it is
        not.
        """
        await asyncio.sleep(settings.LIVE_CHECK_S * (next(_numbers) % SPREAD + 1) / SPREAD)
        while True:
            with suppress(DatabaseError, InterfaceError):
                try:
                    now = await self._asked(scope)
                except TurnedAway as turned_away:
                    return turned_away.code
                if now != reached:
                    here.leave(mailbox)
                    here.join(mailbox, self.feed, reached := now)
            await asyncio.sleep(settings.LIVE_CHECK_S)


async def _listen(receive: Receive) -> int | None:
    while True:
        message = await receive()
        if message["type"] == "websocket.disconnect":
            return None
        if len(message.get("bytes") or message.get("text") or "") > FRAME_MOST:
            return TOO_BIG


async def no_such_socket(_scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Close with 4404."""
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": UNKNOWN})
