"""Addresses of the sockets, and the life of the hub with its process."""

from typing import Any

from channels.routing import URLRouter
from django.urls import path, re_path

from casino.live.consumers import LiveSocket, Receive, no_such_socket
from casino.live.hub import hub
from casino.live.mailbox import Send
from casino.live.snapshot import FEEDS

_feeds: list[Any] = [path(f"ws/{feed}/", LiveSocket(feed)) for feed in FEEDS]  # type: ignore[arg-type]
sockets = URLRouter([*_feeds, re_path("", no_such_socket)])  # type: ignore[arg-type]


async def lifespan(_scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Run the hub from the process's start to its end: overdue steps are taken also while nobody
    looks.
    """
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            hub()
            await send({"type": "lifespan.startup.complete"})
        else:
            await hub().stop()
            await send({"type": "lifespan.shutdown.complete"})
            return
