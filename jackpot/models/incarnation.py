"""Which incarnation these books are in, and on which server. Guard:
`jackpot/sql/incarnation_v1.sql`.
"""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from payouts.models import AppendOnly


class Incarnation(AppendOnly):
    """People said that these books begin, were restored from a backup, or go on at a standby. The
    newest row holds.

    The database fills in the number and the server: the identifier of its cluster, which copies
    keep and dumps do not, and its timeline, which every recovery raises. `lost_head`: the newest
    head of a seal kept elsewhere that a restore has lost.
    """

    HOW: ClassVar[dict[str, str]] = {how: how for how in ("begun", "restored", "promoted")}
    clock = "at"

    # 1; after a restore the seconds since 1970 at which it was said
    number = models.BigIntegerField(editable=False)
    how = models.CharField(max_length=8, choices=HOW)
    system_identifier = models.BigIntegerField(editable=False)
    timeline = models.IntegerField(editable=False)
    lost_head = models.CharField(max_length=64, blank=True, db_default="")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(how__in=["begun", "restored", "promoted"]),
                name="incarnation_how_known",
            )
        ]

    def __str__(self) -> str:
        return f"{self.how} {self.number}"
