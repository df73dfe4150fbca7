"""The log of who did what."""

from django.conf import settings
from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models.functions import Now

from payouts.models.base import AppendOnly
from payouts.models.house import House


class Event(AppendOnly):
    """One act: name (`approval.requested`), subject, person (none: the system), before and after, reason, request."""

    at = models.DateTimeField(db_default=Now(), editable=False)
    house = models.ForeignKey(House, null=True, on_delete=models.PROTECT, related_name="+")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=60)
    subject_kind = models.CharField(max_length=30, blank=True)
    subject_id = models.CharField(max_length=64, blank=True)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    reason = models.CharField(max_length=500, blank=True)
    request_id = models.CharField(max_length=64, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["subject_kind", "subject_id"], name="event_subject"),
            BrinIndex(fields=["at"], name="event_at"),
        ]

    def __str__(self) -> str:
        return self.name
