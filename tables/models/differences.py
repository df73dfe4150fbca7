"""How far a count was from the books, and why (RES-4). Guards: `tables/sql/difference_v1.sql`."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import pgettext_lazy

from payouts.models import AppendOnly, Approval, Count, Guarded, House, codes
from tables.models.floor import Table
from tables.rules.pairs import CLASSES


class DifferenceState(models.TextChoices):
    """`settled`: what came later has brought it below the house's limit (CNT-10)."""

    OPEN = "open", pgettext_lazy("difference", "open")
    EXPLAINED = "explained", pgettext_lazy("difference", "explained")
    SETTLED = "settled", pgettext_lazy("difference", "settled")


class Difference(Guarded):
    """A count that was, or came to be, further from the books than the house leaves unexplained;
    how far is what is left of the count's difference. The limits, in minor units, are those of its
    day.
    """

    State = DifferenceState
    clock = "opened_at"
    sealed = ("house", "table", "count", "gaming_day", "explain_from_minor", "report_from_minor")
    event_kind: ClassVar[str] = "difference"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="differences")
    count = models.OneToOneField(Count, on_delete=models.PROTECT, related_name="gap")
    gaming_day = models.DateField()
    explain_from_minor = models.BigIntegerField()
    report_from_minor = models.BigIntegerField()
    state = models.CharField(
        max_length=9, choices=codes(DifferenceState), default=DifferenceState.OPEN
    )
    opened_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["id", "house"], name="difference_of_house"),
            models.CheckConstraint(
                condition=models.Q(
                    explain_from_minor__gt=0,
                    report_from_minor__gte=models.F("explain_from_minor"),
                ),
                name="difference_limits",
            ),
        ]
        indexes = [
            models.Index(
                fields=["house"], condition=models.Q(state="open"), name="difference_open"
            ),
            models.Index(fields=["house", "gaming_day"], name="difference_day"),
        ]

    def __str__(self) -> str:
        return f"difference of {self.count_id}"


class Explanation(AppendOnly):
    """Why a difference came to be, as somebody says, from the house's limit up with a second person
    (`approval`). The words stand apart; `words_hash` is their SHA-256.
    """

    clock = "at"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    difference = models.ForeignKey(
        Difference, on_delete=models.PROTECT, related_name="explanations"
    )
    code = models.CharField(max_length=11)
    amount_minor = models.BigIntegerField()
    words_hash = models.BinaryField()
    explained_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    approval = models.OneToOneField(Approval, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(code__in=list(CLASSES)), name="explanation_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.difference_id}"


class ExplanationWords(Guarded):
    """The words of an explanation, under its id, from when it is asked for: of a theft they go
    after `gone_from`, and are in no seal.
    """

    app_may = ("SELECT", "INSERT", "DELETE")
    clock = "at"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    difference = models.ForeignKey(Difference, on_delete=models.PROTECT, related_name="words")
    words = models.CharField(max_length=500)
    gone_from = models.DateField(null=True)
    at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return f"words about {self.difference_id}"
