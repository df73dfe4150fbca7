"""What is sent, read strictly: one declaration of a field reads it on the hot path and describes it in the schema.

Nested serializers of the framework cost more than the command that they read; so a body is a flat row of fields, and what is nested
in it (stakes, results) is read by the service that uses it.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, NoReturn
from uuid import UUID

from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from casino.text.request_errors import (
    BODY_MOST,
    FieldMissing,
    FieldUnknown,
    FieldWrong,
    KeyRefused,
    NotAnObject,
    TooLarge,
    Unreadable,
)
from payouts.errors import mark
from payouts.rules.plain import check_text
from payouts.rules.rulesets.schema import picture, sent

_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", re.ASCII)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_WHOLE = re.compile(r"-?[0-9]{1,10}", re.ASCII)
_KEY = re.compile(r"[!-~]{8,200}", re.ASCII)
KEY_PATTERN = "^[!-~]{8,200}$"

AN_ID = mark("an id (UUID)")
A_NUMBER = mark("a whole number from %(low)s to %(high)s")
A_TEXT = mark("a text")
SIX_DIGITS = mark("a text of six digits")
A_HASH = mark("a text of 64 digits from 0 to f")
A_FLAG = mark("true or false")
A_DAY = mark("a day such as 2026-11-21")
A_LIST = mark("a list")
AN_OBJECT = mark("an object")
REQUIRED: Any = object()


class StrictJson(BaseParser):
    """JSON in UTF-8, each name once, no NaN, not too long, not too deep."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        """Raises Unreadable, TooLarge."""
        most: int = getattr((parser_context or {}).get("view"), "body_most", BODY_MOST)
        raw = stream.read(most + 1)
        if len(raw) > most:
            raise TooLarge(most=most)
        try:
            return json.loads(raw.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:  # not UTF-8, not JSON, a number of 5000 digits
            raise Unreadable from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Unreadable
    return found


def _no_constant(_name: str) -> NoReturn:
    raise Unreadable


class WrongError(ValueError):
    """A value that its field does not take."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field: how it is read (raises WrongError, or a refusal of its own), what it is called when it is wrong, its schema."""

    read: Callable[[Any, str], Any]
    expected: str
    schema: Mapping[str, Any]
    default: Any = REQUIRED
    limits: Mapping[str, int] | None = None  # what `expected` names
    hidden: bool = False  # what was sent is not told again

    @property
    def required(self) -> bool:
        """Whether it must be sent."""
        return self.default is REQUIRED


def read_fields(fields: Mapping[str, Field], raw: object) -> dict[str, Any]:
    """Every field by name. Raises NotAnObject, FieldUnknown, FieldMissing, FieldWrong, TextRefused."""
    if not isinstance(raw, Mapping):
        raise NotAnObject
    for name in raw:
        if name not in fields:
            raise FieldUnknown(name=picture(name))
    values: dict[str, Any] = {}
    for name, field in fields.items():
        if name in raw:
            try:
                values[name] = field.read(raw[name], name)
            except WrongError as error:
                raise _wrong(name, field, raw[name]) from error
        elif field.required:
            raise FieldMissing(name=name)
        else:
            values[name] = field.default
    return values


def read_query(request: Request, fields: Mapping[str, Field]) -> dict[str, Any]:
    """The parameters of the address, each at most once. Raises as `read_fields`."""
    for name, values in request.query_params.lists():
        if name in fields and len(values) > 1:
            raise _wrong(name, fields[name], values)
    return read_fields(fields, request.query_params.dict())


def _wrong(name: str, field: Field, value: object) -> FieldWrong:
    limits = dict(field.limits or {})
    expects = {"sentence": field.expected, "data": limits}  # for people, in their language
    expected = field.expected % limits if limits else field.expected
    return FieldWrong(name=name, value="…" if field.hidden else sent(value), expected=expected, expects=expects)


def key_of(request: Request) -> str:
    """The command's key, from its header. Raises KeyRefused."""
    key = request.headers.get("Idempotency-Key", "")
    if not _KEY.fullmatch(key):
        raise KeyRefused
    return key


