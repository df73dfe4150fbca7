"""No process serves on a database that could lose, or let somebody change, what it has
acknowledged.

asgi.py, wsgi.py, worker and beat call `refuse_unsafe_database()` before anything else; `manage.py
check --database default` tells the same without starting (`casino/ops/checks.py`).
"""

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import NoReturn

import psycopg
from structlog import get_logger

from casino.database import plain_connection, this_database
from casino.ops.checks import (
    LONE_HEADS,
    LONE_HEADS_HINT,
    Unsafe,
    heads_are_lone,
    unsafe_database,
)
from payouts.db.sealer import sealer_refused

# exit status: starting again will not help. Gunicorn stops as a whole on it, as it should.
REFUSED = 3
UNREACHABLE = 1  # exit status: starting again will help once the database is back
WAIT_S = 25.0  # below gunicorn's 30 s, after which it kills a worker that does not come up

log = get_logger(__name__)


def refuse_unsafe_database() -> None:
    """Return if the database may be served; else say why in a sentence each, and exit.

    Waits up to 25 s for a database that does not answer, then exits with status 1; exits with
    status 3 if it is unsafe.
    """
    wait_for_database()
    # uvicorn imports the application inside its event loop, where Django's ORM refuses to work; a
    # thread of its own is free.
    with ThreadPoolExecutor(1) as thread:
        found = thread.submit(_look).result()
    if found:
        _exit(found, REFUSED)


def warn_of_lone_heads() -> None:
    """Log it where no head of a seal is kept elsewhere."""
    if heads_are_lone():
        log.warning("heads_lone", sentence=LONE_HEADS, remedy=LONE_HEADS_HINT)


def warn_of_the_sealer() -> None:
    """Log it where seals cannot be written as the role that is there for them."""
    if refused := sealer_refused():
        log.warning("sealer_refused", sentence=refused.text(), remedy=refused.remedy)


def _look() -> list[Unsafe]:
    """All reasons; leaves nothing open, since the process may fork next (gunicorn --preload,
    Celery's workers).
    """
    try:
        return unsafe_database()
    finally:
        this_database().close()
        this_database().close_pool()


def wait_for_database() -> None:
    """Return once the database takes a connection; exit with status 1 if it does not for 25 s."""
    end, pause = time.monotonic() + WAIT_S, 0.5
    while True:
        try:
            plain_connection().close()
            return
        except psycopg.OperationalError as error:
            if time.monotonic() + pause > end:
                unreachable = Unsafe(
                    "database.unreachable",
                    f"The database did not answer for {WAIT_S:.0f} seconds.",
                    "Check that PostgreSQL runs and that DATABASE_URL names it.",
                )
                _exit([unreachable], UNREACHABLE)
            log.warning("database_awaited", again_in_s=pause, reason=str(error).strip())
        time.sleep(pause)
        pause = min(pause * 2, 5.0)


def _exit(found: list[Unsafe], status: int) -> NoReturn:
    for unsafe in found:
        log.critical(
            "start_refused", code=unsafe.code, sentence=unsafe.sentence, remedy=unsafe.remedy
        )
        sys.stderr.write(f"{unsafe.sentence} {unsafe.remedy}\n")
    sys.exit(status)
