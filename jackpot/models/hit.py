"""A hit: from the first claim to its payment or rejection; the rounds of its list; the claims.
Guards: `jackpot/sql/hit_v1.sql`.
"""

import uuid
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from jackpot.models.meter import Epoch, Jackpot
from jackpot.models.states import LIVE, RUNNING, ClaimState, HitState
from payouts.models import AppendOnly, Guarded, House, codes

PERSON = settings.AUTH_USER_MODEL


class Hit(Guarded):
    """One win of the meter, or what looked like one (PRG-7, PRG-8).

    draining: listed rounds run; verifying: people look; paid: the split was approved; rejected:
    with a reason, the epoch goes on.
    """

    State = HitState
    clock = "begun_at"
    sealed = ("house", "jackpot", "epoch", "number", "shown_minor")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    jackpot = models.ForeignKey(
        Jackpot, on_delete=models.PROTECT, related_name="hits", db_index=False
    )
    epoch = models.ForeignKey(Epoch, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()  # of the jackpot
    state = models.CharField(max_length=9, choices=codes(HitState), default=HitState.DRAINING)
    shown_minor = models.BigIntegerField()  # what the meter showed at the first claim
    begun_at = models.DateTimeField(db_default=Now(), editable=False)
    begun_turn = models.BigIntegerField(null=True, editable=False)
    drained_at = models.DateTimeField(null=True, editable=False)
    ended_at = models.DateTimeField(null=True, editable=False)
    reason = models.CharField(max_length=500, blank=True)  # of a rejection

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["jackpot", "number"], name="hit_once"),
            models.UniqueConstraint(
                fields=["jackpot"], condition=Q(state__in=RUNNING), name="hit_one_running"
            ),
            models.CheckConstraint(condition=Q(state__in=HitState.values), name="hit_state_known"),
            models.CheckConstraint(
                condition=Q(state=HitState.DRAINING, drained_at=None, ended_at=None)
                | Q(state=HitState.VERIFYING, drained_at__isnull=False, ended_at=None)
                | Q(
                    state__in=[HitState.PAID, HitState.REJECTED],
                    drained_at__isnull=False,
                    ended_at__isnull=False,
                ),
                name="hit_times",
            ),
        ]
        indexes = [models.Index(fields=["jackpot", "begun_turn"], name="hit_turn")]

    def __str__(self) -> str:
        return f"{self.jackpot_id} {self.number}"


class ListedRound(AppendOnly):
    """A round that ran at a linked table when the hit began: that list is "at the same time"
    (PRG-8). Only listed rounds win.
    """

    clock = "at"

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    hit = models.ForeignKey(Hit, on_delete=models.PROTECT, related_name="listed", db_index=False)
    round_id = models.UUIDField()
    table_id = models.UUIDField()
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hit", "round_id"], name="listed_round_once")
        ]
        indexes = [models.Index(fields=["round_id"], name="listed_round_of")]

    def __str__(self) -> str:
        return str(self.round_id)


class Claim(Guarded):
    """A box that claims the meter, in the order in which the server took them.

    called: the *Royal!* call of a running round, its box not known yet; open: the settlement says
    so and people have to look; verified or refused by a person; dropped when the round's result no
    longer claims. `dealers`, who dealt the round or are authors of what it says, may not sign the
    payment.
    """

    State = ClaimState
    ORIGINS: ClassVar[dict[str, str]] = {
        origin: origin for origin in ("called", "settled", "corrected")
    }
    clock = "made_at"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    hit = models.ForeignKey(Hit, on_delete=models.PROTECT, related_name="claims", db_index=False)
    number = models.PositiveSmallIntegerField()  # of the hit, in server order
    round_id = models.UUIDField()
    table_id = models.UUIDField()
    box = models.PositiveSmallIntegerField(null=True)
    guest_id = models.UUIDField(null=True)
    origin = models.CharField(max_length=9, choices=ORIGINS)
    state = models.CharField(max_length=8, choices=codes(ClaimState))
    dealers = ArrayField(models.UUIDField(), default=list)
    checklist = models.JSONField(null=True)  # by item of the rules, what the verifier noted
    made_by = models.ForeignKey(PERSON, null=True, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(db_default=Now(), editable=False)
    decided_by = models.ForeignKey(PERSON, null=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True, editable=False)
    reason = models.CharField(max_length=500, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hit", "number"], name="claim_number_once"),
            models.UniqueConstraint(
                fields=["hit", "round_id"], condition=Q(state__in=LIVE), name="claim_one_a_round"
            ),
            models.CheckConstraint(
                condition=Q(state__in=ClaimState.values), name="claim_state_known"
            ),
            models.CheckConstraint(
                condition=Q(state__in=[ClaimState.CALLED, ClaimState.DROPPED])
                | Q(box__isnull=False, guest_id__isnull=False),
                name="claim_of_a_box",
            ),
        ]
        indexes = [
            models.Index(fields=["round_id"], condition=Q(state__in=LIVE), name="claim_of_round"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.state}"
