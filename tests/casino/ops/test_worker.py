"""The real worker and beat, on a real Redis that hangs and dies."""

import json
import signal
import time
from collections.abc import Iterator
from datetime import timedelta

import pytest
from celery import Celery
from django.conf import settings
from kombu.exceptions import OperationalError

from casino.celery import Beat
from casino.tasks import heartbeat
from tests.casino.ops.own_servers import OwnServers, end, wait_for

PUBLISH_S = 1  # no command may wait longer than this for its hint to be sent: without its limits it waits 19


@pytest.fixture(scope="module")
def floor(own_servers: OwnServers) -> Iterator[OwnServers]:
    """Worker and beat as `make run` starts them; they end within their supervisor's patience."""
    worker = own_servers.worker("--without-gossip", "--without-mingle", log="worker.log")
    beat = own_servers.start("celery", "-A", "casino", "beat", log="beat.log")
    yield own_servers
    assert (worker.poll(), beat.poll()) == (None, None)  # they outlived all that was done to their servers
    end(beat)
    end(worker)


def count(servers: OwnServers, table: str) -> int:
    return int(str(servers.sql(f"SELECT count(*) FROM {table}")[0][0]))


def log(servers: OwnServers, name: str) -> list[dict[str, object]]:
    lines = (servers.folder / name).read_text().splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


def sender(servers: OwnServers) -> Celery:
    """The project's app, with its settings, on the Redis of these tests."""
    app = Celery("saalchef", set_as_current=False)
    app.config_from_object("django.conf:settings", namespace="CELERY")
    app.conf.broker_url = settings.CELERY_BROKER_URL.replace(
        settings.REDIS_URL.split("?")[0][7:], str(servers.redis.socket)
    )
    app.conf.broker_transport_options = settings.CELERY_BROKER_TRANSPORT_OPTIONS | {"global_keyprefix": "own:"}
    return app


def send(app: Celery) -> tuple[bool, float]:
    """Send a heartbeat task; whether it could be sent, and how long that took (seconds)."""
    began = time.perf_counter()
    try:
        app.send_task(heartbeat.name)
    except OperationalError:
        return False, time.perf_counter() - began
    return True, time.perf_counter() - began


def test_worker_and_beat_leave_signs_of_life_at_once(floor: OwnServers) -> None:
    wait_for(lambda: count(floor, "casino_heartbeat") > 0 and count(floor, "casino_auditrun") > 0, 30)
    assert floor.sql("SELECT ok, breaches::text FROM casino_auditrun ORDER BY id LIMIT 1") == [(True, "[]")]
    assert not [line for line in log(floor, "worker.log") if line["level"] in ("error", "critical")]


def test_task_sent_by_anybody_is_taken(floor: OwnServers) -> None:
    before = count(floor, "casino_heartbeat")
    assert send(sender(floor))[0]
    wait_for(lambda: count(floor, "casino_heartbeat") > before, 5)


def test_sending_never_holds_a_command(floor: OwnServers) -> None:
    app = sender(floor)
    assert send(app)[0]
    with floor.stopped(floor.redis):
        hung = [send(app) for _ in range(4)]
    assert send(app)[0]
    floor.signal(floor.redis, signal.SIGKILL)
    try:
        dead = [send(app) for _ in range(4)]
        fresh = send(sender(floor))  # a process that never had a connection
    finally:
        floor.start_redis()
    assert not any(sent for sent, _ in [*hung, *dead, fresh])
    assert max(seconds for _, seconds in [*hung, *dead, fresh]) < PUBLISH_S
    assert send(app)[0]


def test_worker_takes_tasks_again_after_redis_was_killed(floor: OwnServers) -> None:
    floor.signal(floor.redis, signal.SIGKILL)
    app = sender(floor)
    wait_for(lambda: not send(app)[0], 2)
    floor.start_redis()
    before = count(floor, "casino_heartbeat")
    assert send(app)[0]
    assert wait_for(lambda: count(floor, "casino_heartbeat") > before, 15) < 10
    assert not [line for line in log(floor, "worker.log") if "Traceback" in str(line)]


def test_worker_takes_tasks_again_after_redis_hung(floor: OwnServers) -> None:
    app = sender(floor)
    with floor.stopped(floor.redis):
        assert not send(app)[0]
    before = count(floor, "casino_heartbeat")
    assert send(app)[0]
    wait_for(lambda: count(floor, "casino_heartbeat") > before, 10)


def test_beat_says_in_a_line_each_that_redis_is_away_and_back(
    floor: OwnServers, caplog: pytest.LogCaptureFixture
) -> None:
    app = sender(floor)
    app.conf.beat_schedule = {"heartbeat": {"task": heartbeat.name, "schedule": 10.0}}
    beat = Beat(app=app)
    with floor.stopped(floor.redis):
        for _ in range(3):
            beat.apply_entry(beat.schedule["heartbeat"])
    for _ in range(3):
        beat.apply_entry(beat.schedule["heartbeat"])
    records = [record for record in caplog.records if record.name == "casino.celery"]
    assert [record.msg["event"] for record in records] == ["beat_cannot_send", "beat_sends_again"]
    assert {(record.levelname, record.exc_info) for record in records} == {("WARNING", None)}


def test_beat_goes_on_at_once_when_the_clock_is_set_back(floor: OwnServers, monkeypatch: pytest.MonkeyPatch) -> None:
    app, sent, hour = sender(floor), list[str](), timedelta(hours=1)
    app.conf.beat_schedule = {
        name: {"task": heartbeat.name, "schedule": seconds} for name, seconds in (("often", 0.01), ("seldom", 0.02))
    }
    beat = Beat(app=app)
    monkeypatch.setattr(beat, "apply_entry", lambda entry, **_: sent.append(entry.name))
    for entry in beat.schedule.values():
        entry.last_run_at += hour + timedelta(days=1)  # it is an hour ahead of now
    for _ in range(2_000):  # a slow machine has the one due anew before it comes to the other
        time.sleep(max(0.0, min(beat.tick(), 0.02)))
        if {*sent} == {"often", "seldom"}:
            break
    assert {*sent} == {"often", "seldom"}


def test_worker_lives_through_a_database_that_was_killed(floor: OwnServers) -> None:
    app = sender(floor)
    floor.signal(floor.postgres, signal.SIGKILL)
    try:
        assert send(app)[0]
        wait_for(lambda: any(line["event"] == "task_failed" for line in log(floor, "worker.log")), 10)
    finally:
        floor.start_postgres()
    before = count(floor, "casino_heartbeat")
    assert send(app)[0]
    wait_for(lambda: count(floor, "casino_heartbeat") > before, 10)
    assert {line["level"] for line in log(floor, "worker.log") if line["event"] == "task_failed"} == {"warning"}
    assert "Traceback" not in (floor.folder / "worker.log").read_text()
