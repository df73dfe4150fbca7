"""A seal misses no row and holds none twice, whatever order transactions commit in, and whoever seals besides."""

import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random  # noqa: TID251
from typing import Any

import psycopg
import pytest
from django.db import connection

from payouts import decided as looking
from payouts import seal_keys
from payouts.decided import Look
from payouts.models import Event, Seal, SealedRows
from payouts.rules import seal as rules
from payouts.seal_keys import SealKeyRefused, Signer
from payouts.selectors import seal_of
from payouts.services import seal as service
from payouts.services import seal_take
from tests.cast import make_house
from tests.databases import superuser
from tests.seals.house import found, seal
from tests.servers import servers

EVENT = (
    "INSERT INTO payouts_event (name, subject_kind, subject_id, reason, request_id)"
    " VALUES ('test', '', '', '', '') RETURNING id"
)
NAIVE = staticmethod(lambda now, before: (now.highest, now.taken_at))  # as if whatever has a number had been committed


@pytest.fixture
def signer(own_database: str, tmp_path: Path) -> Signer:
    make_house()
    seal_keys.make(tmp_path / "key.pem")
    return seal_keys.signer(tmp_path / "key.pem")


@pytest.fixture
def others(own_database: str) -> Iterator[list[psycopg.Connection]]:
    """Sessions of the serving role that keep transactions open."""
    links = [psycopg.connect(servers.app_url, dbname=own_database) for _ in range(4)]
    yield links
    for link in links:
        link.close()


def breaches(folder: Path) -> list[dict[str, object]]:
    with superuser() as link, link.transaction():
        return found(link, folder)


def events_of(number: int) -> list[int]:
    keys = SealedRows.objects.filter(seal=number, table="payouts_event").values_list("keys", flat=True)
    return [one for key in keys for one in rules.numbers_in(rules.unpack_runs(bytes(key)))]


@pytest.mark.parametrize("naive", [False, True], ids=["guarded", "control"])
def test_a_row_that_commits_late_under_an_early_number_is_sealed(signer, others, tmp_path, monkeypatch, naive):
    """Control: with an interval closed at the highest number there is, the late row is never sealed, and looks slipped in."""
    if naive:
        monkeypatch.setattr(service, "_decided", NAIVE)
    late = others[0].execute(EVENT).fetchone()[0]
    early = others[1].execute(EVENT).fetchone()[0]
    others[1].commit()
    first, second = seal(signer), seal(signer)
    assert early in events_of(1)
    assert events_of(2) == []
    others[0].commit()
    seal(signer)
    seal(signer)
    assert late < early
    if naive:
        assert first.statement.low["payouts_event"] == early
        assert breaches(tmp_path) == [{"table": "payouts_event", "key": str(late), "seal": None, "what": "added"}]
    else:
        assert second.statement.low["payouts_event"] < late
        assert events_of(3) == [late]
        numbers = [seal_of("payouts_event", key) for key in (early, late, early + 10**6)]
        assert numbers == [1, 3, None]
        assert breaches(tmp_path) == []
        assert Seal.objects.count() == 4
        assert seal(signer).statement.low["payouts_event"] >= early


@pytest.mark.parametrize("by_xid", [False, True], ids=["guarded", "control"])
def test_a_number_taken_before_the_transaction_has_an_id_is_waited_for(signer, tmp_path, monkeypatch, by_xid):
    """Control: the oldest running transaction id (`pg_snapshot_xmin`) knows nothing of who has a number and has not written."""
    if by_xid:
        running = (
            "SELECT now::text FROM pg_current_snapshot() AS now WHERE pg_snapshot_xmin(now) < pg_snapshot_xmax(now)"
        )
        monkeypatch.setattr(looking, "OPEN", running)
    with superuser() as link:
        number = "SELECT nextval(pg_get_serial_sequence('payouts_event', 'id'))"
        link.execute(number)  # the sequence writes ahead: the next ones need no transaction id
        link.execute("BEGIN")
        [(held,)] = link.execute(number).fetchall()
        with connection.cursor() as cursor:
            cursor.execute(EVENT)
        seal(signer)
        after = seal(signer)
        link.execute(
            EVENT.replace("(name", "(id, name")
            .replace("('test'", f"({held}, 'test'")
            .replace("VALUES", "OVERRIDING SYSTEM VALUE VALUES")
        )
        link.execute("COMMIT")
    seal(signer)
    assert (after.statement.low["payouts_event"] >= held) is by_xid
    assert [breach["what"] for breach in breaches(tmp_path)] == (["added"] if by_xid else [])


