"""Calls of SQL functions on the hot path: prepared once per connection, values sent apart from the text, straight through libpq.

Django binds on the client: each call writes all values into a new text, which PostgreSQL parses and plans anew. And a cursor of
psycopg costs several times what the exchange itself does, for services (formats, types, streams) that a call of one row does not
use (`make bench ARGS=floor`). Everything else goes through Django's ordinary cursor.
"""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import psycopg
from django.db import connection
from psycopg.pq import ConnStatus, ExecStatus, TransactionStatus
from psycopg.pq.abc import PGconn


class _Call:
    """What Django's cursor wrapper needs of a cursor: one statement, values as text, one row as text or None."""

    def __init__(self, raw: "psycopg.Connection[Any]") -> None:
        self.raw = raw
        self.sql = ""
        self.row: tuple[str | None, ...] = ()

    @property
    def _query(self) -> SimpleNamespace:
        """What Django writes into its log of queries."""
        return SimpleNamespace(query=self.sql.encode())

    def execute(self, sql: str, values: Sequence[object]) -> None:
        """Begin a transaction where psycopg would, prepare the statement the first time, execute it. Raises psycopg's errors."""
        self.sql = sql
        line: PGconn = self.raw.pgconn
        if not self.raw.autocommit and line.transaction_status == TransactionStatus.IDLE:
            self._check(line.exec_(b"BEGIN"))
        prepared: dict[str, bytes] = self.raw.__dict__.setdefault("_saalchef_prepared", {})
        if sql not in prepared:
            name = b"call_%d" % len(prepared)
            self._check(line.prepare(name, sql.encode()))
            prepared[sql] = name
        texts: list[Any] = [_text(value) for value in values]
        self.row = self._check(line.exec_prepared(prepared[sql], texts))

    def fetchone(self) -> tuple[str | None, ...]:
        """The row."""
        return self.row

    def close(self) -> None:
        """Nothing is held."""

    def _check(self, result: Any) -> tuple[str | None, ...]:
        if result.status == ExecStatus.TUPLES_OK:
            cells = (result.get_value(0, column) for column in range(result.nfields)) if result.ntuples else ()
            return tuple(None if cell is None else cell.decode() for cell in cells)
        if result.status == ExecStatus.COMMAND_OK:
            return ()
        if self.raw.pgconn.status != ConnStatus.OK:
            raise psycopg.OperationalError(result.get_error_message())
        raise psycopg.errors.error_from_result(result)


def call(sql: str, values: Sequence[object]) -> tuple[Any, ...]:
    """Execute a SELECT that gives one row, prepared, and give the row as PostgreSQL writes it: texts, None
    for NULL; () if there is none.

    `sql` has $1, $2 … with their types (`$1::uuid`). Errors come as Django's, queries are counted as Django's.
    """
    connection.ensure_connection()
    cursor = connection._prepare_cursor(_Call(connection.connection))  # type: ignore[attr-defined]  # errors, log, hooks
    cursor.execute(sql, values)
    row: tuple[Any, ...] = cursor.fetchone()
    return row


def _text(value: object) -> bytes | None:
    """A value as PostgreSQL reads it: bytes in hex, everything else as Python writes it."""
    if value is None:
        return None
    return b"\\x" + value.hex().encode() if isinstance(value, bytes) else str(value).encode()
