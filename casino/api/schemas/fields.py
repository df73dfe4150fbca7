"""A structure's annotations: how each field is read, what is expected of it, and its JSON Schema.

A body is a flat row of fields, read on the hot path; what is nested in it (stakes, results) is read
by the service that uses it, and refused in its own words.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache
from inspect import get_annotations
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    NamedTuple,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)
from uuid import UUID

from django.utils.dateparse import parse_datetime

from payouts.errors import mark
from payouts.rules.plain import check_text

Schema = dict[str, Any]
REQUIRED: Any = object()
ABSENT: Any = object()

_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", re.ASCII)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_WHOLE = re.compile(r"-?[0-9]{1,10}", re.ASCII)

AN_ID = mark("an id (UUID)")
A_NUMBER = mark("a whole number from %(low)s to %(high)s")
A_TEXT = mark("a text")
SIX_DIGITS = mark("a text of six digits")
A_HASH = mark("a text of 64 digits from 0 to f")
A_FLAG = mark("true or false")
A_DAY = mark("a day such as 2026-11-21")
A_LIST = mark("a list")
A_MOMENT = mark("a moment with its zone (ISO 8601)")
LONGEST = 40  # characters of a moment
IDS = mark("a list of 1 to %(most)s ids (UUID), each once")
AN_OBJECT = mark("an object")


class WrongError(ValueError):
    """A value that its field does not take."""


@dataclass(frozen=True, slots=True, eq=False)  # a note of a type is told apart by what it is
class Field:
    """One field: how it is read (raises WrongError, or a refusal of its own), what it is called
    when it is wrong, its schema.
    """

    read: Callable[[Any, str], Any]
    expected: str
    schema: Mapping[str, Any]
    limits: Mapping[str, int] | None = None  # what `expected` names
    hidden: bool = False  # what was sent is not told again
    default: Any = REQUIRED  # ABSENT: the field may be left out, and is then not among the values


class Default(NamedTuple):
    """Of a field that may be left out, the value it then has."""

    value: Any


@dataclass(frozen=True, slots=True, eq=False)
class Detail:
    """Of a field's schema, what its type does not say."""

    schema: Schema


class Column(NamedTuple):
    """Of a field that its row calls something else."""

    name: str


class _Hint(NamedTuple):
    """An annotation taken apart: the type, whether None fits too, and what was noted of it."""

    kind: Any
    nullable: bool
    notes: Sequence[Any]

    def note(self, wanted: type) -> Any:
        """The first note of this kind."""
        return next((one for one in self.notes if isinstance(one, wanted)), None)


def taken_apart(hint: Any) -> _Hint:
    """The parts of an annotation, also of one that wraps an annotated alias."""
    notes: tuple[Any, ...] = ()
    nullable = False
    while (origin := get_origin(hint)) is not None:
        if origin is Annotated:
            hint, notes = hint.__origin__, (*notes, *hint.__metadata__)
        elif origin is NotRequired:
            hint = get_args(hint)[0]
        elif origin in (Union, UnionType) and NoneType in get_args(hint):
            nullable, [hint] = True, [one for one in get_args(hint) if one is not NoneType]
        else:
            break
    return _Hint(hint, nullable, notes)


class Answer:
    """What is answered. `row`: the columns that it shows, whose types their model knows;
    annotations say what else there is.
    """

    row: ClassVar[Mapping[str, Any]] = {}
    hints: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        cls.hints = {**cls.hints, **vars(cls).get("row", {}), **get_annotations(cls)}


def is_structure(kind: Any) -> bool:
    """Whether it says what a body or an answer is."""
    return is_typeddict(kind) or (isinstance(kind, type) and issubclass(kind, Answer))


@cache
def hints_of(structure: type) -> dict[str, Any]:
    """The annotations of a structure, in its order."""
    return (
        structure.hints
        if issubclass(structure, Answer)
        else get_type_hints(structure, include_extras=True)
    )


@cache
def fields_of(structure: Any) -> dict[str, Field]:
    """How each field of a body or a query is read."""
    return {
        name: _field(hint, needed=name in structure.__required_keys__)
        for name, hint in hints_of(structure).items()
    }


def _field(hint: Any, *, needed: bool) -> Field:
    parts = taken_apart(hint)
    field: Field = (
        parts.note(Field)
        or _BY_TYPE.get(parts.kind)
        or (LIST if get_origin(parts.kind) is list else RECORD)
    )
    if parts.nullable:
        field = replace(field, read=_or_none(field.read))
    default = parts.note(Default)
    return replace(field, default=default.value if default else REQUIRED if needed else ABSENT)


