"""What guests pay for chips at a table, and what they give to the staff (DRP-1, TRN-2)."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from payouts.models import AppendOnly, House, Transfer
from tables.models.floor import TableSession
from tables.models.stays import StayChips


class EnteredAtTable(AppendOnly):
    """Money of a guest that was entered at a table, under the id that its client made; the amount
    in minor units. `croupier`: who has it to answer for. `stay_chips`: at a poker seat, what moved
    the chips there. `queued_at`: when the tablet says it was, where it came later.
    """

    clock = "at"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    session = models.ForeignKey(TableSession, on_delete=models.PROTECT, related_name="%(class)ss")
    croupier = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    amount_minor = models.BigIntegerField()
    stay_chips = models.OneToOneField(
        StayChips, null=True, on_delete=models.PROTECT, related_name="+"
    )
    transfer = models.ForeignKey(
        Transfer, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    queued_at = models.DateTimeField(null=True)
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.amount_minor} in {self.session_id}"


class BuyIn(EnteredAtTable):
    """A guest bought chips for cash. `box`: of the layout, where it was said."""

    event_kind: ClassVar[str] = "buyin"

    box = models.PositiveSmallIntegerField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(amount_minor__gt=0)
                & (models.Q(box=None) | models.Q(box__gte=1, box__lte=22)),
                name="buyin_sane",
            )
        ]
        indexes = [models.Index(fields=["transfer"], name="buyin_of_transfer")]


class Tip(EnteredAtTable):
    """A guest gave chips to the staff (HSE-3)."""

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(amount_minor__gt=0), name="tip_sane")
        ]


class EntryReversal(AppendOnly):
    """A buy-in or a tip was entered by mistake, and is taken back once: by its croupier, or by the
    pit with a reason.
    """

    clock = "at"

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    buy_in = models.OneToOneField(
        BuyIn, null=True, on_delete=models.PROTECT, related_name="taken_back"
    )
    tip = models.OneToOneField(Tip, null=True, on_delete=models.PROTECT, related_name="taken_back")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    reason = models.CharField(max_length=500, blank=True)
    transfer = models.ForeignKey(
        Transfer, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(buy_in=None, tip__isnull=False)
                | models.Q(buy_in__isnull=False, tip=None),
                name="taken_back_either",
            )
        ]

    def __str__(self) -> str:
        return f"{self.buy_in_id or self.tip_id}"
