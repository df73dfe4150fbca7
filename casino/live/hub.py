"""One hub for each process (event loop): it hears of changes, reads the truth, and hands the same
text to all sockets here.

What this process commits, it hears of at once (`jackpot.hints.listeners`); Redis carries the hints
of others, and nothing but hints. One channel of this process is in the group `jackpots`, and is put
there again every second, so that a Redis that lost everything is no event. Whatever Redis does, the
jackpots that somebody here looks at are read every second; what changed is sent, at most ten times
a second, the newest state and no other. Sockets are no members of the group: a thousand of them
would be a thousand messages through Redis for each change (`make bench ARGS=fanout`).
"""

import asyncio
import json
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any
from uuid import UUID
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.conf import settings
from structlog import get_logger

from casino.live.mailbox import Mailbox
from casino.live.snapshot import Snapshot, snapshots_read
from jackpot import hints
from jackpot.hints import GROUP
from jackpot.services import jackpot_steps_do, jackpots_due

APART_S = 0.1  # between two sends of a jackpot
SUBSCRIBE_S = 1.0  # a hint path that Redis forgot is back after this
LISTEN_S = 30.0  # a connection to Redis that died without a word is given up after this
SWEEP_S = 0.5  # with what follows, a step that everybody else missed is taken within 3 s
OVERDUE_S = 2.0  # a step due for so long has nobody who takes it
STALE_S = 2.0  # beyond the time between two reads: what screens show is said to be old

log = get_logger(__name__)


