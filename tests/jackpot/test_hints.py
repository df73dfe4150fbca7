"""Hints after a commit: once, to screens and worker; never a failure of the command, and never a wait of more than 0.3 s."""

import asyncio
import json
import os
import signal
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from uuid import UUID, uuid4

import pytest
import redis
from celery import Celery, current_app
from channels_redis.core import RedisChannelLayer
from django.conf import settings
from django.db import connection, transaction

from jackpot import hints
from jackpot.hints import hint
from jackpot.services import due
from tests.casino.ops.own_servers import OwnServers, wait_for

HOLDS_S = 2  # 19 without limits of our own, on a machine that is not busy
ONE = UUID("00000000-0000-4000-8000-000000000001")


@pytest.fixture(autouse=True)
def _anew(database_of_module: str) -> Iterator[None]:
    hints._start_anew()  # no breaker that an earlier test opened
    yield
    with hints._screens._lock:
        hints._screens._changed.clear()  # its thread lives on


@pytest.fixture
def advanced(monkeypatch: pytest.MonkeyPatch) -> list[UUID]:
    """The jackpots that were advanced in this process, outside a transaction as they must be."""
    done: list[UUID] = []

    def jackpot_advance(*, jackpot_id: UUID) -> bool:
        assert not connection.in_atomic_block
        done.append(jackpot_id)
        return True

    monkeypatch.setattr(due, "jackpot_advance", jackpot_advance)
    return done


@pytest.fixture
def queue() -> Iterator[Callable[[], list[dict]]]:
    """The tasks that wait in Redis, oldest first."""
    link = redis.Redis.from_url(settings.REDIS_URL)
    key = f"{settings.INSTANCE}:celery"
    link.delete(key)
    yield lambda: [json.loads(task) for task in reversed(link.lrange(key, 0, -1))]
    link.delete(key)
    link.close()


@pytest.fixture
def told() -> Iterator[Callable[[], list[dict]]]:
    """What a process heard that is in the group of screens, since asked last."""
    layer = RedisChannelLayer(**settings.CHANNEL_LAYERS["default"]["CONFIG"])
    with asyncio.Runner() as loop:
        yield listener(layer, loop)
        loop.run(layer.close_pools())


def listener(layer: RedisChannelLayer, loop: asyncio.Runner) -> Callable[[], list[dict]]:
    """Join the group; gives a function for what came, waiting 0.3 s after the last message."""

    async def join() -> str:
        channel = await layer.new_channel()
        await layer.group_add(hints.GROUP, channel)
        return channel

    async def heard() -> list[dict]:
        messages = []
        while True:
            try:
                messages.append(await asyncio.wait_for(layer.receive(channel), 0.3))
            except TimeoutError:
                return messages

    channel = loop.run(join())
    return lambda: loop.run(heard())


@pytest.fixture(scope="module")
def own_redis() -> Iterator[OwnServers]:
    """A Redis of these tests alone, to stop and to kill."""
    servers = OwnServers(Path(mkdtemp(prefix="saalchef-own-")))
    try:
        servers.start_redis()
        yield servers
    finally:
        servers.close()
        rmtree(servers.folder, ignore_errors=True)


@pytest.fixture
def on_own_redis(own_redis: OwnServers, monkeypatch: pytest.MonkeyPatch) -> OwnServers:
    """Hints go to that Redis, with the settings of the project; its connections are warm."""
    app = Celery("saalchef", set_as_current=False)
    app.config_from_object("django.conf:settings", namespace="CELERY")
    app.conf.broker_url = f"redis+socket://{own_redis.redis.socket}"
    app.conf.broker_transport_options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    layer = RedisChannelLayer(hosts=[{"address": own_redis.redis.url, "socket_timeout": None}], prefix="own")
    monkeypatch.setattr(hints, "current_app", app)
    monkeypatch.setattr(hints, "get_channel_layer", lambda: layer)
    assert command() < 5
    return own_redis


def command(jackpot_id: UUID = ONE) -> float:
    """Commit with a hint; how long the commit was held (seconds)."""
    with transaction.atomic(durable=True):
        hint(jackpot_id)
        began = time.perf_counter()
    return time.perf_counter() - began


# Once, after the commit
def test_worker_and_screens_hear_once_of_each_jackpot_after_the_commit(queue, told, advanced) -> None:
    two = uuid4()
    with transaction.atomic():
        for jackpot_id in (ONE, two, ONE, two):
            hint(jackpot_id)
        assert (queue(), told()) == ([], [])
    assert [task["headers"]["argsrepr"] for task in queue()] == [f"['{ONE}']", f"['{two}']"]
    assert sorted(message["jackpot"] for message in told()) == sorted([str(ONE), str(two)])
    assert advanced == []


def test_task_is_a_hint(queue, advanced) -> None:
    command()
    [task] = queue()
    head = task["headers"]
    assert (head["task"], head["eta"], head["ignore_result"], head["retries"]) == ("jackpot.advance", None, True, 0)
    assert head["expires"] is not None
    assert task["content-type"] == "application/json"


def test_nobody_hears_of_what_was_rolled_back(queue, told, advanced) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        hint(ONE)
        raise ZeroDivisionError
    with transaction.atomic(), pytest.raises(ZeroDivisionError), transaction.atomic():
        hint(ONE)
        raise ZeroDivisionError
    assert (queue(), told(), advanced) == ([], [], [])


def test_hint_after_a_savepoint_that_was_rolled_back_is_heard(queue) -> None:
    with transaction.atomic():
        with pytest.raises(ZeroDivisionError), transaction.atomic():
            hint(ONE)
            raise ZeroDivisionError
        hint(ONE)
    assert len(queue()) == 1


