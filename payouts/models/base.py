"""What the app role may do with a table: said by the model, carried out after every migration (`payouts/guards.py`)."""

from typing import ClassVar

from django.db import models


class AppendOnly(models.Model):
    """Rows are added and never change or go: triggers refuse it to everyone, missing grants to the app role."""

    app_may: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT")

    class Meta:
        abstract = True


class Guarded(models.Model):
    """Rows change only as the table's own guard trigger allows, and never go."""

    app_may: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    class Meta:
        abstract = True
