"""What somebody types, read back as the house writes it: amounts, figures, days and times of day.

Whatever `formats` and the pages' dates write is read. What cannot be read whole is not read at all,
and what could mean two things means what it does in the house's locale.
"""

import re
from datetime import date, time
from itertools import chain

from django.utils.dates import WEEKDAYS, WEEKDAYS_ABBR

from casino.text.formats import (
    APOSTROPHE,
    MINUS,
    NARROW,
    NBSP,
    digits_of,
    format_amount,
    style_of,
    symbol_of,
)
from payouts.errors import Refused, mark
from payouts.models import House

GIVEN_MOST = 30  # characters of what was typed that a refusal repeats
WHOLE_MOST = 15  # digits before the decimal sign
_SPACES = str.maketrans({NBSP: " ", NARROW: " ", "\u2009": " ", APOSTROPHE: "'", MINUS: "-"})
_PLAIN = re.compile(rf"[0-9]{{1,{WHOLE_MOST}}}", re.ASCII)
_GROUPED = re.compile(r"[0-9]{1,3}(?:(?P<sign>[ '.,])[0-9]{3})(?:(?P=sign)[0-9]{3})*", re.ASCII)
WHOLE_TAIL = r"\.[-–—]{1,2}"  # 40.– is what a till writes for whole francs
_TAIL = re.compile(r"(?P<whole>[0-9 '.,]*[0-9])(?P<sign>[.,])(?P<part>[0-9]+)", re.ASCII)
_DAY = re.compile(
    r"(20[0-9]{2})-([0-9]{2})-([0-9]{2})"
    r"|([0-9]{1,2})(?:\. ?([0-9]{1,2})\.(?: ?(20[0-9]{2})|([0-9]{2}))?"
    r"|([/-])([0-9]{1,2})\8(20[0-9]{2}|[0-9]{2}))",
    re.ASCII,
)
_HOUR = r"(?:uhr|h|heures?|ore|o[’']clock|mes?z|ces?t)"
_WINTER = ("mez", "cet")  # the second time that a clock shows an hour
_TIME = re.compile(
    r"(?P<ore>ore |alle )?(?P<hour>[0-9]{1,2})"
    r"(?:(?P<sign>[:.]| ?h ?)(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2}))?)?"
    rf"(?P<word> ?{_HOUR})?",
    re.ASCII | re.IGNORECASE,
)
# Where a day or a time stands among other words; what it is the readers say.
DAY_IN_TEXT = re.compile(
    r"(?<![\w./-])(?:20\d\d-\d\d-\d\d|\d{1,2}\. ?\d{1,2}\.(?: ?20\d\d|\d\d)?"
    r"|\d{1,2}([/-])\d{1,2}\1(?:20\d\d|\d\d))(?![\w/]|\.\d)",
    re.ASCII,
)
TIME_IN_TEXT = re.compile(
    r"(?<![\w:.,/’'-])(?:\d{1,2}:\d\d(?::\d\d)?|(?:ore |alle )\d{1,2}[.:]\d\d|\d{1,2}[.h]\d\d"
    rf"(?= ?{_HOUR}(?!\w))|\d{{1,2}} ?h ?\d\d(?!\d)|\d{{1,2}}(?= ?{_HOUR}(?!\w)))"
    rf"(?: ?{_HOUR})?(?![\w:]|[.,]\d)",
    re.ASCII | re.IGNORECASE,
)


class AmountRefused(Refused):
    """What was typed is no amount of the house's currency."""

    code = "floor.amount_refused"
    sentence = mark("“%(given)s” is no amount in %(currency)s.")
    remedy = mark("Enter an amount as the house writes it, such as %(written)s.")


def minor_typed(text: str, house: House, *, least: int | None = 0) -> int:
    """An amount of the house, in minor units. Raises AmountRefused for what is none, or less than
    `least`; without it, a minus counts.
    """
    amount = amount_of(text, house.currency, house.locale)
    if amount is None or (least is not None and amount < least):
        raise AmountRefused(
            given=text[:GIVEN_MOST],
            currency=house.currency,
            written=format_amount(128450, house.currency, house.locale),
        )
    return amount


def amount_of(text: str, currency: str, locale: str) -> int | None:
    """What `format_money` and `format_amount` write, in minor units; None for anything else."""
    return figure_of(text, digits_of(currency), locale, (currency, symbol_of(currency)))


