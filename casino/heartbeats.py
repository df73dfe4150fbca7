"""Signs of life that the worker leaves in the database, and what each audit found; `casino/health.py` reads both."""

import time
from datetime import timedelta
from typing import ClassVar

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models.functions import Now
from structlog import get_logger

from payouts.audit import run_audits
from payouts.models import Guarded

KEPT = timedelta(days=7)
AUDIT_APART = timedelta(seconds=30)  # a second beat, or a queue that piled up, does not audit twice in a row
ROWS_KEPT = 20  # of each breach: enough to see what it is

log = get_logger(__name__)


class Heartbeat(models.Model):
    """A worker took a task that beat sent by the broker, and reached the database."""

    app_may: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "DELETE")

    at = models.DateTimeField(db_default=Now(), db_index=True, editable=False)
    worker = models.CharField(max_length=200)

    class Meta:
        app_label = "casino"

    def __str__(self) -> str:
        return f"{self.worker} {self.at}"


class AuditRun(Guarded):
    """One run of all audits: when it ended, how long it took, and what was in breach.

    Runs with breaches are kept for ever, others for a week: the database sees to it (`casino/sql/audit_run_v1.sql`).
    """

    app_may = ("SELECT", "INSERT", "DELETE")
    clock = "at"

    at = models.DateTimeField(db_default=Now(), db_index=True, editable=False)
    seconds = models.FloatField()
    ok = models.BooleanField()
    breaches = models.JSONField(encoder=DjangoJSONEncoder)  # [{"audit": name, "rows": [the first 20 rows in breach]}]

    class Meta:
        app_label = "casino"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ok=True, breaches=[]) | (models.Q(ok=False) & ~models.Q(breaches=[])),
                name="audit_run_ok_means_no_breach",
            )
        ]

    def __str__(self) -> str:
        return f"{self.at} {'ok' if self.ok else 'in breach'}"


def heartbeat_write(*, worker: str) -> None:
    """Write one sign of life of this worker."""
    Heartbeat.objects.create(worker=worker)


def audit_store() -> AuditRun | None:
    """Run all audits and store the outcome; None if another run ended less than 30 s ago. Forgets what is older than 7 days.

    A run that fails (a statement took too long, say) stores nothing and raises: `/readyz` sees the last run's age grow.
    """
    if AuditRun.objects.filter(at__gt=Now() - AUDIT_APART).exists():
        return None
    started = time.monotonic()
    breaches = [
        {"audit": result.name, "rows": result.breaches[:ROWS_KEPT]} for result in run_audits() if result.breaches
    ]
    run = AuditRun.objects.create(seconds=time.monotonic() - started, ok=not breaches, breaches=breaches)
    if breaches:
        log.error("audit_in_breach", audits=[breach["audit"] for breach in breaches], audit_run=run.pk)
    _forget_old()
    return run


def _forget_old() -> None:
    Heartbeat.objects.filter(at__lt=Now() - KEPT).delete()
    AuditRun.objects.filter(at__lt=Now() - KEPT, ok=True).delete()
