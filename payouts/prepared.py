"""Calls of SQL functions on the hot path: prepared once per connection, values sent apart from the text.

Django binds on the client: each call writes all values into a new text, which PostgreSQL parses and plans anew. For a call with a
dozen arrays that costs more than the function itself (`make bench`). Everything else goes through Django's ordinary cursor.
"""

from collections.abc import Sequence
from typing import Any

import psycopg
from django.db import connection


class _PreparedCursor(psycopg.Cursor[Any]):
    """psycopg's server-binding cursor that prepares whatever it executes."""

    def execute(
        self, query: Any, params: Any = None, *, prepare: bool | None = True, binary: bool | None = None
    ) -> Any:
        return super().execute(query, params, prepare=prepare, binary=binary)


def call(sql: str, values: Sequence[object]) -> tuple[Any, ...]:
    """Execute a SELECT that gives one row, prepared, and give the row. Errors come as Django's, queries are counted as Django's."""
    connection.ensure_connection()
    # Django's own wrapper round another kind of cursor: its errors, its query log, its execute_wrapper hooks.
    with connection._prepare_cursor(_PreparedCursor(connection.connection)) as cursor:  # type: ignore[attr-defined]
        cursor.execute(sql, values)
        row: tuple[Any, ...] = cursor.fetchone()
    return row
