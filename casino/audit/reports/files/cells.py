"""One cell in the language of the reader and the way of the house; the same for screen, PDF and the
CSV that people open.
"""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from casino.audit.reports.shape import Cell, Column
from casino.records.names import Names
from casino.text.clock_times import day_and_time
from casino.text.formats import format_amount
from casino.text.states import translated
from payouts.models import House

NONE = "–"  # nobody knows, or it does not apply: never 0
# What a spreadsheet takes for a formula, also after apostrophes; the wide forms count as well where
# such keyboards are used.
_SIGNS = "[=+\\-@\t\r\n＝＋－＠]"
_FORMULA = re.compile(f"'*{_SIGNS}")
# Whoever reads a CSV with the other separator ends a cell in the middle of a text, quoted or not;
# what follows the separator begins the next one.
_BEGIN, _THEN = "(?<![^,;\t\r\n])", f"(?=[ '\"]*{_SIGNS})"
_BARE = re.compile(_BEGIN + _THEN)
_MARKED = re.compile(f"{_BEGIN}'{_THEN}")


def cell_text(column: Column, value: Cell, house: House, names: Names | None = None) -> str:
    """A cell as people read it: amounts and moments as the house writes them, codes as words.
    Nothing known is a dash.
    """
    if value is None:
        return NONE
    if column.type == "money":
        return format_amount(int(value), house.currency, house.locale)
    if column.type == "day":
        return date_format(datetime.fromisoformat(str(value)), "d.m.Y")
    if column.type == "moment":
        return day_and_time(moment(str(value), house))
    return word(column, str(value), house, names)


def word(column: Column, code: str, house: House, names: Names | None = None) -> str:
    """The word for a code, or a text in the reader's words with `names` for ids; one without a word
    stands for itself.
    """
    words = column.words or {}
    if code in words:
        return translated(words[code])
    text = column.tells(code, house) if column.tells else code
    return names.in_text(text) if names and column.names else text


def moment(text: str, house: House) -> datetime:
    """A moment of the canonical form in the house's zone."""
    return datetime.fromisoformat(text).astimezone(ZoneInfo(house.time_zone))


def is_formula(text: str) -> bool:
    """Whether a spreadsheet may take a text for a formula."""
    return _FORMULA.match(text) is not None


def harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula, whichever separator it reads by: with an
    apostrophe before each part that looks like one. `plain` takes them away.

    >>> harmless("=1+1"), harmless("'=1"), harmless("a=1"), harmless("a;=1")
    ("'=1+1", "''=1", 'a=1', "a;'=1")
    """
    return _BARE.sub("'", text)


def plain(text: str) -> str:
    """The text that `harmless` was given.

    >>> plain(harmless("'=1")), plain("'t Hart")
    ("'=1", "'t Hart")
    """
    return _MARKED.sub("", text)


def cut(text: str, most: int) -> str:
    """The text if it has `most` characters as a spreadsheet counts them (UTF-16); else its
    beginning, and where the whole of it is.
    """
    units = text.encode("utf-16-le")
    if len(units) <= 2 * most:
        return text
    mark = _("… (cut from %(count)s characters; all of it is in CSV and JSON)")
    mark = f" {mark}" % {"count": len(text)}
    return units[: 2 * (most - len(mark))].decode("utf-16-le", "ignore") + mark
