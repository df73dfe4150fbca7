"""The gaming day of a moment is worked out twice, by Python and by PostgreSQL, each from a time
zone database of its own: where these differ, one round is of two days.
"""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db import DataError, connection, transaction

from payouts.models import House

AHEAD_H = 366 * 24  # hours from now on that are compared
_OFFSETS = """
    SELECT at, extract(epoch FROM (at AT TIME ZONE %s) - (at AT TIME ZONE 'UTC'))::int
    FROM generate_series(%s::timestamptz, %s, interval '1 hour') at ORDER BY at
"""


def zones_apart() -> dict[str, datetime | None]:
    """By time zone of a house the first hour of the coming year at which the two databases differ;
    None where one of them lacks the zone. Empty if they agree. A statement for each zone.
    """
    zones = House.objects.order_by("time_zone").values_list("time_zone", flat=True).distinct()
    now = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    apart: dict[str, datetime | None] = {}
    for zone in zones:
        try:
            if (at := _first_apart(zone, now)) is not None:
                apart[zone] = at
        except (ZoneInfoNotFoundError, DataError):
            apart[zone] = None
    return apart


def _first_apart(zone: str, since: datetime) -> datetime | None:
    own = ZoneInfo(zone)
    # a statement that fails takes nothing with it
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_OFFSETS, [zone, since, since + timedelta(hours=AHEAD_H)])
        hours = cursor.fetchall()
    differ = (
        at for at, offset_s in hours if at.astimezone(own).utcoffset() != timedelta(0, offset_s)
    )
    return next(differ, None)
