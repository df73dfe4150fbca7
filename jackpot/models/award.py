"""How a won meter is split, who is awarded what, and the numbered slips it is paid by.

Guards: `jackpot/sql/award_v1.sql`, of what is taken back `jackpot/sql/slip_v1.sql`.
"""

import uuid
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from jackpot.models.hit import Claim, Hit
from jackpot.models.meter import Jackpot
from jackpot.models.states import PrizeState, SlipState
from jackpot.rules import slip_number
from payouts.models import AppendOnly, Guarded, House, codes

PERSON = settings.AUTH_USER_MODEL


class Split(AppendOnly):
    """One revision of how a hit's meter is split (PRG-10, PRG-12); the newest counts, and only it
    can be approved.

    won = shares + remainder; what the meter held above it and within the cap is carried, above the
    cap it overflows to the reserve. `shortfall_minor` is what the house adds because the meter fell
    below what was shown at the claim.
    """

    clock = "at"

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    hit = models.ForeignKey(Hit, on_delete=models.PROTECT, related_name="splits", db_index=False)
    revision = models.PositiveSmallIntegerField()
    sum_minor = models.BigIntegerField()
    won_minor = models.BigIntegerField()
    unit_minor = models.BigIntegerField()
    remainder_minor = models.BigIntegerField()
    carried_minor = models.BigIntegerField()
    overflow_minor = models.BigIntegerField()
    shortfall_minor = models.BigIntegerField()
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hit", "revision"], name="split_revision_once"),
            models.CheckConstraint(
                condition=Q(
                    sum_minor__gte=0,
                    won_minor__gte=0,
                    unit_minor__gte=1,
                    remainder_minor__gte=0,
                    carried_minor__gte=0,
                    overflow_minor__gte=0,
                    shortfall_minor__gte=0,
                ),
                name="split_not_negative",
            ),
            models.CheckConstraint(
                condition=Q(
                    sum_minor=models.F("won_minor")
                    + models.F("carried_minor")
                    + models.F("overflow_minor")
                    - models.F("shortfall_minor")
                ),
                name="split_adds_up",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.hit_id} {self.revision}"


class Share(AppendOnly):
    """What one verified claim gets by a split."""

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    split = models.ForeignKey(
        Split, on_delete=models.PROTECT, related_name="shares", db_index=False
    )
    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="+", db_index=False)
    share_minor = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["split", "claim"], name="share_once"),
            models.CheckConstraint(condition=Q(share_minor__gte=0), name="share_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.share_minor} of {self.split_id}"


class WaitingPrize(Guarded):
    """A fixed prize or Envy from the house's threshold up: owed by a round's result, paid when
    people have approved it.

    With a hit at hand that lists its round it is approved with the hit, else by an approval of its
    own.
    """

    State = PrizeState
    clock = "at"
    event_kind: ClassVar[str] = "prize"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    jackpot = models.ForeignKey(Jackpot, on_delete=models.PROTECT, related_name="+")
    hit = models.ForeignKey(Hit, null=True, on_delete=models.PROTECT, related_name="prizes")
    source_id = (
        models.UUIDField()
    )  # the round whose result owes it; another one than `round_id` for Envy of a linked table
    round_id = models.UUIDField()
    revision = models.PositiveSmallIntegerField()  # of the source's result
    place = models.PositiveSmallIntegerField()  # of the line; of Envy of a linked table the box
    table_id = models.UUIDField()
    box = models.PositiveSmallIntegerField()
    guest_id = models.UUIDField()
    kind = models.CharField(max_length=20)  # coin or envy
    amount_minor = models.BigIntegerField()
    dealers = ArrayField(models.UUIDField(), default=list)
    state = models.CharField(max_length=8, choices=codes(PrizeState), default=PrizeState.WAITING)
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["source_id", "revision", "round_id", "place"], name="waiting_prize_once"
            ),
            models.CheckConstraint(condition=Q(amount_minor__gt=0), name="waiting_prize_pays"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.amount_minor}"


