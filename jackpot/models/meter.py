"""Jackpot, epochs, running rounds and what their coins brought. Guards:
`jackpot/sql/jackpot_v1.sql` and `hit_v1.sql`.

The sub-meter of a table is its ledger account of kind `sub_meter` for the epoch (balance and
version, moved by postings only): one truth, and no row that two tables share. Tables and rounds are
known by id only.
"""

import uuid
from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from jackpot.models.states import Phase
from payouts.models import AppendOnly, Guarded, House, PostedTable, codes

TAKEN_BACK = ("voided", "reopened")  # the stakes went back
ENDS = ("settled", *TAKEN_BACK)


class Jackpot(Guarded):
    """One progressive of a house: the names of its posted tables, its phase, its running epoch, the
    hit and gate at hand.

    The meter's version is `version_base` and the versions of the epoch's accounts: it moves with
    the amount alone. `incarnation` is raised by every restore of a backup. SUSPENDED keeps the
    phase that it interrupts in `kept_phase`.
    """

    clock = "created_at"

    OFFLINE: ClassVar[dict[str, str]] = {"stop": "stop", "play_flagged": "play_flagged"}

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=60)
    progressive = models.CharField(max_length=60)  # name of the posted table of kind `progressive`
    funding = models.CharField(max_length=60)  # name of the posted table of kind `funding`
    # What a linked table does without the server: it stops, or plays on without coins and its
    # rounds are marked.
    offline_linked = models.CharField(max_length=12, choices=OFFLINE, default="stop")
    rules = models.CharField(
        max_length=60, blank=True
    )  # name of the posted table of kind `jackpot_rules`; "": the defaults
    phase = models.CharField(max_length=9, choices=codes(Phase), default=Phase.OPEN)
    kept_phase = models.CharField(max_length=9, blank=True, default="")
    phase_at = models.DateTimeField(db_default=Now(), editable=False)
    # counts phases, whatever the clock does
    phase_number = models.BigIntegerField(db_default=0, editable=False)
    epoch = models.ForeignKey("Epoch", null=True, on_delete=models.PROTECT, related_name="+")
    # draining or verifying
    hit = models.ForeignKey("Hit", null=True, on_delete=models.PROTECT, related_name="+")
    # showing
    gate = models.ForeignKey("Gate", null=True, on_delete=models.PROTECT, related_name="+")
    version_base = models.BigIntegerField(default=0)
    incarnation = models.BigIntegerField(default=1)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["house", "name"], name="jackpot_name_once"),
            models.UniqueConstraint(fields=["id", "house"], name="jackpot_of_house"),
            models.CheckConstraint(
                condition=models.Q(phase__in=Phase.values), name="jackpot_phase_known"
            ),
            models.CheckConstraint(
                condition=models.Q(offline_linked__in=["stop", "play_flagged"]),
                name="jackpot_offline_known",
            ),
            models.CheckConstraint(
                condition=models.Q(~models.Q(phase=Phase.SUSPENDED), kept_phase="")
                | models.Q(
                    phase=Phase.SUSPENDED,
                    kept_phase__in=[one for one in Phase.values if one != Phase.SUSPENDED],
                ),
                name="jackpot_phase_kept",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Epoch(AppendOnly):
    """The span between two resets: the versions of prizes and funding that hold in it, and what the
    meter began with.
    """

    clock = "opened_at"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+")
    jackpot = models.ForeignKey(
        Jackpot, on_delete=models.PROTECT, related_name="epochs", db_index=False
    )
    number = models.PositiveIntegerField()
    progressive = models.ForeignKey(PostedTable, on_delete=models.PROTECT, related_name="+")
    funding = models.ForeignKey(PostedTable, on_delete=models.PROTECT, related_name="+")
    # None: the defaults
    rules = models.ForeignKey(PostedTable, null=True, on_delete=models.PROTECT, related_name="+")
    seed_minor = models.BigIntegerField()
    remainder_minor = models.BigIntegerField(default=0)
    opened_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["jackpot", "number"], name="epoch_once"),
            models.CheckConstraint(
                condition=models.Q(seed_minor__gte=0, remainder_minor__gte=0),
                name="epoch_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.jackpot_id} {self.number}"


class EpochEnd(AppendOnly):
    """An epoch that is over: from here on the database takes no coin, no running round and no hit
    of it.
    """

    ENDS: ClassVar[dict[str, str]] = {"won": "won", "retired": "retired"}
    clock = "at"

    epoch = models.OneToOneField(
        Epoch, primary_key=True, on_delete=models.PROTECT, related_name="end"
    )
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    hit = models.ForeignKey("Hit", null=True, on_delete=models.PROTECT, related_name="+")
    ended_as = models.CharField(max_length=7, choices=ENDS)
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ended_as="won", hit__isnull=False)
                | models.Q(ended_as="retired", hit=None),
                name="epoch_end_known",
            )
        ]

    def __str__(self) -> str:
        return f"{self.epoch_id} {self.ended_as}"


