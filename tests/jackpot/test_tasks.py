"""Hints as real workers take them, and the sweep that finds what no hint told: a hit goes on whoever dies."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import UUID, uuid4

import pytest
import redis
from django.conf import settings
from django.db import connection

from casino.launcher.processes import die_with_parent
from jackpot import hints, services
from jackpot.models import Jackpot, SignOfLife
from jackpot.services import due
from jackpot.tasks import sweep
from tests.casino.ops.own_servers import PROJECT, end, wait_for
from tests.jackpot.linked import Linked, dull
from tests.servers import servers


class Processes:
    """Workers and a beat on the database of this module."""

    def __init__(self, folder: Path, database: str) -> None:
        url = urlsplit(servers.app_url)
        self.environment = os.environ | {
            "DATABASE_URL": urlunsplit(url._replace(path=f"/{database}")),
            "LOG_LEVEL": "INFO",
        }
        self.folder = folder
        self.running: list[subprocess.Popen[bytes]] = []

    def start(self, *command: str, log: str) -> "subprocess.Popen[bytes]":
        with (self.folder / log).open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "celery", "-A", "casino.celery", *command],
                cwd=PROJECT,
                env=self.environment,
                stdout=output,
                stderr=output,
                preexec_fn=die_with_parent(signal.SIGKILL),  # noqa: PLW1509
            )
        self.running.append(process)
        return process

    def worker(self, log: str) -> "subprocess.Popen[bytes]":
        return self.start("worker", "--concurrency", "1", "--without-gossip", "--without-mingle", log=log)

    def log(self, name: str) -> str:
        return (self.folder / name).read_text()

    def close(self) -> None:
        for process in self.running:
            if process.poll() is None:
                end(process)


@pytest.fixture(scope="module")
def processes(database_of_module: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    """A worker and beat that have swept."""
    processes = Processes(tmp_path_factory.mktemp("processes"), database_of_module)
    processes.worker("worker.log")
    processes.start("beat", log="beat.log")
    try:
        wait_for(SignOfLife.objects.filter(kind="sweep").exists, 60)
        yield processes
    finally:
        processes.close()


@pytest.fixture(autouse=True)
def _anew(database_of_module: str) -> None:
    hints._start_anew()


@pytest.fixture
def lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every task is sent, and arrives nowhere."""
    monkeypatch.setattr(hints._worker, "send", lambda _: True)


def hit_waiting_for_its_last_round(suffix: str) -> tuple[Linked, UUID]:
    """A called royal whose round still runs."""
    floor = Linked(suffix=suffix)
    round_id = floor.start(0)
    floor.call(0, round_id)
    assert floor.now().phase == "draining"
    return floor, round_id


def verifying(floor: Linked) -> Callable[[], bool]:
    return lambda: floor.now().phase == "verifying"


# With everything alive
def test_worker_advances_by_a_hint(processes: Processes) -> None:
    floor, round_id = hit_waiting_for_its_last_round(".hint")
    floor.end(0, round_id, dull())
    wait_for(verifying(floor), 10)
    wait_for(lambda: str(floor.jackpot.pk) in processes.log("worker.log"), 5)


def test_sweep_finds_what_no_hint_told(processes: Processes, lost: None) -> None:
    floor, round_id = hit_waiting_for_its_last_round(".lost")
    floor.end(0, round_id, dull())
    assert floor.now().phase == "draining"
    assert wait_for(verifying(floor), 30) < 10  # 2 s on a machine that has time
    wait_for(lambda: '"by": "sweep"' in processes.log("worker.log"), 5)


def test_sweep_leaves_one_row_that_is_of_now(processes: Processes) -> None:
    before = SignOfLife.objects.get(kind="sweep").at
    wait_for(lambda: SignOfLife.objects.get(kind="sweep").at > before, 20)
    assert SignOfLife.objects.filter(kind="sweep").count() == 1
    assert "Traceback" not in processes.log("worker.log") + processes.log("beat.log")


# Without
def test_without_redis_the_command_advances_itself(database_of_module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    floor, round_id = hit_waiting_for_its_last_round(".inline")
    monkeypatch.setattr(hints._worker, "_broken_until", time.monotonic() + 60)
    floor.end(0, round_id, dull())
    assert verifying(floor)()


def test_other_worker_sweeps_after_worker_and_hint_are_gone(processes: Processes) -> None:
    worker = processes.running[0]
    pids = subprocess.run(["pgrep", "-P", str(worker.pid)], capture_output=True, text=True, check=False).stdout.split()
    for pid in (worker.pid, *map(int, pids)):
        os.kill(pid, signal.SIGKILL)
    worker.wait()
    floor, round_id = hit_waiting_for_its_last_round(".killed")
    floor.end(0, round_id, dull())
    with redis.Redis.from_url(settings.REDIS_URL) as link:
        link.flushall()
    assert floor.now().phase == "draining"
    processes.worker("other.log")
    wait_for(verifying(floor), 60)
    wait_for(lambda: '"by": "sweep"' in processes.log("other.log"), 5)


# The sweep itself
def test_jackpot_that_fails_holds_up_no_other_but_the_sign_of_life(
    db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = uuid4(), uuid4()
    advanced: list[UUID] = []

    def jackpot_advance(*, jackpot_id: UUID) -> bool:
        if jackpot_id == bad:
            raise ZeroDivisionError
        advanced.append(jackpot_id)
        return True

    monkeypatch.setattr(due, "jackpot_advance", jackpot_advance)
    monkeypatch.setattr(services, "jackpots_due", lambda: [bad, good])
    before = list(SignOfLife.objects.values())
    sweep.apply(throw=True)
    assert advanced == [good]
    assert "jackpot_not_advanced" in caplog.text
    assert list(SignOfLife.objects.values()) == before
    monkeypatch.setattr(services, "jackpots_due", lambda: [good])
    sweep.apply(throw=True)
    sweep.apply(throw=True)
    assert list(SignOfLife.objects.values_list("kind", flat=True)) == ["sweep"]


def test_sign_of_life_is_changed_but_never_deleted(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT has_table_privilege('jackpot_signoflife', 'UPDATE'), has_table_privilege('jackpot_signoflife', 'DELETE')"
        )
        assert cursor.fetchone() == (True, False)


def test_advancing_a_jackpot_that_is_gone_does_nothing(db: None) -> None:
    assert not Jackpot.objects.filter(pk=(gone := uuid4())).exists()
    assert not due.jackpot_steps_do(gone)