@pytest.mark.parametrize("naive", [False, True], ids=["guarded", "control"])
def test_any_course_of_transactions_is_sealed_whole(signer, others, tmp_path, monkeypatch, naive):
    if naive:
        monkeypatch.setattr(service, "_decided", NAIVE)
    lots = Random(20261122)
    for _ in range(250):
        link = lots.choice(others)
        what = lots.choices(["write", "commit", "rollback", "seal"], [6, 3, 1, 2])[0]
        if what == "write":
            link.execute(EVENT)
        elif what == "seal":
            seal(signer)
        else:
            getattr(link, what)()
    for link in others:
        link.commit()
    last = seal(signer)
    sealed = [number for seal_ in range(1, last.statement.number + 1) for number in events_of(seal_)]
    there = list(Event.objects.order_by("id").values_list("id", flat=True))
    assert (sorted(sealed) == there) is not naive
    assert (breaches(tmp_path) == []) is not naive


def test_after_a_restart_no_transaction_is_waited_for(signer, others):
    others[0].execute(EVENT)
    taken = seal(signer).statement
    others[0].rollback()
    now = Look(taken.taken_at, "2001-01-01T00:00:00+00:00", {"payouts_event": 99}, taken.open)
    assert taken.open
    assert service._decided(now, taken) == (taken.highest, taken.taken_at)
    assert service._decided(now._replace(server=taken.server), taken) == ({}, "")
    assert service._decided(now._replace(open=("prepared",)), taken) == ({}, "")


def test_two_at_once_take_one_seal(signer):
    """Who finds another at it leaves it to him; without that, both take the same number, and one of them fails."""
    with superuser() as link:
        link.execute(f"SELECT pg_advisory_lock({service.LOCK})")
        assert seal_take(signer=signer) is None
        link.execute(f"SELECT pg_advisory_unlock({service.LOCK})")
    came: list[Any] = []
    name = connection.settings_dict["NAME"]

    def take() -> None:
        connection.settings_dict["NAME"] = name
        try:
            came.append(seal_take(signer=signer))
        finally:
            connection.close()

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    taken = [one for one in came if one]
    assert len(came) == 4
    assert sorted(one.statement.number for one in taken) == list(range(1, len(taken) + 1))


def test_a_long_pause_is_sealed_in_pieces(signer, tmp_path, monkeypatch):
    """What a seal holds fits into memory; what is left over comes next, and is not called late for that."""
    monkeypatch.setattr(service, "ROWS_MOST", 5)
    with connection.cursor() as cursor:
        for _ in range(23):
            cursor.execute(EVENT)
    seal(signer)
    full = 1
    while seal(signer).full:
        full += 1
        assert full < 20
    assert full >= 4
    assert {len(events_of(number)) for number in range(1, 5)} == {5}
    assert breaches(tmp_path) == []


def test_a_key_is_replaced_and_what_it_signed_still_stands(signer, tmp_path):
    path = tmp_path / "key.pem"
    seal(signer)
    before = path.read_bytes()
    new = seal_keys.make(path)
    assert path.read_bytes() != before
    assert path.stat().st_mode & 0o777 == 0o600
    second = seal(seal_keys.signer(path))
    assert second.statement.key == new != signer.id
    assert breaches(tmp_path) == []
    (tmp_path / f"{signer.id}.pub").unlink()
    assert breaches(tmp_path) == [{"seal": 1, "why": f"was signed by a key that is not ours: {signer.id}"}]


def test_a_key_that_others_may_read_or_that_is_none_is_refused(tmp_path):
    path = tmp_path / "keys" / "key.pem"
    for spoil, why in (
        (lambda: None, "No such file or directory"),
        (lambda: seal_keys.make(path) and path.chmod(0o640), "others may read it"),
        (lambda: path.chmod(0o600) or path.write_text("none"), "it holds no key"),
    ):
        spoil()
        with pytest.raises(SealKeyRefused) as refused:
            seal_keys.signer(path)
        assert refused.value.data["why"] == why
    (tmp_path / "keys" / "odd.pub").write_text("none")
    with pytest.raises(SealKeyRefused):
        seal_keys.public_keys(path.parent)
