"""The whole house of a clone: it comes up, heals whatever is killed, leaves nothing, and knows itself from others.

The tests share one clone and go on from each other's end, as a person's evening would; each begins by starting what it needs.
"""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from casino.embedded.processes import wait_until
from tests.embedded.clones import RunningHouse, copy_project, free_port, open_folder
from tests.servers import servers

PROGRAMS = ("web", "worker", "long", "beat", "postgres", "redis")
pytestmark = pytest.mark.timeout(300)  # seconds come in where other work shares the machine


@pytest.fixture(scope="module")
def clone() -> Iterator[Path]:
    with open_folder() as folder:
        clone = folder / ("clone with a long name; 100% ünï #1 " + "x" * 100)
        assert len(str(clone)) >= 150  # longer than the path of a socket may be
        yield copy_project(clone)


@pytest.fixture(scope="module")
def houses(clone: Path) -> Iterator[list[RunningHouse]]:
    """All runs of the clone; what still lives at the end is stopped."""
    runs: list[RunningHouse] = []
    yield runs
    for run in runs:
        if run.process.poll() is None:
            run.stop(signal.SIGTERM)


@pytest.fixture
def house(clone: Path, houses: list[RunningHouse]) -> RunningHouse:
    """The running house; started if it is not running."""
    if not houses or houses[-1].process.poll() is not None:
        houses.append(RunningHouse(clone, free_port()))
        houses[-1].wait_ready()
    return houses[-1]


@pytest.mark.skipif(os.geteuid() != 0, reason="whoever is no root runs all of it himself")
def test_no_program_runs_as_root(house: RunningHouse) -> None:
    """Also not with the seal's key and the reports, which they write."""
    owners = {name: {Path(f"/proc/{pid}").stat().st_uid for pid in house.of(name)} for name in PROGRAMS}
    assert all(owners.values())
    assert 0 not in set().union(*owners.values()), owners
    seals = house.clone / "var" / "seals"
    assert wait_until((seals / "key.pem").exists, 90)  # the first minute's
    assert (seals / "key.pem").stat().st_uid != 0


def test_it_comes_up_and_says_how_to_sign_in(house: RunningHouse) -> None:
    assert f"http://127.0.0.1:{house.port}/" in house.said
    assert "croupier" in house.said
    for program in PROGRAMS:
        assert house.of(program), program


def test_commands_reach_its_data(house: RunningHouse, clone: Path) -> None:
    done = command(clone, "manage", "audit")
    assert done.returncode == 0, done.stderr
    assert wait_until(house.answers, 60, 0.2)


def test_a_second_run_of_the_same_clone_is_refused_and_told_where(house: RunningHouse, clone: Path) -> None:
    before = {program: house.main(program) for program in PROGRAMS}
    second = subprocess.run(
        [sys.executable, "-m", "casino.embedded", "run"],
        cwd=clone,
        env={"PATH": os.environ["PATH"], "PORT": str(free_port())},
        capture_output=True,
        text=True,
        check=False,
    )
    assert second.returncode == 1
    assert f"running already: http://127.0.0.1:{house.port}/" in second.stderr
    assert "Traceback" not in second.stderr
    assert {program: house.main(program) for program in PROGRAMS} == before
    assert [len(house.of(program)) for program in ("prepare", "supervisor")] == [0, 1]


