"""Counts as they are read: what was entered; once both have signed, what the books had (CNT-2)."""

from typing import Any

from django.db.models import Prefetch, QuerySet

from payouts.models import Count, CountEntry, CountLine, CountSignature


def counts_shown(counts: QuerySet[Count]) -> QuerySet[Count]:
    """Counts with their entries by number, their lines by value, and the signature that stands."""
    lines = CountLine.objects.order_by("value_minor")
    entries = CountEntry.objects.order_by("number").prefetch_related(Prefetch("lines", lines))
    stands = CountSignature.objects.filter(stands=True)
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
    entries = [
        {
            "number": entry.number,
            "counter": entry.counter_id,
            "value_minor": entry.value_minor,
            "entered_at": entry.entered_at,
            "lines": [
                {"value_minor": line.value_minor, "pieces": line.pieces}
                for line in entry.lines.all()
            ],
        }
        for entry in entered
    ]
    return {"entries": entries, "signed": standing[0] if standing else None}
