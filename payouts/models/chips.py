"""Chips by the piece, and the first inventory. Guards: `payouts/sql/chips_v1.sql`."""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import pgettext_lazy

from payouts.models.approval import Approval
from payouts.models.base import AppendOnly, codes
from payouts.models.house import House
from payouts.models.ledger import Transfer


class ChipMoveKind(models.TextChoices):
    """Why pieces move."""

    ISSUE = "issue", pgettext_lazy("chips", "put into service")
    WITHDRAW = "withdraw", pgettext_lazy("chips", "taken out of service")
    INVENTORY = "inventory", pgettext_lazy("chips", "in service before the first inventory")


class ChipPlace(models.TextChoices):
    """Where pieces come from or go to."""

    STOCK = "stock"
    VAULT = "vault"


class ChipMove(AppendOnly):
    """So many pieces of one denomination go from one place to another, with the transfer that books
    their value (CHP-4).
    """

    Kind, Place = ChipMoveKind, ChipPlace
    clock = "at"

    house = models.ForeignKey(
        House,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )
    gaming_day = models.DateField()
    kind = models.CharField(max_length=9, choices=codes(ChipMoveKind))
    value_minor = models.BigIntegerField()
    pieces = models.PositiveIntegerField()
    from_place = models.CharField(max_length=5, choices=codes(ChipPlace))
    to_place = models.CharField(max_length=5, choices=codes(ChipPlace))
    # none where the first inventory found as many in the books
    transfer = models.ForeignKey(
        Transfer,
        null=True,
        on_delete=models.PROTECT,
        related_name="chip_moves",
    )
    # none before the house has played
    approval = models.ForeignKey(
        Approval,
        null=True,
        on_delete=models.PROTECT,
        related_name="chip_moves",
    )
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(value_minor__gte=1, pieces__gte=1), name="chip_move_some"
            ),
            models.CheckConstraint(
                condition=models.Q(kind="issue", from_place="stock", to_place="vault")
                | models.Q(kind="withdraw", from_place="vault", to_place="stock")
                | models.Q(kind="inventory", from_place="stock", to_place="vault")
                | models.Q(kind="inventory", from_place="vault", to_place="stock"),
                name="chip_move_known",
            ),
        ]
        indexes = [models.Index(fields=["house", "value_minor"], name="chip_move_of_house")]

    def __str__(self) -> str:
        return f"{self.kind} {self.pieces} x {self.value_minor}"


class Inventory(AppendOnly):
    """The first inventory of a house, once: from its gaming day on the books are what was counted.

    What was counted stands in the lists of its approval.
    """

    clock = "at"

    house = models.OneToOneField(
        House,
        primary_key=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    gaming_day = models.DateField()
    approval = models.OneToOneField(Approval, on_delete=models.PROTECT, related_name="+")
    # none where everything was as the books said
    transfer = models.OneToOneField(
        Transfer,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    difference_minor = models.BigIntegerField()
    at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return f"{self.house_id} {self.gaming_day}"
