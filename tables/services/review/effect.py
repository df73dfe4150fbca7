"""What an entry to be clarified could change: only what would change a line of a round holds the
jackpot's payment; what can change nothing is closed together.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery

from payouts.db.constraints import require_transaction
from payouts.rules.plain import check_text
from tables.errors import (
    ClarifyBooked,
    ClarifyClosed,
    ClarifyNoneIdle,
    CorrectionWaits,
    TableUnknown,
)
from tables.models import ReviewItem, Round, Table
from tables.models.rounds import TAKEN_BACK
from tables.selectors.rounds import corrections_wait
from tables.services.review.clarify import review_item_dismiss, review_item_take
from tables.services.review.entries import entry_is_booked, entry_settles
from tables.services.review.form import has_form

CLOSED_MOST = 100  # entries, in one act


class ClosedCount(NamedTuple):
    """How many entries were closed: those that are in the books, and those that were dismissed."""

    booked: int
    dismissed: int


def unclarified(rounds: Sequence[UUID]) -> int:
    """Of how many of these rounds it is not clear how they ended: an open entry would change their
    lines, or a correction waits to be signed.

    What another table sent under a round's id is none of its.
    """
    table = Round.objects.filter(pk=OuterRef("round_id")).values("table_id")
    entries = _open().filter(round_id__in=rounds, table_id=Subquery(table))
    unclear = corrections_wait(rounds)
    for entry in entries:
        if entry.round_id not in unclear and _changes(entry):
            unclear.add(entry.round_id)
    return len(unclear)


def review_item_is_idle(entry: ReviewItem) -> bool:
    """Whether an open entry can change no line of the books: it is in them, or it cannot be read,
    or it ends a round whose lock never came.
    """
    if not has_form(entry.table, entry.kind, entry.payload) or entry_is_booked(entry):
        return True
    ids = {"house_id": entry.house_id, "round_id": entry.round_id}
    return (
        entry.kind == "settle"
        and not Round.objects.filter(pk=entry.round_id).exists()
        and not _open().filter(**ids, kind__in=["lock", "queued"]).exists()
    )


def review_items_close(
    *, house_id: UUID, table_id: UUID, reason: str, actor_id: UUID
) -> ClosedCount:
    """Close the open entries of a table that can change nothing, the oldest first and at most
    CLOSED_MOST: what is in the books is taken, the rest dismissed. What waits for a signature
    stays.

    Raises TableUnknown, TextRefused, ClarifyNoneIdle.
    """
    require_transaction()
    check_text(reason, "reason", least=3, most=500)
    if not Table.objects.filter(pk=table_id, house_id=house_id).exists():
        raise TableUnknown
    closed: Counter[str] = Counter()
    waiting = _open().filter(house_id=house_id, table_id=table_id).order_by("received_at", "id")
    for entry in waiting:
        if review_item_is_idle(entry):
            closed[_close(entry, reason, actor_id)] += 1
        if closed["booked"] + closed["dismissed"] >= CLOSED_MOST:
            break
    done = ClosedCount(closed["booked"], closed["dismissed"])
    if not any(done):
        raise ClarifyNoneIdle
    return done


def _open() -> QuerySet[ReviewItem]:
    return ReviewItem.objects.filter(state=ReviewItem.State.OPEN).select_related("table")


def _close(entry: ReviewItem, reason: str, actor_id: UUID) -> str:
    """Close an entry that changes nothing; how, "" where somebody was there before, or waits for a
    signature.
    """
    which: dict[str, Any] = {"house_id": entry.house_id, "clarify_id": entry.pk}
    is_booked = entry_is_booked(entry)
    close = review_item_take if is_booked else review_item_dismiss
    try:
        close(**which, reason=reason, actor_id=actor_id)
    except (ClarifyBooked, ClarifyClosed, CorrectionWaits):
        return ""
    return "booked" if is_booked else "dismissed"


def _changes(entry: ReviewItem) -> bool:
    """Whether an open entry of a round that is in the books would change its lines."""
    state = Round.objects.values_list("state", flat=True).get(pk=entry.round_id)
    if state in TAKEN_BACK or entry.kind == "lock" or review_item_is_idle(entry):
        return False
    return state == Round.State.LOCKED or entry_settles(entry)
