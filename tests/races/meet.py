"""Two commands that meet: the first has done all its work and not committed when the second begins.

The first commits as soon as the second is seen waiting for a lock, or has come to its end without waiting. So each race has one
course, whatever the machine does, and nobody sleeps.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from payouts.commands import request_fingerprint, run_once
from tests.databases import superuser

MOST_S = 60  # for a hang alone
FIRST = "the first"
_WAITING = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND wait_event_type = 'Lock'"


@dataclass
class Met:
    """What became of both (the answer, or the exception), and whether the second waited for the first."""

    first: Any
    second: Any
    waited: bool


def meet(
    database: str,
    first: Callable[[], Any],
    second: Callable[[], Any],
    *,
    before: tuple[object, str] | None = None,
    bare: bool = False,
) -> Met:
    """Carry both out as commands, each in its own thread and under its own key, so that they meet as said above.

    `before`: a module and the name of a function that it calls; the first stands still there instead of at its end. `bare`: the
    second is no command but a page that is looked at.
    """
    first_is_done, second_is_over = threading.Event(), threading.Event()
    waited: list[bool] = []

    def stand() -> None:
        if not waited:  # a second try of the first meets nobody
            first_is_done.set()
            waited.append(_somebody_waits(database, second_is_over))

    def hold() -> Any:
        answer = first()
        if before is None:
            stand()
        return answer

    with _standing(before, stand) if before else nullcontext():
        one, first_came = _start(lambda: command(hold), first_is_done, FIRST)
        assert first_is_done.wait(MOST_S)
        two, second_came = _start(second if bare else lambda: command(second), second_is_over)
        for thread in (one, two):
            thread.join(MOST_S)
            assert not thread.is_alive()
    return Met(first_came[0], second_came[0], bool(waited and waited[0]))


@contextmanager
def _standing(before: tuple[object, str], stand: Callable[[], None]) -> Iterator[None]:
    """Have the first one's thread stand before it calls this function."""
    module, name = before
    called = getattr(module, name)

    def stop(*args: Any, **values: Any) -> Any:
        if threading.current_thread().name == FIRST:
            stand()
        return called(*args, **values)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, name, stop)
        yield


def command(work: Callable[[], Any]) -> Any:
    """Carry out under a new key; give what the work itself gave."""
    given: list[Any] = []

    def keep() -> dict[str, object]:
        given.append(work())
        return {}

    run_once(str(uuid4()), request_fingerprint("race", "test", {}), keep)
    return given[-1]


def _start(
    work: Callable[[], Any], at_the_end: threading.Event, name: str | None = None
) -> tuple[threading.Thread, list[Any]]:
    came: list[Any] = []

    def run() -> None:
        try:
            came.append(work())
        except Exception as error:  # noqa: BLE001  (the test looks at it)
            came.append(error)
        finally:
            connection.close()
            at_the_end.set()

    thread = threading.Thread(target=run, name=name)
    thread.start()
    return thread, came


def _somebody_waits(database: str, over: threading.Event) -> bool:
    with superuser(database) as watcher:
        for _ in range(MOST_S * 100):
            if watcher.execute(_WAITING, [database]).fetchone()[0]:
                return True
            if over.wait(0.01):
                return False
    raise AssertionError("the second neither waited nor ended")


def rewrite(database: str, function: str, before: str, after: str) -> None:
    """Put another text into a function's body: a lock that is not taken, a check that is not made."""
    with superuser(database) as link:
        text = link.execute("SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname = %s", [function]).fetchone()[0]
        assert before in text
        link.execute(text.replace(before, after))
