"""An audit gives way to a migration, which waits for no table longer than a moment and tries again."""

import threading
import time
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.core.management.commands import migrate as django_migrate
from django.db import OperationalError, connection

from casino.database import OWNING
from casino.management.commands import migrate
from payouts import audit
from payouts.audit import run_audits
from tests.databases import owner, superuser
from tests.servers import servers

CHANGE = "ALTER TABLE payouts_event ADD COLUMN young int"
READS = "SELECT FROM pg_locks WHERE relation = 'payouts_event'::regclass AND granted AND pid <> pg_backend_pid()"
LONG = {"long": "SELECT 1 FROM payouts_event, pg_sleep(60)", "another": "SELECT 1 FROM payouts_event WHERE false"}
MOST_S = 60


class Audit:
    """An audit in a thread of its own that reads events for a minute, and how it ended."""

    def __init__(self, database: str, patch: pytest.MonkeyPatch) -> None:
        patch.setattr(audit, "AUDITS", LONG)
        patch.setattr(audit, "REGISTERED", {})
        self.ended: list[str] = []
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._run, args=(database,))
        self.thread.start()

    def _run(self, database: str) -> None:
        connection.settings_dict["NAME"] = database
        try:
            run_audits()
        except OperationalError as error:
            self.ended.append(type(error.__cause__).__name__)
        finally:
            connection.close()
            self.over.set()

    def wait_until_it_reads(self, link: "psycopg.Connection[Any]") -> None:
        for _ in range(MOST_S * 100):
            if link.execute(READS).fetchall():
                return
            assert not self.over.wait(0.01)
        raise AssertionError("it reads nothing")

    def end(self) -> list[str]:
        self.thread.join(MOST_S)
        return self.ended


@pytest.fixture
def link(own_database: str) -> Iterator[Any]:
    """The owner, who waits for a lock long enough for a slow machine."""
    with owner(own_database) as link:
        link.autocommit = True
        link.execute(
            "INSERT INTO payouts_event (name, subject_kind, subject_id, reason, request_id) VALUES ('x', '', '', '', '')"
        )
        link.execute("SET lock_timeout = '30s'")
        yield link


def test_a_long_audit_gives_way_to_a_migration_that_waits(own_database: str, link: Any, monkeypatch) -> None:
    running = Audit(own_database, monkeypatch)
    running.wait_until_it_reads(link)
    link.execute(CHANGE)
    assert running.end() == ["QueryCanceled"]


def test_without_it_the_migration_waits_in_vain(own_database: str, link: Any, monkeypatch) -> None:
    monkeypatch.setattr(audit, "gives_way", nullcontext)
    running = Audit(own_database, monkeypatch)
    running.wait_until_it_reads(link)
    link.execute("SET lock_timeout = '50ms'")
    with pytest.raises(psycopg.errors.LockNotAvailable):
        link.execute(CHANGE)
    with superuser(own_database) as other:  # nobody but the audit itself may
        other.execute("SELECT pg_cancel_backend(pid) FROM pg_locks WHERE relation = 'payouts_event'::regclass")
    assert running.end() == ["QueryCanceled"]


def test_an_audit_that_nobody_waits_for_ends(own_database: str) -> None:
    assert [result.name for result in run_audits() if result.breaches] == []


@pytest.fixture
def reader(own_database: str, link: Any, settings: Any) -> Iterator[Any]:
    """Somebody reads the table that is to be changed."""
    settings.DATABASE_OWNER_URL = servers.owner_url.replace("@/saalchef?", f"@/{own_database}?")
    link.execute("BEGIN")
    link.execute("SELECT count(*) FROM payouts_event")
    yield link
    link.execute("ROLLBACK")


class Migrations:
    """What `manage.py migrate` does: one change; with the limit of each try."""

    def __init__(self, patch: pytest.MonkeyPatch, milliseconds: int) -> None:
        self.limits: list[str] = []
        patch.setattr(django_migrate.Command, "handle", lambda *_given, **_options: self._change())
        patch.setattr(migrate, "OWNING", OWNING.replace("lock_timeout=2s", f"lock_timeout={milliseconds}ms"))

    def _change(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SHOW lock_timeout")
            self.limits += [limit for (limit,) in cursor.fetchall()]
            cursor.execute(CHANGE)


def test_a_migration_that_finds_a_table_in_use_is_tried_again(reader: Any, monkeypatch, capsys) -> None:
    tried = Migrations(monkeypatch, 20)
    monkeypatch.setattr(time, "sleep", lambda _seconds: reader.execute("COMMIT"))
    call_command("migrate")
    assert tried.limits == ["20ms", "20ms"]
    assert capsys.readouterr().err == "A table is in use: tried again in 3 s.\n"


def test_a_migration_gives_up_where_a_table_stays_in_use(reader: Any, monkeypatch) -> None:
    pauses: list[float] = []
    tried = Migrations(monkeypatch, 1)
    monkeypatch.setattr(time, "sleep", pauses.append)
    with pytest.raises(OperationalError, match="lock timeout"):
        call_command("migrate")
    assert (len(tried.limits), pauses) == (migrate.TRIES, [migrate.PAUSE_S] * (migrate.TRIES - 1))


def test_the_owner_waits_two_seconds() -> None:
    assert "lock_timeout=2s" in OWNING
