"""Times of day in the night in which the clocks go back: two moments that a clock shows alike are
told apart by the name of the zone's time.
"""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils.translation import gettext

from payouts.errors import mark

# As people call them; a zone without a name of its own is written by its offset.
_NAMES = {"CEST": mark("CEST"), "CET": mark("CET")}
HOUR_TWICE = re.compile(r"([0-9]{1,2}) ([+-][0-9]{2}:[0-9]{2})", re.ASCII)


def day_and_time(at: datetime) -> str:
    """A local moment as reports write it: 25.10.2026 02:30:00, in the doubled hour with what the
    time is called behind it.
    """
    return f"{at:%d.%m.%Y %H:%M:%S}{twice_mark(at)}"


def twice_mark(at: datetime) -> str:
    """What the time is called, after a blank, where the clocks show it twice; else nothing.

    >>> zone = ZoneInfo("Europe/Zurich")
    >>> [twice_mark(datetime(2026, 10, 25, hour, 30, fold=1, tzinfo=zone)) for hour in (1, 2, 3)]
    ['', ' CET', '']
    """
    offsets = [at.replace(fold=fold).utcoffset() or timedelta() for fold in (0, 1)]
    return f" {_name(at)}" if offsets[0] > offsets[1] else ""


def hour_text(hour: str, zone: ZoneInfo, year: int) -> str:
    """An hour of a report, which names its offset (`2 +02:00`) where there are two of them, as
    people read it.
    """
    match = HOUR_TWICE.fullmatch(hour)
    if match is None:
        return hour
    offset = datetime.strptime(match[2], "%z").utcoffset()
    seasons = (datetime(year, month, 1, tzinfo=UTC).astimezone(zone) for month in (1, 7))
    name = next((_name(at) for at in seasons if at.utcoffset() == offset), match[2])
    return f"{match[1]} {name}"


def _name(at: datetime) -> str:
    name = at.tzname() or ""
    return gettext(_NAMES[name]) if name in _NAMES else name