def command(clone: Path, *arguments: str, **environ: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "casino.embedded", *arguments],
        cwd=clone, env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8"} | environ,
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_a_backup_is_taken_while_it_plays_and_restored_elsewhere(house: RunningHouse, clone: Path) -> None:
    """Jackpots stand in the second place and go on by two people; the first one plays on. A spoiled copy is none."""
    copy = clone.parent / "copy"
    with playing(house, clone) as evening:
        taken = command(clone, "backup", TO=str(copy))
        assert taken.returncode == 0, taken.stderr
        assert evening.poll() is None, "the evening was over before the copy was taken"
    assert (copy / "backup_manifest").is_file()
    again = command(clone, "backup", TO=str(copy))
    assert (again.returncode, "is there already" in again.stderr) == (1, True)

    drilled = command(clone, "drill", FROM=str(copy))
    assert drilled.returncode == 0, drilled.stdout + drilled.stderr
    assert "All audits hold and every round settles again as it did. Jackpots suspended: 1." in drilled.stdout
    assert re.search(r"resumed by R\. Caduff and B\. Zumstein, incarnation \d{10}, ", drilled.stdout)
    held = re.search(r"; (\d+) rounds, (\d+) of them running when it was copied", drilled.stdout)
    assert held is not None, drilled.stdout
    assert 0 < int(held[1]) < rounds_of(clone)  # what was played afterwards is not in it
    figures = json.loads(drilled.stdout.splitlines()[-1])
    assert figures["bytes"] > 10_000_000
    assert all(seconds > 0 for seconds in figures["seconds"].values())
    steps = ("checksums", "copy into the second place", "recovery")
    rates = {name: pytest.approx(figures["seconds"][name] * 1e9 / figures["bytes"], rel=0.1, abs=1) for name in steps}
    told = figures["seconds_per_gb"]
    assert {name: told[name] for name in steps} == rates
    assert told["all of these"] == pytest.approx(sum(told[name] for name in steps), abs=1)

    manifest = copy / "base" / "1" / "PG_VERSION"
    manifest.write_text("17\n")
    spoiled = command(clone, "drill", FROM=str(copy))
    assert (spoiled.returncode, "is not whole" in spoiled.stderr) == (1, True), spoiled.stderr
    assert list(Path(tempfile.gettempdir()).glob("saalchef-drill-*")) == []
    assert wait_until(house.answers, 60, 0.2)


