"""`run_once`: one key, one effect, one answer; proved with threads that meet on events and with a server that is killed."""

import os
import signal
import threading
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casino.database import this_database
from payouts import commands
from payouts.commands import Answer, answers_forget, request_fingerprint, run_once
from payouts.db.fast_calls import call
from payouts.errors import Refused
from payouts.models import CommandKey, Event
from payouts.services import event_record
from tests.databases import superuser
from tests.races.meet import rewrite

HANG_S = 60  # nothing but a hang takes so long
WAIT_MS = commands.WAIT_MS
BODY = request_fingerprint("test.do", "nora", {"amount_minor": 500})


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who repeats waits as long as the first takes, on any machine."""
    monkeypatch.setattr(commands, "WAIT_MS", HANG_S * 1000)


def record(name: str = "test.done") -> dict[str, int]:
    return {"event": event_record(name).pk}


def refusal_of(work: Callable[[], object]) -> Refused:
    with pytest.raises(Refused) as refused:
        work()
    return refused.value


def in_thread(work: Callable[[], object]) -> tuple[threading.Thread, list[Any]]:
    """Start `work` in a thread of its own; its result or exception lands in the list."""
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append(work())
        except Exception as error:  # noqa: BLE001  (the test looks at it)
            outcome.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread, outcome


def test_same_key_and_body_gives_the_first_answer(own_database):
    key = str(uuid4())
    first = run_once(key, BODY, record)
    again = run_once(key, BODY, lambda: pytest.fail("the work ran twice"))
    assert (first.replayed, again.replayed, again.body) == (False, True, first.body)
    assert Event.objects.count() == 1


def test_an_answer_is_durable_whatever_the_session_was_set_to(own_database):
    """As far as `payouts.db.durability` asks of the server."""
    set_to = ("off", "local", "remote_write", "on", "remote_apply")
    committed = {}
    for value in set_to:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT set_config('synchronous_commit', %s, false)", [value])
            call(commands._ANSWER, [str(uuid4()), BODY, "{}"])
            cursor.execute("SHOW synchronous_commit")
            (committed[value],) = cursor.fetchone()
    assert committed == dict.fromkeys(set_to, "on") | {"remote_apply": "remote_apply"}


def test_an_answer_is_forgotten_after_thirty_days_and_its_key_stays(own_database):
    """Nothing is done a second time, however long ago it was; what else was asked under the key is refused as ever."""
    keys = [str(uuid4()) for _ in range(3)]
    for key in keys:
        run_once(key, BODY, record)
    with superuser() as link:
        link.execute("ALTER TABLE payouts_commandkey DISABLE TRIGGER command_key_guard")
        for key, days in zip(keys, (29, 31, 32), strict=True):
            link.execute(
                "UPDATE payouts_commandkey SET created_at = now() - %s * interval '1 day' WHERE key = %s", [days, key]
            )
        link.execute("ALTER TABLE payouts_commandkey ENABLE ALWAYS TRIGGER command_key_guard")
    assert [answers_forget(most=1) for _ in range(3)] == [1, 1, 0]
    assert run_once(keys[0], BODY, lambda: pytest.fail("the work ran twice")).replayed
    for key in keys[1:]:
        assert refusal_of(lambda key=key: run_once(key, BODY, record)).code == "command.key_old"
        assert refusal_of(lambda key=key: run_once(key, b"x" * 32, record)).code == "command.key_reused"
    assert Event.objects.count() == 3


def test_same_key_with_another_body_is_refused(own_database):
    key = str(uuid4())
    run_once(key, BODY, record)
    other = request_fingerprint("test.do", "nora", {"amount_minor": 501})
    assert refusal_of(lambda: run_once(key, other, record)).code == "command.key_reused"
    assert Event.objects.count() == 1


def test_same_key_of_another_person_is_refused(own_database):
    key = str(uuid4())
    run_once(key, BODY, record)
    other = request_fingerprint("test.do", "emil", {"amount_minor": 500})
    assert refusal_of(lambda: run_once(key, other, record)).code == "command.key_reused"


def test_failure_is_not_remembered(own_database):
    key = str(uuid4())

    def fails() -> dict[str, int]:
        record()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_once(key, BODY, fails)
    assert (Event.objects.count(), CommandKey.objects.count()) == (0, 0)
    assert run_once(key, BODY, record).replayed is False


def test_refusal_writes_nothing_and_may_be_tried_again(own_database):
    key = str(uuid4())

    def refuses() -> dict[str, int]:
        record()
        raise Refused

    assert refusal_of(lambda: run_once(key, BODY, refuses)).code == "command.refused"
    assert (Event.objects.count(), CommandKey.objects.count()) == (0, 0)
    assert run_once(key, BODY, record).replayed is False


def test_repeat_waits_for_the_first_answer(own_database):
    """The first holds its key until the second is seen waiting for it; then it commits and the second gets its answer."""
    key, first_is_in = str(uuid4()), threading.Event()

    def work() -> dict[str, int]:
        done = record()
        first_is_in.set()
        _wait_until_somebody_waits(own_database)
        return done

    one, first = in_thread(lambda: run_once(key, BODY, work))
    assert first_is_in.wait(HANG_S)
    two, second = in_thread(lambda: run_once(key, BODY, lambda: pytest.fail("the work ran twice")))
    one.join(HANG_S)
    two.join(HANG_S)
    assert isinstance(first[0], Answer)
    assert second == [Answer(first[0].body, replayed=True)]
    assert Event.objects.count() == 1


def test_repeat_carries_out_what_the_first_rolled_back(own_database):
    key, first_is_in = str(uuid4()), threading.Event()

    def fails() -> dict[str, int]:
        record("test.first")
        first_is_in.set()
        _wait_until_somebody_waits(own_database)
        raise ZeroDivisionError

    one, first = in_thread(lambda: run_once(key, BODY, fails))
    assert first_is_in.wait(HANG_S)
    two, second = in_thread(lambda: run_once(key, BODY, lambda: record("test.second")))
    one.join(HANG_S)
    two.join(HANG_S)
    assert isinstance(first[0], ZeroDivisionError)
    assert isinstance(second[0], Answer)
    assert list(Event.objects.values_list("name", flat=True)) == ["test.second"]


def test_repeat_of_one_still_running_is_told_to_come_back(own_database, monkeypatch):
    monkeypatch.setattr(commands, "WAIT_MS", 200)  # the real two seconds are pinned below
    key, first_is_in, go_on = str(uuid4()), threading.Event(), threading.Event()

    def work() -> dict[str, int]:
        done = record()
        first_is_in.set()
        assert go_on.wait(HANG_S)
        return done

    one, first = in_thread(lambda: run_once(key, BODY, work))
    assert first_is_in.wait(HANG_S)
    refused = refusal_of(lambda: run_once(key, BODY, record))
    assert (refused.code, refused.data) == ("command.in_flight", {"retry_after_s": 1})
    go_on.set()
    one.join(HANG_S)
    assert run_once(key, BODY, record) == Answer(first[0].body, replayed=True)


def test_wait_is_two_seconds():
    assert WAIT_MS == 2_000


def test_many_at_once_have_one_effect(own_database):
    key, start = str(uuid4()), threading.Barrier(8)

    def work() -> Answer:
        start.wait(HANG_S)
        return run_once(key, BODY, record)

    threads = [in_thread(work) for _ in range(8)]
    for thread, _ in threads:
        thread.join(HANG_S)
    answers = [outcome[0] for _, outcome in threads]
    assert all(isinstance(answer, Answer) for answer in answers), answers
    assert len({answer.body["event"] for answer in answers}) == 1
    assert [answer.replayed for answer in answers].count(False) == 1
    assert Event.objects.count() == 1


def meeting(database: str, second: Callable[[], object]) -> list[Any]:
    """What became of two commands under one key: the second comes while the first holds it, and before the first commits either
    waits for a lock or begins its work."""
    key, first_is_in, second_is_in = str(uuid4()), threading.Event(), threading.Event()

    def held() -> dict[str, int]:
        done = record("test.first")
        first_is_in.set()
        _wait_until_somebody_waits(database, or_else=second_is_in)
        return done

    def begun() -> object:
        second_is_in.set()
        return second()

    one, first_came = in_thread(lambda: run_once(key, BODY, held))
    assert first_is_in.wait(HANG_S)
    two, second_came = in_thread(lambda: run_once(key, BODY, begun))
    for thread in (one, two):
        thread.join(HANG_S)
        assert not thread.is_alive()
    return [*first_came, *second_came]


@pytest.mark.parametrize(
    ("before", "after"),
    [("VOLATILE", "STABLE"), ("pg_try_advisory_xact_lock(held)", "true")],
    ids=["old snapshot", "no lock"],
)
def test_unique_key_is_the_last_guard(own_database, before, after):
    """Without the lock, or with a snapshot from before it, the work is begun twice; the unique key lets one of them write."""
    if before == "VOLATILE":
        with superuser(own_database) as link:
            link.execute("ALTER FUNCTION command_claim_v2 STABLE")
    else:
        rewrite(own_database, "command_claim_v2", before, after)
    begun: list[int] = []

    def work() -> dict[str, int]:
        begun.append(1)
        return record("test.second")

    first, second = meeting(own_database, work)
    assert (first.body, sorted([first.replayed, second.replayed])) == (second.body, [False, True])
    assert (begun, Event.objects.count()) == ([1], 1)
    with superuser(own_database) as link:
        link.execute("ALTER TABLE payouts_commandkey DROP CONSTRAINT payouts_commandkey_pkey")
    first, second = meeting(own_database, work)
    assert (first.replayed, second.replayed) == (False, False)
    assert Event.objects.count() == 3, "the control: with neither of them the command has two effects"


def test_another_request_under_a_key_in_use_is_told_so_when_the_first_is_done(own_database):
    key, first_is_in = str(uuid4()), threading.Event()

    def work() -> dict[str, int]:
        done = record()
        first_is_in.set()
        _wait_until_somebody_waits(own_database)
        return done

    one, first = in_thread(lambda: run_once(key, BODY, work))
    assert first_is_in.wait(HANG_S)
    other = request_fingerprint("test.do", "nora", {"amount_minor": 501})
    assert refusal_of(lambda: run_once(key, other, record)).code == "command.key_reused"
    one.join(HANG_S)
    assert first == [Answer(first[0].body, replayed=False)]
    assert Event.objects.count() == 1


def test_wait_for_a_key_leaves_the_usual_wait_for_locks_as_it_was(own_database):
    claim = "SELECT command_claim_v2('a-key-of-mine', 2000)"

    def waits() -> list[object]:
        with transaction.atomic(), connection.cursor() as cursor:
            found: list[object] = []
            for sql in ("SELECT current_setting('lock_timeout')", claim, "SELECT current_setting('lock_timeout')"):
                cursor.execute(sql)
                found += cursor.fetchone()
        return found

    with superuser(own_database) as holder:
        with holder.transaction():
            holder.execute(claim)
            thread, came = in_thread(waits)
            _wait_until_somebody_waits(own_database)
        thread.join(HANG_S)
    [[usual, _, afterwards]] = came
    assert usual == afterwards != "2s"


def test_without_the_key_many_at_once_have_many_effects(own_database):
    """The control: the same race, each under a key of its own."""
    start = threading.Barrier(4)

    def work() -> Answer:
        start.wait(HANG_S)
        return run_once(str(uuid4()), BODY, record)

    for thread, _ in [in_thread(work) for _ in range(4)]:
        thread.join(HANG_S)
    assert Event.objects.count() == 4


def test_deadlock_is_tried_again_under_the_same_key(own_database):
    """Two commands take two advisory locks in opposite order and meet: the deadlock's victim succeeds at its next try."""
    both, tries = threading.Barrier(2, timeout=HANG_S), []

    def work(first: int, second: int) -> Callable[[], dict[str, int]]:
        def run() -> dict[str, int]:
            tries.append(first)
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [first])
                if tries.count(first) == 1:
                    both.wait()
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [second])
            return record()

        return run

    runs = [
        in_thread(lambda: run_once(str(uuid4()), BODY, work(1, 2))),
        in_thread(lambda: run_once(str(uuid4()), BODY, work(2, 1))),
    ]
    for thread, _ in runs:
        thread.join(HANG_S)
    assert all(isinstance(outcome[0], Answer) for _, outcome in runs), runs
    assert sorted(tries) in ([1, 1, 2], [1, 2, 2])
    assert Event.objects.count() == 2


