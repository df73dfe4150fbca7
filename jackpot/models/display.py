"""Displays: which ones a jackpot needs, the live session of each, and the gate that they open.
Guards: `jackpot/sql/gate_v1.sql`.

A display is a device of the upper floor, known by its id only.
"""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from jackpot.models.hit import Hit
from jackpot.models.meter import Jackpot
from jackpot.models.states import GateDisplayState, GateState
from payouts.models import Guarded, House, codes

PERSON = settings.AUTH_USER_MODEL


class RequiredDisplay(Guarded):
    """A display that must show a new value before tables open (PRG-9); from when, until when."""

    clock = "added_at"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    jackpot = models.ForeignKey(
        Jackpot, on_delete=models.PROTECT, related_name="displays", db_index=False
    )
    display_id = models.UUIDField()
    name = models.CharField(max_length=40)
    added_at = models.DateTimeField(db_default=Now(), editable=False)
    ended_at = models.DateTimeField(null=True, editable=False)
    reason = models.CharField(max_length=500, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["jackpot", "display_id"],
                condition=Q(ended_at=None),
                name="required_display_once",
            )
        ]

    def __str__(self) -> str:
        return self.name


class DisplaySession(models.Model):
    """The one live session of a display: whoever holds it confirms; it ends 6 s after its last sign
    of life.
    """

    app_may = ("SELECT", "INSERT", "UPDATE")

    display_id = models.UUIDField(primary_key=True, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    jackpot = models.ForeignKey(Jackpot, on_delete=models.PROTECT, related_name="+", db_index=False)
    session_id = models.UUIDField()
    seen_at = models.DateTimeField()
    shown = models.CharField(max_length=30, blank=True)  # what it says that it shows
    version = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.display_id)


class Gate(Guarded):
    """Tables open when every display on the gate's frozen list shows its value; another amount
    makes another gate.
    """

    State = GateState
    clock = "made_at"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    jackpot = models.ForeignKey(
        Jackpot, on_delete=models.PROTECT, related_name="gates", db_index=False
    )
    number = models.PositiveIntegerField()
    nonce = models.CharField(max_length=32)
    version = models.BigIntegerField()
    amount_minor = models.BigIntegerField()  # what is shown
    # after which it was made
    hit = models.ForeignKey(Hit, null=True, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=6, choices=codes(GateState), default=GateState.OPEN)
    made_at = models.DateTimeField(db_default=Now(), editable=False)
    ended_at = models.DateTimeField(null=True, editable=False)
    ended_turn = models.BigIntegerField(null=True, editable=False)
    # of the jackpot when it was made
    phase_number = models.BigIntegerField(db_default=-1, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["jackpot", "number"], name="gate_once"),
            models.UniqueConstraint(
                fields=["jackpot"], condition=Q(state=GateState.OPEN), name="gate_one_open"
            ),
            models.CheckConstraint(
                condition=Q(state=GateState.OPEN, ended_at=None)
                | Q(state__in=[GateState.PASSED, GateState.LAPSED], ended_at__isnull=False),
                name="gate_ended",
            ),
            models.CheckConstraint(condition=Q(amount_minor__gte=0), name="gate_not_negative"),
        ]
        indexes = [
            models.Index(
                fields=["jackpot", "ended_turn"],
                condition=Q(state=GateState.PASSED),
                name="gate_turn",
            )
        ]

    def __str__(self) -> str:
        return f"{self.jackpot_id} {self.number}"


class GateDisplay(Guarded):
    """A display on a gate's list: it waits, has confirmed what it shows, or was taken out by two
    people.
    """

    State = GateDisplayState

    gate = models.ForeignKey(
        Gate, on_delete=models.PROTECT, related_name="displays", db_index=False
    )
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    display_id = models.UUIDField()
    name = models.CharField(max_length=40)
    state = models.CharField(
        max_length=9, choices=codes(GateDisplayState), default=GateDisplayState.WAITING
    )
    at = models.DateTimeField(null=True, editable=False)
    shown = models.CharField(max_length=30, blank=True)
    reason = models.CharField(max_length=500, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["gate", "display_id"], name="gate_display_once"),
            models.CheckConstraint(
                condition=Q(state=GateDisplayState.WAITING, at=None)
                | Q(state__in=[GateDisplayState.CONFIRMED, GateDisplayState.OUT], at__isnull=False),
                name="gate_display_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.state}"
