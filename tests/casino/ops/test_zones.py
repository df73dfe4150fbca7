"""The two time zone databases say the same of every house's zone for a year ahead, or nothing is served."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import pytest

from casino.ops import zones
from casino.ops.checks import unsafe_database
from casino.ops.zones import zones_apart
from payouts.models import House
from payouts.services import house_create
from tests.floor import done
from tests.turns import each


def test_both_databases_agree_on_the_zones_of_the_houses(house: House) -> None:
    """Issue 44.15, HSE-1."""
    assert zones_apart() == {}


@each(
    ("stand_in", "first"),
    [
        ("Europe/London", datetime(2026, 11, 29, 4, tzinfo=UTC)),  # an hour apart all year
        ("Africa/Lagos", datetime(2027, 3, 28, 1, tzinfo=UTC)),  # the same until the clocks go forward
    ],
)
def test_a_difference_within_the_year_is_refused_with_its_first_hour(
    house: House, monkeypatch, time_machine, stand_in: str, first: datetime
) -> None:
    """Issue 44.15."""
    done(house_create, name="Casino Chur", currency="CHF", time_zone="Europe/Zurich")
    time_machine.move_to(datetime(2026, 11, 29, 4, 30, tzinfo=UTC))
    monkeypatch.setattr(zones, "ZoneInfo", lambda zone: ZoneInfo(stand_in if zone == "Europe/Zurich" else zone))
    assert zones_apart() == {"Europe/Zurich": first}
    refused = [unsafe for unsafe in unsafe_database() if unsafe.code == "database.time_zones"]
    assert len(refused) == 1
    assert f"disagree on the time in Europe/Zurich, from {first:%d.%m.%Y %H:%M} UTC on" in refused[0].sentence


def test_a_zone_that_one_of_them_lacks_is_refused(house: House, monkeypatch) -> None:
    """Issue 44.15."""

    def lacks(_zone: str) -> ZoneInfo:
        raise ZoneInfoNotFoundError

    with pytest.MonkeyPatch.context() as own:
        own.setattr(zones, "ZoneInfo", lacks)
        assert zones_apart() == {house.time_zone: None}
    monkeypatch.setattr(zones, "_OFFSETS", zones._OFFSETS.replace("TIME ZONE %s", "TIME ZONE ('No/' || %s)"))
    assert zones_apart() == {house.time_zone: None}
