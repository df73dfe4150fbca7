"""The launcher of the embedded servers: whose they are, what it heals, what it refuses."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
import redis as client
from psycopg import errors

from casino.launcher.embedded import postgres, redis
from casino.launcher.embedded.accounts import server_account
from casino.launcher.embedded.folders import SOCKET_PATH_MAX, private_folder
from casino.launcher.embedded.throwaway import ThrowawayServers, throwaway_servers
from casino.launcher.errors import StartError
from casino.launcher.processes import die_with_parent, servers_of, wait_until
from tests.casino.launcher.clones import PROJECT
from tests.servers import servers as session_servers


def postgres_at(folder: Path, data: Path | None = None) -> postgres.Postgres:
    account = server_account(folder)
    account.own(folder)
    return postgres.Postgres(data or folder / "postgres", folder, postgres.find_programs(folder, account), account)


@contextmanager
def running(server: postgres.Postgres, log: Path) -> Iterator["subprocess.Popen[bytes]"]:
    with log.open("ab") as output:
        process = subprocess.Popen(
            server.command(),
            cwd="/",
            env=postgres.plain_environment(),
            stdout=output,
            stderr=output,
            preexec_fn=die_with_parent(signal.SIGQUIT),  # noqa: PLW1509
            **server.account.popen,
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.wait(60)


def test_the_roles_are_what_they_should_be() -> None:
    with psycopg.connect(session_servers.superuser_url) as link:
        found = link.execute(
            "SELECT rolname, rolsuper, rolcreatedb, rolcreaterole, rolbypassrls, rolcanlogin, rolreplication FROM pg_roles"
            " WHERE rolname IN ('saalchef_owner', 'saalchef_app') ORDER BY 1"
        ).fetchall()
        owner = link.execute("SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = 'saalchef'").fetchone()
    app, owns = (False, False, False, False, True, False), (False, True, False, False, True, False)
    assert found == [("saalchef_app", *app), ("saalchef_owner", *owns)]
    assert owner == ("saalchef_owner",)


def test_durability_is_on_and_nothing_listens_on_the_network() -> None:
    with psycopg.connect(session_servers.app_url) as link:
        for name in ("fsync", "full_page_writes", "synchronous_commit", "data_checksums"):
            assert link.execute(f"SHOW {name}").fetchone() == ("on",)
        assert link.execute("SHOW listen_addresses").fetchone() == ("",)
    with client.Redis.from_url(session_servers.redis_url) as cache:
        assert cache.config_get("port") == {"port": "0"}


def test_the_urls_outlive_somebody_elses_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPORT", "1")
    monkeypatch.setenv("PGHOST", "nowhere.invalid")
    with psycopg.connect(session_servers.app_url) as link:
        assert link.execute("SELECT current_user").fetchone() == ("saalchef_app",)


def test_a_note_with_the_number_of_a_foreign_process_does_not_stop_the_start(folder: Path) -> None:
    server = postgres_at(folder)
    postgres.initialise(server, durable=False)
    bystander = subprocess.Popen(["sleep", "600"])
    try:
        for note in (server.data / "postmaster.pid", folder / f".s.PGSQL.{postgres.PORT}.lock"):
            note.write_text(f"{bystander.pid}\n{server.data}\n1\n5432\n{folder}\n\n")
        postgres.heal(server)
        with running(server, folder / "log") as process:
            postgres.wait_ready(server, lambda: process.poll() is None, folder / "log")
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_healing_ends_a_server_in_this_folder_and_no_other(folder: Path) -> None:
    server = postgres_at(folder)
    postgres.initialise(server, durable=False)
    with running(server, folder / "log") as process:
        postgres.wait_ready(server, lambda: process.poll() is None, folder / "log")
        postgres.heal(server)
        assert process.wait(60) is not None
        assert servers_of(server.data) == []
    with psycopg.connect(session_servers.app_url) as link:
        assert link.execute("SELECT 1").fetchone() == (1,)


def test_a_foreign_server_behind_the_socket_is_refused(folder: Path) -> None:
    server = postgres_at(folder)
    postgres.initialise(server, durable=False)
    expected = postgres_at(folder, folder / "ours")
    with running(server, folder / "log") as process:
        postgres.wait_ready(server, lambda: process.poll() is None, folder / "log")
        with pytest.raises(StartError, match="it is not ours"):
            postgres.wait_ready(expected, lambda: True, folder / "log")
        assert process.poll() is None


def test_a_foreign_redis_behind_the_socket_is_refused(folder: Path) -> None:
    account = server_account(folder)
    sockets = Path(session_servers.redis_url.removeprefix("unix://").partition("?")[0]).parent
    ours = redis.Redis(folder / "redis", sockets, redis.find_program(folder, account), account)
    with pytest.raises(StartError, match="it is not ours"):
        redis.wait_ready(ours, lambda: True, folder / "log")


def _no_version(data: Path) -> None:
    (data / "PG_VERSION").unlink()


def _no_control(data: Path) -> None:
    (data / "global" / "pg_control").unlink()


def _another_version(data: Path) -> None:
    (data / "PG_VERSION").write_text("9\n")


@pytest.mark.parametrize(
    ("harm", "sentence"),
    [(_no_version, "is damaged"), (_no_control, "is damaged"), (_another_version, "was made by PostgreSQL 9")],
)
def test_a_damaged_data_folder_is_one_sentence(folder: Path, harm: Callable[[Path], None], sentence: str) -> None:
    server = postgres_at(folder)
    postgres.initialise(server, durable=False)
    harm(server.data)
    with pytest.raises(StartError, match=sentence) as caught:
        postgres.initialise(server)
    assert "make reset" in caught.value.remedy


@pytest.mark.parametrize("lost", ["global/pg_control", "pg_wal", "base"])
def test_damage_that_only_the_server_sees_is_one_sentence_too(folder: Path, lost: str) -> None:
    server = postgres_at(folder)
    postgres.initialise(server, durable=False)
    (server.data / lost).rename(server.data / "lost")
    if lost == "global/pg_control":
        (server.data / lost).write_bytes(b"\0" * 100)
    with running(server, folder / "log") as process, pytest.raises(StartError, match="is damaged") as caught:
        postgres.wait_ready(server, lambda: process.poll() is None, folder / "log")
    assert "make reset" in caught.value.remedy
    assert str(folder / "log") in caught.value.remedy


def test_an_interrupted_first_start_is_repeated(folder: Path) -> None:
    server = postgres_at(folder)
    half = folder / "postgres.new"
    half.mkdir()
    (half / "PG_VERSION").write_text("18\n")
    assert postgres.initialise(server, durable=False)
    assert not half.exists()
    assert not postgres.initialise(server)


def test_data_of_another_user_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = postgres_at(folder)
    postgres.initialise(server, durable=False)
    stranger = type(server.account)(server.account.uid + 1, server.account.gid, drop=False)
    with pytest.raises(StartError, match="belongs to user id"):
        postgres.initialise(postgres.Postgres(server.data, folder, server.programs, stranger))


def test_a_user_without_a_name_is_told(folder: Path) -> None:
    server = postgres_at(folder)
    nameless = type(server.account)(54321, 54321, drop=False)
    with pytest.raises(StartError, match="54321 has no name"):
        postgres.initialise(postgres.Postgres(folder / "postgres", folder, server.programs, nameless))


def test_socket_folders_are_private_short_and_ours(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    account = server_account(folder)
    monkeypatch.setenv("TMPDIR", str(folder))
    made = private_folder("sockets", account)
    assert made == folder / "sockets"
    assert made.stat().st_mode & 0o777 == 0o700
    assert private_folder("sockets", account) == made
    made.chmod(0o755)
    with pytest.raises(StartError, match="private folder"):
        private_folder("sockets", account)
    made.rmdir()
    (folder / "elsewhere").mkdir()
    made.symlink_to(folder / "elsewhere")
    with pytest.raises(StartError, match="private folder"):
        private_folder("sockets", account)


def test_a_long_folder_for_temporary_files_is_passed_over(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = folder / ("x" * SOCKET_PATH_MAX)
    long.mkdir()
    monkeypatch.setenv("TMPDIR", str(long))
    name = f"saalchef-test-{os.getpid()}"
    made = private_folder(name, server_account(folder))
    try:
        assert made == Path("/tmp") / name
    finally:
        made.rmdir()


def test_throwaway_servers_end_with_the_run_that_started_them(folder: Path) -> None:
    program = (
        "import sys, time, pathlib; from casino.launcher.embedded.throwaway import throwaway_servers\n"
        "with throwaway_servers(pathlib.Path(sys.argv[1])) as servers: print(servers.app_url, flush=True); time.sleep(600)"
    )
    command = [sys.executable, "-c", program, str(folder)]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert str(folder) in process.stdout.readline()
        assert servers_of(folder / "postgres")
        assert servers_of(folder / "redis")
        process.kill()
    assert wait_until(lambda: not servers_of(folder / "postgres") and not servers_of(folder / "redis"), 60)


def test_throwaway_servers_stop_at_the_end(folder: Path) -> None:
    with throwaway_servers(folder) as servers:
        assert isinstance(servers, ThrowawayServers)
        assert client.Redis.from_url(servers.redis_url).ping()
    assert servers_of(folder / "postgres") == servers_of(folder / "redis") == []
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(servers.app_url)


def test_the_app_role_owns_nothing_and_makes_nothing() -> None:
    with psycopg.connect(session_servers.app_url) as link, pytest.raises(errors.InsufficientPrivilege):
        link.execute("CREATE TABLE of_mine (id int)")
    with psycopg.connect(session_servers.app_url) as link, pytest.raises(errors.InsufficientPrivilege):
        link.execute("SET ROLE saalchef_owner")
