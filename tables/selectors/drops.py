"""Drop boxes of a house: which wait to be counted, and how far their counts are (DRP-4)."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, Subquery

from payouts.models import Account, Count
from payouts.models.count import RUNNING
from tables.models import Table


class DropBox(NamedTuple):
    """The drop box of a table. `running`: a count of it; `counted_at`: when the last was signed;
    `is_waiting`: something lies in it by the books, how much nobody hears.
    """

    table: Table
    running: Count | None
    counted_at: datetime | None
    is_waiting: bool


def drop_boxes(*, house_id: UUID) -> list[DropBox]:
    """Those of tables that are in use, and of others while something lies in them, those that wait
    first. Two statements.
    """
    boxes = Count.objects.filter(place_kind=Count.Place.DROP, place_id=OuterRef("pk"))
    signed = boxes.filter(state=Count.State.SIGNED).order_by("-ended_at")
    cash = Account.objects.filter(kind="drop", owner_id=OuterRef("pk")).exclude(balance_minor=0)
    tables = Table.objects.filter(house_id=house_id).annotate(
        counted_at=Subquery(signed.values("ended_at")[:1]), is_waiting=Exists(cash)
    )
    counts = Count.objects.filter(house_id=house_id, place_kind=Count.Place.DROP)
    running = {count.place_id: count for count in counts.filter(state__in=RUNNING)}
    rows = [
        DropBox(table, running.get(table.pk), table.counted_at, table.is_waiting)
        for table in tables.order_by("-is_waiting", "name")
    ]
    return [row for row in rows if row.is_waiting or row.running or not row.table.retired]


def drop_count_at(table: Table) -> Count | None:
    """The count of a table's drop box that runs."""
    boxes = Count.objects.filter(place_kind=Count.Place.DROP, place_id=table.pk)
    return boxes.filter(state__in=RUNNING).first()