# --- kinds of fields -----------------------------------------------------------------------------------------------------------
def identity(*, nullable: bool = False, default: Any = REQUIRED) -> Field:
    """An id."""
    schema: dict[str, Any] = {"type": ["string", "null"] if nullable else "string", "format": "uuid"}

    def read(value: Any, _name: str) -> UUID | None:
        if value is None and nullable:
            return None
        if not isinstance(value, str) or not _UUID.fullmatch(value):
            raise WrongError
        return UUID(value)

    return Field(read, AN_ID, schema, default)


def whole(low: int, high: int, *, nullable: bool = False, default: Any = REQUIRED) -> Field:
    """A whole number."""
    kinds = ["integer", "null"] if nullable else "integer"

    def read(value: Any, _name: str) -> int | None:
        if value is None and nullable:
            return None
        if type(value) is not int or not low <= value <= high:
            raise WrongError
        return value

    schema = {"type": kinds, "minimum": low, "maximum": high}
    return Field(read, A_NUMBER, schema, default, {"low": low, "high": high})


def digits(low: int, high: int, *, default: Any = REQUIRED) -> Field:
    """A whole number in the address."""

    def read(value: Any, _name: str) -> int:
        if not _WHOLE.fullmatch(value) or not low <= int(value) <= high:
            raise WrongError
        return int(value)

    schema = {"type": "integer", "minimum": low, "maximum": high}
    return Field(read, A_NUMBER, schema, default, {"low": low, "high": high})


def text(
    least: int,
    most: int,
    *,
    codes: tuple[str, ...] = (),
    default: Any = REQUIRED,
    pattern: str = "",
    expected: str = A_TEXT,
    hidden: bool = False,
) -> Field:
    """A text. `codes` stand in the schema; what is none of them is refused by the command, in its own words. `expected` says what
    fits the `pattern`.
    """
    schema: dict[str, Any] = {"type": "string", "minLength": least, "maxLength": most}
    if codes:
        schema = {"type": "string", "enum": list(codes)}
    if pattern:
        schema |= {"pattern": pattern}

    def read(value: Any, name: str) -> str:
        if pattern and not (isinstance(value, str) and re.fullmatch(pattern, value, re.ASCII)):
            raise WrongError
        return check_text(value, name, least=least, most=most)

    return Field(read, expected, schema, default, hidden=hidden)


def one_of(*codes: str, default: Any = REQUIRED) -> Field:
    """One of a few words."""

    def read(value: Any, _name: str) -> str:
        if value not in codes:
            raise WrongError
        return str(value)

    return Field(read, ", ".join(codes), {"type": "string", "enum": list(codes)}, default)


def flag(*, default: Any = REQUIRED) -> Field:
    """True or false."""

    def read(value: Any, _name: str) -> bool:
        if not isinstance(value, bool):
            raise WrongError
        return value

    return Field(read, A_FLAG, {"type": "boolean"}, default)


def day(*, default: Any = REQUIRED) -> Field:
    """A calendar day."""

    def read(value: Any, _name: str) -> date:
        if not isinstance(value, str) or not _DAY.fullmatch(value):
            raise WrongError
        try:
            return date.fromisoformat(value)
        except ValueError as error:
            raise WrongError from error

    return Field(read, A_DAY, {"type": "string", "format": "date"}, default)


def items(schema: Mapping[str, Any], *, most: int, expected: str = A_LIST) -> Field:
    """A list whose items the command reads itself, and refuses in its own words."""

    def read(value: Any, _name: str) -> list[Any]:
        if not isinstance(value, list):
            raise WrongError
        return value

    return Field(read, expected, {"type": "array", "items": dict(schema), "maxItems": most})


def record(schema: Mapping[str, Any], *, expected: str = AN_OBJECT) -> Field:
    """An object that the command reads itself, and refuses in its own words."""

    def read(value: Any, _name: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise WrongError
        return value

    return Field(read, expected, dict(schema))
