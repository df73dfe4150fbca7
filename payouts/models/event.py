"""The log of who did what."""

from django.conf import settings
from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from payouts.models.base import AppendOnly
from payouts.models.house import House


class Event(AppendOnly):
    """One act: name (`approval.requested`), subject, person (none: the system), before and after,
    reason, request.
    """

    clock = "at"

    at = models.DateTimeField(db_default=Now(), editable=False, verbose_name=_("time"))
    house = models.ForeignKey(
        House, null=True, on_delete=models.PROTECT, related_name="+", verbose_name=_("house")
    )
    actor = models.ForeignKey(  # its index is that of a person's acts
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("person"),
    )
    name = models.CharField(max_length=60, verbose_name=_("event"))
    subject_kind = models.CharField(max_length=30, blank=True, verbose_name=_("kind of subject"))
    subject_id = models.CharField(max_length=64, blank=True, verbose_name=_("subject"))
    before = models.JSONField(null=True, verbose_name=_("before"))
    after = models.JSONField(null=True, verbose_name=_("after"))
    reason = models.CharField(max_length=500, blank=True, verbose_name=_("reason"))
    request_id = models.CharField(max_length=64, blank=True, verbose_name=_("request"))

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        indexes = [
            models.Index(fields=["subject_kind", "subject_id"], name="event_subject"),
            # a person's acts, newest first
            models.Index(fields=["actor", "id"], name="event_actor"),
            BrinIndex(fields=["at"], name="event_at"),
        ]

    def __str__(self) -> str:
        return self.name
