"""The verify page: asked for once at a time, carried out, what was found is named and kept; nothing of another house is shown."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone, translation
from pytest_django import DjangoDbBlocker

from casino.audit import runs
from casino.audit.runs import VerifyRunning, verify_ask, verify_next
from casino.audit.verdict import verdict
from casino.database import alone
from casino.ops.heartbeats import audit_store
from casino.ops.models import VerifyRun
from casino.ops.seals import seals_take
from casino.people.models import Person
from casino.records.findings import WORDS, field, record
from casino.tasks import verify
from payouts.agreement import RULES
from payouts.models import Event
from payouts.sealed import forms
from tests.casino.audit.desk import ENGLISH
from tests.casino.people import people
from tests.casino.people.hasher import plain_settings
from tests.casino.pit.floor.floor_desk import words
from tests.cast import make_house
from tests.databases import module_database, superuser
from tests.seals.house import Sealed


@pytest.fixture(scope="module")
def sealed(django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory) -> Iterator[Sealed]:
    with django_db_blocker.unblock(), module_database("verified") as name:
        yield Sealed(name, tmp_path_factory.mktemp("keys"))


# Words that are the same in two languages.
ALIKE = {"tables_pit", "payouts_approvalsignature", "jackpot_gatedisplay", "jackpot_requireddisplay"}


class Auditor:
    """Somebody at the verify page of a sealed house of his own."""

    def __init__(self, sealed: Sealed) -> None:
        self.house = sealed.house
        self.person: Person = people.make(self.house, "vera.c", "auditor", language="en")
        self.client: Client = people.signed_in(self.person)

    def said(self, path: str = "", status: int = 200) -> str:
        response = self.client.get(f"/audit/verify/{path}", headers=ENGLISH)
        assert response.status_code == status
        return words(response.content.decode())

    def ask(self, status: int = 302) -> str:
        response = self.client.post("/audit/verify/", headers=ENGLISH)
        assert response.status_code == status
        return response["Location"] if status == 302 else words(response.content.decode())


@pytest.fixture
def auditor(
    sealed: Sealed, django_db_blocker: DjangoDbBlocker, settings, tmp_path: Path, monkeypatch
) -> Iterator[Auditor]:
    plain_settings(settings)
    settings.SEAL_KEY_PATH, settings.SEAL_HEADS = sealed.key, str(tmp_path / "heads")
    monkeypatch.setenv("SEAL_KEY_PATH", str(sealed.key))
    monkeypatch.setenv("SEAL_HEADS", str(tmp_path / "heads"))
    with django_db_blocker.unblock(), module_database("verified_copy", sealed.database):
        yield Auditor(sealed)


def test_page_says_how_to_get_every_finding(auditor: Auditor) -> None:
    assert "manage.py verify --all FILE" in auditor.said()


def test_all_is_well_and_the_verdict_says_so(auditor: Auditor) -> None:
    seals_take()
    audit_store()
    assert "Not everything is proved yet" in auditor.said()
    address = auditor.ask()
    run = verify_next()
    assert run is not None
    assert address == f"/audit/verify/{run.pk}/"
    assert (run.state, run.ok, run.failed, run.done) == ("done", True, "", run.jobs)
    said = auditor.said(f"{run.pk}/")
    assert f"All is as it was, up to seal {run.seal}." in said
    assert "Every sealed row is there and is as it was." in said
    assert {one["name"] for one in run.checks or []} <= set(WORDS)
    assert re.findall(r"\w+_\w+", said) == []  # each check is a sentence, none a name
    assert {one.code: one.ok for one in verdict().checks} == dict.fromkeys(
        ("chain", "complete", "anchor", "balances"), True
    )
    assert "All is as it was" in auditor.said()
    assert verify_next() is None


def test_everything_is_verified_once_a_day_unasked(auditor: Auditor, monkeypatch) -> None:
    """Due without one before, then no more; the page names nobody."""
    monkeypatch.setattr(runs, "verify_next", lambda: None)
    for _minute in range(2):
        verify()
    [run] = VerifyRun.objects.all()
    assert (run.asked_by, run.state) == (None, "waiting")
    assert f"{run.pk} daily verification" in auditor.said()


def test_each_row_that_was_changed_is_missing_or_slipped_in_is_named(auditor: Auditor) -> None:
    seals_take()
    with superuser() as link:
        link.execute("SET session_replication_role = replica")
        for table in ("tables_roundline", "payouts_event", "tables_handover"):
            link.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        link.execute("UPDATE tables_roundline SET won_minor = won_minor + 1 WHERE id = 1")
        [(gone,)] = link.execute("DELETE FROM tables_handover RETURNING id").fetchall()
        link.execute(
            "INSERT INTO payouts_event (id, at, name, subject_kind, subject_id, reason, request_id)"
            " OVERRIDING SYSTEM VALUE VALUES (-3, now(), 'x', '', '', '', '')"
        )
    auditor.ask()
    run = verify_next()
    assert run is not None
    assert run.ok is False
    said = auditor.said(f"{run.pk}/")
    for text in (
        " 1 (tables_roundline 1) seal 1 was changed",
        f"{gone} (tables_handover {gone}) seal 3 is missing",
        "Event -3 (payouts_event -3) was slipped in",
        "Something is not as it was",
    ):
        assert text in said, text
    found = {one.code: one.ok for one in verdict().checks}
    assert (found["chain"], found["complete"]) == (False, False)


def test_only_one_runs_at_a_time(auditor: Auditor) -> None:
    auditor.ask()
    assert "runs already" in auditor.ask(409)
    assert VerifyRun.objects.count() == 1
    with pytest.raises(IntegrityError), transaction.atomic():
        VerifyRun.objects.create(asked_by=auditor.person)
    assert Event.objects.filter(name="verify.asked", actor=auditor.person).count() == 1


def test_a_run_whose_worker_is_gone_makes_room_for_another(auditor: Auditor, monkeypatch) -> None:
    run = VerifyRun.objects.create(asked_by=auditor.person)
    VerifyRun.objects.filter(pk=run.pk).update(state="running", begun_at=Now(), told_at=Now(), jobs=9, done=3)
    assert "3 of 9 pieces" in auditor.said()
    assert "runs already" in auditor.ask(409)
    later = timezone.now() - 2 * runs.LOST
    VerifyRun.objects.filter(pk=run.pk).update(told_at=later)
    with alone(runs.LOCK):  # somebody is at it, though silent
        assert "runs already" in auditor.ask(409)
    assert "was broken off" in auditor.said()
    auditor.ask()
    run.refresh_from_db()
    assert (run.state, run.failed) == ("failed", "the worker ended before it was done")


def test_two_workers_do_not_carry_out_the_same_run(auditor: Auditor) -> None:
    auditor.ask()
    with alone(runs.LOCK):
        assert verify_next() is None
    assert VerifyRun.objects.get().state == "waiting"


def test_why_it_came_to_no_end_is_kept(auditor: Auditor, monkeypatch, tmp_path: Path) -> None:
    heads = tmp_path / "heads"
    heads.mkdir(exist_ok=True)
    (heads / "heads.jsonl").write_text("not a line")
    auditor.ask()
    run = verify_next()
    assert run is not None
    assert (run.state, run.ok) == ("failed", None)
    assert "cannot be read" in run.failed
    assert "It did not finish." in auditor.said(f"{run.pk}/")


def test_what_a_run_found_stays(auditor: Auditor) -> None:
    auditor.ask()
    verify_next()
    for harm in ("UPDATE casino_verifyrun SET ok = false", "DELETE FROM casino_verifyrun"):
        with pytest.raises(Exception, match=r"refused|permission"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(harm)
        with superuser() as link, pytest.raises(Exception, match="refused"):
            link.execute(harm)


def test_rows_of_another_house_are_counted_and_not_shown(auditor: Auditor) -> None:
    """Whoever is of one house among several reads what is wrong in his own."""
    other = make_house("Casino Elsewhere")
    mine = Event.objects.filter(house=auditor.house).order_by("pk")[0]
    theirs = Event.objects.filter(house=other).order_by("pk")[0]
    rows = [{"table": "payouts_event", "key": str(row.pk), "seal": 1, "what": "changed"} for row in (mine, theirs)] + [
        {"table": "payouts_event", "key": "999999", "seal": 1, "what": "missing"}
    ]
    run = VerifyRun.objects.create(asked_by=auditor.person)
    check = {"name": "rows_are_as_they_were_sealed", "count": 3, "looked_at": 9, "breaches": rows, "ok": False}
    audit = {
        "name": "balances_equal_entries",
        "count": 1,
        "looked_at": None,
        "breaches": [{"account": 77}],
        "ok": False,
    }
    VerifyRun.objects.filter(pk=run.pk).update(state="running", begun_at=Now())
    done = VerifyRun.objects.filter(pk=run.pk)
    done.update(state="done", ended_at=Now(), ok=False, checks=[check, audit])
    said = auditor.said(f"{run.pk}/")
    assert f"Event {mine.pk} (payouts_event {mine.pk})" in said
    assert f"payouts_event {theirs.pk})" not in said
    assert "payouts_event 999999)" in said
    assert said.count("1 more that is not shown") == 2


@pytest.mark.parametrize("language", ["de", "en", "fr", "it"])
def test_every_record_that_is_verified_has_a_name(language: str) -> None:
    """A table without one would stand there by its raw name, or in the English of the code."""
    tables = {*forms(), *RULES}
    with translation.override("en"):
        english = {table: record(table) for table in tables}
    with translation.override(language):
        named = {table: record(table) for table in tables}
    assert all(named.values())
    assert {name for name in named.values() if "_" in name} == set()
    same = {table for table in tables if named[table] == english[table]}
    assert language == "en" or same <= ALIKE, same
    with translation.override("de"):
        assert field("reason") == "Grund (reason)"
        assert field("unheard_of") == "unheard_of"


def test_a_command_that_asks_in_a_transaction_is_refused_in_words(auditor: Auditor) -> None:
    auditor.ask()
    with pytest.raises(VerifyRunning) as refused, transaction.atomic():
        verify_ask(person_id=auditor.person.pk, house_id=None)
    assert refused.value.data == {"number": VerifyRun.objects.get().pk}


def test_who_asked_is_named_within_their_house_and_to_who_is_of_none(auditor: Auditor) -> None:
    """A verification is of the whole installation: it stands on the page of every house."""
    stranger = people.make(make_house("Casino Elsewhere"), "o.ther", "auditor")
    chief = people.make(None, "c.leitung", "manager")
    askers = (auditor.person, stranger, chief)
    for person in askers:
        run = VerifyRun.objects.create(asked_by=person)
        rows = VerifyRun.objects.filter(pk=run.pk)
        rows.update(state="running", begun_at=Now())
        rows.update(state="done", ended_at=Now(), ok=True, checks=[])
    for reader, hidden in ((auditor.person, {stranger, chief}), (stranger, {auditor.person, chief}), (chief, set())):
        client = people.signed_in(reader)
        for path in ("", *(f"{pk}/" for pk in VerifyRun.objects.values_list("pk", flat=True))):
            page = words(client.get(f"/audit/verify/{path}", headers=ENGLISH).content.decode())
            assert {person for person in askers if person.full_name not in page} == hidden, (reader, path)
            assert ("not of this house" in page) is bool(hidden)
