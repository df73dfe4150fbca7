"""A long read ends as soon as a table that it reads is to be changed: a migration waits two
seconds for its lock (`casino/database.py`), an audit of all books takes minutes.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import psycopg
from django.db import connection

LOOKS_S = 0.4
CANCEL_S = 5.0
_WAITED_FOR = """
    SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'
        AND %s = ANY (pg_blocking_pids(pid)))
"""


@contextmanager
def gives_way() -> Iterator[None]:
    """Cancel what this connection does inside, as long as somebody waits to change a table that it
    has read: OperationalError. What takes less than a moment is not watched.
    """
    connection.ensure_connection()
    reading: psycopg.Connection[Any] = connection.connection
    parameters = connection.get_connection_params() | {"cursor_factory": psycopg.Cursor}
    over = Event()
    watcher = Thread(target=_watch, args=(reading, parameters, over), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def _watch(reading: "psycopg.Connection[Any]", parameters: Mapping[str, Any], over: Event) -> None:
    if over.wait(LOOKS_S):
        return
    pid = reading.info.backend_pid
    try:
        with psycopg.connect(**parameters, autocommit=True) as link:
            while not over.wait(LOOKS_S):
                [(is_waited_for,)] = link.execute(_WAITED_FOR, [pid]).fetchall()
                if is_waited_for:
                    reading.cancel_safe(timeout=CANCEL_S)
    except psycopg.OperationalError:
        return  # the database is away: the reading notices it by itself