class Award(AppendOnly):
    """What a guest is owed: a share of the meter, a prize or Envy from the house's threshold up, or
    a royal overlooked (late).

    One for each winner and hit, and for each prize; another one only where its slip was cancelled
    unpaid. Late awards and cancellations name the hit, not the epoch: that one is closed.
    """

    KINDS: ClassVar[dict[str, str]] = {kind: kind for kind in ("share", "late", "prize")}
    clock = "at"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    jackpot = models.ForeignKey(Jackpot, on_delete=models.PROTECT, related_name="awards")
    hit = models.ForeignKey(Hit, null=True, on_delete=models.PROTECT, related_name="awards")
    claim = models.OneToOneField(Claim, null=True, on_delete=models.PROTECT, related_name="award")
    prize = models.ForeignKey(
        WaitingPrize, null=True, on_delete=models.PROTECT, related_name="awards"
    )
    kind = models.CharField(max_length=5, choices=KINDS)
    amount_minor = models.BigIntegerField()
    round_id = models.UUIDField()
    table_id = models.UUIDField()
    box = models.PositiveSmallIntegerField()
    guest_id = models.UUIDField()
    approval_id = models.UUIDField()
    transfer_id = models.BigIntegerField()
    reason = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="share", hit__isnull=False, claim__isnull=False, prize=None)
                | Q(kind="late", claim=None, prize=None)
                | Q(kind="prize", claim=None, prize__isnull=False),
                name="award_kind_known",
            ),
            models.CheckConstraint(condition=Q(amount_minor__gt=0), name="award_pays"),
        ]
        # A share or a late award may be doubted by a correction, however old; there are few of them
        # among the prizes.
        indexes = [
            models.Index(fields=["house"], condition=~Q(kind="prize"), name="award_of_meter")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.amount_minor}"


class Slip(Guarded):
    """The numbered slip of an award: paid by the cage once, within five working days, or cancelled;
    numbers have no gap. What was paid by mistake is taken back within a minute (`TakenBack`).

    Numbers of a house go on after a restore of a backup, and what was printed meanwhile has some of
    them too: `incarnation`, that of the books when the slip was made, tells one from the other.
    """

    State = SlipState
    # What became of a wrong award: never paid; asked back from who got it; lost.
    CANCELS: ClassVar[dict[str, str]] = {how: how for how in ("unpaid", "receivable", "loss")}
    clock = "made_at"
    sealed = ("house", "number", "award", "due_on", "incarnation")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    number = models.PositiveIntegerField()
    award = models.OneToOneField(Award, on_delete=models.PROTECT, related_name="slip")
    state = models.CharField(max_length=9, choices=codes(SlipState), default=SlipState.OPEN)
    due_on = models.DateField()
    made_at = models.DateTimeField(db_default=Now(), editable=False)
    paid_at = models.DateTimeField(null=True, editable=False)
    paid_by = models.ForeignKey(PERSON, null=True, on_delete=models.PROTECT, related_name="+")
    cash_minor = models.BigIntegerField(null=True)
    cancelled_at = models.DateTimeField(null=True, editable=False)
    cancelled_as = models.CharField(max_length=10, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    incarnation = models.BigIntegerField(db_default=1, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["house", "number"], name="slip_number_once"),
            models.CheckConstraint(
                condition=Q(state=SlipState.OPEN, paid_at=None, cancelled_at=None, cancelled_as="")
                | Q(
                    state=SlipState.PAID,
                    paid_at__isnull=False,
                    paid_by__isnull=False,
                    cancelled_at=None,
                    cancelled_as="",
                )
                | Q(
                    state=SlipState.CANCELLED,
                    paid_at=None,
                    cancelled_at__isnull=False,
                    cancelled_as="unpaid",
                )
                | Q(
                    state=SlipState.CANCELLED,
                    paid_at__isnull=False,
                    cancelled_at__isnull=False,
                    cancelled_as__in=["receivable", "loss"],
                ),
                name="slip_state_known",
            ),
            models.CheckConstraint(
                condition=Q(paid_at=None, cash_minor=None)
                | Q(paid_at__isnull=False, cash_minor__isnull=False, cash_minor__gte=0),
                name="slip_cash",
            ),
        ]

    def __str__(self) -> str:
        return self.written

    @property
    def written(self) -> str:
        """The number as it stands on paper and pages."""
        return slip_number.written(self.number, self.incarnation)


class TakenBack(AppendOnly):
    """A payment that its cashier took back within a minute, by a reversal: the slip is to be paid
    again. Once for each slip.
    """

    clock = "at"

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    slip = models.OneToOneField(Slip, on_delete=models.PROTECT, related_name="taken_back")
    paid_at = models.DateTimeField(editable=False)
    paid_by = models.ForeignKey(PERSON, on_delete=models.PROTECT, related_name="+", db_index=False)
    cash_minor = models.BigIntegerField()
    transfer_id = models.BigIntegerField()  # the reversal
    reason = models.CharField(max_length=500)
    at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return f"{self.cash_minor} of {self.slip_id}"
