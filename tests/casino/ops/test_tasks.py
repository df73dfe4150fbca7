"""What the worker leaves in the database; and what becomes of it when tasks come twice, late or never."""

from datetime import timedelta

import pytest
from celery import current_app
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models.functions import Now
from django.db.utils import IntegrityError
from django.utils import timezone

from casino.celery import LONG, Beat, app
from casino.ops import heartbeats
from casino.ops.heartbeats import audit_store, heartbeat_write
from casino.ops.models import AuditRun, Heartbeat
from casino.tasks import audit, heartbeat, tidy
from payouts.audit import AuditResult
from tests.casino.ops import audit_runs


def found(*breaches: tuple[str, int]):
    """Audits that find so many rows each."""
    return lambda low=None: [AuditResult(name, [{"row": n} for n in range(rows)], 0.1) for name, rows in breaches]


def test_heartbeat_names_the_worker_and_the_databases_time(db: None) -> None:
    heartbeat_write(worker="w1@floor")
    [row] = Heartbeat.objects.filter(at__gt=Now() - timedelta(seconds=5), at__lte=Now())
    assert row.worker == "w1@floor"


def test_audit_of_sound_books_is_stored(own_database: str) -> None:
    run = audit_store()
    assert run is not None
    stored = AuditRun.objects.get()
    assert (stored.pk, stored.ok, stored.breaches) == (run.pk, True, [])
    assert 0 < stored.seconds < 30


def test_breaches_are_stored_and_told(
    db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(heartbeats, "run_audits", found(("a", 25), ("b", 0), ("c", 1)))
    assert audit_store() is not None
    stored = AuditRun.objects.get()
    assert not stored.ok
    assert [(breach["audit"], len(breach["rows"])) for breach in stored.breaches] == [("a", 20), ("c", 1)]
    assert "audit_in_breach" in caplog.text


def test_second_beat_does_not_audit_twice(own_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[int] = []
    monkeypatch.setattr(heartbeats, "run_audits", lambda low: runs.append(1) or [])
    assert audit_store() is not None
    assert audit_store() is None
    audit_runs.forget()
    audit_runs.left(timedelta(seconds=31))
    assert audit_store() is not None
    assert len(runs) == 2


def test_audit_that_fails_stores_nothing(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(low: None) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(heartbeats, "run_audits", fail)
    with pytest.raises(ZeroDivisionError):
        audit_store()
    assert not AuditRun.objects.exists()


def test_old_rows_go_but_runs_with_breaches_stay(own_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for days in (6, 8):
        Heartbeat.objects.create(at=Now() - timedelta(days=days), worker=f"{days}")
        audit_runs.left(timedelta(days=days))
        audit_runs.left(timedelta(days=days), [{"audit": str(days), "rows": [{}]}])
    monkeypatch.setattr(heartbeats, "run_audits", found())
    audit_store()
    assert list(Heartbeat.objects.values_list("worker", flat=True)) == ["6"]
    assert AuditRun.objects.filter(ok=True).count() == 2  # of this moment, and of six days ago
    assert AuditRun.objects.filter(ok=False).count() == 2


@pytest.mark.parametrize(("ok", "breaches"), [(True, [{"audit": "a"}]), (False, [])])
def test_run_cannot_say_one_thing_and_mean_another(db: None, ok: bool, breaches: list) -> None:
    with pytest.raises(IntegrityError, match="audit_run_ok_means_no_breach"):
        AuditRun.objects.create(seconds=1, ok=ok, breaches=breaches)


def test_signs_of_life_are_never_changed(db: None) -> None:
    with connection.cursor() as cursor:
        for table in ("casino_heartbeat", "casino_auditrun"):
            cursor.execute(
                "SELECT has_table_privilege(%s, 'UPDATE'), has_table_privilege(%s, 'DELETE')", [table, table]
            )
            assert cursor.fetchone() == (False, True)


# The app and its timetable


def test_tasks_belong_to_our_app_in_every_process() -> None:
    """`shared_task` binds to the app that CasinoConfig.ready() brought in, not to a default one without our settings."""
    assert heartbeat.app.main == audit.app.main == current_app.main == "saalchef"


def test_timetable_names_tasks_that_exist_and_that_expire() -> None:
    app.loader.import_default_modules()
    for entry in app.conf.beat_schedule.values():
        assert entry["task"] in app.tasks
        assert entry["options"]["expires"] <= max(60, entry["schedule"] / 2)


def test_tasks_are_hints() -> None:
    """Acknowledged before they run, without result, never repeated by the broker, in JSON."""
    conf = app.conf
    assert (conf.task_acks_late, conf.task_ignore_result, conf.result_backend) == (False, True, None)
    assert conf.broker_transport_options["ack_emulation"] is False
    assert (conf.task_serializer, conf.accept_content, conf.task_publish_retry) == ("json", ["json"], False)


def test_what_may_take_longer_than_usual_has_a_worker_of_its_own() -> None:
    """Nothing that the floor waits for stands behind it (`deploy/`, `make run`: queue `long`)."""
    app.loader.import_default_modules()
    slow = {name for name, task in app.tasks.items() if (task.time_limit or 0) > app.conf.task_time_limit}
    assert slow == {"casino.audit_whole", "casino.tidy", "casino.verify", "casino.report", "casino.edges"}
    assert {app.amqp.router.route({}, name)["queue"].name for name in slow} == {LONG}


def test_all_is_due_when_beat_starts() -> None:
    beat = Beat(app=app)
    beat.setup_schedule()
    assert {name: entry.is_due().is_due for name, entry in beat.schedule.items()} == dict.fromkeys(
        app.conf.beat_schedule, True
    )


def test_what_nobody_asks_for_any_more_is_thrown_away(own_database: str) -> None:
    """Sessions that are over go; answers of a month ago: `tests/payouts/test_idempotency.py`."""
    for key, hours in (("over", -1), ("here", 1)):
        Session.objects.create(session_key=key, session_data="", expire_date=timezone.now() + timedelta(hours=hours))
    tidy()
    assert list(Session.objects.values_list("session_key", flat=True)) == ["here"]
