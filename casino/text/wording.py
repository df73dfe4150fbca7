"""Sentences of the rules as people read them: in the language of the page, amounts as money of the
house, words for codes.

The rules speak in English templates over plain data, and programs get both as they are. What a
value is, its name tells: `..._minor` is an amount, the names in `VOCABULARY` are words, `field` is
a place in a posted table or form. A part that is itself a sentence has its own `sentence` and
`data`.
"""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any
from uuid import UUID

from django.utils.formats import date_format
from django.utils.translation import gettext

from casino.text import ruleset_fields
from casino.text.formats import format_figure, format_money
from casino.text.rulesets import CHOICES, FIELDS
from casino.text.states import Words, translated
from casino.text.vocabulary import CHECKLIST, PLACES, TITLES, VOCABULARY
from payouts.errors import mark
from payouts.models import House
from tables.models import Guest

# The English text of these is for programs; people read it from the templates beside it.
_SENTENCES_OF = {"says": "contradictions", "expected": "expects"}
_IN_THE_FIELDS_UNIT = {"value", "low", "high", "step"}
LISTS = {"choices": CHOICES, "items": CHECKLIST, "kinds": TITLES}
DAYS = {"day", "opened", "first", "last"}
_DAY = re.compile(r"[0-9]{4}-[0-1][0-9]-[0-3][0-9]", re.ASCII)
_WHOLE = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_EMPTY, _LIST = mark("empty"), mark("this list")
_CHECKED = {"null": _EMPTY, "": _EMPTY, "true": CHOICES["yes"], "false": CHOICES["no"]}


def worded(sentence: str, data: Mapping[str, object], house: House | None = None) -> str:
    """The sentence with its data; without a house amounts are figures without a currency."""
    house = house or House(currency="", locale="")
    return gettext(sentence) % {
        name: _value_text(name, value, data, house) for name, value in data.items()
    }


def guest_name(number: int) -> str:
    """What a guest without a name is called."""
    return gettext("Guest %(number)s") % {"number": number}


def _guest(token: str) -> str:
    """A guest's token as the number that the table knows them by; anything else as it is."""
    try:
        number = Guest.objects.filter(pk=UUID(token)).values_list("number", flat=True).first()
    except ValueError:
        return token
    return token if number is None else guest_name(number)


def _value_text(name: str, value: object, data: Mapping[str, object], house: House) -> object:
    if _SENTENCES_OF.get(name) in data:
        return _sentences(data[_SENTENCES_OF[name]], data, house)
    if name in DAYS and _DAY.fullmatch(str(value)):
        return _day(value)
    if name in _WORDED_BY:
        return _WORDED_BY[name](str(value))
    if name in LISTS or isinstance(value, list):
        several = value if isinstance(value, list) else str(value).split(", ")
        return ", ".join(_word(LISTS.get(name, {}), str(one)) for one in several)
    if name == "example" and isinstance(value, int):
        return ruleset_fields.input_text(ruleset_fields.name_of(str(data["field"])), value, house)
    if name in _IN_THE_FIELDS_UNIT and "field" in data:
        return _in_unit(str(data["field"]), value, house)
    if name.endswith("_minor") or name == "amount":
        return (
            format_money(int(str(value)), house.currency, house.locale)
            if _is_whole(value)
            else value
        )
    if name in ("percent", "edge"):
        return format_figure(str(value), house.locale)
    if name in VOCABULARY and isinstance(value, str):
        return _word(VOCABULARY[name], value)
    return value


def _day(value: object) -> object:
    """A day as people write it; one that no calendar has as it was typed."""
    try:
        return date_format(date.fromisoformat(str(value)), "d.m.Y")
    except ValueError:
        return value


def _sentences(parts: Any, data: Mapping[str, object], house: House) -> str:
    """Sentences within a sentence; numbers in them are in the unit of the field that the whole is
    about.
    """
    field = {"field": data["field"]} if "field" in data else {}
    every = parts if isinstance(parts, list) else [parts]
    return " ".join(worded(part["sentence"], {**part["data"], **field}, house) for part in every)


def _place(field: str) -> str:
    """`paytable.lines[2].odds` as `Lines · 3 · Pays`, `boxes.2.result` as `Boxes · 2 · Result`,
    `full_name` as `full name`.
    """
    first, _dot, rest = field.partition(".")
    if not rest:
        return ", ".join(_word(FIELDS | TITLES | PLACES, name) for name in field.split(", "))
    words = FIELDS | PLACES if first == "body" else PLACES | FIELDS
    if first.partition("[")[0] not in words:
        field = rest  # it began with the kind of table
    parts = re.findall(r"\[([0-9]{1,4})\]|([^.\[\]]+)", field)
    return " · ".join(str(int(line) + 1) if line else _word(words, name) for line, name in parts)


def _in_unit(field: str, value: object, house: House) -> object:
    if isinstance(value, int):
        return ruleset_fields.show_value(ruleset_fields.name_of(field), value, house)
    text = str(value)
    if text in _CHECKED:
        return gettext(_CHECKED[text])
    return gettext(_LIST) if text.startswith(("[", "{")) else _word(CHOICES, text)


def _word(words: Words, code: str) -> str:
    return translated(words.get(code, code)) if code else ""  # gettext("") is the catalogue's head


def _is_whole(value: object) -> bool:
    return (
        isinstance(value, int | str)
        and not isinstance(value, bool)
        and bool(_WHOLE.fullmatch(str(value)))
    )


_WORDED_BY = {"field": _place} | dict.fromkeys(
    ("guest", "decider", "first", "second", "seated"), _guest
)
