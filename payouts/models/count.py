"""Counts by the piece: begun, entered by one person, witnessed by another (CNT). Guards:
`payouts/sql/count_v*.sql`.
"""

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import pgettext_lazy

from payouts.models.base import AppendOnly, Guarded, codes
from payouts.models.house import House
from payouts.models.ledger import Transfer
from payouts.models.posted import PostedTable

PIECES_MOST = 100_000  # of one denomination


class CountPlace(models.TextChoices):
    """What is counted: the kind of account that says what the books expect there."""

    TRAY = "tray"
    DROP = "drop"


class CountPurpose(models.TextChoices):
    """Why a place is counted."""

    OPENER = "opener", pgettext_lazy("count", "opener")
    CLOSER = "closer", pgettext_lazy("count", "closer")
    RELIEF = "relief", pgettext_lazy("count", "relief")
    DROP = "drop", pgettext_lazy("count", "drop")
    SPOT = "spot", pgettext_lazy("count", "spot check")
    SUSPICION = "suspicion", pgettext_lazy("count", "suspicion")


class CountState(models.TextChoices):
    """Of a count; `again`: its first entry is signed and does not stand (CNT-6)."""

    BEGUN = "begun", pgettext_lazy("count", "begun")
    ENTERED = "entered", pgettext_lazy("count", "entered")
    AGAIN = "again", pgettext_lazy("count", "count again")
    SIGNED = "signed", pgettext_lazy("count", "signed")
    GIVEN_UP = "given_up", pgettext_lazy("count", "given up")


RUNNING = (CountState.BEGUN, CountState.ENTERED, CountState.AGAIN)


class Count(Guarded):
    """A place is counted, from its begin until it is signed or given up.

    `place_id`: the owner of the account of that kind, a table for a tray and a drop box.
    `session_id`: the table's session then; None at a closed table. `taken_version`: of a drop box,
    the last entry of its account that lies in it, as the database wrote it (DRP-8).
    """

    Place = CountPlace
    Purpose = CountPurpose
    State = CountState
    clock = "begun_at"
    sealed = (
        "house", "place_kind", "place_id", "session_id", "purpose", "gaming_day", "begun_by",
        "taken_version",
    )  # fmt: skip
    event_kind: ClassVar[str] = "count"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    place_kind = models.CharField(max_length=10, choices=codes(CountPlace))
    place_id = models.UUIDField()
    session_id = models.UUIDField(null=True)
    purpose = models.CharField(max_length=9, choices=codes(CountPurpose))
    gaming_day = models.DateField()
    state = models.CharField(max_length=8, choices=codes(CountState), default=CountState.BEGUN)
    begun_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    begun_at = models.DateTimeField(db_default=Now(), editable=False)
    taken_version = models.BigIntegerField(null=True, editable=False)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )
    ended_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["place_id", "place_kind"],
                condition=models.Q(state__in=RUNNING),
                name="count_one_running",
            ),
            models.UniqueConstraint(fields=["id", "house"], name="count_of_house"),
            models.CheckConstraint(
                condition=models.Q(
                    place_kind__in=CountPlace.values, purpose__in=CountPurpose.values
                ),
                name="count_known",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=RUNNING, ended_at=None, ended_by=None)
                | models.Q(
                    state__in=[CountState.SIGNED, CountState.GIVEN_UP],
                    ended_at__isnull=False,
                    ended_by__isnull=False,
                ),
                name="count_ended_by",
            ),
        ]
        indexes = [
            models.Index(fields=["place_id", "begun_at"], name="count_of_place"),
            models.Index(fields=["house", "gaming_day"], name="count_day"),
            models.Index(fields=["session_id"], name="count_of_session"),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} of {self.place_kind} {self.place_id}"


class CountEntry(AppendOnly):
    """What one person counted, by denominations of a chip set (`posted`), or of cash (None);
    `number`: 1 is the count's first. The value is the sum of its lines when the transaction
    commits.
    """

    clock = "entered_at"

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    count = models.ForeignKey(
        Count, on_delete=models.PROTECT, related_name="entries", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    counter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    posted = models.ForeignKey(
        PostedTable, null=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    value_minor = models.BigIntegerField()
    entered_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["count", "number"], name="count_entry_once"),
            models.UniqueConstraint(fields=["id", "house"], name="count_entry_of_house"),
            models.UniqueConstraint(fields=["id", "count"], name="count_entry_of_its_count"),
            models.CheckConstraint(
                condition=models.Q(number__gt=0, value_minor__gte=0), name="count_entry_sane"
            ),
        ]

    def __str__(self) -> str:
        return f"entry {self.number} of {self.count_id}"


class CountLine(AppendOnly):
    """Pieces of one denomination, 0 where there were none."""

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    entry = models.ForeignKey(
        CountEntry, on_delete=models.PROTECT, related_name="lines", db_index=False
    )
    value_minor = models.BigIntegerField()
    pieces = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entry", "value_minor"], name="count_line_once"),
            models.CheckConstraint(
                condition=models.Q(value_minor__gt=0, pieces__gte=0, pieces__lte=PIECES_MOST),
                name="count_line_sane",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pieces} of {self.value_minor}"


class CountSignature(AppendOnly):
    """Counter and witness have signed an entry, and the database says what the books expected
    (`recorded_minor`); `stands` is false where it is counted again (CNT-6). Of a drop box the
    witness is the other of the two who counted (DRP-4).
    """

    clock = "signed_at"

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    count = models.ForeignKey(
        Count, on_delete=models.PROTECT, related_name="signatures", db_index=False
    )
    entry = models.OneToOneField(CountEntry, on_delete=models.PROTECT, related_name="signature")
    counter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    witness = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    recorded_minor = models.BigIntegerField(db_default=0)
    difference_minor = models.BigIntegerField(db_default=0)
    # of the account that says what is expected: what it moves by later came after the count
    account_version = models.BigIntegerField(db_default=0)
    stands = models.BooleanField()
    signed_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            # a second time at most, and then it stands
            models.UniqueConstraint(fields=["count", "stands"], name="count_signed_once"),
            models.CheckConstraint(
                condition=~models.Q(counter=models.F("witness")), name="count_two_people"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.difference_minor} at {self.count_id}"


class CountBack(AppendOnly):
    """What came after a signed count moved what the books expected there, and the difference is
    posted back by as much, so that the place stays as counted (CNT-10).

    `subject_kind` and `subject_id`: what came. Something may come again: a late round put right.
    """

    clock = "at"

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    count = models.ForeignKey(Count, on_delete=models.PROTECT, related_name="backs")
    subject_kind = models.CharField(max_length=20)
    subject_id = models.UUIDField()
    amount_minor = models.BigIntegerField()
    transfer = models.OneToOneField(Transfer, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(amount_minor=0), name="count_back_moves"),
        ]

    def __str__(self) -> str:
        return f"{self.amount_minor} back at {self.count_id}"