def _or_none(read: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    return lambda value, name: None if value is None else read(value, name)


def whole(low: int, high: int) -> Field:
    """A whole number."""

    def read(value: Any, _name: str) -> int:
        if type(value) is not int or not low <= value <= high:
            raise WrongError
        return value

    return Field(
        read,
        A_NUMBER,
        {"type": "integer", "minimum": low, "maximum": high},
        {"low": low, "high": high},
    )


def digits(low: int, high: int) -> Field:
    """A whole number in the address."""

    def read(value: Any, _name: str) -> int:
        if not _WHOLE.fullmatch(value) or not low <= int(value) <= high:
            raise WrongError
        return int(value)

    return replace(whole(low, high), read=read)


def text(
    least: int,
    most: int,
    *,
    codes: Sequence[str] = (),
    pattern: str = "",
    expected: str = A_TEXT,
    hidden: bool = False,
) -> Field:
    """A text. `codes` stand in the schema; what is none of them is refused by the command, in its
    own words. `expected` says what fits the `pattern`.
    """
    schema: Schema = {"type": "string", "minLength": least, "maxLength": most}
    if codes:
        schema = {"type": "string", "enum": list(codes)}
    if pattern:
        schema |= {"pattern": pattern}

    def read(value: Any, name: str) -> str:
        if pattern and not (isinstance(value, str) and re.fullmatch(pattern, value, re.ASCII)):
            raise WrongError
        return check_text(value, name, least=least, most=most)

    return Field(read, expected, schema, hidden=hidden)


def one_of(*codes: str) -> Field:
    """One of a few words."""

    def read(value: Any, _name: str) -> str:
        if value not in codes:
            raise WrongError
        return str(value)

    return Field(read, ", ".join(codes), {"type": "string", "enum": list(codes)})


def _identity(value: Any, _name: str) -> UUID:
    if not isinstance(value, str) or not _UUID.fullmatch(value):
        raise WrongError
    return UUID(value)


def ids(most: int) -> Field:
    """A list of ids, each once."""

    def read(value: Any, name: str) -> list[UUID]:
        if not isinstance(value, list) or not 1 <= len(value) <= most:
            raise WrongError
        uuids = [_identity(item, name) for item in value]
        if len({*uuids}) != len(uuids):
            raise WrongError
        return uuids

    items = {"type": "string", "format": "uuid"}
    schema = {"type": "array", "items": items, "minItems": 1, "maxItems": most, "uniqueItems": True}
    return Field(read, IDS, schema, {"most": most})


def moment() -> Field:
    """A moment with its zone."""

    def read(value: Any, _name: str) -> datetime:
        at = parse_datetime(value) if isinstance(value, str) and len(value) <= LONGEST else None
        if at is None or at.tzinfo is None or not 2000 <= at.year < 2100:
            raise WrongError
        return at

    return Field(read, A_MOMENT, {"type": "string", "format": "date-time", "maxLength": LONGEST})


def by_command(field: Field) -> Field:
    """A field that the command itself reads, and refuses in its own words."""
    return replace(field, read=lambda value, _name: value)


def _day(value: Any, _name: str) -> date:
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        raise WrongError
    try:
        return date.fromisoformat(value)
    except ValueError as error:
        raise WrongError from error


def _of_type(kind: type) -> Callable[[Any, str], Any]:
    def read(value: Any, _name: str) -> Any:
        if not isinstance(value, kind):
            raise WrongError
        return value

    return read


LIST = Field(_of_type(list), A_LIST, {"type": "array"})  # its items are read by the command
RECORD = Field(_of_type(dict), AN_OBJECT, {"type": "object"})  # and so is what is in it
_BY_TYPE: dict[Any, Field] = {
    UUID: Field(_identity, AN_ID, {"type": "string", "format": "uuid"}),
    bool: Field(_of_type(bool), A_FLAG, {"type": "boolean"}),
    date: Field(_day, A_DAY, {"type": "string", "format": "date"}),
}

COMPONENTS: dict[str, Schema] = {}
_ANSWERED: dict[Any, Schema] = {
    Any: {},
    str: {"type": "string"},
    int: {"type": "integer"},
    datetime: {"type": "string", "format": "date-time"},
}


def schema_of(hint: Any) -> Schema:
    """The JSON Schema of an annotation; its `Detail` says more."""
    parts = taken_apart(hint)
    field: Field | None = parts.note(Field) or _BY_TYPE.get(parts.kind)
    schema = dict(field.schema) if field else _schema_of_type(parts.kind)
    detail: Detail | None = parts.note(Detail)
    schema |= detail.schema if detail else {}
    if not parts.nullable:
        return schema
    if "enum" in schema or schema.get("type", "object") in ("object", "array"):
        return {"oneOf": [schema, {"type": "null"}]}
    return schema | {"type": [schema["type"], "null"]}


def _schema_of_type(kind: Any) -> Schema:
    if is_structure(kind):
        return object_of(kind) if kind.__name__.startswith("_") else ref(kind)
    if get_origin(kind) is list:
        return {"type": "array", "items": schema_of(get_args(kind)[0])}
    if get_origin(kind) is dict:
        values = schema_of(get_args(kind)[1])
        return {"type": "object"} | ({"additionalProperties": values} if values else {})
    return dict(_ANSWERED[kind])


def object_of(structure: Any) -> Schema:
    """The schema of an object with exactly these fields."""
    properties: dict[str, Schema] = {}
    required: list[str] = []
    may_lack = getattr(structure, "__optional_keys__", ())
    for name, hint in hints_of(structure).items():
        default = taken_apart(hint).note(Default)
        properties[name] = schema_of(hint) | ({"default": default.value} if default else {})
        if default is None and name not in may_lack:
            required.append(name)
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return schema | ({"required": required} if required else {})


def ref(structure: Any) -> Schema:
    """A structure as a component of the document."""
    name = structure.__name__
    if name not in COMPONENTS:
        COMPONENTS[name] = {}  # it may lead to itself
        says = {"description": " ".join(structure.__doc__.split())} if structure.__doc__ else {}
        COMPONENTS[name] = object_of(structure) | says
    return {"$ref": f"#/components/schemas/{name}"}
