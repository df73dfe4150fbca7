"""Which tables seals hold, and their rows in the one form in which they are hashed: as PostgreSQL's
binary COPY writes them.

That form is PostgreSQL's own and does not depend on locale or version (numbers big-endian, times in
microseconds, JSON in the order of jsonb); no row is rendered twice, and a row costs one SHA-256.
The columns stand in the seal, so a table may get new ones; one that was sealed keeps its name and
type for ever. The key comes first, then what says when the row was written.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID

import psycopg
from django.apps import apps
from django.db import models

# of a binary COPY: signature, flags, no extension; -1 instead of a number of columns
HEADER, TRAILER = 19, b"\xff\xff"
EPOCH = datetime(2000, 1, 1, tzinfo=UTC)  # PostgreSQL's
Cursor = psycopg.Cursor[Any]


@dataclass(frozen=True, slots=True)
class Form:
    """How the rows of a table are sealed: its columns, key first; whether keys are numbers; whether
    a clock comes second; where a row is read as it was made, if its own columns have changed since.
    """

    table: str
    columns: tuple[str, ...]
    numbered: bool
    dated: bool
    made: str = ""

    @property
    def source(self) -> str:
        """SQL that stands for the table in a FROM."""
        return self.made or self.table

    @property
    def key(self) -> str:
        """The column of the key."""
        return self.columns[0]

    def sql(self, source: str, columns: Sequence[str] = ()) -> str:
        """A COPY of the rows that `FROM … AS t …` names, in the order of their keys; `columns`:
        those of an older seal.
        """
        names = ", ".join(f't."{column}"' for column in columns or self.columns)
        return (
            f'COPY (SELECT {names} FROM {source} ORDER BY t."{self.key}") TO STDOUT (FORMAT BINARY)'
        )

    def key_of(self, row: bytes) -> int | UUID:
        """The key in a row's bytes: behind the number of columns and the key's own length."""
        return (
            int.from_bytes(row[6:14], "big", signed=True)
            if self.numbered
            else UUID(bytes=row[6:22])
        )

    def date_of(self, row: bytes) -> int:
        """When the database says that the row was written, as it counts (`microseconds`); only
        where the table has a clock.
        """
        at = 18 if self.numbered else 26
        return int.from_bytes(row[at : at + 8], "big", signed=True)


def microseconds(at: str) -> int:
    """A time in ISO 8601 as PostgreSQL counts: microseconds since 2000."""
    return (datetime.fromisoformat(at) - EPOCH) // timedelta(microseconds=1)


@cache
def forms() -> dict[str, Form]:
    """The form of each table that is sealed, by the table's name. The code does not change while
    the program runs.
    """
    found = (
        model
        for model in apps.get_models()
        if model._meta.managed and getattr(model, "sealed", False)
    )
    return {
        model._meta.db_table: _form(model)
        for model in sorted(found, key=lambda model: model._meta.db_table)
    }


def _form(model: type[models.Model]) -> Form:
    wanted: tuple[str, ...] = getattr(model, "sealed")  # noqa: B009  (every model that comes here has it)
    clock: str = getattr(model, "clock", "")
    fields = {field.name: str(field.column) for field in model._meta.local_concrete_fields}
    first = [str(model._meta.pk.column), *([fields[clock]] if clock else [])]
    rest = [
        column
        for name, column in fields.items()
        if column not in first and (wanted == ("*",) or name in wanted)
    ]
    key = model._meta.pk
    while isinstance(key, models.ForeignKey):  # a one-to-one key is what it points at
        key = key.target_field
    if not isinstance(key, models.UUIDField | models.BigAutoField | models.BigIntegerField):
        raise TypeError(
            f"{model._meta.db_table} cannot be sealed: its key is neither a number nor a UUID"
        )
    return Form(
        table=model._meta.db_table,
        columns=(*first, *rest),
        numbered=not isinstance(key, models.UUIDField),
        dated=bool(clock),
        made=getattr(model, "sealed_from", ""),
    )


def rows(cursor: Cursor, copy: str) -> Iterator[bytes]:
    """The rows of a COPY, one by one, as the bytes that are hashed. Bounded memory. The generator
    must be read to its end.
    """
    begun = False
    with cursor.copy(copy.encode()) as answer:
        for message in answer:
            row = bytes(message)
            if not begun:
                row, begun = row[HEADER:], True
            if row and row != TRAILER:
                yield row
