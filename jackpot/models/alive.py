"""Signs of life of what runs by the clock."""

from typing import ClassVar

from django.db import models


class SignOfLife(models.Model):
    """When work of a kind was last done whole, and by whom: a row per kind, so the table never grows."""

    app_may: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    kind = models.CharField(max_length=20, primary_key=True)  # `sweep`
    at = models.DateTimeField(editable=False)
    worker = models.CharField(max_length=200)

    def __str__(self) -> str:
        return f"{self.kind} {self.at}"