@contextmanager
def playing(house: RunningHouse, clone: Path) -> Iterator["subprocess.Popen[str]"]:
    """An evening that would take hours, from its first settled round on; at the end it is stopped in order, with equal books."""
    flags = ["--url", house.address, "--rounds", "100000", "--tables", "2", "--speed", "0", "--seed", "4"]
    evening = subprocess.Popen(
        [sys.executable, "-m", "casino.embedded", "manage", "simulate", *flags],
        cwd=clone, env={"PATH": os.environ["PATH"]}, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with evening:
        assert evening.stdout is not None
        try:
            begun = next((line for line in evening.stdout if re.search(r"\] [1-9]\d* rounds", line)), "")
            assert begun, "nothing was played"
            yield evening
        finally:
            evening.send_signal(signal.SIGINT)
            said = evening.stdout.read()
    assert evening.returncode == 0, said


def rounds_of(clone: Path) -> int:
    """How many rounds the house has."""
    shell = "from tables.models import Round; print(Round.objects.count())"
    return int(command(clone, "manage", "shell", "--command", shell).stdout.split()[-1])


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_killed_comes_back(house: RunningHouse, program: str) -> None:
    killed = house.main(program)
    everything_of_it = house.of(program)
    house.kill(killed)
    assert wait_until(lambda: any(pid not in everything_of_it for pid in house.of(program)), 60)
    assert wait_until(lambda: not set(everything_of_it) & set(house.of(program)), 30)  # no orphan takes work beside it
    assert wait_until(house.answers, 60, 0.2)


def test_a_killed_supervisor_is_replaced(house: RunningHouse) -> None:
    old = house.of("supervisor")
    house.kill(*old)
    assert wait_until(lambda: house.of("supervisor") not in ([], old), 60)
    assert wait_until(house.answers, 60, 0.2)


def test_a_killed_runner_leaves_nothing(house: RunningHouse) -> None:
    house.kill(house.process.pid)
    house.process.wait()
    assert wait_until(lambda: not house.left(), 60, 0.1)


def test_it_starts_again_after_everything_was_killed_at_once(
    house: RunningHouse, houses: list[RunningHouse], clone: Path
) -> None:
    house.kill(house.process.pid, *house.left())
    house.process.wait()
    note = clone / "var" / "postgres" / "postmaster.pid"
    ours = str(os.getpid())  # by now the number may be that of any other process, which lives and must go on living
    note.write_text("\n".join([ours, *note.read_text().splitlines()[1:]]) + "\n")
    houses.append(RunningHouse(clone, house.port))
    houses[-1].wait_ready()


def test_a_hang_up_leaves_nothing(house: RunningHouse) -> None:
    assert house.stop(signal.SIGHUP) == 0
    assert house.left() == []
    assert "nothing is left running" in house.said


def test_stopping_while_it_starts_leaves_nothing(clone: Path) -> None:
    house = RunningHouse(clone, free_port())
    assert wait_until(lambda: bool(house.of("postgres")), 60)
    assert house.stop(signal.SIGINT) == 0
    assert house.left() == []


def test_a_house_that_was_restored_starts_when_it_is_said(
    house: RunningHouse, houses: list[RunningHouse], clone: Path
) -> None:
    """A folder of `make backup` in the place of the data: it is told by its timeline, though nothing of it is lost."""
    copy = clone.parent / "copy of all"
    taken = command(clone, "backup", TO=str(copy))
    assert taken.returncode == 0, taken.stderr
    assert house.stop() == 0
    data = clone / "var" / "postgres"
    data.rename(data.with_name("set aside"))
    copy.rename(data)
    silent = RunningHouse(clone, house.port)
    assert silent.process.wait(120) == 1
    assert "make run RESTORED=1" in silent.said
    assert "Traceback" not in silent.said
    houses.append(RunningHouse(clone, house.port, RESTORED="1"))
    houses[-1].wait_ready()
    shell = "from jackpot.models import Jackpot; print(Jackpot.objects.get().phase)"
    assert command(clone, "manage", "shell", "--command", shell).stdout.split()[-1] == "suspended"
    assert houses[-1].stop() == 0
    houses.append(RunningHouse(clone, house.port))  # said once, it is known
    houses[-1].wait_ready()


@pytest.fixture
def own_database() -> Iterator[dict[str, str]]:
    """An empty database beside the embedded one, as a caller names it."""
    with psycopg.connect(servers.superuser_url, dbname="postgres", autocommit=True) as link:
        link.execute("CREATE DATABASE callers OWNER saalchef_owner")
        urls = {"DATABASE_URL": servers.app_url, "DATABASE_OWNER_URL": servers.owner_url}
        yield {name: urlsplit(url)._replace(path="/callers").geturl() for name, url in urls.items()}
        link.execute("DROP DATABASE callers WITH (FORCE)")


def test_an_own_database_gets_no_demo_people_but_the_way_to_the_first_manager(
    clone: Path, own_database: dict[str, str], tmp_path: Path
) -> None:
    house = RunningHouse(clone, free_port(), **own_database)
    house.wait_ready()
    try:
        assert "Saalchef-Demo" not in house.said
        assert not house.of("postgres")
        shown = next(line for line in house.said.splitlines() if " manage bootstrap " in line)
        (tmp_path / "password").write_text("a-long-own-password-7\n")
        python, *command = shlex.split(shown)
        assert python == "var/venv/bin/python"  # which here is that of the tests
        done = subprocess.run(
            [sys.executable, *command, "--password-file", str(tmp_path / "password")],
            cwd=clone, env={"PATH": os.environ["PATH"]} | own_database, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert "is the first manager" in done.stdout, done.stderr
    finally:
        house.stop()
    again = RunningHouse(clone, free_port(), **own_database)
    again.wait_ready()
    again.stop()
    assert "bootstrap" not in again.said


def test_a_weak_secret_is_refused_in_a_sentence(clone: Path) -> None:
    house = RunningHouse(clone, free_port(), SECRET_KEY="change-me")
    assert house.process.wait(60) == 1
    assert "Saalchef: SECRET_KEY (or one of SECRET_KEY_FALLBACKS) is too weak" in house.said
    assert "Traceback" not in house.said
    assert house.left() == []
