"""Until when a table's rounds are booked by themselves: the closing of its gaming day (HSE-1)."""

from collections.abc import Mapping
from datetime import date, datetime
from functools import lru_cache
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from payouts.rules.rulesets.calendar import HouseCalendar, evening
from payouts.selectors import house_now
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


def check_day_of(record: Mapping[str, Any], clock: Mapping[str, Any], *, supervisor: bool) -> None:
    """The same of a stake that comes, or goes back, in a recorded round: the pit does it by hand.
    `clock`: the database's `now` and the house's `zone` and `day`.
    """
    session = {"gaming_day": record["gaming_day"], "versions": record["versions"]}
    check_day({"session": session, **clock}, queued=False, clarified=supervisor)


def is_over(record: Mapping[str, Any]) -> bool:
    """Whether the gaming day of a recorded round has closed."""
    now = house_now(house_id=UUID(record["house_id"]))
    clock = {"now": now.moment.isoformat(), "zone": str(now.zone), "day": now.day.isoformat()}
    try:
        check_day_of(record, clock, supervisor=False)
    except (HoursOver, DayOver):
        return True
    return False
