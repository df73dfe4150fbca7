"""What is sent, read strictly."""

import json
import re
from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar, cast

from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from casino.api.schemas.fields import ABSENT, REQUIRED, Field, WrongError, fields_of
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
from payouts.rules.rulesets.schema import picture, sent

Body = TypeVar("Body")
KEY_PATTERN = "^[!-~]{8,200}$"


class StrictJson(BaseParser):
    """JSON in UTF-8, each name once, no NaN, not too long, not too deep."""

    media_type = "application/json"

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Raises Unreadable, TooLarge."""
        most: int = getattr((parser_context or {}).get("view"), "body_most", BODY_MOST)
        raw = stream.read(most + 1)
        if len(raw) > most:
            raise TooLarge(most=most)
        try:
            return json.loads(
                raw.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_constant
            )
        except (
            ValueError,
            RecursionError,
        ) as error:  # not UTF-8, not JSON, a number of 5000 digits
            raise Unreadable from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Unreadable
    return found


def _no_constant(_name: str) -> NoReturn:
    raise Unreadable


def read_body(structure: type[Body], raw: object) -> Body:
    """The fields of a structure. Raises NotAnObject, FieldUnknown, FieldMissing, FieldWrong,
    TextRefused.
    """
    if not isinstance(raw, Mapping):
        raise NotAnObject
    fields = fields_of(structure)  # type: ignore[arg-type]  # a class can be looked up
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
        elif field.default is REQUIRED:
            raise FieldMissing(name=name)
        elif field.default is not ABSENT:
            values[name] = field.default
    return cast(Body, values)


def read_query(structure: type, request: Request) -> dict[str, Any]:
    """The parameters of the address, each at most once. Raises as `read_body`."""
    fields = fields_of(structure)
    for name, values in request.query_params.lists():
        if name in fields and len(values) > 1:
            raise _wrong(name, fields[name], values)
    return cast(dict[str, Any], read_body(structure, request.query_params.dict()))


def _wrong(name: str, field: Field, value: object) -> FieldWrong:
    limits = dict(field.limits or {})
    expects = {"sentence": field.expected, "data": limits}  # for people, in their language
    expected = field.expected % limits if limits else field.expected
    return FieldWrong(
        name=name, value="…" if field.hidden else sent(value), expected=expected, expects=expects
    )


def key_of(request: Request) -> str:
    """The command's key, from its header. Raises KeyRefused."""
    key = request.headers.get("Idempotency-Key", "")
    if not re.fullmatch(KEY_PATTERN, key, re.ASCII):
        raise KeyRefused
    return key
