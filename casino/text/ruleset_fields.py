"""Posted tables for people: fields by name, amounts in the house's currency, lists as rows; and
back from a form to data.

The rules class says which fields there are and what each may hold, so a new kind needs no page of
its own. What a person types is only translated here (`5.00` to 500); whether it may be posted is
decided by the rules.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, cast

from django.utils.translation import gettext

from casino.text.formats import digits_of, format_money, plain_decimal, symbol_of
from casino.text.rulesets import CHOICES, EMPTY, FIELDS
from casino.text.typed import figure_of, time_of
from payouts.models import House
from payouts.rules.rulesets.odds import OddsField
from payouts.rules.rulesets.paytable import BY_NAME, CategoryField
from payouts.rules.rulesets.schema import Change, Posted

SPARE_ROWS = 2
_AMOUNTS = {"stake_step", "odds_round_to", "payout_unit"}
_TIMES = {"opens", "closes", "closes_latest", "live_from"}
_TEXTS = {"authority_file"}  # what a house writes as it likes
_DAY, _NEXT_DAY = 24 * 60, "(+1)"
_CLOCK = re.compile(r"([0-9]{1,2}):([0-5][0-9])", re.ASCII)


@dataclass(frozen=True)
class Cell:
    """One value: where it is (`lines.0.odds`), how it is called, as text; for forms the choices,
    whether it was refused, and what an empty one stands for.
    """

    path: str
    label: str
    text: str
    options: tuple[tuple[str, str], ...] = ()
    numeric: bool = False
    wrong: bool = False
    empty: str = ""


@dataclass(frozen=True)
class Group:
    """A field with one value, or a list: its head and its rows."""

    label: str
    cell: Cell | None = None
    head: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()


def label(name: str) -> str:
    """The field's name in the language of the page."""
    return gettext(FIELDS.get(name, name))


def name_of(path: str) -> str:
    """The field's own name: `odds` of `paytable.lines[2].odds`."""
    return re.findall(r"[a-z_]+", path)[-1] if re.search(r"[a-z_]", path) else path


def field_groups(posted: Posted, house: House) -> list[Group]:
    """Every field of a posted table as people read it."""
    texts = _flat(posted, lambda name, kind, raw: show_value(name, raw, house))
    return _groups(
        type(posted), texts, lambda path, name, kind: Cell(path, label(name), texts.get(path, ""))
    )


def show_value(name: str, raw: object, house: House) -> str:
    """One value of plain data as people read it: an amount of the house, a percentage, a time, a
    word.
    """
    if raw is None:
        return gettext(EMPTY.get(name, "none"))
    if isinstance(raw, bool):
        # outside the call: texts inside it are taken for a sentence of the catalogues
        word = "yes" if raw else "no"
        return gettext(CHOICES[word])
    if isinstance(raw, int) and name in _TIMES and raw >= _DAY:
        return f"{_plain(name, raw - _DAY, house)} {_NEXT_DAY}"
    if name in _TEXTS:
        return str(raw) or gettext("none")
    if isinstance(raw, int):
        return (
            format_money(raw, house.currency, house.locale)
            if _is_amount(name)
            else _plain(name, raw, house)
        )
    return gettext(CHOICES.get(str(raw), str(raw)))


def show_change(
    change: Change, house: House, data: Mapping[str, Any] | None = None
) -> tuple[str, str, str]:
    """Where two versions differ, before and after; a dash stands for a line that is not there in
    one of them. `data`: of the later one, whose rows say their hand.
    """
    names = re.findall(r"[a-z_]+|\d+", change.field)
    where = " · ".join(
        _row_name(data, names[at - 1], int(name), house) if name.isdigit() else label(name)
        for at, name in enumerate(names)
    )
    name = name_of(change.field)
    before, after = (
        _changed_text(name, value, change, house) for value in (change.before, change.after)
    )
    return where, before, after


def _row_name(data: Mapping[str, Any] | None, of: str, place: int, house: House) -> str:
    rows = (data or {}).get(of)
    row = rows[place] if isinstance(rows, list) and place < len(rows) else None
    hand = row.get("hand") if isinstance(row, dict) else None
    number = str(place + 1)
    return f"{number}, {show_value('hand', hand, house)}" if isinstance(hand, str) else number


def _changed_text(name: str, value: object, change: Change, house: House) -> str:
    if value is None and "[" in change.field and name not in EMPTY:
        return "–"
    return show_value(name, value, house)


def texts_of(posted: Posted, house: House) -> dict[str, str]:
    """The fields of a form filled from a posted table."""
    return _flat(posted, lambda name, kind, raw: input_text(name, raw, house))


def form(rules: type[Posted], texts: Mapping[str, str], wrong: str = "") -> list[Group]:
    """The fields of a form, with spare rows to add lines; `wrong`: the path of a field that was
    refused.
    """

    def cell(path: str, name: str, kind: object) -> Cell:
        bad = bool(wrong) and (path == wrong or path.startswith(f"{wrong}."))
        empty = gettext(EMPTY[name]) if name in EMPTY else ""
        return Cell(
            path,
            label(name),
            texts.get(path, ""),
            _options(kind),
            hasattr(kind, "optional"),
            bad,
            empty,
        )

    return _groups(rules, texts, cell, spare=SPARE_ROWS)