class RunningRound(Guarded):
    """A round at a linked table, coins or none: running until it is settled, voided or reopened.
    The jackpot's own record.
    """

    clock = "started_at"

    round_id = models.UUIDField(primary_key=True, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    jackpot = models.ForeignKey(Jackpot, on_delete=models.PROTECT, related_name="+", db_index=False)
    epoch = models.ForeignKey(Epoch, on_delete=models.PROTECT, related_name="+", db_index=False)
    table_id = models.UUIDField()
    coins = models.JSONField()  # {"box": "guest id"} of each box with a coin
    started_at = models.DateTimeField(db_default=Now(), editable=False)
    ended_at = models.DateTimeField(null=True, editable=False)
    # What came first, among rounds, hits and gates: times are for people
    # (`jackpot/sql/jackpot_v4.sql`)
    begun_turn = models.BigIntegerField(null=True, editable=False)
    ended_turn = models.BigIntegerField(null=True, editable=False)
    ended_as = models.CharField(max_length=8, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ended_at=None, ended_as="")
                | models.Q(ended_at__isnull=False, ended_as__in=ENDS),
                name="running_round_ended",
            ),
            models.UniqueConstraint(
                fields=["table_id"],
                condition=models.Q(ended_at=None),
                name="running_round_one_per_table",
            ),
        ]
        indexes = [
            models.Index(
                fields=["jackpot"], condition=models.Q(ended_at=None), name="running_round_running"
            ),
            models.Index(fields=["table_id", "begun_turn"], name="running_round_turn"),
        ]

    def __str__(self) -> str:
        return str(self.round_id)


class Contribution(AppendOnly):
    """What the coins of one round fed into one epoch, or took back: whole minor units for meter,
    reserve and house (PRG-11).
    """

    clock = "at"

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    epoch = models.ForeignKey(Epoch, on_delete=models.PROTECT, related_name="+", db_index=False)
    table_id = models.UUIDField()
    round_id = models.UUIDField()
    coins = models.SmallIntegerField()  # negative in a reversal
    meter_minor = models.BigIntegerField()
    reserve_minor = models.BigIntegerField()
    house_minor = models.BigIntegerField()
    reverses = models.OneToOneField("self", null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    reverses=None,
                    coins__gt=0,
                    meter_minor__gte=0,
                    reserve_minor__gte=0,
                    house_minor__gte=0,
                )
                | models.Q(
                    reverses__isnull=False,
                    coins__lt=0,
                    meter_minor__lte=0,
                    reserve_minor__lte=0,
                    house_minor__lte=0,
                ),
                name="contribution_sign",
            ),
        ]
        indexes = [
            models.Index(fields=["epoch", "table_id"], name="contribution_epoch"),
            models.Index(fields=["round_id"], name="contribution_round"),
        ]

    def __str__(self) -> str:
        return f"{self.coins} coins of {self.round_id}"


class Fed(models.Model):
    """What the coins of an epoch fed up to a contribution: kept, so that nobody adds up ten years
    (`jackpot/selectors/fed.py`).
    """

    app_may: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    epoch = models.OneToOneField(
        Epoch, on_delete=models.PROTECT, primary_key=True, related_name="+"
    )
    upto = models.BigIntegerField()  # the last contribution that is in the sums of any epoch
    coins = models.BigIntegerField()
    minor = models.BigIntegerField()  # meter, reserve and house

    def __str__(self) -> str:
        return f"{self.epoch_id} {self.coins}"
