"""Who restores a backup, or has a standby take over, and says nothing, is told so before anything serves."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp

import psycopg
import pytest

from casino.launcher.backup import run_as, take
from casino.launcher.embedded import postgres
from casino.launcher.embedded.throwaway import ThrowawayServers, throwaway_servers
from casino.launcher.processes import servers_of, wait_until
from casino.launcher.terminal import Terminal
from casino.ops.checks import unsafe_database
from jackpot.selectors.jackpots import SERVERS, row_servers
from tests.casino.ops.own_servers import PROJECT, OwnServers
from tests.restores import known_as

HERE = "(system_identifier, timeline) = (SELECT system_identifier, timeline FROM server_v1())"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("timeline = timeline - 1", ("known to lie in timeline 0", "manage.py restored", "manage.py promoted")),
        ("timeline = timeline + 1", ("timeline 1 of the cluster", "manage.py restored", None)),
        ("system_identifier = 7", ("timeline 1 of the cluster 7", "manage.py restored", None)),
    ],
)
def test_a_start_on_another_server_is_refused_with_its_remedy(
    left_whole: str, change: str, said: tuple[str, str, str | None]
) -> None:
    known_as(change)
    try:
        [found] = unsafe_database()
    finally:
        known_as(HERE)
    assert found.code == "database.restored"
    sentence, restored, promoted = said
    assert sentence in found.sentence
    assert restored in found.remedy
    assert ("manage.py promoted" in found.remedy) == bool(promoted)
    assert unsafe_database() == []


# In earnest
@pytest.fixture(scope="module")
def place() -> Iterator[Callable[[], Path]]:
    """Makes short folders that servers can reach."""
    made: list[Path] = []

    def make() -> Path:
        made.append(Path(mkdtemp(prefix="saalchef-own-")))
        made[-1].chmod(0o711)
        return made[-1]

    yield make
    for folder in made:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def restored(backup: Path, folder: Path) -> Iterator[ThrowawayServers]:
    """A server on a copy of the backup."""
    subprocess.run(["cp", "-a", str(backup), str(folder / "postgres")], check=True)
    with throwaway_servers(folder) as servers:
        yield servers


def manage(environment: Mapping[str, str], *arguments: str) -> str:
    """What a command says."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=PROJECT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def at(own_servers: OwnServers, url: str) -> dict[str, str]:
    return own_servers.environment() | {"DATABASE_URL": url}


def known(url: str) -> bool:
    """Whether the server is the one that its books know: what a start and `/readyz` ask."""
    with psycopg.connect(url) as link:
        was, now = row_servers(link.execute(SERVERS).fetchone())
    return was == now


def test_each_restore_of_the_same_backup_is_noticed_until_it_is_said(
    own_servers: OwnServers, place: Callable[[], Path]
) -> None:
    folder = place()
    own_servers.account.own(folder)
    backup = take(own_servers.postgres, folder / "backup", Terminal()).folder
    there = place()
    with restored(backup, there) as servers:
        environment = at(own_servers, servers.app_url)
        refused = manage(environment, "check", "--database", "default")
        place_of = r"timeline {} of the cluster \d+ of PostgreSQL"
        sentence = f"The books go on in {place_of.format(2)}; they are known to lie in {place_of.format(1)}"
        assert re.search(rf"casino\.database\.restored\) {sentence}\.", refused)
        assert "Jackpots suspended: 0." in manage(environment, "restored")
        assert known(servers.app_url)
    with throwaway_servers(there) as servers:  # started again it is the same server
        assert known(servers.app_url)
    with restored(backup, place()) as servers:
        assert not known(servers.app_url)
    assert known(own_servers.postgres.url(postgres.APP))


def test_a_standby_that_took_over_serves_after_one_command(own_servers: OwnServers, place: Callable[[], Path]) -> None:
    folder = place()
    own_servers.account.own(folder)
    standby = replace(own_servers.postgres, data=folder / "postgres", sockets=folder)
    primary = own_servers.postgres.url(postgres.SUPERUSER, "postgres")
    copy = [str(standby.programs / "pg_basebackup"), "-D", str(standby.data), "--checkpoint=fast", "-R", "-d", primary]
    run_as(own_servers.account, copy, "no standby")
    superuser, app = standby.url(postgres.SUPERUSER), standby.url(postgres.APP)
    own_servers._server("standby", standby.command(), signal.SIGQUIT)
    try:
        assert wait_until(lambda: recovers(superuser) is True, 60)
        assert known(app)  # it reads the books of the server that it follows
        with psycopg.connect(superuser, autocommit=True) as link:
            link.execute("SELECT pg_promote()")
        assert wait_until(lambda: recovers(superuser) is False, 60)
        assert not known(app)
        assert manage(at(own_servers, app), "promoted") == "The books go on along timeline 2.\n"
        assert known(app)
    finally:
        for pid in servers_of(standby.data):
            os.kill(pid, signal.SIGKILL)


def recovers(url: str) -> bool | None:
    """Whether the server follows another one; None while it does not answer."""
    try:
        with psycopg.connect(url) as link:
            return bool(link.execute("SELECT pg_is_in_recovery()").fetchone()[0])
    except psycopg.OperationalError:
        return None
