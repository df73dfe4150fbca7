"""Signs of life of what runs by the clock, and of what does not run on."""

from typing import ClassVar

from django.db import models

from jackpot.models.meter import Jackpot


class SignOfLife(models.Model):
    """When work of a kind was last done whole, and by whom: a row per kind, so the table never
    grows.
    """

    app_may: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    kind = models.CharField(max_length=20, primary_key=True)  # `sweep`
    at = models.DateTimeField(editable=False)
    worker = models.CharField(max_length=200)

    def __str__(self) -> str:
        return f"{self.kind} {self.at}"


class Standstill(models.Model):
    """That a jackpot could not advance: since when, how often in a row, and the last error; over
    when it could again.
    """

    app_may: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    jackpot = models.OneToOneField(
        Jackpot, primary_key=True, on_delete=models.PROTECT, related_name="standstill"
    )
    since = models.DateTimeField(editable=False)
    failures = models.PositiveIntegerField()
    error = models.CharField(max_length=200)
    over_at = models.DateTimeField(null=True, editable=False)

    def __str__(self) -> str:
        return f"{self.jackpot_id} {self.error}"