def data_of(rules: type[Posted], texts: Mapping[str, str], house: House) -> dict[str, object]:
    """Plain data from a form's texts; a row that was left empty is not there. What is no figure
    stays as it was typed.
    """
    data: dict[str, object] = {"kind": rules.KIND, "schema": rules.SCHEMA}
    for name, kind in _kinds(rules):
        item = getattr(kind, "item", None)
        if item is None:
            data[name] = _value(name, kind, texts.get(name, ""), house)
        else:
            rows = [
                _row(item, f"{name}.{place}", name, texts, house)
                for place in range(_length(name, texts))
            ]
            data[name] = [row for row in rows if row is not None]
    return data


def path_of(field: object) -> str:
    """`paytable.lines[2].odds` of a refusal as the path of a form's field: `lines.2.odds`."""
    return str(field).replace("[", ".").replace("]", "").partition(".")[2]


def _row(item: Any, path: str, name: str, texts: Mapping[str, str], house: House) -> object:
    nested = getattr(item, "kind", None)
    if nested is None:
        text = texts.get(path, "")
        return _value(name, item, text, house) if text.strip() else None
    names = _kinds(nested)
    if not any(texts.get(f"{path}.{inner}", "").strip() for inner, _kind in names):
        return None
    return {
        inner: _value(inner, kind, texts.get(f"{path}.{inner}", ""), house) for inner, kind in names
    }


def _value(name: str, kind: object, text: str, house: House) -> object:
    text = text.strip()
    if isinstance(kind, CategoryField | OddsField) or hasattr(kind, "words") or name in _TEXTS:
        return text
    if not hasattr(kind, "optional"):
        return {"yes": True, "no": False}.get(text, text)
    if not text and kind.optional:
        return None
    if name in _TIMES:
        return _minutes(text)
    units = (house.currency, symbol_of(house.currency)) if _is_amount(name) else ("%",)
    figure = figure_of(text, _decimals(name, house), house.locale, units)
    return text if figure is None else figure


def _minutes(text: str) -> object:
    """A time of day in minutes, past midnight as `29:30` or, as pages show it, `05:30 (+1)`; what
    is none is given back.
    """
    clock = text.removesuffix(_NEXT_DAY).strip()
    late = _CLOCK.fullmatch(text)
    if late is not None:
        return int(late[1]) * 60 + int(late[2])
    at = time_of(clock)
    if at is None:
        return text
    return at.hour * 60 + at.minute + (0 if clock == text else _DAY)


def _kinds(rules: type[Posted]) -> list[tuple[str, Any]]:
    return [(one.name, one.metadata["kind"]) for one in fields(cast(Any, rules))]


def _flat(posted: Posted, text: Callable[[str, object, object], str]) -> dict[str, str]:
    """Every value of a table by its path."""
    found: dict[str, str] = {}

    def walk(path: str, name: str, raw: object) -> None:
        if isinstance(raw, dict):
            for inner, value in raw.items():
                walk(f"{path}.{inner}", inner, value)
        elif isinstance(raw, list):
            for place, value in enumerate(raw):
                walk(f"{path}.{place}", name, value)
        else:
            found[path] = text(name, None, raw)

    for name, raw in posted.fields_data().items():
        walk(name, name, raw)
    return found


def _groups(
    rules: type[Posted],
    texts: Mapping[str, str],
    cell: Callable[[str, str, object], Cell],
    spare: int = 0,
) -> list[Group]:
    groups = []
    for name, kind in _kinds(rules):
        item = getattr(kind, "item", None)
        if item is None:
            groups.append(Group(label(name), cell(name, name, kind)))
            continue
        nested = getattr(item, "kind", None)
        inner = (
            [(f".{one}", one, kind) for one, kind in _kinds(nested)]
            if nested
            else [("", name, item)]
        )
        there = _length(name, texts)
        length = min(there + spare, max(kind.high, there))
        rows = tuple(
            tuple(cell(f"{name}.{place}{end}", one, part) for end, one, part in inner)
            for place in range(length)
        )
        # one column is what its caption says
        head = tuple(label(one) for _end, one, _part in inner) if nested else ()
        groups.append(Group(label(name), head=head, rows=rows))
    return groups


def _length(name: str, texts: Mapping[str, str]) -> int:
    """How many rows a list has; never more than a person could have been shown."""
    places = [
        int(found[1])
        for path in texts
        if (found := re.match(rf"{name}\.([0-9]{{1,2}})(?:\.|$)", path))
    ]
    return max(places, default=-1) + 1


def _options(kind: object) -> tuple[tuple[str, str], ...]:
    if isinstance(kind, CategoryField):
        words: tuple[str, ...] = tuple(reversed(BY_NAME))
    elif isinstance(kind, OddsField) or hasattr(kind, "optional") or hasattr(kind, "most"):
        return ()
    else:
        words = getattr(kind, "words", ("yes", "no"))
    return tuple((word, gettext(CHOICES.get(word, word))) for word in words)


def input_text(name: str, raw: object, house: House) -> str:
    """One value as it is typed into a form: without currency, empty for nothing."""
    if raw is None:
        return ""
    if isinstance(raw, bool):
        return "yes" if raw else "no"
    return _plain(name, raw, house) if isinstance(raw, int) else str(raw)


def _plain(name: str, raw: int, house: House) -> str:
    if name in _TIMES:
        return f"{raw // 60:02d}:{raw % 60:02d}"
    return plain_decimal(raw, _decimals(name, house), house.locale)


def _is_amount(name: str) -> bool:
    return name.endswith("_minor") or name in _AMOUNTS


def _decimals(name: str, house: House) -> int:
    if name.endswith("_bp"):
        return 2
    return digits_of(house.currency) if _is_amount(name) else 0