def figure_of(text: str, digits: int, locale: str, units: tuple[str, ...] = ()) -> int | None:
    """A figure with at most so many `digits` behind its decimal sign, times ten to their power;
    one of `units` may stand on either side. None for what is no such figure.

    >>> figure_of("1.284,50 €", 2, "de-DE", ("€",)), figure_of("1’284.5", 2, "de-CH")
    (128450, 128450)
    >>> figure_of("1.284", 2, "de-DE"), figure_of("1.284", 2, "de-CH")
    (128400, None)
    """
    unit = "|".join(re.escape(name) for name in units) or "(?!)"
    match = re.fullmatch(
        rf" *(-?) *((?:{unit}) *)?(-?) *([0-9](?:[0-9 '.,]*[0-9])?)(?:{WHOLE_TAIL})?"
        rf"( *(?:{unit}))? *",
        text.translate(_SPACES),
        re.ASCII | re.IGNORECASE,
    )
    if match is None or (match[1] and match[3]) or (match[2] and match[5]):
        return None
    whole, part = _parts(match[4], digits, locale)
    if whole is None or not _PLAIN.fullmatch(whole):
        return None
    value = int(whole) * int(10**digits) + int(part.ljust(digits, "0") or 0)
    return -value if match[1] or match[3] else value


def _parts(figure: str, digits: int, locale: str) -> tuple[str | None, str]:
    """The digits before and behind the decimal sign. A lone point or comma before three digits is
    what the locale has it for; before fewer it can only be the decimal sign.
    """
    style = style_of(locale)
    tail = _TAIL.fullmatch(figure)
    if tail is None or tail["sign"] in tail["whole"]:
        return _ungrouped(figure), ""
    is_grouped = _GROUPED.fullmatch(figure) is not None
    if is_grouped and tail["sign"] == style.thousands:
        return _ungrouped(figure), ""
    if len(tail["part"]) > digits or (is_grouped and tail["sign"] != style.decimal):
        return None, ""
    return _ungrouped(tail["whole"]), tail["part"]


def _ungrouped(whole: str) -> str | None:
    if _PLAIN.fullmatch(whole):
        return whole
    return re.sub("[ '.,]", "", whole) if _GROUPED.fullmatch(whole) else None


def day_of(text: str, today: date | None = None) -> date | None:
    """The day that is meant: the day before the month, as all our pages write it; None where it is
    none that the calendar has, or not of this century.

    With `today` one without a year is the last such day.
    """
    text = text.strip().replace(NBSP, " ").replace(NARROW, " ")
    weekday, _space, rest = text.partition(" ")
    named = weekday.rstrip(".,").casefold() in _weekdays()
    match = _DAY.fullmatch(rest.strip() if named else text)
    if match is None:
        return None
    try:
        if match[1]:
            return date(int(match[1]), int(match[2]), int(match[3]))
        day, month = int(match[4]), int(match[5] or match[9])
        if year := match[6] or match[7] or match[10]:
            return date(2000 + int(year) % 100, month, day)
        if today is None:
            return None
        this_year = date(today.year, month, day)
        return this_year if this_year <= today else this_year.replace(year=today.year - 1)
    except ValueError:
        return None


def _weekdays() -> set[str]:
    """How the pages of this language call the days of a week."""
    names = chain(WEEKDAYS.values(), WEEKDAYS_ABBR.values())
    return {str(name).rstrip(".").casefold() for name in names}


def day_as_written(text: str) -> str:
    """What a field shows again: a day in the house's form, anything else as it was typed."""
    day = day_of(text)
    return f"{day:%d.%m.%Y}" if day else text


def time_of(text: str) -> time | None:
    """A time of day: 20:30, 20:30:05, and with the word for it 20.30 Uhr, 20h30, ore 20.30; None
    for what is none. In the night in which the clocks go back 02:30 CET is the second one.
    """
    match = _TIME.fullmatch(text.strip())
    if match is None or (match["sign"] == "." and not (match["word"] or match["ore"])):
        return None
    if match["minute"] is None and not match["word"]:
        return None
    try:
        hour, minute, second = (int(match[name] or 0) for name in ("hour", "minute", "second"))
        is_second = (match["word"] or "").strip().lower() in _WINTER
        return time(hour, minute, second, fold=int(is_second))
    except ValueError:
        return None
