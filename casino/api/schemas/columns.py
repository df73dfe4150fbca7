"""What a model knows of its columns, as annotations of an answer: ids, choices, what may be missing."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Annotated, Any
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import FieldDoesNotExist
from django.db import models

from casino.api.schemas.common import Json, Minor, codes

_KINDS: Mapping[type, Any] = {
    models.BinaryField: str,
    models.BooleanField: bool,
    models.CharField: str,
    models.DateField: date,
    models.DateTimeField: datetime,
    models.IntegerField: int,
    models.JSONField: Json,
    models.UUIDField: UUID,
}


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
