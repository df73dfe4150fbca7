"""When a table's tablet was last heard of, and what lay on it then."""

from datetime import datetime, timedelta
from typing import TypedDict
from uuid import UUID

from django.db import connection
from django.utils import timezone

from casino.devices.models import TABLET, Device

# a tablet asks at least every 5 s, and that it was seen is written every 5 s: then its tile says so
TABLET_QUIET_S = 15


def silent(at: str, seconds: int) -> str:
    """SQL: nothing is heard of it since then. A sign of life that lies ahead is of a clock that was
    set back since, and is none.
    """
    span = f"interval '{seconds} seconds'"
    return f"{at} NOT BETWEEN clock_timestamp() - {span} AND clock_timestamp() + {span}"


# When a tablet of the table was last heard of; of an open one that has none any more, when its last
# one was revoked. How many entries lay unsent on its tablets, also on one that was revoked since.
TABLET_AT = """
    SELECT coalesce(max(coalesce(d.last_seen_at, d.enrolled_at))
        FILTER (WHERE d.revoked_at IS NULL),
            max(d.revoked_at) FILTER (WHERE d.revoked_at >= s.opened_at)) AS at,
        max(coalesce(d.last_seen_at, d.enrolled_at)) FILTER (
            WHERE d.revoked_at IS NULL OR d.revoked_at >= s.opened_at) AS heard_at,
        bool_and(d.revoked_at IS NOT NULL) AS revoked,
        coalesce(sum(d.unsent) FILTER (
            WHERE d.revoked_at IS NULL OR d.revoked_at >= s.opened_at), 0) AS unsent
    FROM casino_device d WHERE d.table_id = t.id AND d.kind = 'tablet'"""
_STATE = f"""
SELECT CASE WHEN {silent("seen.heard_at", TABLET_QUIET_S)}
        THEN least(seen.heard_at, clock_timestamp()) END, seen.unsent
FROM tables_table t JOIN tables_tablesession s ON s.id = t.session_id
CROSS JOIN LATERAL ({TABLET_AT}) seen
WHERE t.id = %s
"""


class TabletState(TypedDict):
    """What is known of a table's tablets as it closes. `silent_since`: None while one is heard, or
    where the table never had one; `unsent`: entries that lay there at the last report.
    """

    silent_since: datetime | None
    unsent: int


def tablet_state(table_id: UUID) -> TabletState:
    """Of an open table; nothing is amiss with a closed one. One statement."""
    with connection.cursor() as cursor:
        cursor.execute(_STATE, [table_id])
        rows = cursor.fetchall() or [(None, 0)]
    [(silent_since, unsent)] = rows
    return TabletState(silent_since=silent_since, unsent=unsent)


def may_hold_rounds(tablet: Device) -> bool:
    """Whether rounds of an open table may lie on a tablet (with its table) that it has not sent."""
    if tablet.kind != TABLET or tablet.table is None or tablet.table.session_id is None:
        return False
    seen_at = tablet.last_seen_at
    quiet = timedelta(seconds=TABLET_QUIET_S)
    # one that was never heard of has nothing
    return bool(tablet.unsent) or (seen_at is not None and timezone.now() - seen_at > quiet)
