"""An answer as plain JSON: ids as text, times in ISO 8601, amounts in minor units."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import cache
from typing import Annotated, Any, cast, get_args, get_origin
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import FieldDoesNotExist
from django.db import models

from casino.api.schemas.common import Minor, codes
from casino.api.schemas.fields import Column, hints_of, is_structure, taken_apart
from payouts.rules.plain import Json

_KINDS: Mapping[type, Any] = {
    models.BinaryField: str,
    models.BooleanField: bool,
    models.CharField: str,
    models.DateField: date,
    models.DateTimeField: datetime,
    models.IntegerField: int,
    models.JSONField: dict[str, Any],
    models.UUIDField: UUID,
}
_AS_IT_IS = frozenset({str, int, bool, dict, type(None)})
_WRITTEN: Mapping[type, Callable[[Any], str]] = {
    UUID: str,
    datetime: datetime.isoformat,
    date: date.isoformat,
}


def answer(structure: type, row: Any = None, **more: object) -> dict[str, Json]:
    """The fields of a structure, each from `more`, or else from the row: a column of it, or what is
    nested in it.
    """
    found: dict[str, Json] = {}
    kind: Any = type(row)
    is_mapping = isinstance(row, Mapping)
    for name, column, nested in _plan(structure, kind):
        value: Any = (
            more[name] if name in more else row[name] if is_mapping else getattr(row, column)
        )
        found[name] = plain(value) if nested is None else _nested(nested, value)
    return found


@cache
def _plan(structure: type, row: type) -> tuple[tuple[str, str, type | None], ...]:
    """Each field's name, the row's name for it, and the structure of what is in it, if it is one.

    What refers to another row is answered as its id, or nested as a structure of its own.
    """
    found = []
    for name, hint in hints_of(structure).items():
        parts = taken_apart(hint)
        kind = get_args(parts.kind)[0] if get_origin(parts.kind) is list else parts.kind
        nested = kind if is_structure(kind) else None
        column = parts.note(Column) or Column(f"{name}_id")
        found.append(
            (name, column.name if nested is None and hasattr(row, column.name) else name, nested)
        )
    return tuple(found)


def _nested(structure: type, value: Any) -> Json:
    if value is None:
        return None
    return (
        [answer(structure, one) for one in value]
        if isinstance(value, list)
        else answer(structure, value)
    )


def plain(value: Any) -> Json:
    """One value as JSON writes it."""
    kind = type(value)
    if kind in _AS_IT_IS:
        return cast(Json, value)
    if write := _WRITTEN.get(kind):
        return write(value)
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return str(value) if isinstance(value, str) else bytes(value).hex()


def columns(model: type[models.Model], names: str) -> dict[str, Any]:
    """The annotations of these columns; what refers to another row is its id."""
    return {name: _annotation(name, _field(model, name)) for name in names.split()}


def _field(model: type[models.Model], name: str) -> Any:
    try:
        return model._meta.get_field(name)
    except FieldDoesNotExist:
        return model._meta.get_field(f"{name}_id")


def _annotation(name: str, field: Any) -> Any:
    if isinstance(field, ArrayField):
        return list[_annotation(name, field.base_field)]  # type: ignore[misc]
    column = field
    while column.remote_field:
        column = column.target_field
    kind = next(_KINDS[one] for one in type(column).__mro__ if one in _KINDS)
    if kind is int and name.endswith("_minor"):
        kind = Minor
    if field.choices:
        kind = Annotated[kind, codes(value for value, _label in field.flatchoices)]
    return kind | None if field.null else kind
