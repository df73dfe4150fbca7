"""Hours of results: a number, and in the night in which the clocks go back the offset with it."""

from collections.abc import Callable, Iterable
from zoneinfo import ZoneInfo

from django.utils import timezone

from casino.audit.reports.shape import Cell, Row
from casino.text.clock_times import hour_text
from payouts.models import House

# What a clock shows an hour earlier or later as well is there twice.
_HOUR = """(SELECT extract(hour FROM x.here)::int::text || CASE
            WHEN x.here IN (({at} - interval '1 hour') AT TIME ZONE {zone},
                ({at} + interval '1 hour') AT TIME ZONE {zone})
            THEN CASE WHEN x.here < x.utc THEN ' -' ELSE ' +' END || to_char(
                greatest(x.here - x.utc, x.utc - x.here), 'HH24:MI') ELSE '' END
        FROM (SELECT {at} AT TIME ZONE {zone} AS here, {at} AT TIME ZONE 'UTC' AS utc) x)"""


def hour_of(at: str, zone: str) -> str:
    """SQL: the hour of a moment as text, `2` or `2 +02:00`."""
    return _HOUR.replace("{at}", at).replace("{zone}", zone)


def hours_made(place: int) -> Callable[[Iterable[Row]], Iterable[Row]]:
    """Rows whose hour, at this place, is a number wherever there is but one."""
    return lambda rows: ([*row[:place], _number(row[place]), *row[place + 1 :]] for row in rows)


def _number(hour: Cell) -> Cell:
    return int(hour) if isinstance(hour, str) and hour.isdecimal() else hour


def hour_told(hour: str, house: House) -> str:
    """An hour as people read it, by what its time is called now."""
    return hour_text(hour, ZoneInfo(house.time_zone), timezone.now().year)