def test_three_lost_races_are_a_polite_refusal(own_database):
    tries = []

    def work() -> dict[str, int]:
        tries.append(1)
        record()
        with connection.cursor() as cursor:
            cursor.execute("DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = 'serialization_failure'; END $$")
        return {}

    refused = refusal_of(lambda: run_once(str(uuid4()), BODY, work))
    assert (refused.code, refused.data, len(tries)) == ("command.busy", {"retry_after_s": 1}, 3)
    assert (Event.objects.count(), CommandKey.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    "slow",
    ["SET LOCAL statement_timeout = '20ms'", "SET LOCAL idle_in_transaction_session_timeout = '20ms'"],
    ids=["slow", "idle"],
)
def test_command_that_takes_too_long_is_told_so_and_wrote_nothing(own_database, slow):
    tries = []

    def work() -> dict[str, int]:
        tries.append(1)
        record()
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            [pid] = cursor.fetchone()
            cursor.execute(slow)
            if "idle" in slow:
                _wait_until_gone(own_database, pid)
            cursor.execute("SELECT pg_sleep(60)")
        return {}

    assert refusal_of(lambda: run_once(str(uuid4()), BODY, work)).code == "command.busy"
    assert (len(tries), Event.objects.count(), CommandKey.objects.count()) == (1, 0, 0)


