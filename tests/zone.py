"""Where the houses of the tests lie: somewhere whose gaming day does not change within the next four hours (HSE-1).

A table that is open when its day changes takes no more rounds. Tests play at whatever hour they are started, and only the tests of
the change itself want to meet it.
"""

from datetime import datetime
from zoneinfo import ZoneInfo

HOME, AWAY = (
    "Europe/Zurich",
    "Asia/Dhaka",
)  # both change at 06:00 of their own time; away it is four or five hours later
CHANGE_HOUR = 6


def quiet_zone(now: datetime | None = None) -> str:
    """HOME, but in the four hours before its day changes AWAY."""
    hour = (now or datetime.now().astimezone()).astimezone(ZoneInfo(HOME)).hour
    return AWAY if CHANGE_HOUR - 4 <= hour < CHANGE_HOUR else HOME
