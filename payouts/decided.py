"""Up to where a table is decided: which numbers no transaction can add a row to any more.

A number is given to a row before its transaction commits, so a later row may be seen before an
earlier one. What was the highest number when one looked is decided once every transaction that was
open then has ended. No table that a round writes to is touched for it: no column, no trigger, no
lock. Seals and audits go by it; `docs/SEALS.md` says why none is missed.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import connection

LOOK_BACK = 10  # looks of which one may have no open transaction left

PREPARED = (
    # a transaction waits for its second phase: it outlives its session, and nobody knows since when
    # it runs
    "prepared"
)
# Asked before the rows are: what is over now is seen then.
OPEN = f"""
    SELECT virtualtransaction FROM pg_locks WHERE locktype = 'virtualxid'
        AND pid <> pg_backend_pid()
    UNION SELECT '{PREPARED}' FROM pg_prepared_xacts ORDER BY 1
"""


class Look(NamedTuple):
    """What was asked, in this order: the time, the server's start, the highest number of each
    table, who was at work.
    """

    taken_at: str
    server: str
    highest: Mapping[str, int]
    open: Sequence[str]


def look(keys: Mapping[str, str]) -> Look:
    """The time, then the highest number of each table (`keys`: its column), then the transactions
    that run: one statement each.
    """
    taken_at, server = _ask("SELECT clock_timestamp(), pg_postmaster_start_time()")[0]
    highest = {
        table: int(_ask(f"SELECT coalesce(max({key}), 0) FROM {table}")[0][0])
        for table, key in keys.items()
    }
    return Look(
        taken_at.isoformat(), server.isoformat(), highest, tuple(name for (name,) in _ask(OPEN))
    )


def decided(now: Look, earlier: Iterable[Look]) -> Look | None:
    """The newest look, this one included, all of whose open transactions have ended; `earlier`:
    newest first. None without one.

    Its numbers were given to transactions that have ended. Whoever reads after `now` sees all that
    they committed.
    """
    if not now.open:
        return now
    if PREPARED in now.open:
        return None
    # A transaction does not outlive its server.
    return next(
        (one for one in earlier if one.server != now.server or not {*one.open} & {*now.open}), None
    )


def _ask(sql: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return list(cursor.fetchall())
