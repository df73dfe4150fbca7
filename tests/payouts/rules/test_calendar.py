"""Hours, closed days and gaming days (HSE-1), against independent computations and across changes of the clocks."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from payouts.errors import Refused
from payouts.rules.rulesets.calendar import (
    BAD_RAGAZ,
    NAMED_DAYS,
    ROUND_THE_CLOCK,
    WIESBADEN,
    Hours,
    HouseCalendar,
    closed_days,
    easter,
    evening,
    gaming_day,
)
from payouts.rules.rulesets.schema import ValueWrong
from tests.payouts.rules.anything import ANYTHING
from tests.turns import each

ZURICH = ZoneInfo("Europe/Zurich")
MOMENTS = st.integers(0, 130 * 365 * 86_400).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))  # to 2099


def open_day(calendar: HouseCalendar, moment: datetime, zone: ZoneInfo, change: int = 6 * 60) -> date | None:
    """The gaming day for which a table may open at the moment, as the floor asks."""
    day = gaming_day(moment, zone, change)
    hours = evening(calendar, day, zone)
    return day if hours is not None and hours.live_at(moment) else None


def local(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=ZURICH)


# Published dates of Easter Sunday, the earliest and latest possible ones among them.
@each(
    "day",
    [
        (1913, 3, 23),
        (1943, 4, 25),
        (1954, 4, 18),
        (1981, 4, 19),
        (2000, 4, 23),
        (2008, 3, 23),
        (2024, 3, 31),
        (2025, 4, 20),
        (2026, 4, 5),
        (2038, 4, 25),
        (2285, 3, 22),
    ],
)
def test_easter_is_the_published_day(day: tuple[int, int, int]) -> None:
    assert easter(day[0]) == date(*day)


@given(st.integers(1900, 2999))
def test_easter_agrees_with_gauss(year: int) -> None:
    """Gauss' rule, in its Gregorian form with both exceptions: another way to the same day."""
    century = year // 100
    m = (15 - (13 + 8 * century) // 25 + century - century // 4) % 30
    n = (4 + century - century // 4) % 7
    d = (19 * (year % 19) + m) % 30
    e = (2 * (year % 4) + 4 * (year % 7) + 6 * d + n) % 7
    days = 22 + d + e
    if d == 29 and e == 6:
        days = 50
    elif d == 28 and e == 6 and (11 * m + 11) % 30 < 19:
        days = 49
    assert easter(year) == date(year, 3, 1) + timedelta(days=days - 1)


def test_wiesbadens_closed_days_of_published_years() -> None:
    assert [f"{day:%d.%m.%Y}" for day in closed_days(WIESBADEN, 2024)] == [
        "29.03.2024",
        "01.05.2024",
        "30.05.2024",
        "17.11.2024",
        "24.11.2024",
        "24.12.2024",
        "25.12.2024",
    ]
    assert [f"{day:%d.%m.%Y}" for day in closed_days(WIESBADEN, 2027)] == [
        "26.03.2027",
        "01.05.2027",
        "27.05.2027",
        "14.11.2027",
        "21.11.2027",
        "24.12.2027",
        "25.12.2027",
    ]


@given(st.integers(1900, 2999))
def test_movable_days_fall_where_they_must(year: int) -> None:
    days = {name: find(year) for name, find in NAMED_DAYS.items()}
    assert (days["good_friday"].isoweekday(), days["corpus_christi"].isoweekday(), days["ascension"].isoweekday()) == (
        5,
        4,
        4,
    )
    assert (
        days["volkstrauertag"].isoweekday()
        == days["totensonntag"].isoweekday()
        == days["federal_fast"].isoweekday()
        == 7
    )
    assert date(year, 11, 20) <= days["totensonntag"] <= date(year, 11, 26)
    assert days["totensonntag"] - days["volkstrauertag"] == timedelta(days=7)
    assert date(year, 9, 15) <= days["federal_fast"] <= date(year, 9, 21)


@each(("day", "closes"), [(date(2026, 1, 8), 3), (date(2026, 1, 9), 4), (date(2026, 1, 10), 4), (date(2026, 1, 11), 3)])
def test_bad_ragaz_closes_later_on_friday_and_saturday(day: date, closes: int) -> None:
    hours = evening(BAD_RAGAZ, day, ZURICH)
    assert hours is not None
    assert (hours.opens, hours.live_from) == (
        datetime(day.year, day.month, day.day, 12, tzinfo=ZURICH),
        datetime(day.year, day.month, day.day, 18, tzinfo=ZURICH),
    )
    after = day + timedelta(days=1)
    assert (
        hours.closes
        == hours.closes_latest
        == datetime(after.year, after.month, after.day, closes, tzinfo=ZURICH, fold=1)
    )


def test_wiesbaden_may_close_between_three_and_four() -> None:
    hours = evening(WIESBADEN, date(2026, 2, 3), ZoneInfo("Europe/Berlin"))
    assert hours is not None
    assert [f"{moment:%H:%M}" for moment in hours] == ["14:45", "14:45", "03:00", "04:00"]


def test_the_night_before_a_closed_day_runs_on_past_midnight() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    good_friday = date(2026, 4, 3)
    assert open_day(WIESBADEN, datetime(2026, 4, 3, 2, tzinfo=berlin), berlin) == date(2026, 4, 2)
    assert evening(WIESBADEN, good_friday, berlin) is None
    assert open_day(WIESBADEN, datetime(2026, 4, 3, 20, tzinfo=berlin), berlin) is None
    assert open_day(WIESBADEN, datetime(2026, 4, 4, 2, tzinfo=berlin), berlin) is None
    assert open_day(WIESBADEN, datetime(2026, 4, 4, 15, tzinfo=berlin), berlin) == date(2026, 4, 4)


def test_tables_open_from_the_live_game_to_just_before_closing() -> None:
    assert open_day(BAD_RAGAZ, local(2026, 1, 12, 12), ZURICH) is None
    assert open_day(BAD_RAGAZ, local(2026, 1, 12, 17, 59, 59), ZURICH) is None
    assert open_day(BAD_RAGAZ, local(2026, 1, 12, 18), ZURICH) == date(2026, 1, 12)
    assert open_day(BAD_RAGAZ, local(2026, 1, 13, 0), ZURICH) == date(2026, 1, 12)
    assert open_day(BAD_RAGAZ, local(2026, 1, 13, 2, 59, 59), ZURICH) == date(2026, 1, 12)
    assert open_day(BAD_RAGAZ, local(2026, 1, 13, 3), ZURICH) is None


def test_a_house_open_round_the_clock_belongs_to_one_day_at_a_time() -> None:
    assert open_day(ROUND_THE_CLOCK, local(2026, 1, 13, 5, 59), ZURICH) == date(2026, 1, 12)
    assert open_day(ROUND_THE_CLOCK, local(2026, 1, 13, 6), ZURICH) == date(2026, 1, 13)


@given(
    MOMENTS, st.sampled_from(["Europe/Zurich", "UTC", "America/New_York", "Pacific/Kiritimati", "Australia/Lord_Howe"])
)
def test_a_house_open_round_the_clock_is_open_at_every_moment_in_every_zone(moment: datetime, zone: str) -> None:
    assert open_day(ROUND_THE_CLOCK, moment, ZoneInfo(zone)) is not None


def test_the_gaming_day_changes_at_the_change_time_not_at_midnight() -> None:
    assert gaming_day(local(2026, 1, 10, 23, 59), ZURICH, 540) == date(2026, 1, 10)
    assert gaming_day(local(2026, 1, 11, 8, 59, 59), ZURICH, 540) == date(2026, 1, 10)
    assert gaming_day(local(2026, 1, 11, 9), ZURICH, 540) == date(2026, 1, 11)
    assert gaming_day(datetime(2026, 1, 11, 8, tzinfo=UTC), ZURICH, 540) == date(2026, 1, 11)


@each("change", [0, 150, 180, 540])
@each("night", [(2026, 3, 29), (2026, 10, 25)])
def test_no_gaming_day_returns_when_the_clocks_change(night: tuple[int, int, int], change: int) -> None:
    start = datetime(*night, tzinfo=ZURICH).astimezone(UTC) - timedelta(hours=6)
    days = [gaming_day(start + timedelta(minutes=minute), ZURICH, change) for minute in range(0, 24 * 60, 5)]
    assert days == sorted(days)
    assert set(days) == {date(*night) - timedelta(days=1), date(*night)}


def test_a_time_in_the_hour_that_is_lost_is_the_leap() -> None:
    """HSE-1: a closing time of 02:00 or 02:30 keeps the house open until the clocks leap; a day changes with the leap."""
    for closes in (26 * 60, 26 * 60 + 30):
        week = tuple(replace(hours, closes=closes, closes_latest=closes) for hours in BAD_RAGAZ.week)
        hours = evening(replace(BAD_RAGAZ, week=week), date(2027, 3, 27), ZURICH)
        assert hours is not None
        assert [hours.live_at(local(2027, 3, 28, hour, minute)) for hour, minute in ((1, 0), (1, 59), (3, 0))] == [
            True,
            True,
            False,
        ]
    days = [gaming_day(local(2027, 3, 28, hour, minute), ZURICH, 150) for hour, minute in ((1, 59), (3, 0))]
    assert days == [date(2027, 3, 27), date(2027, 3, 28)]


def test_the_longest_and_the_shortest_night_are_as_long_as_they_are() -> None:
    def length(day: date) -> float:
        hours = evening(BAD_RAGAZ, day, ZURICH)
        assert hours is not None
        return (hours.closes.astimezone(UTC) - hours.opens.astimezone(UTC)).total_seconds() / 3600

    assert [length(date(2026, 3, 28)), length(date(2026, 10, 24)), length(date(2026, 10, 17))] == [15, 17, 16]


@given(MOMENTS, st.integers(0, 1439))
def test_a_gaming_day_is_its_date_or_the_one_before(moment: datetime, change: int) -> None:
    today = moment.astimezone(ZURICH).date()
    assert gaming_day(moment, ZURICH, change) in (today, today - timedelta(days=1))


@given(MOMENTS, MOMENTS, st.integers(0, 1439))
def test_gaming_days_never_go_back(one: datetime, other: datetime, change: int) -> None:
    early, late = sorted((one, other))
    assert gaming_day(early, ZURICH, change) <= gaming_day(late, ZURICH, change)


@given(MOMENTS)
def test_an_open_house_is_within_its_hours(moment: datetime) -> None:
    day = open_day(WIESBADEN, moment, ZURICH)
    if day is not None:
        assert day not in closed_days(WIESBADEN, day.year)
        assert day == moment.astimezone(ZURICH).date() or moment.astimezone(ZURICH).hour < 4


@given(st.datetimes(), st.one_of(st.none(), st.just(ZURICH)), st.integers(), st.integers())
def test_fuzz_calendar(moment: datetime, zone: ZoneInfo | None, change: int, year: int) -> None:
    for call in (
        lambda: gaming_day(moment.replace(tzinfo=zone), ZURICH, change),
        lambda: open_day(WIESBADEN, moment.replace(tzinfo=zone), ZURICH),
        lambda: closed_days(WIESBADEN, year),
        lambda: evening(BAD_RAGAZ, moment.date(), ZURICH),
        lambda: easter(year),
    ):
        try:
            call()
        except Refused as refusal:
            assert (refusal.rule, refusal.code.split(".")[0]) == ("HSE-1", "calendar")


@given(ANYTHING)
def test_fuzz_years_and_change_times(anything: object) -> None:
    for call in (
        lambda: easter(anything),  # type: ignore[arg-type]
        lambda: closed_days(WIESBADEN, anything),  # type: ignore[arg-type]
        lambda: gaming_day(datetime(2026, 5, 1, 3, tzinfo=ZURICH), ZURICH, anything),  # type: ignore[arg-type]
    ):
        try:
            call()
        except Refused as refusal:
            assert (refusal.rule, refusal.code.split(".")[0]) == ("HSE-1", "calendar")


@each(
    "fields",
    [
        {"opens": 900, "closes": 800, "closes_latest": 800},
        {"opens": 900, "closes": 1700, "closes_latest": 1600},
        {"opens": 900, "closes": 2400, "closes_latest": 2400},
        {"opens": 900, "closes": 1600, "closes_latest": 1600, "live_from": 1600},
        {"opens": 900, "closes": 1600, "closes_latest": 1600, "live_from": 899},
        {"opens": -1, "closes": 1600, "closes_latest": 1600},
    ],
)
def test_hours_that_cannot_be_kept_are_refused(fields: dict[str, int]) -> None:
    with pytest.raises(Refused):
        Hours(**fields)


def test_weeks_that_cannot_be_kept_are_refused() -> None:
    early, late = Hours(opens=600, closes=1500, closes_latest=1500), Hours(opens=1300, closes=2100, closes_latest=2100)
    for week, closed in (
        ((early,) * 6, ()),
        ((late, *(early,) * 6), ()),
        ((early,) * 7, ("may_day", "may_day")),
        ((early,) * 7, ("doomsday",)),
    ):
        with pytest.raises(Refused):
            HouseCalendar(week=week, closed=closed)


def week(opens: int, closes: int) -> HouseCalendar:
    return HouseCalendar(week=(Hours(opens=opens, closes=closes, closes_latest=closes),) * 7)


@each("calendar", [BAD_RAGAZ, WIESBADEN, week(6 * 60, 30 * 60), week(12 * 60, 13 * 60)])
def test_evening_within_one_gaming_day_fits(calendar: HouseCalendar) -> None:
    calendar.fit(time(6))


@each(
    ("calendar", "change", "field", "says"),
    [
        (week(5 * 60 + 59, 12 * 60), time(6), "calendar.week[0].opens", {"low": 360}),
        (week(6 * 60 + 1, 30 * 60 + 1), time(6), "calendar.week[0].closes_latest", {"high": 1800}),
        (BAD_RAGAZ, time(3, 30), "calendar.week[4].closes_latest", {"high": 1650}),
        (BAD_RAGAZ, time(12, 30), "calendar.week[0].opens", {"low": 750}),
    ],
)
def test_evening_in_two_gaming_days_is_refused(calendar: HouseCalendar, change: time, field: str, says: object) -> None:
    with pytest.raises(ValueWrong) as refused:
        calendar.fit(change)
    assert (refused.value.data["field"], refused.value.data["expects"]["data"]) == (field, says)
