"""What a hand came to where its pots are entered: seats, pots and shares of each of its results."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from payouts.models import AppendOnly, House
from tables.models.hands import Hand
from tables.models.stays import PokerStay

HALVES = ("whole", "high", "low")


class HandSeat(AppendOnly):
    """One seat of a hand's result, in minor units: what lay before it, what it paid, what went back
    uncalled, what it won.

    `booked_minor`: what of the difference is booked on its stack; another amount only where a hand
    came late or was put right, and its guest had left or lost the chips, or stacks were counted.
    """

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="seats", db_index=False)
    revision = models.PositiveSmallIntegerField()
    stay = models.ForeignKey(PokerStay, on_delete=models.PROTECT, related_name="hand_seats")
    seat = models.PositiveSmallIntegerField()
    stack_minor = models.BigIntegerField()
    ante_minor = models.BigIntegerField()
    live_minor = models.BigIntegerField()
    dead_minor = models.BigIntegerField()
    returned_minor = models.BigIntegerField()
    won_minor = models.BigIntegerField()
    booked_minor = models.BigIntegerField()
    folded = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hand", "revision", "seat"], name="hand_seat_once"),
            models.UniqueConstraint(fields=["hand", "revision", "stay"], name="hand_stay_once"),
            # nobody plays with more than lay there, and who folded wins nothing (POK-2, POK-8)
            models.CheckConstraint(
                condition=models.Q(
                    seat__gt=0,
                    ante_minor__gte=0,
                    live_minor__gte=0,
                    dead_minor__gte=0,
                    returned_minor__gte=0,
                    won_minor__gte=0,
                    stack_minor__gte=models.F("ante_minor")
                    + models.F("live_minor")
                    + models.F("dead_minor"),
                    returned_minor__lte=models.F("ante_minor") + models.F("live_minor"),
                )
                & (models.Q(folded=False) | models.Q(won_minor=0)),
                name="hand_seat_sane",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.hand_id} {self.revision} seat {self.seat}"


class HandPot(AppendOnly):
    """A pot of a hand's result, the main pot being number 1, and the seats that can win it."""

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="pots", db_index=False)
    revision = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    amount_minor = models.BigIntegerField()
    rake_minor = models.BigIntegerField()
    seats = ArrayField(models.PositiveSmallIntegerField())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hand", "revision", "number"], name="hand_pot_once"),
            models.CheckConstraint(
                condition=models.Q(
                    number__gt=0,
                    amount_minor__gt=0,
                    rake_minor__gte=0,
                    rake_minor__lte=models.F("amount_minor"),
                    seats__len__gte=1,
                ),
                name="hand_pot_sane",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.hand_id} {self.revision} pot {self.number}"


class HandShare(AppendOnly):
    """What a seat gets out of a pot, or of a half of it; `odd_minor` are its odd chips (POK-7)."""

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="shares", db_index=False)
    revision = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()  # of the pot
    half = models.CharField(max_length=5)
    seat = models.PositiveSmallIntegerField()
    amount_minor = models.BigIntegerField()
    odd_minor = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["hand", "revision", "number", "half", "seat"], name="hand_share_once"
            ),
            models.CheckConstraint(
                condition=models.Q(
                    half__in=HALVES,
                    amount_minor__gte=models.F("odd_minor"),
                    odd_minor__gte=0,
                ),
                name="hand_share_sane",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.hand_id} {self.revision} pot {self.number} seat {self.seat}"
