"""Argon2id as Django sets it up, but only so many at once as there are processors, with no database
connection held meanwhile, and behind short queues: one for strangers who sign in, one for tablets.
Neither fills threads or connections that tables need.
"""

import os
import threading
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
# in each queue, besides those whose turn it is: strangers leave one of a web process's four threads
# (gunicorn.conf.py)
WAITING = 2
AGAIN_S = 2
_turns = threading.BoundedSemaphore(AT_ONCE)


class Queue:
    """So many are checked at once, `WAITING` more wait for their turn, and who comes then is
    refused at once.

    `last`: what is hashed for them gives way to everything else that the machine does.
    """

    def __init__(self, at_once: int, *, last: bool = False) -> None:
        self._places = threading.BoundedSemaphore(at_once + WAITING)
        self._turns = threading.BoundedSemaphore(at_once)
        self._last = last

    @property
    def is_full(self) -> bool:
        """Whether nobody more may wait at this moment."""
        if not self._places.acquire(blocking=False):
            return True
        self._places.release()
        return False

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for one's turn, without a database connection. Raises SignInBusy."""
        if not self._places.acquire(blocking=False):
            raise SignInBusy(retry_after_s=AGAIN_S)
        try:
            connection_back()
            with self._turns:
                _here.last = self._last
                yield
        finally:
            _here.last = False
            self._places.release()


_here = threading.local()  # whether this thread hashes for who gives way
_gives_way = ThreadPoolExecutor(
    1, "hash", lambda: os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
)


STRANGERS = Queue(1, last=True)  # a flood of them takes what nobody else wants, and no more
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
