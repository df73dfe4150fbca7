"""Drop boxes of a house: which wait to be counted, and how far their counts are (DRP-4)."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from payouts.models import Account, Count, CountEntry, CountLine
from payouts.models.count import RUNNING
from tables.models import Table
from tables.selectors.counts import count_parts, entry_parts

TOGETHER = 2  # entries are made alone; what comes then is counted together


class DropBox(NamedTuple):
    """The drop box of a table. `running`: a count of it; `counted_at`: when the last was signed;
    `is_waiting`: something lies in it by the books, how much nobody hears.
    """

    table: Table
    running: Count | None
    counted_at: datetime | None
    is_waiting: bool


def drop_tables(tables: QuerySet[Table]) -> QuerySet[Any]:
    """Those of tables that are in use, and of others while something lies in the box or it is being
    counted.
    """
    boxes = Count.objects.filter(place_kind=Count.Place.DROP, place_id=OuterRef("pk"))
    signed = boxes.filter(state=Count.State.SIGNED).order_by("-ended_at")
    cash = Account.objects.filter(kind="drop", owner_id=OuterRef("pk")).exclude(balance_minor=0)
    rows = tables.annotate(
        counted_at=Subquery(signed.values("ended_at")[:1]),
        is_waiting=Exists(cash),
        is_counted=Exists(boxes.filter(state__in=RUNNING)),
    )
    return rows.filter(Q(retired=False) | Q(is_waiting=True) | Q(is_counted=True))


def boxes_of(tables: Iterable[Table]) -> list[DropBox]:
    """Of tables that `drop_tables` has read. One statement."""
    rows: list[Any] = list(tables)
    counts = Count.objects.filter(place_id__in=[row.pk for row in rows])
    drops = counts.filter(place_kind=Count.Place.DROP, state__in=RUNNING)
    running = {count.place_id: count for count in drops}
    return [DropBox(row, running.get(row.pk), row.counted_at, row.is_waiting) for row in rows]


def drop_boxes(*, house_id: UUID) -> list[DropBox]:
    """Those of a house, those that wait first. Two statements."""
    tables = drop_tables(Table.objects.filter(house_id=house_id))
    return boxes_of(tables.order_by("-is_waiting", "name"))


def drop_count_at(table: Table) -> Count | None:
    """The count of a table's drop box that runs."""
    boxes = Count.objects.filter(place_kind=Count.Place.DROP, place_id=table.pk)
    return boxes.filter(state__in=RUNNING).first()


def drop_differ(count: Count) -> tuple[int, ...]:
    """Of which denominations the two people have not counted as many, by rising value."""
    rows = CountLine.objects.filter(entry__count=count, entry__number__lte=TOGETHER)
    pieces: dict[int, set[int]] = {}
    for value, number in rows.values_list("value_minor", "pieces"):
        pieces.setdefault(value, set()).add(number)
    return tuple(sorted(value for value, numbers in pieces.items() if len(numbers) > 1))


def together_of(count: Count | None, entries: list[CountEntry]) -> CountEntry | None:
    """What both have counted together, as it waits for the other's signature."""
    waits = count is not None and count.state == Count.State.ENTERED and len(entries) > TOGETHER
    return entries[-1] if waits else None


def drop_parts(count: Count) -> dict[str, Any]:
    """As `count_parts`, with who has counted, at which denominations the two differ, and what they
    have counted together, while that waits for a signature. One statement, two where two differ.
    """
    entries: list[CountEntry] = getattr(count, "entered", [])
    together = together_of(count, entries)
    is_apart = count.state in RUNNING and len(entries) >= TOGETHER
    return count_parts(count) | {
        "counters": [entry.counter_id for entry in entries[:TOGETHER]],
        "differ": drop_differ(count) if is_apart else (),
        "together": entry_parts(together) if together else None,
    }