def test_work_that_answers_no_plain_data_writes_nothing(own_database):
    assert refusal_of(lambda: run_once(str(uuid4()), BODY, lambda: record() | {"share": 0.5})).code == "data.refused"
    assert Event.objects.count() == 0


def test_run_once_does_not_nest(own_database):
    with transaction.atomic(), pytest.raises(RuntimeError, match="durable"):
        run_once(str(uuid4()), BODY, record)


@pytest.mark.parametrize("key", ["", "short", "k" * 201, "key\0key key", None, 12345678, "\ud800" * 9])
def test_bad_key_is_refused(own_database, key):
    assert refusal_of(lambda: run_once(key, BODY, record)).code == "text.refused"
    assert Event.objects.count() == 0


def test_server_killed_between_commit_and_answer(own_database, monkeypatch):
    """The commit reaches the disk, its answer never comes back: the client does not know, asks again, and gets the first answer.

    A backend of PostgreSQL killed with -9 makes the whole server restart; the line is cut just after COMMIT was carried out.
    """
    key = str(uuid4())
    _settle(own_database)
    connection.ensure_connection()
    backend = connection.connection.info.backend_pid
    database: Any = this_database()
    real_commit = database._commit

    def commit_then_die() -> None:
        real_commit()
        os.kill(backend, signal.SIGKILL)
        connection.connection.execute("SELECT 1")  # reading the answer: the line is dead

    monkeypatch.setattr(connection, "_commit", commit_then_die)
    with superuser(own_database) as other:
        refused = refusal_of(lambda: run_once(key, BODY, record))
        _wait_until_down(other)
    assert (refused.code, refused.data) == ("command.answer_unknown", {"retry_after_s": 1})
    monkeypatch.undo()
    connection.close()
    _wait_until_up(own_database)
    again = run_once(key, BODY, lambda: pytest.fail("the work ran twice"))
    assert (again.replayed, again.body) == (True, {"event": Event.objects.get().pk})


