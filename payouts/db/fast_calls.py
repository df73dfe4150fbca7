"""Calls of SQL functions on the hot path: prepared once per connection, values sent apart from the
text, straight through libpq.

Django binds on the client: each call writes all values into a new text, which PostgreSQL parses and
plans anew. And a cursor of psycopg costs several times what the exchange itself does, for services
(formats, types, streams) that a call of one row does not use (`make bench ARGS=floor`). Everything
else goes through Django's ordinary cursor.

Note [One trip]: what asks nothing of an earlier answer goes with it: the BEGIN with a transaction's
first call, several calls (`calls`), the COMMIT with a command's last one. Each stays a statement of
its own, with a snapshot of its own, and none is carried out after one that failed.
"""

import select
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus, TransactionStatus
from psycopg.pq.abc import PGconn, PGresult


class _Calls:
    """What Django's cursor wrapper needs of a cursor: so many statements, values as text, one row
    each as text or None.
    """

    def __init__(self, raw: "psycopg.Connection[Any]", count: int, *, commit: bool) -> None:
        self.raw, self.line, self.count, self.commit = raw, raw.pgconn, count, commit
        self.sql = ""
        self.waiting: list[tuple[bytes, list[Any]]] = []
        self.rows: list[tuple[str | None, ...]] = []

    @property
    def _query(self) -> SimpleNamespace:
        """What Django writes into its log of queries."""
        return SimpleNamespace(query=self.sql.encode())

    def execute(self, sql: str, values: Sequence[object]) -> None:
        """Prepare the statement the first time; send them all with the last one. Raises psycopg's
        errors.
        """
        self.sql = sql
        prepared: dict[str, bytes] = self.raw.__dict__.setdefault("_saalchef_prepared", {})
        if sql not in prepared:
            name = b"call_%d" % len(prepared)
            _row(self.line, self.line.prepare(name, sql.encode()))
            prepared[sql] = name
        self.waiting.append((prepared[sql], [_text(value) for value in values]))
        if len(self.waiting) == self.count:
            self._send()

    def _send(self) -> None:
        begin = not self.raw.autocommit and self.line.transaction_status == TransactionStatus.IDLE
        if self.count == 1 and not begin and not self.commit:
            results = [self.line.exec_prepared(*self.waiting[0])]
        else:
            results = _together(self.line, self.waiting, begin=begin, commit=self.commit)
        rows = [_row(self.line, result) for result in results]
        self.rows = rows[begin : begin + self.count]

    def close(self) -> None:
        """Nothing is held."""


def _together(
    line: PGconn, waiting: Sequence[tuple[bytes, list[Any]]], *, begin: bool, commit: bool
) -> list[PGresult]:
    """Send the statements at once and wait for all their results."""
    line.enter_pipeline_mode()
    try:
        if begin:
            line.send_query_params(b"BEGIN", None)
        for name, texts in waiting:
            line.send_query_prepared(name, texts)
        if commit:
            line.send_query_params(b"COMMIT", None)
        line.pipeline_sync()
        results = _results(line)
        line.exit_pipeline_mode()
    except BaseException:  # answers may still be on their way: nobody shall take them for their own
        line.finish()
        raise
    return results


def _results(line: PGconn) -> list[PGresult]:
    """The results of all that was sent. Waits by `poll`: libpq's own waiting would hold all threads
    of the process up.
    """
    ready = select.poll()
    results: list[PGresult] = []
    while True:
        unsent = line.flush()
        if line.is_busy():
            ready.register(line.socket, select.POLLIN | (select.POLLOUT if unsent else 0))
            ready.poll()
            line.consume_input()
        elif (result := line.get_result()) is not None:
            if result.status == ExecStatus.PIPELINE_SYNC:
                return results
            results.append(result)
        elif line.status != ConnStatus.OK:
            raise psycopg.OperationalError(line.get_error_message())


def _row(line: PGconn, result: PGresult) -> tuple[str | None, ...]:
    if result.status == ExecStatus.TUPLES_OK:
        cells = (
            (result.get_value(0, column) for column in range(result.nfields))
            if result.ntuples
            else ()
        )
        return tuple(None if cell is None else cell.decode() for cell in cells)
    if result.status == ExecStatus.COMMAND_OK:
        return ()
    # What has no SQLSTATE is libpq's own: the line broke, though it may not call itself broken yet.
    if line.status != ConnStatus.OK or result.error_field(DiagnosticField.SQLSTATE) is None:
        raise psycopg.OperationalError(result.get_error_message())
    raise psycopg.errors.error_from_result(result)


def call(sql: str, values: Sequence[object], *, commit: bool = False) -> tuple[Any, ...]:
    """Execute a SELECT that gives one row, prepared, and give the row as PostgreSQL writes it:
    texts, None for NULL; () if there is none.

    `sql` has $1, $2 … with their types (`$1::uuid`). Errors come as Django's, queries are counted
    as Django's.
    `commit`: it is the last statement of the `atomic` around it. If that is the outermost one, the
    COMMIT goes with it, and what PostgreSQL refuses at the commit is raised here.
    """
    return calls((sql, values), commit=commit)[0]


def calls(*statements: tuple[str, Sequence[object]], commit: bool = False) -> list[tuple[Any, ...]]:
    """Several as by `call` in one trip, one after the other, each with a snapshot of its own; none
    after one that fails.
    """
    # looked up once: `connection` looks it up with each attribute
    here = connections[DEFAULT_DB_ALIAS]
    here.ensure_connection()
    ends = commit and len(here.atomic_blocks) == 1
    cursor = _Calls(here.connection, len(statements), commit=ends)
    wrapped = here._prepare_cursor(cursor)  # type: ignore[attr-defined]  # errors, log, hooks
    for sql, values in statements:
        wrapped.execute(sql, values)
    return cursor.rows


def _text(value: object) -> bytes | None:
    """A value as PostgreSQL reads it: bytes in hex, everything else as Python writes it."""
    if value is None:
        return None
    return b"\\x" + value.hex().encode() if isinstance(value, bytes) else str(value).encode()
