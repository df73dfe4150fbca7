"""`make backup` and `make drill`: what they refuse, in one sentence with the way out. What they do: `test_house.py`."""

from pathlib import Path

import pytest

from casino.launcher.backup import backup
from casino.launcher.drill import drill, figures
from casino.launcher.errors import StartError
from tests.servers import servers


@pytest.fixture
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone that never ran."""
    for name in ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "TO", "FROM"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.mark.parametrize("command", [backup, drill])
def test_a_house_that_does_not_run_is_told(here: Path, command: object) -> None:
    with pytest.raises(StartError, match="The house does not run here"):
        command(here)


@pytest.mark.parametrize("command", [backup, drill])
def test_an_own_postgresql_is_backed_up_where_it_is(
    here: Path, command: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", servers.app_url)
    monkeypatch.setenv("DATABASE_OWNER_URL", servers.owner_url)
    with pytest.raises(StartError, match="a PostgreSQL of your own"):
        command(here)


def test_what_is_no_backup_is_not_restored(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FROM", str(here))
    with pytest.raises(StartError, match="is no backup"):
        drill(here)


def test_the_figures_of_a_drill_say_seconds_per_gb_of_what_grows_with_the_data() -> None:
    spent = {
        "backup": 1.0,
        "checksums": 0.5,
        "copy into the second place": 0.25,
        "recovery": 2.0,
        "audits, rounds again": 9.0,
    }
    assert figures(spent, 500_000_000) == {
        "bytes": 500_000_000,
        "seconds": spent,
        "seconds_per_gb": {
            "backup": 2.0,
            "checksums": 1.0,
            "copy into the second place": 0.5,
            "recovery": 4.0,
            "all of these": 7.5,
        },
    }
