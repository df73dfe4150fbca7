"""The minute's audit: what is new, above marks that no late commit can slip under; by night everything; one of each at a time."""

from collections.abc import Callable
from datetime import timedelta

import psycopg
import pytest

from casino.ops import heartbeats
from casino.ops.heartbeats import audit_store, audit_whole_due
from casino.ops.models import AuditRun
from payouts import audit_recent
from payouts.models import Transfer
from tables import services
from tests.casino.ops import audit_runs
from tests.cast import DAY, make_house, stock_house
from tests.databases import superuser
from tests.floor import Floor, done
from tests.worlds import world

Store = Callable[..., AuditRun]
# A transfer of no money, from somebody who has switched the guards off.
EMPTY = f"""
    INSERT INTO payouts_transfer (house_id, key, kind, subject_kind, gaming_day, reason)
    SELECT id, 'forged:' || gen_random_uuid(), 'fill', '', '{DAY}', '' FROM payouts_house LIMIT 1 RETURNING id
"""


@pytest.fixture
def store(own_database: str, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Audit the books of a house whose transfers nobody guards, as often as one likes."""
    monkeypatch.setattr(heartbeats, "AUDIT_APART", timedelta(0))
    stock_house(make_house())
    with superuser() as link:
        link.execute("ALTER TABLE payouts_transfer DISABLE TRIGGER USER")

    def now(*, whole: bool = False) -> AuditRun:
        run = audit_store(whole=whole)
        assert run is not None
        return run

    return now


def empty(run: AuditRun) -> list[int]:
    """The transfers without entries that a run names."""
    return [
        row["transfer_id"] for one in run.breaches if one["audit"] == "transfers_have_entries" for row in one["rows"]
    ]


def forged(link: psycopg.Connection) -> int:
    [(number,)] = link.execute(EMPTY).fetchall()
    return int(number)


@pytest.mark.parametrize("naive", [False, True], ids=["guarded", "control"])
def test_what_commits_late_is_audited(store: Store, monkeypatch: pytest.MonkeyPatch, naive: bool) -> None:
    """Its number is lower than one that was audited long ago. Control: as if whatever has a number had been committed."""
    if naive:
        monkeypatch.setattr(audit_recent, "decided", lambda now, earlier: now)
    store(whole=True)
    with superuser() as late, superuser() as soon:
        late.execute("BEGIN")
        number = forged(late)
        assert forged(soon) > number
        soon.execute("DELETE FROM payouts_transfer WHERE key LIKE 'forged:%'")
        stock_house(make_house(name="Another house"))
        for _ in range(3):
            assert empty(store()) == []
        late.execute("COMMIT")
    assert (empty(store()) == []) is naive
    assert empty(store(whole=True)) == [number]


def test_what_was_sound_is_not_asked_about_again_and_what_was_found_stays_found(store: Store) -> None:
    """What stood long ago is found by night; that, and what is found when it is new, is told until it is put right."""
    old = Transfer.objects.order_by("pk").first()
    with superuser() as link:
        store(whole=True)
        low = store().marks["low"]
        assert low["payouts_transfer"] == Transfer.objects.order_by("-pk").first().pk
        link.execute("ALTER TABLE payouts_entry DISABLE TRIGGER USER")
        link.execute("CREATE TABLE aside AS SELECT * FROM payouts_entry WHERE transfer_id = %s", [old.pk])
        link.execute("DELETE FROM payouts_entry WHERE transfer_id = %s", [old.pk])
        assert empty(store()) == []
        assert empty(store(whole=True)) == [old.pk]
        assert [empty(store()) for _ in range(2)] == [[old.pk]] * 2
        link.execute("INSERT INTO payouts_entry OVERRIDING SYSTEM VALUE SELECT * FROM aside")
        assert empty(store(whole=True)) == []
        new = forged(link)
        assert [empty(store()) for _ in range(3)] == [[new]] * 3
        assert store().marks["low"] == low
        link.execute("DELETE FROM payouts_transfer WHERE id = %s", [new])
    assert empty(store()) == []


def test_one_at_a_time(store: Store) -> None:
    """The minute's does not wait for the one by night, which takes hours; nor one of a kind for another of that kind."""
    for whole in (False, True):
        with superuser() as link:
            link.execute(f"SELECT pg_advisory_lock({heartbeats.LOCK + whole})")
            assert audit_store(whole=whole) is None
            assert audit_store(whole=not whole) is not None
            link.execute(f"SELECT pg_advisory_unlock({heartbeats.LOCK + whole})")
        assert audit_store(whole=whole) is not None


def test_a_run_that_lies_ahead_by_a_clock_that_was_set_back_keeps_none_away(own_database: str) -> None:
    audit_runs.left(timedelta(hours=-1))
    assert audit_whole_due()
    assert audit_store() is not None
    assert audit_store() is None


def test_large_books_are_first_audited_whole_where_there_is_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an upgrade: a minute would not be enough, and the next would begin again."""
    monkeypatch.setattr(heartbeats, "LARGE", 3)
    assert audit_store() is None
    assert store(whole=True).whole
    assert not store().whole


@world(Floor)
def test_everything_is_audited_once_a_day_while_no_table_is_open(floor: Floor, own_database: str) -> None:
    assert audit_whole_due()
    for hours, closed, opened in ((19, False, False), (21, True, False), (31, True, True)):
        audit_runs.forget()
        audit_runs.left(timedelta(hours=hours))
        assert audit_whole_due() is closed
        floor.open()
        assert audit_whole_due() is opened
        done(services.table_close, house_id=floor.house.pk, table_id=floor.table.pk, actor_id=floor.martina.pk)
