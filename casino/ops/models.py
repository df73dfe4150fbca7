"""What looked at the books and at the installation: signs of life, audits, verifications, seals
taken and kept elsewhere.
"""

from typing import ClassVar

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import pgettext_lazy

from payouts.models import Guarded, codes


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

    Runs with breaches are kept for ever, others for a week: the database sees to it
    (`casino/sql/audit_run_v1.sql`).
    """

    app_may = ("SELECT", "INSERT", "DELETE")
    clock = "at"

    at = models.DateTimeField(db_default=Now(), db_index=True, editable=False)
    seconds = models.FloatField()
    ok = models.BooleanField()
    # [{"audit": name, "rows": [the first 20 rows in breach]}]
    breaches = models.JSONField(encoder=DjangoJSONEncoder)
    # everything was asked about, not only what was new
    whole = models.BooleanField(db_default=True)
    marks = models.JSONField(null=True)  # up to where (`payouts/audit_recent.py`)

    class Meta:
        app_label = "casino"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ok=True, breaches=[])
                | (models.Q(ok=False) & ~models.Q(breaches=[])),
                name="audit_run_ok_means_no_breach",
            )
        ]

    def __str__(self) -> str:
        return f"{self.at} {'ok' if self.ok else 'in breach'}"


class SealRun(models.Model):
    """How far sealing came, and keeping heads at each place, and why not further: a row for each,
    so the table never grows.
    """

    app_may: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    what = models.CharField(max_length=7, primary_key=True)  # seal, folder, webhook
    number = models.BigIntegerField()  # of the newest seal that was taken, or whose head is there
    at = models.DateTimeField(editable=False)  # of the last try
    failed = models.CharField(max_length=200, blank=True)  # why it failed

    class Meta:
        app_label = "casino"

    def __str__(self) -> str:
        return f"{self.what} {self.number}"


class VerifyState(models.TextChoices):
    """Of a verification."""

    WAITING = "waiting", pgettext_lazy("verification", "waits for a worker")
    RUNNING = "running", pgettext_lazy("verification", "running")
    DONE = "done", pgettext_lazy("verification", "done")
    FAILED = "failed", pgettext_lazy("verification", "broken off")


BUSY = (VerifyState.WAITING, VerifyState.RUNNING)


class VerifyRun(Guarded):
    """One verification. `checks`: as `manage.py verify --json` gives them; what is over stays
    (`casino/sql/verify_run_v1.sql`).
    """

    app_may = (
        "SELECT",
        "INSERT",
        "UPDATE (state, begun_at, told_at, ended_at, done, jobs, seal, ok, checks, failed)",
    )
    clock = "asked_at"
    State = VerifyState

    # nobody: by the clock
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )
    asked_at = models.DateTimeField(db_default=Now(), editable=False)
    state = models.CharField(max_length=7, choices=codes(VerifyState), default=VerifyState.WAITING)
    begun_at = models.DateTimeField(null=True, editable=False)
    told_at = models.DateTimeField(null=True, editable=False)  # of the last sign of life
    ended_at = models.DateTimeField(null=True, editable=False)
    done = models.PositiveIntegerField(default=0)
    jobs = models.PositiveIntegerField(default=0)
    seal = models.BigIntegerField(default=0)  # the newest one when it began
    ok = models.BooleanField(null=True)
    checks = models.JSONField(null=True)
    failed = models.CharField(max_length=500, blank=True)  # why it came to no end

    class Meta:
        app_label = "casino"
        constraints = [
            models.UniqueConstraint(
                fields=["state"],
                condition=models.Q(state__in=BUSY),
                name="verify_run_one_at_a_time",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=BUSY, ended_at=None, ok=None, checks__isnull=True)
                | models.Q(
                    state=VerifyState.DONE,
                    ended_at__isnull=False,
                    ok__isnull=False,
                    checks__isnull=False,
                )
                | (
                    models.Q(state=VerifyState.FAILED, ended_at__isnull=False, ok=None)
                    & ~models.Q(failed="")
                ),
                name="verify_run_ended",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk} {self.state}"
