"""What the app role may do with a table: said by the model, carried out after every migration
(`payouts/db/guards.py`).
"""

from typing import ClassVar

from django.db import models


def codes(states: type[models.TextChoices]) -> dict[str, str]:
    """The choices of a field: codes alone, since the words are the pages' and no matter of a
    migration.
    """
    return {code: code for code in states.values}


class AppendOnly(models.Model):
    """Rows are added and never change or go: triggers refuse it to everyone, missing grants to the
    app role.
    """

    app_may: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT")
    # the field that says when: the database fills it, whatever the writer claims
    clock: ClassVar[str] = ""
    # the columns that seals hold (`payouts/sealed.py`); all of them
    sealed: ClassVar[tuple[str, ...]] = ("*",)

    class Meta:
        abstract = True


class Guarded(models.Model):
    """Rows change, or go, only as the table's own guard trigger allows."""

    app_may: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")
    clock: ClassVar[str] = ""  # as above
    # as above: columns that stay as they are from the first moment on; none
    sealed: ClassVar[tuple[str, ...]] = ()
    # SQL of its rows as they were made, where sealed columns change as versions; the table itself
    sealed_from: ClassVar[str] = ""

    class Meta:
        abstract = True