def test_server_killed_before_the_commit(own_database, monkeypatch):
    """The same cut a moment earlier: nothing was done, the client cannot tell, asks again, and it is done once."""
    key = str(uuid4())
    _settle(own_database)

    def work() -> dict[str, int]:
        done = record()
        os.kill(connection.connection.info.backend_pid, signal.SIGKILL)
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return done

    with superuser(own_database) as other:
        assert refusal_of(lambda: run_once(key, BODY, work)).code == "command.answer_unknown"
        _wait_until_down(other)
    connection.close()
    _wait_until_up(own_database)
    assert Event.objects.count() == 0
    assert run_once(key, BODY, record).replayed is False
    assert Event.objects.count() == 1


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.floats() | st.binary(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5) | st.integers(), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(key=st.text(max_size=210) | st.none(), body=json_values, answer=json_values)
def test_any_command_is_refused_or_answered_the_same_twice(own_database, key, body, answer):
    try:
        asked = request_fingerprint("test.do", "nora", body)
        unique = key if key is None else f"{uuid4()}{key}"
        first = run_once(unique, asked, lambda: answer)
        assert run_once(unique, asked, lambda: pytest.fail("the work ran twice")) == Answer(first.body, replayed=True)
    except Refused as refused:
        assert refused.code in {"text.refused", "data.refused"}


def _wait_until_somebody_waits(database: str, or_else: threading.Event | None = None) -> None:
    import time

    deadline = time.monotonic() + HANG_S
    with superuser(database) as watcher:
        query = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND wait_event_type = 'Lock'"
        while not watcher.execute(query, [database]).fetchone()[0]:
            if or_else and or_else.is_set():
                return
            assert time.monotonic() < deadline, "nobody waited"


def _wait_until_gone(database: str, pid: int) -> None:
    with superuser(database) as watcher:
        while watcher.execute("SELECT count(*) FROM pg_stat_activity WHERE pid = %s", [pid]).fetchone()[0]:
            pass  # the test's own limit ends it


def _settle(database: str) -> None:
    """Write everything to disk, or recovery replays all the databases that earlier tests have made."""
    with superuser(database) as link:
        link.execute("CHECKPOINT")


def _wait_until_down(other: "psycopg.Connection") -> None:
    """Until the server has noticed that a backend was killed, and cut all others off: a new line before that would be cut too."""
    import time

    deadline = time.monotonic() + HANG_S
    while time.monotonic() < deadline:
        try:
            other.execute("SELECT pg_sleep(0.01)")
        except psycopg.OperationalError:
            return
    pytest.fail("PostgreSQL did not notice")


def _wait_until_up(database: str) -> None:
    import time

    deadline = time.monotonic() + HANG_S
    while time.monotonic() < deadline:
        try:
            with superuser(database):
                return
        except psycopg.OperationalError:
            time.sleep(0.05)  # asked again until the server has recovered; the deadline above ends it
    pytest.fail("PostgreSQL did not come back")
