"""Counts as they are read: what was entered; once both have signed, what the books had (CNT-2)."""

from typing import Any

from django.db.models import Prefetch, Q, QuerySet

from payouts.models import Count, CountEntry, CountLine, CountSignature
from payouts.models.count import RUNNING
from tables.models import Table, TableSession


def counts_shown(counts: QuerySet[Count]) -> QuerySet[Count]:
    """Counts with their entries by number, their lines by value, and the signature that stands."""
    lines = CountLine.objects.order_by("value_minor")
    entries = CountEntry.objects.order_by("number").prefetch_related(Prefetch("lines", lines))
    signatures = CountSignature.objects.select_related("counter", "witness")
    stands = signatures.filter(stands=True)
    return counts.prefetch_related(
        Prefetch("entries", entries, to_attr="entered"),
        Prefetch("signatures", stands, to_attr="standing"),
    )


def count_parts(count: Count) -> dict[str, Any]:
    """Entries and signature of a count that `counts_shown` has read. Of a drop box nobody sees
    what one has counted before both have signed (DRP-4).
    """
    is_blind = count.place_kind == Count.Place.DROP and count.state != Count.State.SIGNED
    entered: list[CountEntry] = [] if is_blind else getattr(count, "entered", [])
    standing: list[CountSignature] = getattr(count, "standing", [])
    entries = [entry_parts(entry) for entry in entered]
    return {"entries": entries, "signed": standing[0] if standing else None}


def entry_parts(entry: CountEntry) -> dict[str, Any]:
    """An entry with its lines."""
    return {
        "number": entry.number,
        "counter": entry.counter_id,
        "value_minor": entry.value_minor,
        "entered_at": entry.entered_at,
        "lines": [
            {"value_minor": line.value_minor, "pieces": line.pieces} for line in entry.lines.all()
        ],
    }


def counts_between(table: Table, session: TableSession | None) -> QuerySet[Count]:
    """The counts of a session with its opener, newest first; of a closed table also the openers
    that were counted since it was closed last.
    """
    counts = Count.objects.filter(place_kind=Count.Place.TRAY, place_id=table.pk)
    if session is None:
        return counts.order_by("-begun_at", "-id")
    of_session = Q(session_id=session.pk) | Q(pk=session.opener_id)
    if table.session_id is None and session.closed_at is not None:
        of_session |= Q(session_id=None, begun_at__gt=session.closed_at)
    return counts.filter(of_session).order_by("-begun_at", "-id")


def counting_at(table: Table) -> Count | None:
    """The count that freezes a table's tray: one that runs, or its signed closer."""
    if table.session is not None:
        return table.session.counting
    trays = Count.objects.filter(place_id=table.pk, place_kind=Count.Place.TRAY)
    return trays.filter(state__in=RUNNING).first()


def is_counted(session: TableSession) -> bool:
    """Whether nobody may see what an open session sums to: its tray or its drop box is counted, and
    not both have signed (CNT-2, DRP-4).
    """
    counts = Count.objects.filter(place_id=session.table_id, state__in=RUNNING)
    return session.closed_at is None and counts.exists()


def opener_signed(table: Table) -> Count | None:
    """The newest signed opener of a closed table since it was closed last."""
    last = TableSession.objects.filter(table=table).order_by("-closed_at").first()
    since = Q(ended_at__gt=last.closed_at) if last else Q()
    counts = Count.objects.filter(since, place_kind=Count.Place.TRAY, place_id=table.pk)
    openers = counts.filter(purpose=Count.Purpose.OPENER, state=Count.State.SIGNED)
    return openers.order_by("-ended_at").first()
