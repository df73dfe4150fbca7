"""What the floor decided about a round or a hand besides its result."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from payouts.models import AppendOnly, House, Transfer
from tables.models.floor import Guest, TableSession
from tables.models.hands import Hand
from tables.models.rounds import Round
from tables.models.stays import PokerStay


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


class Override(AppendOnly):
    """Management decided otherwise than the rules (BJ-12): what a guest had for a box by the result
    `revision`, and what they were paid besides, by an approval.
    """

    clock = "at"

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="overrides")
    revision = models.PositiveSmallIntegerField()
    box = models.PositiveSmallIntegerField()
    guest = models.ForeignKey(Guest, on_delete=models.PROTECT, related_name="+", db_index=False)
    rules_minor = models.BigIntegerField()
    amount_minor = models.BigIntegerField()
    reason = models.CharField(max_length=500)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    approval_id = models.UUIDField()
    transfer = models.ForeignKey(
        Transfer, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["approval_id"], name="override_once_by_its_approval"),
            models.UniqueConstraint(fields=["transfer"], name="override_once_posted"),
            models.CheckConstraint(
                condition=models.Q(rules_minor__gte=0, amount_minor__gt=0),
                name="override_pays",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount_minor} on box {self.box}"


class HandIrregularity(AppendOnly):
    """Something that went wrong at a poker table, in a hand or between two, and what was decided
    about it (POK-9). `override`: the floor decided otherwise than the rule allows, and that is
    final.
    """

    clock = "at"

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    session = models.ForeignKey(
        TableSession, on_delete=models.PROTECT, related_name="hand_irregularities"
    )
    hand = models.ForeignKey(
        Hand, null=True, on_delete=models.PROTECT, related_name="irregularities"
    )
    kind = models.CharField(max_length=20)
    decision = models.CharField(max_length=20)
    seat = models.PositiveSmallIntegerField(null=True)
    card = models.CharField(max_length=2, blank=True)
    override = models.BooleanField()
    reason = models.CharField(max_length=500)
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(seat=None) | models.Q(seat__gt=0),
                name="hand_irregularity_seat",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} in {self.session_id}"


class HandOverride(AppendOnly):
    """Management paid a guest for a pot that went to another seat and cannot be got back (POK-9):
    what the result `revision` gave the seat, and what was paid besides, by an approval.
    """

    clock = "at"

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="overrides")
    revision = models.PositiveSmallIntegerField()
    stay = models.ForeignKey(PokerStay, on_delete=models.PROTECT, related_name="+", db_index=False)
    seat = models.PositiveSmallIntegerField()
    won_minor = models.BigIntegerField()
    amount_minor = models.BigIntegerField()
    reason = models.CharField(max_length=500)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    approval_id = models.UUIDField()
    transfer = models.ForeignKey(
        Transfer, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["approval_id"], name="hand_override_once_by_its_approval"
            ),
            models.UniqueConstraint(fields=["transfer"], name="hand_override_once_posted"),
            models.CheckConstraint(
                condition=models.Q(seat__gt=0, won_minor__gte=0, amount_minor__gt=0),
                name="hand_override_pays",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount_minor} to seat {self.seat}"