def test_hint_belongs_to_a_transaction() -> None:
    with pytest.raises(RuntimeError, match="inside run_once"):
        hint(ONE)


def test_thread_that_never_heard_of_celery_sends_to_our_redis(queue) -> None:
    """gunicorn and Django answer in threads of which Celery knows nothing; its app of last resort would ask RabbitMQ."""
    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(lambda: current_app.main).result() == "saalchef"
        threads.submit(lambda: (command(), connection.close())).result()
    assert len(queue()) == 1


def test_many_changes_are_few_messages_and_the_last_is_among_them(told, advanced) -> None:
    for _ in range(200):
        command()
    assert 1 <= len(told()) < 40
    command()
    assert len(told()) == 1


def test_forked_process_has_its_own_thread(queue, told) -> None:
    command()
    assert len(told()) == 1
    connection.close()
    if (child := os.fork()) == 0:
        try:
            hints._screens.tell(ONE)
            deadline = time.monotonic() + 60
            while hints._screens._changed and time.monotonic() < deadline:
                time.sleep(0.01)
            time.sleep(0.2)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert len(told()) == 1


# Whoever advances
def test_who_advances_sends_no_task_to_himself(queue, told, monkeypatch: pytest.MonkeyPatch) -> None:
    other = uuid4()

    def jackpot_advance(*, jackpot_id: UUID) -> bool:
        with transaction.atomic(durable=True):
            hint(jackpot_id)
            hint(other)
        return True

    monkeypatch.setattr(due, "jackpot_advance", jackpot_advance)
    assert due.jackpot_steps_do(ONE)
    assert [task["headers"]["argsrepr"] for task in queue()] == [f"['{other}']"]
    assert len(told()) == 2


# Without Redis
def test_dead_redis_holds_no_command_and_its_thread_advances(on_own_redis: OwnServers, advanced) -> None:
    on_own_redis.signal(on_own_redis.redis, signal.SIGKILL)
    try:
        held = [command() for _ in range(20)]
    finally:
        on_own_redis.start_redis()
    assert max(held) < HOLDS_S
    assert advanced == [ONE] * 20


def test_socket_that_is_gone_is_no_other(on_own_redis: OwnServers, advanced) -> None:
    on_own_redis.signal(on_own_redis.redis, signal.SIGKILL)
    Path(on_own_redis.redis.socket).unlink(missing_ok=True)
    try:
        assert command() < HOLDS_S
    finally:
        on_own_redis.start_redis()
    assert advanced == [ONE]


def test_hung_redis_holds_one_command_and_then_none(on_own_redis: OwnServers, advanced) -> None:
    with on_own_redis.stopped(on_own_redis.redis):
        first, *others = [command() for _ in range(10)]
    assert 0.15 < first < HOLDS_S
    assert statistics.median(others) < 0.1 < first
    assert advanced == [ONE] * 10


def test_hung_redis_holds_none_of_many_commands_at_once(on_own_redis: OwnServers, advanced) -> None:
    def one(_: int) -> float:
        try:
            connection.ensure_connection()
            ready.wait()
            return command()
        finally:
            connection.close()

    ready = threading.Barrier(12)
    with on_own_redis.stopped(on_own_redis.redis), ThreadPoolExecutor(12) as threads:
        held = list(threads.map(one, range(12)))
    assert max(held) < HOLDS_S
    assert advanced == [ONE] * 12


def test_redis_that_is_back_gets_tasks_again(
    on_own_redis: OwnServers, advanced, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "BREAK_S", 5)
    on_own_redis.signal(on_own_redis.redis, signal.SIGKILL)
    command()
    on_own_redis.start_redis()
    link = redis.Redis.from_url(on_own_redis.redis.url)
    link.flushall()

    def sent() -> bool:
        command()
        return link.llen(f"{settings.INSTANCE}:celery") > 0

    assert not sent()  # nothing is tried yet
    wait_for(sent, 3)
    link.close()


def test_outage_is_a_line_each_and_its_end_another(
    on_own_redis: OwnServers, advanced, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "BREAK_S", 0.1)
    with on_own_redis.stopped(on_own_redis.redis):
        wait_for(lambda: bool(command()) and "screens" in caplog.text, 5)
        for _ in range(50):
            command()
    wait_for(lambda: bool(command()) and len(caplog.records) == 4, 5)
    lines = [record.msg for record in caplog.records]
    assert {(line["event"], line["to"]) for line in lines} == {
        (event, to) for event in ("hints_do_not_arrive", "hints_arrive_again") for to in ("worker", "screens")
    }


def test_screens_are_told_again_when_redis_is_back(
    on_own_redis: OwnServers, advanced, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "BREAK_S", 0.2)
    monkeypatch.setattr(hints, "TELL_S", 0.1)
    with on_own_redis.stopped(on_own_redis.redis):
        command()
        time.sleep(0.3)
    layer = RedisChannelLayer(hosts=[on_own_redis.redis.url], prefix="own")
    with asyncio.Runner() as loop:
        heard = listener(layer, loop)

        def told() -> bool:
            command()
            return bool(heard())

        assert wait_for(told, 5) < 2
        loop.run(layer.close_pools())


def test_advance_that_fails_does_not_fail_the_command(
    on_own_redis: OwnServers, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def jackpot_advance(*, jackpot_id: UUID) -> bool:
        raise ZeroDivisionError

    monkeypatch.setattr(due, "jackpot_advance", jackpot_advance)
    monkeypatch.setattr(hints._worker, "_broken_until", time.monotonic() + 60)
    command()
    assert "hint_failed" in caplog.text
    with transaction.atomic():  # and the connection is whole
        pass
