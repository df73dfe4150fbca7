"""What somebody types into the desk's one field, understood: ids, days, times, numbers, amounts,
tables, people, other names.

A table's name is looked for first (it may hold a number: UTH 2), then what has a form of its own,
then names. What was understood is shown beside the results, so nobody wonders what was looked for.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from babel.numbers import list_currencies
from django.db.models import Q

from casino.people.context import HouseClock
from casino.people.models import Person
from casino.text.floor import uuid_or_none
from casino.text.formats import APOSTROPHE, MINUS, NARROW, format_amount, style_of
from casino.text.typed import (
    DAY_IN_TEXT,
    TIME_IN_TEXT,
    WHOLE_TAIL,
    amount_of,
    day_of,
    time_of,
)
from jackpot.rules import slip_number
from payouts.errors import Refused, mark
from payouts.models import House
from tables.models import Table

WORDS_MOST = 120
TEXT_MOST = 40  # of a filter that is refused
DAYS_MOST = 35  # of one search without a table: five weeks of a house
PEOPLE_MOST = 12  # that a name may mean; more is no name of a person
AMOUNT_MOST_MINOR = 10**15
NUMBER_DIGITS = 9
EVENING = timedelta(minutes=30)  # no round runs longer

_UUID = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", re.I | re.ASCII)
_SIGNS = f".,:/'{APOSTROPHE}"
_CODE = "[A-Z]{3}|[€£$¥]"
_AFTER = rf"(?: ?(?P<after>{_CODE})(?!\w| ?\d))"
_ALONE = rf"(?![\w'{APOSTROPHE}/]|[.,:]\d)"
_GROUPS = r"\d{1,3}(?: \d{3})+(?:[.,]\d+)?"
# A run of digits and signs, with what makes an amount of it; blanks between thousands where a
# currency stands beside them, or the house writes them.
_CENTS = r"\d{1,3}(?: \d{3})+[.,]\d\d(?!\d)"  # of one amount in any house
_RUN = rf"\d(?:[\d{_SIGNS}]*\d)?(?:{WHOLE_TAIL})?"
_SPACED, _FIGURE = (
    re.compile(
        rf"(?<![\w{_SIGNS}-])(?:[-{MINUS}] ?)?(?:(?P<before>{_CODE}) ?)?[-{MINUS}]?"
        rf"(?P<run>{run}){_ALONE}{_AFTER}?",
        re.ASCII,
    )
    for run in (f"{_GROUPS}|{_RUN}", f"{_CENTS}|{_RUN}")
)
_STRAY = re.compile(r"\S*\d[.,:/'’]\d\S*", re.ASCII)  # what is left of a figure is no name
_SLIP = re.compile(
    r"(?<![\w-])(?:#|№|[Nn][or]\.? ?)?([1-9]\d{0,8}-[0-9A-F]{8})(?![\w-])", re.ASCII | re.IGNORECASE
)
_KIND_WORDS = r"(?<!\w)(?:round|hand|runde|manche|main|mano)(?= ?\d)"  # as titles name a record
_NUMBERED = re.compile(r"(?<!\w)(?:#|№|[Nn][or]\.? ?)(\d{1,9})(?![\d.,:])", re.ASCII)


class RangeWrong(Refused):
    """A range of days that ends before it begins."""

    code = "audit.range_wrong"
    rule = "HSE-1"
    sentence = mark("The range ends before it begins.")
    remedy = mark("Give the first gaming day, then the last one.")


class RangeWide(Refused):
    """More days than one search goes through."""

    code = "audit.range_wide"
    sentence = mark("A search goes through %(most)s gaming days at most.")
    remedy = mark("Choose a shorter range, or read a report over the whole of it.")


class FigureStrange(Refused):
    """Figures that are no day, time, number or amount of the house, or one too many of them:
    searching by a part of them would find what was not asked for.
    """

    code = "audit.figure_strange"
    sentence = mark("“%(text)s” cannot be read as what is searched for.")
    remedy = mark(
        "Write a day as 21.11.2026, a time as 20:30, a number as 17, and an amount in %(currency)s"
        " as %(written)s; of each at most one, of days two."
    )


class DayWrong(Refused):
    """What is given as a gaming day is none."""

    code = "audit.day_wrong"
    sentence = mark("%(day)s is no day.")
    remedy = mark("Give day, month and year, as 21.11.2026.")


class FilterStrange(Refused):
    """A filter beside the field names what this house does not have: leaving it out would show more
    than was asked for.
    """

    code = "audit.filter_unknown"
    sentence = mark("There is nothing in this house to be filtered by in “%(text)s”.")
    remedy = mark("Choose from the list, or leave the filter out.")


class SearchTooLong(Refused):
    """More words than anything is found by."""

    code = "audit.words_long"
    sentence = mark("That is too long to be searched for.")
    remedy = mark("Give at most %(most)s characters.")


@dataclass(frozen=True, slots=True)
class Asked:
    """What was understood. Amounts in minor units; `first` to `last` are gaming days; `name`: words
    that nothing else explains.

    `person`: who was chosen; `people`: whom the name may mean, so that records that bear no name
    are found by it too.
    """

    house: House
    today: date
    words: str = ""
    kind: str = ""
    ident: UUID | None = None
    first: date | None = None
    last: date | None = None
    at: time | None = None
    number: int | None = None
    # of a house that was restored from a backup: running number and incarnation
    slip: tuple[int, int] | None = None
    amount_minor: int | None = None
    table: Table | None = None
    person: Person | None = None
    name: str = ""
    people: tuple[Person, ...] = ()
    tables: Mapping[UUID, str] = field(default_factory=dict)

    @property
    def given(self) -> frozenset[str]:
        """Which of the filters were given."""
        said = {
            name
            for name in ("number", "slip", "amount_minor", "table", "person", "at", "ident")
            if getattr(self, name) is not None
        }
        if self.first or self.last:
            said.add("days")
        return frozenset(said | ({"name"} if self.name else set()))

    @property
    def who(self) -> list[UUID]:
        """The people whose records are looked for."""
        return [one.pk for one in ((self.person,) if self.person else self.people)]

    def span(self) -> tuple[datetime, datetime]:
        """The moments that are searched: those of the days given, of the day of a time or an
        amount, else of five weeks.
        """
        last = self.last or (self.first if self.first and self.at else None) or self.today
        narrow = self.at is not None or self.amount_minor is not None
        first = self.first or (
            last if narrow or self.last else last - timedelta(days=DAYS_MOST - 1)
        )
        return self._change(first), self._change(last + timedelta(days=1))

    def moment(self) -> datetime | None:
        """The moment that the time of day stands for, within its gaming day."""
        if self.at is None:
            return None
        day = self.last or self.first or self.today
        if self.at < self.house.gaming_day_change:
            day += timedelta(days=1)
        return datetime.combine(day, self.at, ZoneInfo(self.house.time_zone))

    def _change(self, day: date) -> datetime:
        return datetime.combine(day, self.house.gaming_day_change, ZoneInfo(self.house.time_zone))


def understood(house: House, said: Mapping[str, str]) -> Asked:
    """What the field (`q`) and the filters beside it (`kind`, `from`, `to`, `table`, `person`) ask
    for.

    At most four statements. Raises RangeWrong, RangeWide, DayWrong, FigureStrange, FilterStrange,
    SearchTooLong.
    """
    words = " ".join(said.get("q", "").split())
    if len(words) > WORDS_MOST:
        raise SearchTooLong(most=WORDS_MOST)
    names = dict(
        Table.objects.filter(house=house).order_by("position", "name").values_list("pk", "name")
    )
    asked = Asked(
        house, HouseClock.at(house).gaming_day, words=words, kind=said.get("kind", ""), tables=names
    )
    asked = _read(asked)
    first, last = (_day(said.get(name, "")) for name in ("from", "to"))
    if first or last:
        asked = replace(asked, first=first or asked.first, last=last or asked.last)
    if text := said.get("table", ""):
        table = uuid_or_none(text)
        if table not in names:
            raise FilterStrange(text=text[:TEXT_MOST])
        asked = replace(asked, table=_table(asked, table))
    if text := said.get("person", ""):
        person = uuid_or_none(text)
        chosen = Person.objects.filter(house=house, pk=person).first() if person else None
        if chosen is None:
            raise FilterStrange(text=text[:TEXT_MOST])
        asked = replace(asked, person=chosen)
    if asked.name and asked.person is None:
        asked = replace(asked, people=_people(asked))
    if asked.first and asked.last and asked.first > asked.last:
        raise RangeWrong
    begin, end = asked.span()
    if end - begin > timedelta(days=DAYS_MOST, hours=2):
        raise RangeWide(most=DAYS_MOST)
    return asked


def _read(asked: Asked) -> Asked:
    rest = asked.words
    named = sorted((name for name in asked.tables.values() if _named(name, rest)), key=len)
    if named:
        pk = next(pk for pk, name in asked.tables.items() if name == named[-1])
        asked = replace(asked, table=_table(asked, pk))
        rest = re.sub(_whole(named[-1]), " ", rest, count=1, flags=re.I)
    if found := _UUID.search(rest):
        asked, rest = replace(asked, ident=UUID(found[0])), rest.replace(found[0], " ", 1)
    if said := _SLIP.search(rest):
        asked, rest = replace(asked, slip=slip_number.read(said[1])), rest.replace(said[0], " ", 1)
    for text in [match[0] for match in DAY_IN_TEXT.finditer(rest)][:2]:
        day = _day(text, asked.today)
        asked = replace(asked, last=day) if asked.first else replace(asked, first=day)
        rest = rest.replace(text, " ", 1)
    if asked.first and not asked.last:
        asked = replace(asked, last=asked.first)
    if clock := TIME_IN_TEXT.search(rest):
        if (at := time_of(clock[0])) is None:
            raise _strange(clock[0], asked.house)
        asked = replace(asked, at=at)
        rest = rest.replace(clock[0], " ", 1)
    asked, rest = _figures(asked, rest)
    if stray := _STRAY.search(rest):
        raise _strange(stray[0], asked.house)
    return replace(asked, name=" ".join(rest.split()).strip(", "))


def _figures(asked: Asked, rest: str) -> tuple[Asked, str]:
    """An amount is what has a currency, a decimal sign or separators; any other figure is a number,
    and one that says so is first. Raises FigureStrange.
    """
    rest = re.sub(_KIND_WORDS, " ", rest, flags=re.I)
    if said := _NUMBERED.search(rest):
        asked, rest = replace(asked, number=int(said[1])), rest.replace(said[0], " ", 1)
    house = asked.house
    left = ""
    end = 0
    has_code = re.search(rf"(?<!\w)(?:{_CODE})(?!\w)", rest, re.ASCII) is not None
    is_spaced = has_code or style_of(house.locale).thousands == NARROW
    for match in (_SPACED if is_spaced else _FIGURE).finditer(rest):
        code = match["before"] or match["after"] or ""
        is_name = len(code) == 3 and code != house.currency and code not in list_currencies()
        word, text = (code, match["run"]) if is_name else ("", match[0])
        asked = _with_number(asked, text) if text.isdecimal() else _with_amount(asked, text)
        left += f"{rest[end : match.start()]} {word} "
        end = match.end()
    return asked, left + rest[end:]


def _with_number(asked: Asked, text: str) -> Asked:
    if asked.number is not None or len(text) > NUMBER_DIGITS:
        raise _strange(text, asked.house)
    return replace(asked, number=int(text))


def _with_amount(asked: Asked, text: str) -> Asked:
    """Of an amount the size: books have it with either sign."""
    amount_minor = amount_of(text, asked.house.currency, asked.house.locale)
    if amount_minor is None or asked.amount_minor is not None:
        raise _strange(text, asked.house)
    if abs(amount_minor) > AMOUNT_MOST_MINOR:
        raise _strange(text, asked.house)
    return replace(asked, amount_minor=abs(amount_minor))


def _strange(text: str, house: House) -> FigureStrange:
    written = format_amount(128450, house.currency, house.locale)
    return FigureStrange(text=text[:TEXT_MOST], currency=house.currency, written=written)


def _day(text: str, today: date | None = None) -> date | None:
    """A day as people or browsers write it; without a year it is the last such day up to `today`.
    Raises DayWrong.
    """
    if not text.strip():
        return None
    day = day_of(text, today)
    if day is None:
        raise DayWrong(day=text[:20])
    return day


def _table(asked: Asked, pk: UUID | None) -> Table:
    return Table(pk=pk, house=asked.house, name=asked.tables[pk] if pk else "")


def _people(asked: Asked) -> tuple[Person, ...]:
    """Whom of the house a name may mean: those whose own name holds it; nobody where that says too
    little.
    """
    rows = Person.objects.filter(house=asked.house)
    rows = rows.filter(Q(full_name__icontains=asked.name) | Q(username__icontains=asked.name))
    found = tuple(rows.order_by("full_name", "pk")[: PEOPLE_MOST + 1])
    return found if len(found) <= PEOPLE_MOST else ()


def _whole(name: str) -> str:
    return rf"(?<!\w){re.escape(name)}(?!\w)"


def _named(name: str, words: str) -> bool:
    return re.search(_whole(name), words, re.I) is not None
