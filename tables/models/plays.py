"""What was played at a table, whatever its game plays."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from payouts.models import House
from tables.models.floor import Table, TableSession

COUNTED = ("settled", "ended")  # states of a round and a hand that count


class PlayKind(models.TextChoices):
    """What a game plays (`tables.games.base.Game.plays`)."""

    ROUND = "round"
    HAND = "hand"


class Play(models.Model):
    """A round or a hand, for readers that only count: a view (`tables/sql/hand_v1.sql`)."""

    app_may: ClassVar[tuple[str, ...]] = ("SELECT",)

    kind = models.CharField(max_length=5)
    id = models.UUIDField(primary_key=True)
    house = models.ForeignKey(House, on_delete=models.DO_NOTHING, related_name="+")
    table = models.ForeignKey(Table, on_delete=models.DO_NOTHING, related_name="+")
    session = models.ForeignKey(
        TableSession, null=True, on_delete=models.DO_NOTHING, related_name="+"
    )
    number = models.PositiveIntegerField(null=True)
    state = models.CharField(max_length=9)
    revision = models.PositiveSmallIntegerField()
    entry_level = models.CharField(max_length=12)
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    queued = models.BooleanField()
    croupier = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.DO_NOTHING, related_name="+"
    )

    class Meta:
        managed = False
        db_table = "tables_play"

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"
