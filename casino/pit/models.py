"""What the pit is told and has to acknowledge, and who took the shift over from whom. Guard:
`casino/sql/alert_v1.sql`.
"""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from payouts.models import AppendOnly, Guarded, House

PERSON = settings.AUTH_USER_MODEL


class Alert(Guarded):
    """Something that is not as it should be: raised and over by the system
    (`casino/pit/alerts.py`), acknowledged by a person.

    It stays on the pit's screen until somebody acknowledges it, though it be over; and while it is
    not over, though it be acknowledged. What it says never changes; each of the two marks is set
    once, by the database's clock. One that is not over stands for its kind and subject: the same
    thing again, later, is another alert.
    """

    app_may = ("SELECT", "INSERT", "UPDATE (over_at, acknowledged_at, acknowledged_by_id)")
    clock = "raised_at"

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    kind = models.CharField(max_length=30)  # a code of `casino.pit.alert_rules.CONDITIONS`
    # what it is about, by ids; of its kind the only one that is not over
    subject = models.CharField(max_length=120)
    data = models.JSONField()  # what was found, as it was when the alert was raised
    raised_at = models.DateTimeField(db_default=Now(), editable=False)
    over_at = models.DateTimeField(null=True, editable=False)
    acknowledged_at = models.DateTimeField(null=True, editable=False)
    acknowledged_by = models.ForeignKey(
        PERSON, null=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["house", "kind", "subject"],
                condition=Q(over_at=None),
                name="alert_once_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(acknowledged_at=None, acknowledged_by=None)
                | Q(acknowledged_at__isnull=False, acknowledged_by__isnull=False),
                name="alert_acknowledged_by",
            ),
        ]
        indexes = [
            models.Index(
                fields=["house"],
                condition=Q(over_at=None) | Q(acknowledged_at=None),
                name="alert_shown",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"


class ShiftHandOver(AppendOnly):
    """The floor passed from one pit boss to the next: by whom, to whom, and what was open then,
    since when.
    """

    clock: ClassVar[str] = "at"

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    number = models.PositiveIntegerField()  # of the house, without gap
    # None: the first
    given_by = models.ForeignKey(PERSON, null=True, on_delete=models.PROTECT, related_name="+")
    taken_by = models.ForeignKey(PERSON, on_delete=models.PROTECT, related_name="+")
    was_open = models.JSONField()  # [{"what", "place", "since"}] as it was shown to who took over
    note = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["house", "number"], name="shift_hand_over_once")
        ]

    def __str__(self) -> str:
        return f"{self.house_id} {self.number}"
