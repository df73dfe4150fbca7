"""What a run shall be, read from a caller's environment: wishes granted, wishes refused, other programs' settings kept out."""

import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from casino.launcher import environment, plan, processes
from casino.launcher.embedded.remnants import end_remnants
from casino.launcher.errors import StartError
from casino.launcher.places import Place, find_place, place_key
from casino.launcher.reset import reset
from casino.launcher.supervise import configuration
from casino.launcher.terminal import Terminal


@pytest.fixture
def place(folder: Path) -> Place:
    return find_place(folder)


@pytest.fixture
def sockets(folder: Path) -> Iterator[None]:
    """Removes the folder of sockets that a plan makes."""
    yield
    for path in Path("/tmp").glob(f"saalchef-*-{place_key(folder)}"):
        path.rmdir()


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http", "8000.5", "٣", "8000 ", "9" * 50])
def test_a_port_that_is_none_is_refused(folder: Path, port: str) -> None:
    with pytest.raises(StartError, match="is no port"):
        plan.make_plan(folder, {"PORT": port})


def test_a_taken_port_is_refused_with_another() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(StartError, match=f"Port {port} is taken") as caught:
            plan.check_port("127.0.0.1", port)
        assert "make run PORT=" in caught.value.remedy
    plan.check_port("127.0.0.1", port)


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(StartError, match=r"cannot serve at HOST=192\.0\.2\.1"):
        plan.check_port("192.0.2.1", 8000)


@pytest.mark.parametrize(
    ("there", "missing"), [("DATABASE_URL", "DATABASE_OWNER_URL"), ("DATABASE_OWNER_URL", "DATABASE_URL")]
)
def test_one_role_of_an_own_postgresql_is_not_enough(folder: Path, there: str, missing: str) -> None:
    with pytest.raises(StartError, match=f"{there} is set and {missing} is not"):
        plan.make_plan(folder, {there: "postgres://role@host/name"})


def test_what_is_no_address_is_refused_without_showing_it(folder: Path) -> None:
    urls = {"DATABASE_URL": "mysql://u:secret@h/d", "DATABASE_OWNER_URL": "postgres://u@h/d"}
    with pytest.raises(StartError, match="DATABASE_URL is no address") as caught:
        plan.make_plan(folder, urls)
    assert "secret" not in str(caught.value)


@pytest.mark.usefixtures("sockets")
def test_own_servers_switch_the_embedded_ones_off_one_by_one(folder: Path) -> None:
    database = {"DATABASE_URL": "postgres://a@h/d", "DATABASE_OWNER_URL": "postgres://o@h/d", "PGSSLMODE": "require"}
    cache = {"REDIS_URL": "redis://h/0"}
    assert plan.make_plan(folder, {}).programs == ("postgres", "redis")
    made = plan.make_plan(folder, database)
    assert made.programs == ("redis",)
    assert made.environ["DATABASE_URL"] == "postgres://a@h/d"
    assert made.environ["PGSSLMODE"] == "require"
    assert plan.make_plan(folder, cache).programs == ("postgres",)
    assert plan.make_plan(folder, database | cache).programs == ()


@pytest.mark.usefixtures("sockets")
@pytest.mark.parametrize(
    ("said", "demo"), [({}, False), ({"SAALCHEF_DEMO": "1"}, True), ({"SAALCHEF_DEMO": "yes"}, True)]
)
def test_demo_people_come_into_an_own_database_only_when_called(folder: Path, said: dict[str, str], demo: bool) -> None:
    database = {"DATABASE_URL": "postgres://a@h/d", "DATABASE_OWNER_URL": "postgres://o@h/d"}
    assert plan.make_plan(folder, database | said).demo is demo
    assert plan.make_plan(folder, {}).demo
    assert not plan.make_plan(folder, {"SAALCHEF_DEMO": "0"}).demo


@pytest.mark.usefixtures("sockets")
def test_settings_of_other_programs_stay_out(folder: Path) -> None:
    foreign = {
        "PYTHONPATH": "/x", "PYTHONHOME": "/x", "PGPORT": "1", "PGOPTIONS": "-c fsync=off", "WEB_CONCURRENCY": "9",
        "UVICORN_WORKERS": "4", "CELERY_BROKER_URL": "redis://x", "DJANGO_SETTINGS_MODULE": "other", "REDIS_URL_FILE": "",
        "DATABASE_POOL_SIZE": "50", "VIRTUAL_ENV": "/x", "SAALCHEF_PROGRAM": "web",
    }  # fmt: skip
    made = plan.make_plan(folder, foreign | {"LOG_LEVEL": "DEBUG", "PATH": "/bin"}).environ
    assert made["DJANGO_SETTINGS_MODULE"] == "casino.settings"
    assert not (foreign.keys() - {"DJANGO_SETTINGS_MODULE"}) & made.keys()
    assert (made["LOG_LEVEL"], made["PATH"], made["SAALCHEF_DEMO"]) == ("DEBUG", "/bin", "1")
    keys = {made["SECRET_KEY"], made["SIGNATURE_KEY"]}
    assert [len(key) for key in keys] == [64, 64]


def test_the_secret_is_made_once_and_kept_from_others(place: Place) -> None:
    path = place.var / "secret-key"
    made = environment.secret_key(path)
    assert len(made) == 64
    assert environment.secret_key(path) == made
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_text("")
    assert len(environment.secret_key(path)) == 64


