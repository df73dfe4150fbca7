"""When a house is open: hours by weekday, closed days of any year, and the gaming day a moment
belongs to (HSE-1).

Nothing here reads a clock. Moments are aware datetimes; all comparisons are made in UTC, so that
the nights in which the clocks change are as long as they are.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import ClassVar, NamedTuple

from payouts.errors import Refused, mark
from payouts.rules.rulesets.schema import EACH_ONCE, Posted, choice_kind, several, whole, wrong

DAY = 24 * 60  # minutes
FIRST_YEAR, LAST_YEAR = 1900, 2999


class CalendarRefused(Refused):
    """A question that the calendar cannot answer."""

    code = "calendar.refused"
    rule = "HSE-1"


class YearOutside(CalendarRefused):
    """A year for which no closed days are computed."""

    code = "calendar.year_outside"
    sentence = mark("The calendar knows the years %(first)s to %(last)s only.")
    remedy = mark("Check the date.")

    def __init__(self) -> None:
        super().__init__(first=FIRST_YEAR, last=LAST_YEAR)


class MomentNaive(CalendarRefused):
    """A date and time without a time zone."""

    code = "calendar.moment_naive"
    sentence = mark("The moment has no time zone.")
    remedy = mark("Give the date and time together with its zone.")


class ChangeTimeWrong(CalendarRefused):
    """A change of the gaming day that is no time of day."""

    code = "calendar.change_time"
    sentence = mark("The gaming day cannot change at minute %(minute)s.")
    remedy = mark("Give the minutes since midnight, from 0 to 1439.")


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar (the anonymous algorithm, Meeus); raises YearOutside.

    >>> easter(2026)
    datetime.date(2026, 4, 5)
    """
    if type(year) is not int or not FIRST_YEAR <= year <= LAST_YEAR:
        raise YearOutside
    golden = year % 19
    century, year_of_century = divmod(year, 100)
    leap_centuries, rest_century = divmod(century, 4)
    correction = (century - (century + 8) // 25 + 1) // 3
    moon = (19 * golden + century - leap_centuries - correction + 15) % 30
    weekday = (32 + 2 * rest_century + 2 * (year_of_century // 4) - moon - year_of_century % 4) % 7
    late = (golden + 11 * moon + 22 * weekday) // 451
    month, day = divmod(moon + weekday - 7 * late + 114, 31)
    return date(year, month, day + 1)


def _sunday_of_the_dead(year: int) -> date:
    # The last Sunday before the first of Advent, which is the fourth Sunday before Christmas Day.
    christmas = date(year, 12, 25)
    return christmas - timedelta(days=christmas.isoweekday() + 28)


# Each named day as a function of its year. A house closes on the ones it lists.
NAMED_DAYS: dict[str, Callable[[int], date]] = {
    "new_year": lambda year: date(year, 1, 1),
    "good_friday": lambda year: easter(year) - timedelta(days=2),
    "easter_sunday": easter,
    "may_day": lambda year: date(year, 5, 1),
    "ascension": lambda year: easter(year) + timedelta(days=39),
    "whit_sunday": lambda year: easter(year) + timedelta(days=49),
    "corpus_christi": lambda year: easter(year) + timedelta(days=60),
    "federal_fast": (
        lambda year: date(year, 9, 15) + timedelta(days=6 - date(year, 9, 15).weekday())
    ),
    "all_saints": lambda year: date(year, 11, 1),
    "volkstrauertag": lambda year: _sunday_of_the_dead(year) - timedelta(days=7),
    "totensonntag": _sunday_of_the_dead,
    "christmas_eve": lambda year: date(year, 12, 24),
    "christmas_day": lambda year: date(year, 12, 25),
    "st_stephen": lambda year: date(year, 12, 26),
}


CLOSES_AFTER = mark("a time after opening, not after the latest closing, within a day of opening")
LIVE_WITHIN = mark("a time between opening and closing")
OPENS_IN_THE_DAY = mark("%(low)s or later: only then the gaming day begins")
CLOSES_IN_THE_DAY = mark("%(high)s or earlier: the gaming day ends then")
CLOSES_BEFORE = mark("a time before the next day's opening")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hours(Posted):
    """One evening, in minutes since the midnight it begins on; past midnight counts on (03:00 of
    the next day is 1620).

    From `closes` the house may close; by `closes_latest` it does. `live_from` is when the tables
    open (None: with the doors).
    """

    KIND: ClassVar[str] = "hours"

    opens: int = whole(low=0, high=DAY - 1)
    closes: int = whole(low=1, high=2 * DAY - 1)
    closes_latest: int = whole(low=1, high=2 * DAY - 1)
    live_from: int | None = whole(None, high=2 * DAY - 1, optional=True)

    def verify(self) -> None:
        """Opening, the live game and closing come in that order, and the next day's opening is not
        overrun.
        """
        if not self.opens < self.closes <= self.closes_latest <= self.opens + DAY:
            raise wrong("hours.closes", self.closes, CLOSES_AFTER)
        if self.live_from is not None and not self.opens <= self.live_from < self.closes:
            raise wrong("hours.live_from", self.live_from, LIVE_WITHIN)


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseCalendar(Posted):
    """A week of hours, Monday first, and the days of every year on which the house stays closed."""

    KIND: ClassVar[str] = "calendar"

    week: tuple[Hours, ...] = several(Hours, low=7, high=7)
    closed: tuple[str, ...] = several(choice_kind(*NAMED_DAYS), ())

    def verify(self) -> None:
        """No evening runs into the next one's opening, and no closed day is named twice."""
        for day, hours in enumerate(self.week):
            if hours.closes_latest > DAY + self.week[(day + 1) % 7].opens:
                raise wrong(
                    f"calendar.week[{day}].closes_latest", hours.closes_latest, CLOSES_BEFORE
                )
        if len(set(self.closed)) != len(self.closed):
            raise wrong("calendar.closed", self.closed, EACH_ONCE)

    def fit(self, gaming_day_change: time) -> None:
        """Every evening lies within one gaming day: it opens after the change and closes before the
        next (HSE-1).
        """
        change = gaming_day_change.hour * 60 + gaming_day_change.minute
        for day, hours in enumerate(self.week):
            if hours.opens < change:
                raise wrong(
                    f"calendar.week[{day}].opens", hours.opens, OPENS_IN_THE_DAY, low=change
                )
            if hours.closes_latest > DAY + change:
                where = f"calendar.week[{day}].closes_latest"
                raise wrong(where, hours.closes_latest, CLOSES_IN_THE_DAY, high=DAY + change)


class Evening(NamedTuple):
    """A gaming day's moments, aware, in the house's zone."""

    opens: datetime
    live_from: datetime
    closes: datetime
    closes_latest: datetime

    def live_at(self, moment: datetime) -> bool:
        """Whether tables may open at `moment`: from the live game's beginning up to, not including,
        the latest closing.

        Raises MomentNaive, YearOutside.
        """
        now = _utc(_local(moment, UTC))
        return _utc(self.live_from) <= now < _utc(self.closes_latest)


def closed_days(calendar: HouseCalendar, year: int) -> dict[date, str]:
    """The dates on which no gaming day begins, with the name of the day; raises YearOutside.

    >>> [f"{day:%d.%m.}" for day in closed_days(WIESBADEN, 2026)]
    ['03.04.', '01.05.', '04.06.', '15.11.', '22.11.', '24.12.', '25.12.']
    """
    easter(year)  # refuses years outside
    return dict(sorted((NAMED_DAYS[name](year), name) for name in calendar.closed))


def evening(calendar: HouseCalendar, day: date, zone: tzinfo) -> Evening | None:
    """The opening hours of the gaming day that begins on `day`, or None when the house stays
    closed; raises YearOutside.
    """
    if day in closed_days(calendar, day.year):
        return None
    hours = calendar.week[day.weekday()]
    live = hours.opens if hours.live_from is None else hours.live_from
    return Evening(
        _moment(day, hours.opens, zone),
        _moment(day, live, zone),
        _moment(day, hours.closes, zone, last=True),
        _moment(day, hours.closes_latest, zone, last=True),
    )


def gaming_day(moment: datetime, zone: tzinfo, change_minute: int) -> date:
    """The business day of a moment: it changes at `change_minute` minutes after local midnight, not
    at midnight (HSE-1).

    When the clocks go back over the change time, its first occurrence counts, so a gaming day never
    returns; when they leap over it, the day changes with the leap. Raises MomentNaive,
    ChangeTimeWrong, YearOutside.

    >>> from zoneinfo import ZoneInfo
    >>> zurich = ZoneInfo("Europe/Zurich")
    >>> gaming_day(datetime(2026, 1, 11, 2, 30, tzinfo=zurich), zurich, 9 * 60)
    datetime.date(2026, 1, 10)
    """
    if type(change_minute) is not int or not 0 <= change_minute < DAY:
        raise ChangeTimeWrong(minute=str(change_minute)[:20])
    today = _local(moment, zone).date()
    return (
        today
        if _utc(moment) >= _utc(_moment(today, change_minute, zone))
        else today - timedelta(days=1)
    )


def _moment(day: date, minute: int, zone: tzinfo, *, last: bool = False) -> datetime:
    """A time of the house's clock; of an hour that comes twice its first one, or its last; in one
    that is lost, the leap.
    """
    days, minute = divmod(minute, DAY)
    wall = datetime.combine(
        day + timedelta(days=days), time(minute // 60, minute % 60, tzinfo=zone)
    )
    if _utc(wall).astimezone(zone).replace(tzinfo=None) != wall.replace(tzinfo=None):
        return _leap(wall)
    return wall.replace(fold=int(last))


def _leap(wall: datetime) -> datetime:
    """The moment at which the clocks leap over a time: the first whose offset is the later one."""
    before, after = (
        _utc(wall.replace(fold=1)),
        _utc(wall),
    )  # the lost time by the offset after the leap, and by that before it
    while after - before > timedelta(seconds=1):
        middle = before + (after - before) // 2
        leapt = (
            middle.astimezone(wall.tzinfo).utcoffset() == after.astimezone(wall.tzinfo).utcoffset()
        )
        before, after = (before, middle) if leapt else (middle, after)
    return after.replace(microsecond=0).astimezone(wall.tzinfo)


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)


def _local(moment: datetime, zone: tzinfo) -> datetime:
    if moment.utcoffset() is None:
        raise MomentNaive
    # a year of room on either side for zones and the day before
    if not FIRST_YEAR < moment.year < LAST_YEAR:
        raise YearOutside
    return moment.astimezone(zone)


def _week(*nights: tuple[int, int], opens: int, live_from: int | None = None) -> tuple[Hours, ...]:
    return tuple(
        Hours(opens=opens, closes=closes, closes_latest=latest, live_from=live_from)
        for closes, latest in nights
    )


_THREE, _FOUR = DAY + 3 * 60, DAY + 4 * 60

# Sunday to Thursday 12 to 03, Friday and Saturday 12 to 04, live game from 18 (003).
BAD_RAGAZ = HouseCalendar(
    week=_week(
        *[(_THREE, _THREE)] * 4,
        (_FOUR, _FOUR),
        (_FOUR, _FOUR),
        (_THREE, _THREE),
        opens=12 * 60,
        live_from=18 * 60,
    )
)

# For a demo that is looked at whenever somebody has time; its gaming day changes at 06.
ROUND_THE_CLOCK = HouseCalendar(week=_week(*[(DAY + 6 * 60, DAY + 6 * 60)] * 7, opens=6 * 60))

# 14:45 to at least 03:00 and at most 04:00 (002).
WIESBADEN = HouseCalendar(
    week=_week(*[(_THREE, _FOUR)] * 7, opens=14 * 60 + 45),
    closed=(
        "good_friday",
        "may_day",
        "corpus_christi",
        "volkstrauertag",
        "totensonntag",
        "christmas_eve",
        "christmas_day",
    ),
)
