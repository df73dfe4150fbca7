"""A table calls the floor, with a reason, until somebody says that it is seen to. No money and no round depends on it: it is kept
as events, whose newest says how it stands.
"""

from collections.abc import Collection
from typing import Any, NamedTuple
from uuid import UUID

from django.utils.translation import gettext

from payouts.errors import mark
from payouts.models import Event
from payouts.services import event_record
from tables.errors import TableClosed
from tables.services.parts import table_locked

KIND = "floor_call"  # of the subject: the session that calls
CALLED, SEEN_TO = "floor.called", "floor.seen_to"
REASONS = {
    "dispute": mark("Dispute"),
    "chips": mark("Chips"),
    "payout": mark("Large payout"),
    "guest": mark("Guest"),
    "technical": mark("Technical fault"),
}


class Call(NamedTuple):
    """An open call: why, and since when."""

    reason: str
    at: Any

    @property
    def words(self) -> str:
        """Why, in the language of the page."""
        return gettext(REASONS[self.reason])


def floor_call(*, house_id: UUID, table_id: UUID, actor_id: UUID, reason: str | None) -> Call | None:
    """Call the floor to a table, or with None say that it is seen to; the same again is nothing new.

    Raises TableUnknown, TableClosed.
    """
    table = table_locked(house_id, table_id, any_jackpot=True)
    if table.session_id is None:
        raise TableClosed
    there = calls_open([table.session_id]).get(table.session_id)
    if (there.reason if there else None) != reason:
        event_record(
            name=CALLED if reason else SEEN_TO,
            house_id=house_id,
            actor_id=actor_id,
            subject_kind=KIND,
            subject_id=table.session_id,
            after={"table": str(table_id), "reason": reason},
        )
    return calls_open([table.session_id]).get(table.session_id)


def calls_open(session_ids: Collection[UUID]) -> dict[UUID, Call]:
    """The open call of each of these sessions. One statement."""
    newest = Event.objects.filter(subject_kind=KIND, subject_id__in=[str(pk) for pk in session_ids])
    newest = newest.order_by("subject_id", "-id").distinct("subject_id")
    return {UUID(one.subject_id): Call((one.after or {})["reason"], one.at) for one in newest if one.name == CALLED}
