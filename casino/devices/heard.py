"""When a table's tablet was last heard of."""

from datetime import datetime
from uuid import UUID

from django.db import connection

# a tablet asks at least every 5 s, and that it was seen is written every 5 s: then its tile says so
TABLET_QUIET_S = 15


def silent(at: str, seconds: int) -> str:
    """SQL: nothing is heard of it since then. A sign of life that lies ahead is of a clock that was
    set back since, and is none.
    """
    span = f"interval '{seconds} seconds'"
    return f"{at} NOT BETWEEN clock_timestamp() - {span} AND clock_timestamp() + {span}"


# When a tablet of the table was last heard of; of an open one that has none any more, when its last
# one was revoked.
TABLET_AT = """
    SELECT coalesce(max(coalesce(d.last_seen_at, d.enrolled_at))
        FILTER (WHERE d.revoked_at IS NULL),
            max(d.revoked_at) FILTER (WHERE d.revoked_at >= s.opened_at)) AS at,
        bool_and(d.revoked_at IS NOT NULL) AS revoked
    FROM casino_device d WHERE d.table_id = t.id AND d.kind = 'tablet'"""
_SILENT_SINCE = f"""
SELECT least(seen.at, clock_timestamp())
FROM tables_table t JOIN tables_tablesession s ON s.id = t.session_id
CROSS JOIN LATERAL ({TABLET_AT}) seen
WHERE t.id = %s AND {silent("seen.at", TABLET_QUIET_S)}
"""


def silent_since(table_id: UUID) -> datetime | None:
    """Since when nothing was heard of an open table's tablet; None while it is heard, or where the
    table never had one. One statement.
    """
    with connection.cursor() as cursor:
        cursor.execute(_SILENT_SINCE, [table_id])
        rows = cursor.fetchall()
    return next((since for (since,) in rows), None)
