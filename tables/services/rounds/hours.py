"""Until when a table's rounds are booked by themselves: the closing of its gaming day (HSE-1)."""

from collections.abc import Mapping
from datetime import date, datetime
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from payouts.rules.rulesets.calendar import HouseCalendar, evening
from tables.errors import DayOver, HoursOver
from tables.services.parts import posted_of

_MINUTE = "%Y-%m-%d %H:%M"


@lru_cache(maxsize=256)
def closing(calendar: str, gaming_day: str, zone: str) -> datetime | None:
    """The latest closing of a gaming day by a version of the calendar; None of a closed day."""
    posted = posted_of([calendar])["calendar"]
    if not isinstance(posted, HouseCalendar):
        raise TypeError("a posted table of another kind than it is filed under")
    hours = evening(posted, date.fromisoformat(gaming_day), ZoneInfo(zone))
    return hours.closes_latest if hours else None


def check_day(context: Mapping[str, Any], *, queued: bool, clarified: bool) -> None:
    """Refuse a round after the closing of the gaming day for which its table was opened, unless the
    pit has looked at it. Raises DayOver, HoursOver.
    """
    if clarified:
        return
    session, day = context["session"], context["day"]
    opened = session["gaming_day"]
    closes = closing(session["versions"]["calendar"], opened, context["zone"])
    now = datetime.fromisoformat(context["now"])
    if closes and now >= closes and (queued or opened == day):
        local = {"closes": closes, "now": now.astimezone(closes.tzinfo)}
        texts = {name: moment.strftime(_MINUTE) for name, moment in local.items()}
        raise HoursOver(opened=opened, **texts)
    if opened != day:
        raise DayOver(opened=opened, day=day)
