"""What the floor decided about a round besides its result."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from payouts.models import AppendOnly, House
from tables.models.rounds import Round


class Irregularity(AppendOnly):
    """Something that went wrong in a round, and what was decided about it (BJ-11, BJ-12); the kinds
    and decisions are its game's.
    """

    clock = "at"

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="irregularities")
    kind = models.CharField(max_length=20)
    decision = models.CharField(max_length=10)
    box = models.PositiveSmallIntegerField(null=True)
    hand = models.PositiveSmallIntegerField(null=True)
    card = models.CharField(max_length=2, blank=True)
    reason = models.CharField(max_length=500)
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(hand=None) | models.Q(box__isnull=False),
                name="irregularity_hand_of_a_box",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.round_id}"
