"""Wrong tries to prove who one is, by person, kind and place: `casino/people/tries.py` counts
them."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


class Tries(models.Model):
    """Wrong tries in a row under one name from one place: an address, a tablet, or the person's own
    session.

    `locked_until`: since the last of them, until when nothing from there is looked at; None for a
    PIN, which somebody opens.
    """

    app_may = ("SELECT", "INSERT", "UPDATE", "DELETE")

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    kind = models.CharField(max_length=8)  # of `casino.people.tries.Kind`
    place = models.CharField(max_length=64)
    failures = models.PositiveSmallIntegerField(default=0)
    locked_until = models.DateTimeField(null=True)
    at = models.DateTimeField(db_default=Now(), editable=False)  # of the last one

    class Meta:
        app_label = "casino"
        constraints = [
            models.UniqueConstraint(fields=["person", "kind", "place"], name="tries_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.person_id} {self.place}: {self.failures}"


class SlowedPin(models.Model):
    """Wrong PINs in a row for one sign-in name, whether somebody has it or not, at a tablet that
    its croupier attends (`casino.people.tries.slow`).

    `until`: no PIN is looked at before; the time of the last try where the next need not wait.
    """

    app_may = ("SELECT", "INSERT", "UPDATE", "DELETE")

    place = models.CharField(max_length=64)
    name = models.CharField(max_length=30)  # empty: of a form that no name has
    failures = models.PositiveSmallIntegerField()
    until = models.DateTimeField()
    at = models.DateTimeField(db_default=Now(), editable=False)  # of the last one

    class Meta:
        app_label = "casino"
        constraints = [models.UniqueConstraint(fields=["place", "name"], name="slowed_pin_once")]

    def __str__(self) -> str:
        return f"{self.name} {self.place}: {self.failures}"


class Refusals(models.Model):
    """How many sign-ins were refused within an hour, by whom they were tried and why: a flood
    leaves a count, not a row each.
    """

    app_may = ("SELECT", "INSERT", "UPDATE")

    what = models.CharField(max_length=80, primary_key=True)
    since = models.DateTimeField(db_default=Now(), editable=False)
    count = models.PositiveIntegerField()

    class Meta:
        app_label = "casino"

    def __str__(self) -> str:
        return f"{self.what}: {self.count}"
