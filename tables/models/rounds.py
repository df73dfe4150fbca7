"""Rounds: stakes, results, lines; cards from a feed; what has to be clarified."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from jackpot.models import Epoch, Jackpot
from payouts.models import AppendOnly, Guarded, House, codes
from tables.models.floor import Guest, Table, TableSession
from tables.models.plays import PlayKind

ENTRY_LEVELS = ("jackpot_only", "fast", "full_cards")  # of games that play rounds
SOURCES = ("cards", "taps", "coins")
LARGE_MINOR = 25_000  # won, or a prize, by one line: such lines have an index of their own


class RoundState(models.TextChoices):
    """Of a round."""

    LOCKED = "locked", _("running")
    SETTLED = "settled", _("settled")
    VOIDED = "voided", _("void")
    REOPENED = "reopened", _("open again")
    WITHDRAWN = "withdrawn", _("withdrawn")


TAKEN_BACK = (RoundState.VOIDED, RoundState.REOPENED, RoundState.WITHDRAWN)  # the stakes went back


class Round(Guarded):
    """A round from the lock on, or the tombstone of one that was withdrawn before its lock came
    (`withdrawn`, no session).

    The id is made by the client, so a lock sent twice is one round, and a tombstone stops a late
    lock.
    """

    State = RoundState

    id = models.UUIDField(primary_key=True, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    table = models.ForeignKey(
        Table, on_delete=models.PROTECT, related_name="rounds", db_index=False
    )
    session = models.ForeignKey(  # its index is that of the numbers
        TableSession, null=True, on_delete=models.PROTECT, related_name="rounds", db_index=False
    )
    number = models.PositiveIntegerField(null=True)  # within the session, as the croupier counts
    state = models.CharField(max_length=9, choices=codes(RoundState))
    entry_level = models.CharField(max_length=12, blank=True)
    # of the result that counts: 1 settled, 2 corrected once …
    revision = models.PositiveSmallIntegerField(default=0)
    # by kind, the ids of all posted versions it was locked under
    versions = models.JSONField(null=True)
    jackpot = models.ForeignKey(
        Jackpot, null=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    epoch = models.ForeignKey(Epoch, null=True, on_delete=models.PROTECT, related_name="+")
    lock_hash = models.BinaryField(
        max_length=32, null=True
    )  # of what was asked: the same lock again is not another one
    croupier = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    queued = models.BooleanField(default=False)  # played while the table had no server, taken later
    locked_at = models.DateTimeField(db_default=Now(), editable=False)
    ended_at = models.DateTimeField(null=True, editable=False)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    reason = models.CharField(max_length=500, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="round_number_once"),
            models.UniqueConstraint(
                fields=["table"],
                condition=models.Q(state=RoundState.LOCKED),
                name="round_one_locked",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=RoundState.values), name="round_state_known"
            ),
            models.CheckConstraint(
                condition=models.Q(state=RoundState.WITHDRAWN, session=None, number=None)
                | models.Q(
                    ~models.Q(state=RoundState.WITHDRAWN),
                    session__isnull=False,
                    number__isnull=False,
                    croupier__isnull=False,
                    versions__isnull=False,
                    lock_hash__isnull=False,
                    entry_level__in=ENTRY_LEVELS,
                ),
                name="round_complete",
            ),
            models.CheckConstraint(
                condition=models.Q(state=RoundState.LOCKED, ended_at=None)
                | models.Q(~models.Q(state=RoundState.LOCKED), ended_at__isnull=False),
                name="round_ended",
            ),
            models.CheckConstraint(
                condition=models.Q(jackpot=None, epoch=None)
                | models.Q(jackpot__isnull=False, epoch__isnull=False),
                name="round_epoch_of_jackpot",
            ),
        ]
        indexes = [
            models.Index(fields=["table", "locked_at"], name="round_of_table"),
            models.Index(  # the few that took another course: what a report of them reads
                fields=["table", "locked_at"],
                condition=models.Q(state__in=TAKEN_BACK) | models.Q(queued=True),
                name="round_otherwise",
            ),
            # and those that are not what they were when they ended: the pit's page reads them again
            models.Index(
                fields=["session"],
                condition=models.Q(state__in=TAKEN_BACK) | models.Q(revision__gt=1),
                name="round_changed",
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)


class RoundStake(AppendOnly):
    """One stake as it was placed: what was offered, what stays, what went back before the cards and
    why (PRM-1, PRM-3).

    `standing` keeps what the prime rule decided on: owner, seated, distance, as they were at the
    lock. One that came after the lock (BJ-5 to BJ-9) has its number in the round, `placed`, and
    whose stake it goes with, `source`, and may bring no chips. One that was a mistake is taken
    back by a row of its own, which says by `takes_back` the number of which (BOX-5). A correction
    puts stakes after the lock right by the same rows, with its own revision: a result counts what
    came and was taken back until it.
    """

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    round = models.ForeignKey(
        Round, on_delete=models.PROTECT, related_name="stakes", db_index=False
    )
    # 0: of the lock; n: placed, or put right, with result n
    revision = models.PositiveSmallIntegerField(default=0)
    placed = models.PositiveSmallIntegerField(default=0, db_default=0)
    box = models.PositiveSmallIntegerField()
    guest = models.ForeignKey(Guest, on_delete=models.PROTECT, related_name="+", db_index=False)
    source = models.ForeignKey(
        Guest, null=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    takes_back = models.PositiveSmallIntegerField(null=True)
    kind = models.CharField(max_length=20)
    offered_minor = models.BigIntegerField()
    accepted_minor = models.BigIntegerField()
    returned_minor = models.BigIntegerField(default=0)
    rank = models.PositiveSmallIntegerField(null=True)
    reason = models.CharField(max_length=30, blank=True)
    rule = models.CharField(max_length=10, blank=True)
    data = models.JSONField(null=True)
    standing = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["round", "revision", "box", "kind", "guest", "placed"],
                name="round_stake_once",
            ),
            models.CheckConstraint(
                condition=models.Q(placed=0, source=None)
                | models.Q(placed__gt=0, source__isnull=False),
                name="round_stake_placed",
            ),
            models.UniqueConstraint(
                fields=["round", "takes_back"],
                condition=models.Q(takes_back__isnull=False),
                name="round_stake_back_once",
            ),
            models.CheckConstraint(
                condition=models.Q(takes_back=None)
                | models.Q(takes_back__gt=0, takes_back__lt=models.F("placed"), accepted_minor=0),
                name="round_stake_takes_back",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    models.Q(offered_minor__gt=0) | models.Q(offered_minor=0, placed__gt=0),
                    accepted_minor__gte=0,
                    returned_minor__gte=0,
                    offered_minor=models.F("accepted_minor") + models.F("returned_minor"),
                ),
                name="round_stake_adds_up",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.accepted_minor} on box {self.box}"


class RoundResult(AppendOnly):
    """How a round ended, as it was entered: from this and the stakes it can be settled again to the
    same lines.
    """

    clock = "at"

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    round = models.ForeignKey(
        Round, on_delete=models.PROTECT, related_name="results", db_index=False
    )
    revision = models.PositiveSmallIntegerField()
    source = models.CharField(max_length=5)
    result = models.JSONField()  # cards and taps in their canonical form
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    approval_id = models.UUIDField(null=True)  # what allowed a correction
    reason = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "revision"], name="round_result_once"),
            models.CheckConstraint(
                condition=models.Q(source__in=SOURCES), name="round_result_source"
            ),
        ]
        indexes = [
            models.Index(
                fields=["round"], condition=models.Q(revision__gt=1), name="round_result_corrected"
            )
        ]

    def __str__(self) -> str:
        return f"{self.round_id} {self.revision}"


class RoundLine(AppendOnly):
    """What became of one stake: what to pay, and why (`payouts.rules.lines.StakeLine`)."""

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="lines", db_index=False)
    revision = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField()
    box = models.PositiveSmallIntegerField()
    guest = models.ForeignKey(Guest, on_delete=models.PROTECT, related_name="+", db_index=False)
    kind = models.CharField(max_length=20)
    stake_minor = models.BigIntegerField()
    returned_minor = models.BigIntegerField()
    won_minor = models.BigIntegerField()
    prize_minor = models.BigIntegerField()
    odds = models.CharField(max_length=12, blank=True)
    hand = models.CharField(max_length=20, blank=True)
    paid_by = models.CharField(max_length=5)
    code = models.CharField(max_length=40)
    rule = models.CharField(max_length=10)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "revision", "place"], name="round_line_once"),
            models.CheckConstraint(
                condition=models.Q(
                    stake_minor__gte=0,
                    returned_minor__gte=0,
                    won_minor__gte=0,
                    prize_minor__gte=0,
                    returned_minor__lte=models.F("stake_minor"),
                ),
                name="round_line_sane",
            ),
        ]
        indexes = [
            models.Index(  # the few of which guests were paid much: what a report of payouts reads
                fields=["round"],
                condition=models.Q(won_minor__gte=LARGE_MINOR)
                | models.Q(prize_minor__gte=LARGE_MINOR),
                name="round_line_large",
            )
        ]

    def __str__(self) -> str:
        return f"{self.code} on box {self.box}"


class CardFeed(AppendOnly):
    """Cards of a running round as a shoe or shuffler read them: the newest record of a round
    counts.
    """

    clock = "at"

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="feeds")
    device_id = models.UUIDField(null=True)
    cards = models.JSONField()
    at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return str(self.round_id)


class ClarifyState(models.TextChoices):
    """Of what is to be clarified."""

    OPEN = "open", pgettext_lazy("to be clarified", "to be decided")
    TAKEN = "taken", pgettext_lazy("to be clarified", "taken over")
    DISMISSED = "dismissed", pgettext_lazy("to be clarified", "dismissed")


class ReviewItem(Guarded):
    """A round or hand that came too late or was refused when nobody could put it right: taken or
    dismissed by the pit, never lost.
    """

    State = ClarifyState
    clock = "received_at"
    event_kind: ClassVar[str] = "to_clarify"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="+")
    play = models.CharField(max_length=5, choices=codes(PlayKind), db_default=PlayKind.ROUND)
    round_id = models.UUIDField()  # of the play; no key: it may never have been taken
    kind = models.CharField(max_length=20)  # what came: lock, settle, withdraw, queued
    payload = models.JSONField()  # as it came
    # the same thing again is kept once, another one beside it
    payload_hash = models.BinaryField(max_length=32)
    code = models.CharField(max_length=60)  # why it was refused
    data = models.JSONField(null=True)
    sent_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    received_at = models.DateTimeField(db_default=Now(), editable=False)
    state = models.CharField(max_length=9, default=ClarifyState.OPEN)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    closed_at = models.DateTimeField(null=True, editable=False)
    reason = models.CharField(max_length=500, blank=True)

    class Meta:
        db_table = "tables_toclarify"
        constraints = [
            models.UniqueConstraint(
                fields=["house", "round_id", "kind", "payload_hash"], name="to_clarify_once"
            ),
            models.CheckConstraint(
                condition=models.Q(play__in=PlayKind.values), name="to_clarify_play_known"
            ),
            models.CheckConstraint(
                condition=models.Q(state=ClarifyState.OPEN, closed_at=None, closed_by=None)
                | models.Q(
                    state__in=[ClarifyState.TAKEN, ClarifyState.DISMISSED],
                    closed_at__isnull=False,
                    closed_by__isnull=False,
                ),
                name="to_clarify_closed",
            ),
        ]
        indexes = [
            models.Index(
                fields=["house"],
                condition=models.Q(state=ClarifyState.OPEN),
                name="to_clarify_open",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.round_id}"
