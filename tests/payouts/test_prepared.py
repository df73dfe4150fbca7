"""Calls that go together: each a statement of its own, none after one that failed, the COMMIT only where all ends with it."""

import os
import socket
from uuid import uuid4

import psycopg
import pytest
from django.db import DataError, IntegrityError, OperationalError, connection, transaction
from psycopg.pq import ConnStatus, ExecStatus, TransactionStatus

from payouts.db import fast_calls
from payouts.db.constraints import database_away
from payouts.db.fast_calls import call, calls
from payouts.models import CommandKey
from tests.databases import superuser
from tests.payouts.test_idempotency import _wait_until_somebody_waits, in_thread

ANSWER = "SELECT command_answer_v2($1::text, $2::bytea, $3::jsonb)"
LOCK = "SELECT pg_advisory_xact_lock($1::bigint)"
KEYS = "SELECT count(*) FROM payouts_commandkey"


def answer(text: str | None = "{}") -> tuple[str, list[object]]:
    return ANSWER, [str(uuid4()), b"f" * 32, text]


def is_idle() -> bool:
    return connection.connection.pgconn.transaction_status == TransactionStatus.IDLE


def test_each_gives_its_row(db: None):
    found = calls(("SELECT $1::int + 1, NULL", [1]), (KEYS + " WHERE false", []), ("SELECT 1 WHERE false", []))
    assert found == [("2", None), ("0",), ()]
    with transaction.atomic():
        assert calls(("SELECT $1::text", ["x" * 9]), ("SELECT $1::bytea", [b"\0\xff"])) == [("x" * 9,), ("\\x00ff",)]


def test_long_values_and_long_rows_pass(db: None):
    text = "0123456789" * 200_000
    assert calls(*[("SELECT $1::text, repeat($2::text, 200000)", [text, "0123456789"])] * 3) == [(text, text)] * 3


def test_later_one_sees_what_was_committed_while_the_earlier_one_waited(own_database):
    with superuser(own_database) as holder:
        with holder.transaction():
            holder.execute("SELECT pg_advisory_xact_lock(7)")
            thread, came = in_thread(lambda: _in_transaction((LOCK, [7]), (KEYS, [])))
            _wait_until_somebody_waits(own_database)
            holder.execute("INSERT INTO payouts_commandkey VALUES ('a-late-key', '\\x00', '{}', now())")
        thread.join(60)
    assert came == [[("",), ("1",)]]


def _in_transaction(*statements: tuple[str, list[object]]) -> list[tuple[object, ...]]:
    with transaction.atomic():
        return calls(*statements)


def test_none_is_carried_out_after_one_that_failed(own_database):
    with pytest.raises(DataError, match="division by zero"), transaction.atomic():
        calls(("SELECT 1 / $1::int", [0]), ("SELECT pg_advisory_lock($1::bigint)", [8]))
    assert is_idle()
    held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
    assert call(held, []) == ("0",)


def test_commit_goes_with_the_last_one_and_hooks_come_after_it(own_database):
    seen: list[int] = []
    with transaction.atomic(durable=True):
        transaction.on_commit(lambda: seen.append(CommandKey.objects.count()))
        call(*answer(), commit=True)
        assert (is_idle(), seen) == (True, [])
    assert (seen, CommandKey.objects.count()) == ([1], 1)


def test_inner_block_commits_nothing(db: None):
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        with transaction.atomic():
            call(*answer(), commit=True)
        assert not is_idle()
        raise ZeroDivisionError
    assert CommandKey.objects.count() == 0


def test_what_the_commit_refuses_is_raised_by_the_call(own_database):
    with pytest.raises(IntegrityError) as refused, transaction.atomic(durable=True):
        call(*answer(None), commit=True)
        pytest.fail("it went on after a commit that was refused")
    assert refused.value.__cause__.diag.constraint_name == "command_key_answered"
    assert (is_idle(), CommandKey.objects.count()) == (True, 0)


def test_line_that_breaks_between_two_is_an_error_of_operation(own_database):
    with pytest.raises(OperationalError), transaction.atomic():
        calls(("SELECT pg_terminate_backend(pg_backend_pid())", []), ("SELECT 1", []))
    connection.close()
    assert call("SELECT 1", []) == ("1",)


@pytest.mark.parametrize("within", [True, False])
def test_line_that_the_server_closed_is_an_error_of_operation(own_database, within):
    call("SELECT 1", [])
    with socket.socket(fileno=os.dup(connection.connection.pgconn.socket)) as line:
        line.shutdown(socket.SHUT_RDWR)
    with pytest.raises(OperationalError) as cut:
        if within:
            with transaction.atomic():
                call("SELECT 1", [])
        else:
            call("SELECT 1", [])
    assert database_away(cut.value)
    connection.close()
    assert call("SELECT 1", []) == ("1",)


def test_error_that_no_server_wrote_is_an_error_of_operation(db: None):
    """After a crash libpq may fail to send while a last warning is still to be read: the line calls itself sound for a moment."""
    connection.ensure_connection()
    line = connection.connection.pgconn
    assert line.status == ConnStatus.OK
    with pytest.raises(psycopg.OperationalError) as cut:
        fast_calls._row(line, line.make_empty_result(ExecStatus.FATAL_ERROR))
    assert database_away(cut.value)


def test_line_whose_answers_nobody_waited_for_is_closed(own_database, monkeypatch):
    """A worker that is stopped while it waits: the next command must not read this one's answers."""

    def stopped(line: object) -> None:
        raise SystemExit

    connection.ensure_connection()
    line = connection.connection
    monkeypatch.setattr(fast_calls, "_results", stopped)
    with pytest.raises(SystemExit), transaction.atomic():
        call(*answer(), commit=True)
    assert line.closed
    monkeypatch.undo()
    connection.close()
    assert call("SELECT 1", []) == ("1",)