class Hub:
    """Sockets of this event loop by jackpot and feed, and the five tasks that keep them up to date.
    None of them ever ends.
    """

    def __init__(self) -> None:
        self._sockets: dict[UUID, dict[str, set[Mailbox]]] = defaultdict(lambda: defaultdict(set))
        self._mailboxes: set[Mailbox] = set()
        self._latest: dict[UUID, Snapshot] = {}
        self._wake = asyncio.Event()
        self._fresh_at = time.monotonic()  # when the last read that succeeded began
        self._due_since: dict[UUID, float] = {}
        self._channel = ""
        self._tasks: set[asyncio.Task[None]] = set()
        # A thread each: a step that waits for a lock must not keep screens from the truth.
        self._reader = ThreadPoolExecutor(1, "live-read")
        self._stepper = ThreadPoolExecutor(1, "live-step")

    def join(self, mailbox: Mailbox, feed: str, jackpot_ids: Collection[UUID]) -> None:
        """Send a feed to this mailbox from now on, beginning with all there is."""
        self._mailboxes.add(mailbox)
        for jackpot_id in jackpot_ids:
            self._sockets[jackpot_id][feed].add(mailbox)
            if jackpot_id in self._latest:
                mailbox.put(jackpot_id, self._latest[jackpot_id].texts[feed])
            else:
                self._wake.set()

    def leave(self, mailbox: Mailbox) -> None:
        """Send nothing more to it."""
        self._mailboxes.discard(mailbox)
        for jackpot_id, feeds in list(self._sockets.items()):
            for feed, mailboxes in list(feeds.items()):
                mailboxes.discard(mailbox)
                if not mailboxes:
                    del feeds[feed]
            if not feeds:
                del self._sockets[jackpot_id]

    def hand_out(self, snapshots: dict[UUID, Snapshot]) -> None:
        """Give every socket what is new to its feed."""
        for jackpot_id, snapshot in snapshots.items():
            before = self._latest.get(jackpot_id)
            for feed, mailboxes in self._sockets.get(jackpot_id, {}).items():
                if before is None or before.bodies[feed] != snapshot.bodies[feed]:
                    text = snapshot.texts[feed]
                    for mailbox in mailboxes:
                        mailbox.put(jackpot_id, text)
        self._latest = snapshots

    def start(self) -> None:
        """Start the tasks, if they do not run. Needs a running event loop."""
        if not self._tasks:
            steps = (self._read, self._beat, self._subscribe, self._listen, self._sweep)
            self._tasks = {asyncio.create_task(_for_ever(step)) for step in steps}
            self._loop = asyncio.get_running_loop()
            hints.listeners.add(self._hear_from)

    async def stop(self) -> None:
        """End the tasks; the process is about to end.

        Until they are: before Python 3.12 `wait_for` forgets that it was cancelled when what it
        waits for comes in that moment, and a task that was cancelled once would run on, and the
        process with it.
        """
        hints.listeners.discard(self._hear_from)
        while self._tasks:
            for task in self._tasks:
                task.cancel()
            _, self._tasks = await asyncio.wait(self._tasks, timeout=0.2)

    async def _read(self) -> None:
        """Read the truth when a hint came, or a second has passed."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wake.wait(), settings.LIVE_READ_S)
        self._wake.clear()
        began, wanted = time.monotonic(), list(self._sockets)
        self.hand_out(await _in(self._reader, snapshots_read, wanted) if wanted else {})
        self._fresh_at = began
        await asyncio.sleep(APART_S)

    async def _beat(self) -> None:
        """Tell every socket that it is alive, and whether what it shows could be confirmed."""
        await asyncio.sleep(settings.LIVE_HEARTBEAT_S)
        stale = time.monotonic() - self._fresh_at > settings.LIVE_READ_S + STALE_S
        text = json.dumps(
            {"type": "heartbeat", "at": datetime.now(UTC).isoformat(), "stale": stale}
        )
        for mailbox in self._mailboxes:
            mailbox.put("heartbeat", text)

    async def _subscribe(self) -> None:
        layer = get_channel_layer()
        self._channel = self._channel or await layer.new_channel()
        await asyncio.wait_for(layer.group_add(GROUP, self._channel), SUBSCRIBE_S)
        await asyncio.sleep(SUBSCRIBE_S)

    async def _listen(self) -> None:
        """Hear of a change. What it says beyond the jackpot's id is not believed: the truth is
        read.
        """
        layer = get_channel_layer()
        self._channel = self._channel or await layer.new_channel()
        with suppress(TimeoutError):
            message = await asyncio.wait_for(layer.receive(self._channel), LISTEN_S)
            if message.get("by") != hints.process:  # what this process did, it has heard of before
                self._hear(str(message.get("jackpot")))

    def _hear_from(self, jackpot_id: UUID) -> None:
        """Hear of a change that a thread of this process has just committed."""
        try:
            self._loop.call_soon_threadsafe(self._hear, str(jackpot_id))
        except RuntimeError:  # the loop has ended, and no screen is left on it
            hints.listeners.discard(self._hear_from)

    def _hear(self, jackpot: str) -> None:
        if any(str(jackpot_id) == jackpot for jackpot_id in self._sockets):
            self._wake.set()

    async def _sweep(self) -> None:
        """Take the steps that are overdue: worker, beat, or the process that should have, may be
        dead.
        """
        await asyncio.sleep(SWEEP_S)
        due, now = await _in(self._stepper, jackpots_due), time.monotonic()
        self._due_since = {jackpot_id: self._due_since.get(jackpot_id, now) for jackpot_id in due}
        for jackpot_id, since in list(self._due_since.items()):
            if now - since >= OVERDUE_S:
                self._due_since[jackpot_id] = now
                try:
                    await _in(self._stepper, jackpot_steps_do, jackpot_id)
                except Exception:
                    log.exception("jackpot_not_advanced", jackpot=str(jackpot_id))


async def _for_ever(step: Callable[[], Awaitable[None]]) -> None:
    """Repeat a step whatever becomes of it; when it begins to fail is logged once."""
    failing = False
    while True:
        try:
            await step()
            if failing:
                log.info("live_back", step=step.__name__)
            failing = False
        except Exception as error:  # noqa: BLE001  (PostgreSQL and Redis die in many ways; sockets stay open)
            if not failing:
                log.warning(
                    "live_failing", step=step.__name__, error=f"{type(error).__name__}: {error}"
                )
            failing = True
            await asyncio.sleep(0.5)


async def _in(thread: ThreadPoolExecutor, work: Callable[..., Any], *values: object) -> Any:
    return await database_sync_to_async(work, thread_sensitive=False, executor=thread)(*values)


_hubs: "WeakKeyDictionary[asyncio.AbstractEventLoop, Hub]" = WeakKeyDictionary()


def hub() -> Hub:
    """The hub of the running event loop; the first call starts it."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        _hubs[loop] = Hub()
    _hubs[loop].start()
    return _hubs[loop]
