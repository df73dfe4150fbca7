"""The whole house of a clone: it comes up, heals whatever is killed, leaves nothing, and knows itself from others.

The tests share one clone and go on from each other's end, as a person's evening would; each begins by starting what it needs.
"""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from casino.launcher.places import command_line
from casino.launcher.processes import wait_until
from casino.simulate.clients import Client, Tally
from tests.casino.launcher.clones import END_S, RunningHouse, copy_project, free_port, open_folder
from tests.servers import servers

PROGRAMS = ("web", "worker", "long", "beat", "postgres", "redis")
pytestmark = pytest.mark.timeout(3 * END_S)  # a hang alone, in one wait or the other


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
    assert wait_until((seals / "key.pem").exists, END_S)  # the first minute's
    assert (seals / "key.pem").stat().st_uid != 0


def test_it_comes_up_and_says_where_everybody_begins_and_how_to_sign_in(house: RunningHouse) -> None:
    assert re.search(r"Ready after \d+\.\d s:  " + house.address, house.said)
    there = dict(re.findall(rf"^(\w+) +{house.address}(/\S+)  ", house.said, re.MULTILINE))
    assert there == {"board": "/pit/", "tablet": "/tablet/", "display": "/display/", "API": "/api/docs/"}
    client = Client(house.address, Tally())
    for path in there.values():
        where, page = client.ask(path)
        assert where or b"<html" in page, path
    client.close()
    assert "croupier" in house.said
    for program in PROGRAMS:
        assert house.of(program), program


