"""Time as the house lives it: its zone, and the gaming day, which ends in the morning (HSE-1). Pure."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo


def gaming_day(at: datetime, zone: str, change: time) -> date:
    """The gaming day to which the moment belongs: until `change` (local time) it is still the day before."""
    local = at.astimezone(ZoneInfo(zone))
    return local.date() if local.time() >= change else local.date() - timedelta(days=1)
