"""Database addresses: one URL, one role; and connections beside Django's. The settings read it, so
it loads nothing of Django.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import unquote

import environ
import psycopg

if TYPE_CHECKING:
    from django.db.backends.postgresql.base import DatabaseWrapper

# Barrier and ledger count on READ COMMITTED (a server's own default may differ), and no command may
# hang for ever.
SERVING = (
    "-c default_transaction_isolation=read\\ committed -c timezone=UTC -c lock_timeout=5s -c"
    " statement_timeout=30s"
)
SERVING += " -c idle_in_transaction_session_timeout=15s"
# Migrations may take their time. While one waits for a table, everybody else waits behind it: not
# longer than a moment, and again a little later (`manage.py migrate`).
OWNING = "-c timezone=UTC -c lock_timeout=2s"
# A server that is gone is noticed, though nobody hangs up: when connecting (s), when idle (s), with
# an answer due (ms).
LINE = {
    "connect_timeout": 3,
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
# How long a request waits for a connection, and how long the pool tries by itself (s). Its tries
# lie ever further apart, and while it tries it takes no request as a reason to try: with its
# default of 300 it finds a database that is back up to 2 minutes late.
POOL = {"timeout": 3, "reconnect_timeout": 1}


CONNECT_S = 2  # libpq's least


def database_config(url: str, *, options: str = SERVING, pool_size: int = 0) -> dict[str, Any]:
    """Turn `postgres://role@host/name` into one entry of Django's DATABASES.

    A unix socket's folder stands percent-encoded as the host (`postgres://role@%2Frun%2Fpg/name`).
    `pool_size` is the greatest number of connections of one web process; 0 means no pool, which is
    right for Celery's workers (they fork, and close what they used after each task) and for
    commands. Connections are kept by a pool or not at all: Django's ASGI threads leak theirs.
    """
    config: dict[str, Any] = environ.Env.db_url_config(url)
    config["HOST"] = unquote(config["HOST"])
    config["ENGINE"] = "django.db.backends.postgresql"
    config["CONN_MAX_AGE"] = 0
    config["CONN_HEALTH_CHECKS"] = True
    config["OPTIONS"] = {**LINE, **config.get("OPTIONS", {}), "options": options}
    if pool_size:
        config["OPTIONS"]["pool"] = {"min_size": 1, "max_size": pool_size, **POOL}
    return config


def this_database() -> "DatabaseWrapper":
    """This thread's connection, as what it is: Django's own types know the base class only."""
    from django.db import connections

    return cast("DatabaseWrapper", connections["default"])


def plain_connection(options: str = "") -> "psycopg.Connection[tuple[Any, ...]]":
    """A connection of its own as the serving role, outside Django and its pool, with further libpq
    `options`.

    Raises psycopg.OperationalError, after 2 s at the latest.
    """
    parameters = this_database().get_connection_params()
    parameters |= {"cursor_factory": psycopg.Cursor, "connect_timeout": CONNECT_S}
    parameters["options"] = f"{parameters.get('options', '')} {options}"
    return psycopg.connect(**parameters, autocommit=True)


@contextmanager
def alone(lock: int) -> Iterator[bool]:
    """Whether nobody else holds this advisory lock; nobody can, meanwhile. Who is killed lets go of
    it.
    """
    with plain_connection("-c idle_session_timeout=0") as link:
        [(free,)] = link.execute("SELECT pg_try_advisory_lock(%s)", [lock]).fetchall()
        yield bool(free)