def test_a_command_typed_as_it_is_printed_reaches_its_data_from_anywhere(house: RunningHouse, clone: Path) -> None:
    """As the start prints it when an audit is in breach: from any folder, and nothing has to be set."""
    line = command_line(clone, "audit")
    done = subprocess.run(
        ["bash", "-c", line], cwd="/", env={"PATH": os.environ["PATH"]}, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    house.wait_answers()


def test_a_second_run_of_the_same_clone_is_refused_and_told_where(house: RunningHouse, clone: Path) -> None:
    before = {program: house.main(program) for program in PROGRAMS}
    second = subprocess.run(
        [sys.executable, "-m", "casino.launcher", "run"],
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
        [sys.executable, "-m", "casino.launcher", *arguments],
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
    house.wait_answers()


@contextmanager
def playing(house: RunningHouse, clone: Path) -> Iterator["subprocess.Popen[str]"]:
    """An evening that would take hours, from its first settled round on; at the end it is stopped in order, with equal books."""
    flags = ["--url", house.address, "--rounds", "100000", "--tables", "2", "--speed", "0", "--seed", "4"]
    evening = subprocess.Popen(
        [sys.executable, "-m", "casino.launcher", "manage", "simulate", *flags],
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
    assert wait_until(lambda: any(pid not in everything_of_it for pid in house.of(program)), END_S)
    assert wait_until(
        lambda: not set(everything_of_it) & set(house.of(program)), END_S
    )  # no orphan takes work beside it
    house.wait_answers()


def test_a_killed_supervisor_is_replaced(house: RunningHouse) -> None:
    old = house.of("supervisor")
    house.kill(*old)
    assert wait_until(lambda: house.of("supervisor") not in ([], old), END_S)
    house.wait_answers()


def test_a_killed_runner_leaves_nothing(house: RunningHouse) -> None:
    house.kill(house.process.pid)
    house.process.wait()
    assert wait_until(lambda: not house.left(), END_S, 0.1)


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
    assert wait_until(lambda: bool(house.of("postgres")), END_S)
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
    assert silent.process.wait(END_S) == 1
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
def own_database(tmp_path: Path) -> Iterator[dict[str, str]]:
    """An empty database beside the embedded one, as a caller names it, whose heads lie apart from those of the embedded one."""
    with psycopg.connect(servers.superuser_url, dbname="postgres", autocommit=True) as link:
        link.execute("CREATE DATABASE callers OWNER saalchef_owner")
        urls = {"DATABASE_URL": servers.app_url, "DATABASE_OWNER_URL": servers.owner_url}
        own = {name: urlsplit(url)._replace(path="/callers").geturl() for name, url in urls.items()}
        yield own | {"SEAL_HEADS": str(tmp_path / "heads"), "SEAL_KEY_PATH": str(tmp_path / "key.pem")}
        link.execute("DROP DATABASE callers WITH (FORCE)")


def printed(house: RunningHouse) -> str:
    """The line that makes the first manager, as the start prints it."""
    return next(line for line in house.said.splitlines() if " manage bootstrap" in line)


def typed(line: str, answers: dict[str, str]) -> str:
    """Type a line into a terminal of one's own, and answer what it asks; gives all that stood there."""
    here, there = pty.openpty()
    process = subprocess.Popen(
        ["bash", "-c", line], cwd="/", env={"PATH": os.environ["PATH"]}, stdin=there, stdout=there, stderr=there,
        start_new_session=True,
    )  # fmt: skip
    os.close(there)
    said, seen = "", 0
    with (
        os.fdopen(here, "r+b", buffering=0) as terminal,
        process,
        suppress(OSError),
    ):  # the terminal ends with the program
        while part := terminal.read(1024):
            said += part.decode()
            for question, answer in answers.items():
                if question in said[seen:] and said.rstrip(" ").endswith(":"):
                    seen = len(said)
                    terminal.write(f"{answer}\n".encode())
                    break
    assert process.returncode == 0, said
    return said


MANAGER = {
    "Name of the house": "Casino Luzern", "Currency": "", "How amounts": "", "Time zone": "", "gaming day ends": "",
    "Sign-in name": "m.muster", "Full name": "Maria Muster", "Password again": "a-long-own-password-7",
    "Password": "a-long-own-password-7",
}  # fmt: skip


@pytest.mark.timeout(6 * END_S)
def test_a_house_in_earnest_begins_with_the_line_that_it_prints(folder: Path) -> None:
    """And goes on with it: whoever starts it as a demo reads why not, in a sentence, and its manager comes in."""
    clone = copy_project(folder / "own")
    house = RunningHouse(clone, free_port(), SAALCHEF_DEMO="0", SAALCHEF_BEGUN=str(time.monotonic() - 1000))
    house.wait_ready()
    try:
        assert re.search(r"Ready after 1\d{3}\.\d s", house.said)  # from the moment that the command was typed
        assert "Saalchef-Demo" not in house.said
        said = typed(printed(house), MANAGER)
        assert "Maria Muster is the first manager and signs in as m.muster." in said
    finally:
        house.stop()
    demo = RunningHouse(clone, house.port)
    assert demo.process.wait(END_S) == 1
    assert "Saalchef: This house has people of its own" in demo.said
    assert "SAALCHEF_DEMO=0 make run" in demo.said
    assert "Traceback" not in demo.said
    again = RunningHouse(clone, house.port, SAALCHEF_DEMO="0")
    again.wait_ready()
    try:
        assert "bootstrap" not in again.said
        client = Client(again.address, Tally())
        client.ask("/sign-in/")
        where, _page = client.form("/sign-in/", username="m.muster", password=MANAGER["Password"], code="")
        assert where == "/sign-in/authenticator/"
        client.close()
    finally:
        again.stop()


def test_a_demo_house_starts_as_nothing_else(clone: Path, houses: list[RunningHouse]) -> None:
    if houses and houses[-1].process.poll() is None:
        houses[-1].stop()
    house = RunningHouse(clone, free_port(), SAALCHEF_DEMO="0")
    assert house.process.wait(END_S) == 1
    assert "Saalchef: This is a demo house" in house.said
    assert "Traceback" not in house.said
    assert house.left() == []


def test_an_own_database_gets_no_demo_people_and_its_address_is_not_said_twice(
    clone: Path, own_database: dict[str, str]
) -> None:
    house = RunningHouse(clone, free_port(), **own_database)
    house.wait_ready()
    try:
        assert "Saalchef-Demo" not in house.said
        assert not house.of("postgres")
        assert "is the first manager" in typed(printed(house), MANAGER)
    finally:
        house.stop()
    again = RunningHouse(clone, free_port(), **own_database)
    again.wait_ready()
    again.stop()
    assert "bootstrap" not in again.said


def test_a_weak_secret_is_refused_in_a_sentence(clone: Path) -> None:
    house = RunningHouse(clone, free_port(), SECRET_KEY="change-me")
    assert house.process.wait(END_S) == 1
    assert "Saalchef: SECRET_KEY (or one of SECRET_KEY_FALLBACKS) is too weak" in house.said
    assert "Traceback" not in house.said
    assert house.left() == []
