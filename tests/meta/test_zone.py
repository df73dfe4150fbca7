"""HSE-1: no test meets the change of the gaming day by chance."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from casino.demo.people import demo_load
from payouts.rules.rulesets.calendar import gaming_day
from tests.cast import make_house
from tests.zone import AWAY, CHANGE_HOUR, HOME, quiet_zone


@pytest.mark.parametrize("day", [datetime(2026, 1, 15, tzinfo=UTC), datetime(2026, 7, 15, tzinfo=UTC)])
def test_gaming_day_of_a_test_house_lasts_four_hours_more_whenever_it_is_made(day: datetime) -> None:
    zones = []
    for minute in range(0, 24 * 60, 10):
        now = day + timedelta(minutes=minute)
        zones.append(quiet_zone(now))
        there = ZoneInfo(zones[-1])
        days = {gaming_day(now + timedelta(minutes=later), there, CHANGE_HOUR * 60) for later in (0, 4 * 60 - 1)}
        assert len(days) == 1, now
    assert zones.count(AWAY) == 24  # four hours of ten minutes
    assert zones.count(HOME) == 120


def test_houses_of_tests_and_demo_lie_where_the_environment_says(db: None, settings) -> None:
    assert settings.DEMO_TIME_ZONE in (HOME, AWAY)
    settings.DEMO, settings.DEMO_TIME_ZONE = True, AWAY
    assert make_house("Casino Elsewhere").time_zone == AWAY
    assert demo_load().time_zone == AWAY
