"""Pits, tables, their sessions, who deals, and the guests at them."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from jackpot.models import Jackpot
from payouts.models import AppendOnly, Approval, Count, Guarded, House


class Pit(Guarded):
    """A group of tables under one pit boss."""

    clock = "created_at"
    app_may = ("SELECT", "INSERT")
    sealed = ("*",)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    name = models.CharField(max_length=40)
    position = models.PositiveSmallIntegerField(default=0)  # in which order pits are shown
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["house", "name"], name="pit_name_once"),
            models.UniqueConstraint(fields=["id", "house"], name="pit_of_house"),
        ]

    def __str__(self) -> str:
        return self.name


class Table(Guarded):
    """A gaming table: its game, the jackpot it is linked to, and what its version in force says.

    The row is what a lock holds on to (FOR SHARE) and what open, close, hand-over, link and change
    update (FOR NO KEY UPDATE). Seals hold it as it was made, which version 1 says for ever.
    """

    clock = "created_at"
    sealed = ("house", "pit", "name", "position", "game", "boxes")
    sealed_from = """(SELECT made.id, made.created_at, made.house_id, v.pit_id, v.name, v.position,
        made.game, v.boxes FROM tables_table made LEFT JOIN tables_tableversion v
            ON (v.table_id, v.number) = (made.id, 1))"""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    pit = models.ForeignKey(Pit, on_delete=models.PROTECT, related_name="tables")
    name = models.CharField(max_length=40)
    # in which order tables are shown, never by alarm
    position = models.PositiveSmallIntegerField(default=0)
    game = models.CharField(max_length=20)  # a code of `tables.games.GAMES`
    boxes = models.PositiveSmallIntegerField()  # the layout has boxes 1 to this
    posted = (
        models.JSONField()
    )  # by kind, the name of the posted table that counts here; the version is the gaming day's
    version = models.SmallIntegerField(db_default=1)  # the number of that in force
    retired = models.BooleanField(db_default=False)  # opens no more
    jackpot = models.ForeignKey(Jackpot, null=True, on_delete=models.PROTECT, related_name="+")
    session = models.ForeignKey(
        "TableSession", null=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["house", "name"], name="table_name_once"),
            models.UniqueConstraint(fields=["id", "house"], name="table_of_house"),
            models.CheckConstraint(
                condition=models.Q(boxes__gte=1, boxes__lte=22), name="table_boxes_sane"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class TableVersion(AppendOnly):
    """What a table is called, where it stands, its boxes, the names of what is posted at it, and
    whether it is retired. The newest comes in force when the table is closed.

    Version 1 is the table as it was made. A later one was signed, or came before the table's first
    opening.
    """

    clock = "created_at"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    table = models.ForeignKey(
        Table, on_delete=models.PROTECT, related_name="versions", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    pit = models.ForeignKey(Pit, on_delete=models.PROTECT, related_name="+", db_index=False)
    name = models.CharField(max_length=40)
    position = models.PositiveSmallIntegerField()
    boxes = models.PositiveSmallIntegerField()
    posted = models.JSONField()
    retired = models.BooleanField()
    approval = models.ForeignKey(
        Approval, null=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="table_version_once"),
            models.UniqueConstraint(fields=["approval"], name="table_version_once_by_its_approval"),
            models.CheckConstraint(
                condition=models.Q(boxes__gte=1, boxes__lte=22), name="table_version_boxes_sane"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} v{self.number}"


def _counted() -> models.ForeignKey[Count | None]:
    """A count of the table's tray. Its key goes by pairs, with the house (`counting_v1.sql`)."""
    return models.ForeignKey(
        Count,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_constraint=False,
        db_index=False,
    )


class TableSession(Guarded):
    """A table from opening to closing, within one gaming day, under the versions in force on that
    day; `table_version`: the number of the table's own.

    `opener`, `closer`: the signed counts of its tray between which it was played. `counting`: the
    one that freezes the tray, until it is signed or given up; a signed closer, until it closes.
    """

    clock = "opened_at"
    sealed = (
        "house", "table", "gaming_day", "versions", "opened_by", "table_version", "opener",
    )  # fmt: skip

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="sessions")
    table_version = models.SmallIntegerField(db_default=1)
    gaming_day = models.DateField()
    entry_level = models.CharField(max_length=12)  # one that its game lists
    versions = models.JSONField()  # by kind, the id of the posted version
    croupier = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    opened_at = models.DateTimeField(db_default=Now(), editable=False)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    closed_at = models.DateTimeField(null=True, editable=False)
    opener = _counted()
    closer = _counted()
    counting = _counted()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=models.Q(closed_at=None), name="table_session_one_open"
            ),
            models.UniqueConstraint(fields=["id", "table"], name="table_session_of_table"),
            models.CheckConstraint(
                condition=models.Q(entry_level__regex="^[a-z_]+$"), name="table_session_level_named"
            ),
            models.CheckConstraint(
                condition=models.Q(closed_at=None, closed_by=None)
                | models.Q(closed_at__isnull=False, closed_by__isnull=False),
                name="table_session_closed_by",
            ),
        ]
        indexes = [models.Index(fields=["house", "gaming_day"], name="table_session_day")]

    def __str__(self) -> str:
        return f"{self.table_id} {self.gaming_day}"


class HandOver(AppendOnly):
    """The croupier at a table changed: from whom to whom, who saw to it.

    `last_round`: the number of the session's newest round then, 0 before the first, None in rows of
    before; `running`: it ran. What came first they tell, also after a clock was set back.
    """

    clock = "at"

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    session = models.ForeignKey(TableSession, on_delete=models.PROTECT, related_name="hand_overs")
    from_croupier = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    to_croupier = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    last_round = models.PositiveIntegerField(null=True, editable=False)
    running = models.BooleanField(null=True, editable=False)

    def __str__(self) -> str:
        return f"{self.from_croupier_id} to {self.to_croupier_id}"


class Guest(Guarded):
    """Somebody at a table, as a token without name: where they sit or stand, and whose box they own
    (BOX-1, PRM-1).

    `box`: the box they own, by sitting at it or, where its seat is free, by being declared its
    owner. `distance`: their place counted from the shoe, for the order of co-players.
    """

    clock = "arrived_at"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    session = models.ForeignKey(
        TableSession, on_delete=models.PROTECT, related_name="guests", db_index=False
    )
    # what they are called on screens: guest 7 of this session
    number = models.PositiveSmallIntegerField()
    box = models.PositiveSmallIntegerField(null=True)
    seated = models.BooleanField(default=False)
    distance = models.PositiveSmallIntegerField(default=0)
    arrived_at = models.DateTimeField(db_default=Now(), editable=False)
    left_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="guest_number_once"),
            models.UniqueConstraint(
                fields=["session", "box"],
                condition=models.Q(left_at=None, box__isnull=False),
                name="guest_one_owner_per_box",
            ),
        ]

    def __str__(self) -> str:
        return f"guest {self.number}"
