"""What the fan-out is measured on, run as a program: our web process with its hub, or the bare `websockets` library.

`fanout_web ours PORT JACKPOT` and `fanout_web bare PORT TEXT` serve sockets and print one line of JSON when they do. Then, for each
number on standard input, they send the same text with it to all sockets and print when they began (`time.monotonic()`).
"""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any
from uuid import UUID


def main() -> None:
    """Serve until standard input ends."""
    kind, port, *rest = sys.argv[1:]
    asyncio.run(_ours(int(port), UUID(rest[0])) if kind == "ours" else _bare(int(port), rest[0]))


async def _ours(port: int, jackpot_id: UUID) -> None:
    import django
    import uvicorn

    django.setup()
    ready = await asyncio.to_thread(_display, jackpot_id)
    config = uvicorn.Config("casino.asgi:application", port=port, log_level="warning", ws_ping_interval=None)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    from casino.live.hub import hub

    here = hub()

    async def send(number: int) -> float:
        await here.stop()  # once all sockets are here: a read that one of them asked for would be another message
        began = time.monotonic()
        now = here._latest[jackpot_id]
        changed = {feed: numbered(text, number) for feed, text in now.texts.items()}
        here.hand_out({jackpot_id: replace(now, texts=changed, bodies=changed)})
        return began

    await _obey(send, ready)
    server.should_exit = True
    await serving


def _display(jackpot_id: UUID) -> dict[str, Any]:
    """A display of the jackpot: its address, its cookie, and what it is told."""
    from casino.devices.kinds import DISPLAYS
    from casino.devices.services import device_code_make, device_enrol
    from casino.live.snapshot import DISPLAY, snapshots_read
    from casino.people.models import Person
    from jackpot.models import Jackpot

    boss = Person.objects.filter(house=Jackpot.objects.get(pk=jackpot_id).house_id, roles=["pit_boss"])[0]
    _, code = device_code_make(kind="display", place_id=jackpot_id, name="Bench", by=boss)
    device, token = device_enrol(kind="display", code=code)
    cookie = f"{DISPLAYS.cookie(device.pk)}={token}"
    text = numbered(snapshots_read([jackpot_id])[jackpot_id].texts[DISPLAY], 0)
    return {"path": f"/ws/display/?device={device.pk}", "cookie": cookie, "text": text}


async def _bare(port: int, text: str) -> None:
    from websockets.asyncio.server import ServerConnection, broadcast, serve

    connections: set[ServerConnection] = set()

    async def handler(connection: ServerConnection) -> None:
        connections.add(connection)
        await connection.send(text)
        await connection.wait_closed()

    async with serve(handler, "127.0.0.1", port, ping_interval=None):

        async def send_all(number: int) -> float:
            began = time.monotonic()
            broadcast(connections, numbered(text, number))
            return began

        await _obey(send_all, {})


def numbered(text: str, number: int) -> str:
    """The text with a number in the place of its moment, as long as before."""
    head, _, moment = text.rpartition('"at":')
    return f'{head}"at":"{number:0{len(moment) - 3}d}"}}'


async def _obey(send: Callable[[int], Awaitable[float]], ready: dict[str, Any]) -> None:
    print(json.dumps(ready), flush=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        began = await send(int(line))
        await asyncio.sleep(0)
        print(began, flush=True)


if __name__ == "__main__":
    main()
