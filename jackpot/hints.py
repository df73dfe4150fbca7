"""What others hear of a jackpot after a commit: screens re-read it at once, and a worker does the
step that is due.

Screens of the same process hear of it without Redis (`listeners`). All these are hints, and the
truth is in the database. Without them screens re-read once a second, and the sweep finds every step
that is due within some two seconds (`jackpot/tasks.py`). Nothing here may fail or hold up a command
that has committed: screens are told by a thread of their own, and sending the task is tried for 0.3
s at most; where it cannot be sent, the command's own thread advances.
"""

import asyncio
import os
import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from uuid import UUID, uuid4

import kombu.transport.redis  # noqa: F401  (takes 0.1 s, which the first command of a process should not wait)
from celery import current_app
from channels.layers import get_channel_layer
from django.db import connection, transaction
from structlog import get_logger

from payouts.db.constraints import require_transaction

GROUP = "jackpots"
EXPIRES_S = 10  # the sweep was there long before
BREAK_S = 5.0  # after a failure nothing is tried for so long
BUSY_S = 0.05  # to wait for another thread's sending; the settings give the sending itself 0.2 s
TELL_S = 0.3
# between two rounds of telling: the screens of a full floor hear 20 times a second of it, not 500
# times
APART_S = 0.05

log = get_logger(__name__)
process = uuid4().hex  # says on a hint through Redis who sent it
listeners: set[Callable[[UUID], None]] = (
    set()
)  # of this process: called at once, from the thread that has committed; they never wait
advancing: ContextVar[UUID | None] = ContextVar("advancing", default=None)
by_hand: list[
    Callable[[UUID], object]
] = []  # what does the step that is due where no worker is told: `jackpot/services/due.py`


def hint(jackpot_id: UUID) -> None:
    """Once this transaction has committed, tell the screens of this jackpot, and have a worker do
    what may be due now.

    Said several times in a transaction it is done once. RuntimeError outside of one.
    """
    require_transaction()
    after = _AfterCommit(jackpot_id)
    # a savepoint rolled back takes its own away
    if after not in [hook for _, hook, *_ in connection.run_on_commit]:
        transaction.on_commit(after)


@dataclass(frozen=True, slots=True)
class _AfterCommit:
    jackpot_id: UUID

    def __call__(self) -> None:
        """The command is done whatever happens here: what cannot be done is logged, and left to the
        sweep.
        """
        try:
            for heard in tuple(listeners):
                heard(self.jackpot_id)
            _screens.tell(self.jackpot_id)
            if advancing.get() != self.jackpot_id and not _worker.send(self.jackpot_id):
                for advance in by_hand:
                    advance(self.jackpot_id)
        except Exception:
            log.exception("hint_failed", jackpot=str(self.jackpot_id))


class _Way:
    """A way to others: says in one line that it broke, and in one that it is whole again."""

    def __init__(self, to: str) -> None:
        self._to = to
        self._whole = True

    def works(self) -> None:
        if not self._whole:
            log.warning("hints_arrive_again", to=self._to)
        self._whole = True

    def fails(self, error: Exception) -> None:
        if self._whole:
            log.warning(
                "hints_do_not_arrive", to=self._to, reason=str(error) or type(error).__name__
            )
        self._whole = False


class _Worker:
    """Sends the task. One thread at a time, so that not every thread finds out for itself that
    Redis hangs.
    """

    def __init__(self) -> None:
        self._way = _Way("worker")
        self._sending = threading.Lock()
        self._broken_until = 0.0

    def send(self, jackpot_id: UUID) -> bool:
        """Whether it was sent; that it cannot be, is known within 0.3 s, and at once for some
        seconds after that.
        """
        if self._broken() or not self._sending.acquire(timeout=BUSY_S):
            return False
        try:
            if self._broken():  # found out while this thread waited
                return False
            current_app.send_task(
                "jackpot.advance", [str(jackpot_id)], expires=EXPIRES_S, ignore_result=True
            )
        except Exception as error:  # noqa: BLE001  (of kombu, redis-py or the system: the caller advances then)
            self._broken_until = time.monotonic() + BREAK_S
            self._way.fails(error)
            return False
        else:
            self._way.works()
            return True
        finally:
            self._sending.release()

    def _broken(self) -> bool:
        return time.monotonic() < self._broken_until


class _Screens:
    """Tells the group of the channel layer, from a thread with a loop and a connection of its own,
    started by the first hint.
    """

    def __init__(self) -> None:
        self._way = _Way("screens")
        self._changed: set[UUID] = set()
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wake = asyncio.Event()

    def tell(self, jackpot_id: UUID) -> None:
        """Have it told soon; never waits."""
        with self._lock:
            self._changed.add(jackpot_id)
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(
                    target=self._run, args=[self._loop], name="jackpot-screens", daemon=True
                ).start()
            self._loop.call_soon_threadsafe(self._wake.set)

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        loop.run_until_complete(self._tell_for_ever())

    async def _tell_for_ever(self) -> None:
        while await self._wake.wait():
            self._wake.clear()
            with self._lock:
                changed, self._changed = self._changed, set()
            if not changed:
                continue
            try:
                await asyncio.wait_for(_tell(changed), TELL_S)
            except Exception as error:  # noqa: BLE001  (of redis-py or the system; screens re-read by themselves)
                self._way.fails(error)
                await asyncio.sleep(BREAK_S)
            else:
                self._way.works()
            await asyncio.sleep(APART_S)


async def _tell(changed: set[UUID]) -> None:
    layer = get_channel_layer()
    for jackpot_id in changed:
        await layer.group_send(
            GROUP, {"type": "jackpot.changed", "jackpot": str(jackpot_id), "by": process}
        )


_worker, _screens = _Worker(), _Screens()


def _start_anew() -> None:
    """A forked process has neither the threads nor the locks' owners, and is another one."""
    global _worker, _screens, process
    _worker, _screens, process = _Worker(), _Screens(), uuid4().hex
    listeners.clear()


os.register_at_fork(after_in_child=_start_anew)
