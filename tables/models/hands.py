"""Hands that guests play against one another, and what the house takes out of their pots."""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import pgettext_lazy

from payouts.models import AppendOnly, Guarded, House, Transfer, codes
from tables.models.floor import Table, TableSession

# Why a hand is put right: only the book was wrong, or chips were carried to another seat.
HAND_CORRECTIONS = (ENTRY_WRONG, AWARD_MOVED) = ("entry_wrong", "award_moved")
HAND_LEVELS = ("rake_only", "pots")  # entry levels of games that play hands


class HandState(models.TextChoices):
    """Of a hand."""

    ENDED = "ended", pgettext_lazy("hand", "ended")
    VOIDED = "voided", pgettext_lazy("hand", "void")


class Hand(Guarded):
    """A hand from its end on; where nobody enters its pots, that is when it is first heard of.

    The id is made by the client, so a hand sent twice is one; `sent_hash` is of what was sent.
    """

    State = HandState
    clock = "ended_at"
    sealed = (
        "id", "house", "table", "session", "number", "entry_level", "variant", "sent_hash",
        "croupier", "queued",
    )  # fmt: skip
    event_kind: ClassVar[str] = "hand"

    id = models.UUIDField(primary_key=True, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="hands", db_index=False)
    session = models.ForeignKey(  # its index is that of the numbers
        TableSession, on_delete=models.PROTECT, related_name="hands", db_index=False
    )
    number = models.PositiveIntegerField()  # within the session
    state = models.CharField(max_length=9, choices=codes(HandState), default=HandState.ENDED)
    # of the result that counts: 1 as it ended, 2 corrected once …
    revision = models.PositiveSmallIntegerField(default=1)
    entry_level = models.CharField(max_length=12)
    variant = models.CharField(max_length=20)
    sent_hash = models.BinaryField(max_length=32)
    croupier = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    queued = models.BooleanField(default=False)  # played while the table had no server
    ended_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="hand_number_once"),
            models.UniqueConstraint(fields=["id", "house"], name="hand_of_house"),
            models.CheckConstraint(
                condition=models.Q(state__in=HandState.values, revision__gt=0, number__gt=0),
                name="hand_state_known",
            ),
            models.CheckConstraint(
                condition=models.Q(entry_level__in=HAND_LEVELS), name="hand_level_known"
            ),
        ]
        indexes = [
            models.Index(fields=["table", "ended_at"], name="hand_of_table"),
            # those that are not what they were when they ended
            models.Index(
                fields=["session"],
                condition=models.Q(state=HandState.VOIDED) | models.Q(revision__gt=1),
                name="hand_changed",
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)


class BegunHand(models.Model):
    """The hand that was begun last in a session: a mark that no chip hangs on, told by a tablet as
    it is played, and lost without harm. Whether it still runs says `tables/selectors/running.py`.

    `number`: as the tablet counts; `after_hand`: of the session's last hand then. `dealt`: stays.
    """

    app_may = ("SELECT", "INSERT", "UPDATE")

    session = models.OneToOneField(
        TableSession, primary_key=True, on_delete=models.PROTECT, related_name="+"
    )
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    hand_id = models.UUIDField()
    number = models.PositiveIntegerField()
    after_hand = models.PositiveIntegerField()
    button = models.PositiveSmallIntegerField()
    variant = models.CharField(max_length=20)
    dealt = ArrayField(models.UUIDField())
    croupier = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    begun_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    at = models.DateTimeField(db_default=Now(), editable=False)
    abandoned = models.BooleanField(default=False)

    def __str__(self) -> str:
        return str(self.hand_id)


class HandResult(AppendOnly):
    """What was entered of a hand, and what the house took, in minor units.

    `dealt`: stays of those who were dealt in. `pot_minor`, `posted_minor` (what the schedule gives
    for it): None where the pot was not entered. `entered`: a hand at *pots* as it was sent, whose
    seats, pots and shares stand beside it (`tables/models/pots.py`). `correction`: its kind; "" of
    what ended the hand, and of corrections from before kinds were asked for.
    """

    clock = "at"

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="results", db_index=False)
    revision = models.PositiveSmallIntegerField()
    dealt = ArrayField(models.UUIDField())
    flop = models.BooleanField()
    walk = models.BooleanField()
    pot_minor = models.BigIntegerField(null=True)
    posted_minor = models.BigIntegerField(null=True)
    rake_minor = models.BigIntegerField()
    entered = models.JSONField(null=True)
    # None where nothing moved
    transfer = models.ForeignKey(Transfer, null=True, on_delete=models.PROTECT, related_name="+")
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    correction = models.CharField(max_length=11, blank=True, default="", db_default="")
    approval_id = models.UUIDField(null=True)  # what allowed a correction
    reason = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hand", "revision"], name="hand_result_once"),
            models.CheckConstraint(
                condition=models.Q(dealt__len__gte=2), name="hand_result_players"
            ),
            models.CheckConstraint(
                condition=models.Q(correction="")
                | models.Q(correction__in=HAND_CORRECTIONS, revision__gt=1),
                name="hand_result_correction",
            ),
            # never more than is posted, or lies there; nothing of a walk (RAK-3)
            models.CheckConstraint(
                condition=models.Q(rake_minor__gte=0)
                & (
                    models.Q(pot_minor=None, posted_minor=None)
                    | models.Q(
                        pot_minor__gt=0,
                        posted_minor__gte=models.F("rake_minor"),
                        posted_minor__lte=models.F("pot_minor"),
                    )
                )
                & (models.Q(walk=False) | models.Q(rake_minor=0)),
                name="hand_result_rake",
            ),
            models.CheckConstraint(
                condition=models.Q(rake_minor=0) | models.Q(transfer__isnull=False),
                name="hand_result_rake_posted",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.hand_id} {self.revision}"
