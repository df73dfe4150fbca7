"""Guests at the seats of poker tables, and the chips that they bring and take away (POK-2)."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from payouts.models import AppendOnly, Guarded, House, Transfer, codes
from tables.models.floor import Guest, TableSession

BOUGHT = ("cash", "chips")  # how chips are brought: cash, or chips that the guest holds
GIVEN = ("stack", "chips")  # how tips and fees are paid: chips on the table, or from the pocket


class PokerStay(Guarded):
    """One guest at one table from sitting down to leaving, on one gaming day; seat and session are
    the guest's.

    `came_from`: the stay that it continues. `time_from`: since when its half hours count; those
    before are paid (RAK-2).
    """

    clock = "began_at"
    sealed = ("guest", "house", "came_from", "time_from")
    event_kind: ClassVar[str] = "stay"

    guest = models.OneToOneField(
        Guest, primary_key=True, on_delete=models.PROTECT, related_name="stay"
    )
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    came_from = models.OneToOneField(
        "self", null=True, on_delete=models.PROTECT, related_name="continues"
    )
    time_from = models.DateTimeField(db_default=Now(), editable=False)
    began_at = models.DateTimeField(db_default=Now(), editable=False)
    away_since = models.DateTimeField(null=True, editable=False)
    left_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["guest", "house"], name="stay_of_house"),
        ]
        # Audits read who sits somewhere now, however many did
        indexes = [
            models.Index(fields=["guest"], condition=models.Q(left_at=None), name="stay_open")
        ]

    def __str__(self) -> str:
        return f"stay of guest {self.guest_id}"

    @property
    def state(self) -> str:
        """`playing`, `away` or `left`."""
        if self.left_at is not None:
            return "left"
        return "playing" if self.away_since is None else "away"


class ChipsKind(models.TextChoices):
    """What moved chips of a stay beside its hands."""

    BUY_IN = "buy_in"
    TOP_UP = "top_up"
    TIP = "tip"
    TIME = "time"
    MOVED_IN = "moved_in"
    MOVED_OUT = "moved_out"
    COUNTED = "counted"
    OUT = "out"


BEGINS = (ChipsKind.BUY_IN, ChipsKind.MOVED_IN)
ENDS = (ChipsKind.MOVED_OUT, ChipsKind.OUT)


class StayChips(AppendOnly):
    """Chips of a stay that moved beside its hands, in minor units: bought, given, counted when the
    guest left or moved. `half_hours`: how many a time charge paid. Of a count of all stacks
    (`counted`) the amount is what lay there more or less than booked.
    """

    Kind = ChipsKind
    clock = "at"

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    stay = models.ForeignKey(PokerStay, on_delete=models.PROTECT, related_name="chips")
    kind = models.CharField(max_length=9, choices=codes(ChipsKind))
    means = models.CharField(max_length=5, blank=True)
    amount_minor = models.BigIntegerField()
    half_hours = models.PositiveSmallIntegerField(null=True)
    # None where nothing was booked and nothing counted
    transfer = models.ForeignKey(Transfer, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    kind__in=[ChipsKind.BUY_IN, ChipsKind.TOP_UP],
                    means__in=BOUGHT,
                    amount_minor__gt=0,
                    half_hours=None,
                )
                | models.Q(kind=ChipsKind.TIP, means__in=GIVEN, amount_minor__gt=0, half_hours=None)
                | models.Q(
                    kind=ChipsKind.TIME, means__in=GIVEN, amount_minor__gte=0, half_hours__gt=0
                )
                | models.Q(
                    kind__in=[ChipsKind.MOVED_IN, *ENDS],
                    means="",
                    amount_minor__gte=0,
                    half_hours=None,
                )
                | models.Q(kind=ChipsKind.COUNTED, means="", half_hours=None),
                name="stay_chips_known",
            ),
            models.CheckConstraint(
                condition=models.Q(transfer__isnull=False) | models.Q(amount_minor=0),
                name="stay_chips_posted",
            ),
            models.UniqueConstraint(fields=["stay", "transfer"], name="stay_chips_once_posted"),
            models.UniqueConstraint(
                fields=["stay"],
                condition=models.Q(kind__in=[*BEGINS]),
                name="stay_chips_begin_once",
            ),
            models.UniqueConstraint(
                fields=["stay"], condition=models.Q(kind__in=[*ENDS]), name="stay_chips_end_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.amount_minor}"


class StackCount(AppendOnly):
    """All stacks of a table counted between two hands, in minor units. `missing_minor`: what the
    books have on the table and no stack has, less than nothing for more chips than are booked; it
    stays in `in_play`. `last_hand`: the session's newest hand then, 0 before the first.
    """

    clock = "at"

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    session = models.ForeignKey(TableSession, on_delete=models.PROTECT, related_name="stack_counts")
    last_hand = models.PositiveIntegerField()
    counted_minor = models.BigIntegerField()
    missing_minor = models.BigIntegerField()
    counted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(counted_minor__gte=0), name="stack_count_sane"
            )
        ]

    def __str__(self) -> str:
        return f"{self.counted_minor} in {self.session_id}"
