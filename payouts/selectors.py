"""Reads of the money floor."""

from datetime import date, datetime
from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import connection
from django.db.models import (
    CharField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
)
from django.db.models.functions import Cast

from payouts.models import (
    Approval,
    ChipMove,
    Event,
    Inventory,
    PostedState,
    PostedTable,
    SealedRows,
    Transfer,
)
from payouts.models.chips import ChipPlace
from payouts.rules.rulesets.chips import ChipSet
from payouts.rules.seal import unpack_runs

SEALS_MOST = 100  # rows that were long in being committed lie in a seal behind their number's
_RELEASED = ("posted_table.seeded", "posted_table.released")


class HouseNow(NamedTuple):
    """A moment by the database's clock, as the house has it."""

    moment: datetime
    day: date
    zone: ZoneInfo


def seal_of(table: str, key: int) -> int | None:
    """The number of the seal that holds a row of a table with whole numbers as keys; None: none
    holds it yet.
    """
    parts = SealedRows.objects.filter(table=table, last__gte=key).order_by("last")
    for seal, keys in parts.values_list("seal_id", "keys")[:SEALS_MOST]:
        if any(first <= key <= last for first, last in unpack_runs(bytes(keys))):
            return int(seal)
    return None


def house_now(*, house_id: UUID) -> HouseNow:
    """Now: moment and gaming day are read together, so no change of the day comes between them. The
    house must exist.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT now.moment, gaming_day_v1(now.moment, time_zone, gaming_day_change), time_zone"
            " FROM payouts_house, (SELECT clock_timestamp() AS moment) now WHERE id = %s",
            [house_id],
        )
        moment, day, zone = cursor.fetchone()
    return HouseNow(moment, day, ZoneInfo(zone))


def gaming_day_at(*, house_id: UUID, moment: datetime | None = None) -> date:
    """The gaming day of the house at a moment; without one, now, by the database's clock. The house
    must exist.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT gaming_day_v1(coalesce(%s, clock_timestamp()), time_zone, gaming_day_change)"
            " FROM payouts_house WHERE id = %s",
            [moment, house_id],
        )
        day: date = cursor.fetchone()[0]
    return day


def posted_in_force(*, house_id: UUID, kind: str, name: str, day: date) -> PostedTable | None:
    """The version of a table that counts on a gaming day: of the approved ones the last to have
    begun; None before the first.

    The answer for a day that has begun never changes: no version is released into it
    (`posted_table_in_time`), but the first of all.
    """
    begun = PostedTable.objects.filter(
        house_id=house_id,
        kind=kind,
        name=name,
        state=PostedState.APPROVED,
        starts="day",
        in_force_from__lte=day,
    )
    return begun.order_by("-in_force_from").first()


def posted_for_next_epoch(*, house_id: UUID, kind: str, name: str) -> PostedTable | None:
    """The version that an epoch takes which opens now: the one that was released last; None if
    there is none.
    """
    released = PostedTable.objects.filter(
        house_id=house_id, kind=kind, name=name, state=PostedState.APPROVED, starts="next_epoch"
    )
    return _in_turn(released, "posted_table", *_RELEASED).order_by("-turn").first()


def posted_newest(*, house_id: UUID, kinds: tuple[str, ...]) -> QuerySet[PostedTable]:
    """Of each table of these kinds the version that was released last."""
    rows = PostedTable.objects.filter(house_id=house_id, kind__in=kinds, state=PostedState.APPROVED)
    return (
        _in_turn(rows, "posted_table", *_RELEASED)
        .order_by("kind", "name", "-turn")
        .distinct("kind", "name")
    )


def chip_sets(*, house_id: UUID) -> dict[str, ChipSet]:
    """By name, the chip sets in force on the present gaming day (CHP-1). Two statements."""
    rows = PostedTable.objects.filter(
        house_id=house_id,
        kind=ChipSet.KIND,
        state=PostedState.APPROVED,
        in_force_from__lte=gaming_day_at(house_id=house_id),
    )
    newest = rows.order_by("name", "-in_force_from").distinct("name")
    return {row.name: ChipSet.from_data(row.data) for row in newest}


def chip_values(*, house_id: UUID) -> set[int]:
    """The denominations of all chip sets in force, in minor units. Two statements."""
    return {value for chips in chip_sets(house_id=house_id).values() for value in chips.values()}


def chips_issued(*, house_id: UUID) -> dict[int, int]:
    """The pieces in service, by rising value in minor units: what came in less what went out. One
    statement.
    """
    came, went = (
        Sum("pieces", filter=Q(to_place=place), default=0)
        for place in (ChipPlace.VAULT, ChipPlace.STOCK)
    )
    rows = ChipMove.objects.filter(house_id=house_id).values_list("value_minor")
    sums = rows.annotate(in_service=came - went)
    return dict(sums.order_by("value_minor"))


def transfer_is_free(transfer: Transfer) -> bool:
    """Whether it may be taken back by itself: it is about nothing that is kept beside the books,
    moves no epoch's money, and no inventory or movement of chips stands on it.
    """
    counted = Inventory.objects.filter(house_id=transfer.house_id, at__gte=transfer.posted_at)
    return (
        transfer.subject_id is None
        and not transfer.entries.filter(account__detail_id__isnull=False).exists()
        and not transfer.chip_moves.exists()
        and not counted.exists()
    )


def requests_in_order(approvals: QuerySet[Approval]) -> QuerySet[Approval]:
    """Requests as they were asked for, one after the other."""
    return _in_turn(approvals, "approval", "approval.requested").order_by("turn")


def _in_turn(rows: QuerySet[Any], kind: str, *names: str) -> QuerySet[Any]:
    """Rows with their `turn` in the log, which knows what came first also where a clock was set
    back between them.
    """
    told = Event.objects.filter(
        subject_kind=kind, subject_id=Cast(OuterRef("pk"), CharField()), name__in=names
    )
    in_turn: QuerySet[Any] = rows.annotate(turn=Subquery(told.order_by("-pk").values("pk")[:1]))
    return in_turn
