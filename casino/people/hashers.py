"""Argon2id as Django sets it up, but only so many at once as there are processors, with no database
connection held meanwhile, and behind short queues: one for strangers who sign in, one for browsers
that have signed in before, one for tablets. None fills threads or connections that tables need.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from django.contrib.auth.hashers import Argon2PasswordHasher
from django.db import connection

from casino.people.refusals import SignInBusy

Hashed = TypeVar("Hashed", str, bool)
# One hash takes 100 MB and a processor for some 50 ms. Under ASGI every request has a thread of its
# own, so a burst of sign-ins would else take all memory; and more hashes at once than processors
# are no quicker.
AT_ONCE = os.cpu_count() or 1
WAITING = 2  # in a queue, besides those whose turn it is
# strangers leave two of a web process's four threads (gunicorn.conf.py)
STRANGERS_WAIT = 1
AGAIN_S = 2
LATELY_S = 60  # who had a turn since leaves the last place to who had none
_turns = threading.BoundedSemaphore(AT_ONCE)


class Queue:
    """So many are checked at once, `waiting` more wait for their turn, and who comes then is
    refused at once.

    A source (an address, a known browser) has one place at a time, and who had a turn within a
    minute leaves the last place to who had none: so few sources keep nobody out, however often they
    try. An unknown source, empty, is bound by the number of places alone. `last`: what is hashed
    for them gives way to everything else that the machine does.
    """

    def __init__(self, at_once: int, *, waiting: int = WAITING, last: bool = False) -> None:
        self._most = at_once + waiting
        self._turns = threading.BoundedSemaphore(at_once)
        self._last = last
        self._lock = threading.Lock()
        self._inside: list[str] = []
        self._lately: dict[str, float] = {}  # by source, when its last turn ended

    def has_place(self, source: str = "") -> bool:
        """Whether the source may wait at this moment."""
        with self._lock:
            return self._may_wait(source)

    @contextmanager
    def turn(self, source: str = "") -> Iterator[None]:
        """Wait for one's turn, without a database connection. Raises SignInBusy."""
        with self.place(source):
            connection_back()
            with self._turns:
                try:
                    _here.last = self._last
                    yield
                finally:
                    _here.last = False

    @contextmanager
    def place(self, source: str = "") -> Iterator[None]:
        """Have a place among those who wait. Raises SignInBusy."""
        with self._lock:
            if not self._may_wait(source):
                raise SignInBusy(retry_after_s=AGAIN_S)
            self._inside.append(source)
        try:
            yield
        finally:
            with self._lock:
                self._inside.remove(source)
                now = time.monotonic()
                lately = {name: at for name, at in self._lately.items() if now - at < LATELY_S}
                self._lately = lately | ({source: now} if source else {})

    def _may_wait(self, source: str) -> bool:
        left = self._most - len(self._inside)
        if not source or left <= 0:
            return left > 0
        is_late = time.monotonic() - self._lately.get(source, -LATELY_S) < LATELY_S
        return source not in self._inside and left > is_late


_here = threading.local()  # whether this thread hashes for who gives way
_gives_way = ThreadPoolExecutor(
    1, "hash", lambda: os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
)


# a flood of them takes what nobody else wants, and no more
STRANGERS = Queue(1, waiting=STRANGERS_WAIT, last=True)
KNOWN = Queue(1, waiting=1)  # browsers in which the person has signed in before
TABLETS = Queue(AT_ONCE)


def connection_back() -> None:
    """Give the database connection back (to the pool); the next statement takes one again. In a
    transaction it stays.
    """
    if not connection.in_atomic_block:
        connection.close()


class Argon2(Argon2PasswordHasher):
    """The project's password hasher; hashes are Django's own in form and strength."""

    def encode(self, password: str, salt: str) -> str:
        """Hash, when it is its turn."""
        return self._hashed(super().encode, password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        """Check, when it is its turn."""
        return self._hashed(super().verify, password, encoded)

    def _hashed(self, work: Callable[[str, str], Hashed], password: str, other: str) -> Hashed:
        connection_back()
        if getattr(_here, "last", False):
            return _gives_way.submit(work, password, other).result()
        with _turns:
            return work(password, other)
