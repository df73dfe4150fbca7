"""Reports that the worker makes: one row while somebody waits for it, and as long as its file is
kept.
"""

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from payouts.models import House

RUNNING = ("queued", "running")


class ReportRun(models.Model):
    """One report in one format and language. Asked for again while it runs it is the same row
    (`key`), however many ask.

    `alive_at`: the last sign of life of who makes it. `lines`, `expected`: how far it is. Nothing
    of it is the books': rows go with their files.
    """

    STATES: ClassVar[dict[str, str]] = {state: state for state in (*RUNNING, "done", "failed")}

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    kind = models.CharField(max_length=30)
    asked = models.JSONField()  # the filters as plain data
    form = models.CharField(max_length=10)
    language = models.CharField(max_length=5)
    key = models.CharField(max_length=64)  # SHA-256 of house, kind, filters, format, language
    state = models.CharField(max_length=7, choices=STATES, default="queued")
    tries = models.PositiveSmallIntegerField(default=0)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    asked_at = models.DateTimeField(db_default=Now(), editable=False)
    alive_at = models.DateTimeField(db_default=Now(), editable=False)
    ended_at = models.DateTimeField(null=True, editable=False)
    lines = models.BigIntegerField(default=0)
    expected = models.BigIntegerField(null=True)
    sha256 = models.CharField(max_length=64, blank=True)
    file_name = models.CharField(max_length=200, blank=True)
    failed = models.CharField(max_length=60, blank=True)  # the code of why

    class Meta:
        app_label = "casino"
        constraints = [
            models.UniqueConstraint(
                fields=["key"], condition=Q(state__in=RUNNING), name="report_run_once"
            ),
            models.CheckConstraint(
                condition=Q(state__in=RUNNING, ended_at=None)
                | Q(state__in=["done", "failed"], ended_at__isnull=False),
                name="report_run_ended",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.state}"