@pytest.mark.parametrize(
    ("host", "address", "allowed"),
    [
        ("", "http://127.0.0.1:8000/", "localhost,127.0.0.1,[::1]"),
        ("::1", "http://[::1]:8000/", "localhost,127.0.0.1,[::1]"),
        ("192.0.2.7", "http://192.0.2.7:8000/", "localhost,127.0.0.1,[::1],192.0.2.7"),
    ],
)
@pytest.mark.usefixtures("sockets")
def test_the_house_answers_to_the_names_it_is_called_by(folder: Path, host: str, address: str, allowed: str) -> None:
    made = plan.make_plan(folder, {"HOST": host})
    assert made.address == address
    assert made.environ["ALLOWED_HOSTS"] == allowed


@pytest.mark.usefixtures("sockets")
def test_a_house_open_to_the_network_knows_its_own_name(folder: Path) -> None:
    made = plan.make_plan(folder, {"HOST": "0.0.0.0"})
    assert made.address == "http://127.0.0.1:8000/"
    assert socket.gethostname().lower() in made.environ["ALLOWED_HOSTS"].split(",")


def test_two_folders_are_two_places(folder: Path) -> None:
    (folder / "a").mkdir()
    (folder / "b").symlink_to(folder / "a")
    assert place_key(folder) != place_key(folder / "a")
    assert place_key(folder / "a") == place_key(folder / "b")


def test_the_configuration_names_no_path_of_the_clone() -> None:
    """A clone's path may hold what means something there: percent, semicolon, hash."""
    text = configuration(Path("/tmp/saalchef-1-ab"), "var/venv/bin/python", ("postgres", "redis"))
    assert "%" not in text
    assert [line for line in text.splitlines() if "= /" in line] == ["file = /tmp/saalchef-1-ab/supervisor.sock"]


def test_reset_deletes_the_data_only_when_told_and_only_the_data(
    place: Place, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    heads = place.var / "seals" / "heads"  # of seals that go with the house; the key stays
    for data in (place.postgres_data, place.redis_data, heads):
        data.mkdir(parents=True)
        (data / "file").touch()
    environment.secret_key(place.var / "secret-key")
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    with pytest.raises(StartError, match="would delete"):
        reset(place.root, Terminal(), force=False)
    assert place.postgres_data.exists()
    reset(place.root, Terminal(), force=True)
    assert not place.postgres_data.exists()
    assert not place.redis_data.exists()
    assert not heads.exists()
    assert heads.parent.exists()
    assert (place.var / "secret-key").exists()
    reset(place.root, Terminal(), force=True)
    assert "no data to delete" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("host", "open_"),
    [("127.0.0.1", False), ("localhost", False), ("::1", False), ("0.0.0.0", True), ("192.0.2.7", True)],
)
@pytest.mark.usefixtures("sockets")
def test_it_knows_whether_others_can_reach_it(folder: Path, host: str, open_: bool) -> None:
    assert plan.make_plan(folder, {"HOST": host}).open_to_network is open_


def test_remnants_of_one_place_are_ended_and_those_of_another_are_not(folder: Path) -> None:
    places = []
    for name in ("a", "b"):
        (folder / name).mkdir()
        places.append(find_place(folder / name))
    sleepers = [subprocess.Popen(["sleep", "60"], env={processes.MARKER: str(place.root)}) for place in places]
    bystander = subprocess.Popen(["sleep", "60"], cwd=places[0].root)
    try:
        assert end_remnants(places[0]) == 1
        assert sleepers[0].wait(60) == -signal.SIGTERM
        assert sleepers[1].poll() is None
        assert bystander.poll() is None
        assert end_remnants(places[0]) == 0
    finally:
        for process in (*sleepers, bystander):
            process.kill()
            process.wait()


def test_a_command_takes_the_mode_and_the_servers_of_the_house_that_runs(
    folder: Path, sockets: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = {"SAALCHEF_DEMO": "0", "DATABASE_URL": "postgres://a@h/own", "DATABASE_OWNER_URL": "postgres://o@h/own"}
    running |= {processes.MARKER: str(folder), "SAALCHEF_PROGRAM": "supervisor"}
    monkeypatch.setattr(plan, "marked", lambda place, program: [7] * (place == str(folder.resolve())))
    monkeypatch.setattr(plan, "environment", lambda _pid: running)
    for name in ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SAALCHEF_DEMO", "1")
    taken = plan.for_commands(folder)
    assert {name: taken.get(name) for name in running} == running | {processes.MARKER: None, "SAALCHEF_PROGRAM": None}
    assert plan.as_it_runs(folder)["SAALCHEF_DEMO"] == "0"
    monkeypatch.setenv("DATABASE_URL", "postgres://a@h/another")
    monkeypatch.setenv("DATABASE_OWNER_URL", "postgres://o@h/another")
    taken = plan.for_commands(folder)
    assert (taken["DATABASE_URL"], taken["SAALCHEF_DEMO"]) == ("postgres://a@h/another", "1")
    monkeypatch.setattr(plan, "marked", lambda _place, _program: [])
    monkeypatch.delenv("DATABASE_URL")
    monkeypatch.delenv("DATABASE_OWNER_URL")
    assert plan.for_commands(folder)["SAALCHEF_DEMO"] == "1"
