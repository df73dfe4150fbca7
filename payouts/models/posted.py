"""What a house posts: one row is one version of one named table. Guards:
`payouts/sql/posted_table_v1.sql`.
"""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from payouts.models.approval import Approval
from payouts.models.base import Guarded, codes
from payouts.models.house import House
from payouts.rules.rulesets.kinds import STARTS


class PostedState(models.TextChoices):
    """Of a version."""

    DRAFT = "draft", _("draft")
    REQUESTED = "requested", _("requested")
    APPROVED = "approved", _("approved")
    REJECTED = "rejected", _("rejected")
    WITHDRAWN = "withdrawn", _("withdrawn")


PENDING = (PostedState.DRAFT, PostedState.REQUESTED)


class PostedTable(Guarded):
    """A version: data by `payouts/rules/rulesets/schema.py`, SHA-256 of its canonical form, state,
    and from when it counts.

    `in_force_from` is a gaming day, or empty for kinds that count from the next epoch of a jackpot.
    From the request on the data stays; what is approved, rejected or withdrawn stays altogether; no
    row ever goes.
    """

    State = PostedState
    STARTS: ClassVar[dict[str, str]] = {start: start for start in STARTS}

    id = models.UUIDField(primary_key=True, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    kind = models.CharField(max_length=20)
    name = models.CharField(max_length=60)
    version = models.PositiveIntegerField()
    data = models.JSONField()
    data_hash = models.BinaryField(max_length=32)
    note = models.CharField(max_length=500, blank=True)
    state = models.CharField(max_length=9, choices=codes(PostedState), default=PostedState.DRAFT)
    starts = models.CharField(max_length=10, choices=STARTS)
    in_force_from = models.DateField(null=True)
    drafted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    approval = models.ForeignKey(Approval, null=True, on_delete=models.PROTECT, related_name="+")
    # set by the guard, as is `released_at`
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    released_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["house", "kind", "name", "version"], name="posted_version_once"
            ),
            models.UniqueConstraint(
                fields=["house", "kind", "name", "in_force_from"],
                condition=models.Q(state=PostedState.APPROVED),
                name="posted_start_once",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=PostedState.values), name="posted_state_known"
            ),
            models.CheckConstraint(
                condition=(
                    models.Q(starts="next_epoch", in_force_from=None)
                    | models.Q(starts="day", in_force_from__isnull=False)
                    | models.Q(starts="day")
                    & ~models.Q(state__in=[PostedState.REQUESTED, PostedState.APPROVED])
                ),
                name="posted_start_stated",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} v{self.version}"
