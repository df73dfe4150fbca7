"""When a table's tablet was last heard of, and what of the table is not known meanwhile."""

from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.db import connection

from payouts.errors import Kind, Refused, mark
from payouts.rules.plain import Json
from payouts.selectors import house_now
from tables.models import Table

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
_UNKNOWN = f"""
SELECT CASE WHEN {silent("seen.at", TABLET_QUIET_S)} THEN least(seen.at, clock_timestamp()) END,
    coalesce((SELECT max(p.number) FROM tables_play p WHERE p.session_id = s.id), 0),
    (SELECT count(*) FROM tables_toclarify c WHERE c.table_id = t.id AND c.state = 'open')
FROM tables_table t JOIN tables_tablesession s ON s.id = t.session_id
LEFT JOIN LATERAL ({TABLET_AT}) seen ON true
WHERE t.id = %s
"""


class TabletSilent(Refused):
    """A table whose tablet is silent: what was played at it since is not in the books."""

    code = "table.tablet_silent"
    kind = Kind.CONFLICT
    rule = "HSE-1"
    sentence = mark(
        "The tablet of %(table)s has not been heard of since %(time)s. The last that came from it"
        " has number %(last)s: what was played after that is not known here."
    )
    remedy = mark(
        "Bring it to where it has a network, until it has sent everything. If that cannot be done,"
        " enter why and do it all the same."
    )


class ClarifyOpen(Refused):
    """A table of which something waits to be clarified."""

    code = "table.clarify_open"
    kind = Kind.CONFLICT
    rule = "HSE-1"
    sentence = mark("At %(table)s there is still to be clarified: %(count)s.")
    remedy = mark("Clarify that first. If that cannot be done, enter why and do it all the same.")


class Unknown(NamedTuple):
    """Since when nothing was heard of a table's tablet (None: it is heard), the number of the last
    round or hand that came, and how much is to be clarified.
    """

    silent_since: datetime | None
    last: int
    to_clarify: int


def ask_what_is_unknown(table_id: UUID, *, reason: str) -> dict[str, Json]:
    """What is not known of an open table that is to close, for its record: empty where all is, or
    the table is closed. One statement, and another one before a refusal.

    Raises TabletSilent, ClarifyOpen unless a reason is given.
    """
    with connection.cursor() as cursor:
        cursor.execute(_UNKNOWN, [table_id])
        row = cursor.fetchone()
    unknown = Unknown(*row) if row else Unknown(None, 0, 0)
    since = unknown.silent_since
    if not reason:
        _ask(table_id, unknown)
    if not since and not unknown.to_clarify:
        return {}
    return {**unknown._asdict(), "silent_since": since.isoformat() if since else None}


def _ask(table_id: UUID, unknown: Unknown) -> None:
    if not unknown.silent_since and not unknown.to_clarify:
        return
    table = Table.objects.get(pk=table_id)
    if unknown.silent_since is None:
        raise ClarifyOpen(table=table.name, count=unknown.to_clarify)
    now = house_now(house_id=table.house_id)
    at = unknown.silent_since.astimezone(now.zone)
    is_near = now.moment - at < timedelta(hours=20)
    time = f"{at:%H:%M}" if is_near else f"{at:%Y-%m-%d %H:%M}"
    raise TabletSilent(table=table.name, time=time, last=unknown.last)
