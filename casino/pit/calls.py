"""A table calls the floor, with a reason; somebody takes the call, and in the end says that it is
seen to. No money and no round depends on it: it is kept as events, whose newest say how it stands.
"""

from collections.abc import Collection
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext

from casino.text.floor import CALL_REASONS
from payouts.models import Event
from payouts.services import Subject, event_record
from tables.errors import TableClosed
from tables.services.parts import table_locked

KIND = "floor_call"  # of the subject: the session that calls
CALLED, TAKEN, SEEN_TO = "floor.called", "floor.taken", "floor.seen_to"


class Call(NamedTuple):
    """An open call: why, and since when; who has taken it when, if somebody has."""

    reason: str
    at: Any
    taken_by: str = ""
    taken_at: Any = None

    @property
    def reason_text(self) -> str:
        """Why, in the language of the page."""
        return gettext(CALL_REASONS[self.reason])


def floor_call(
    *, house_id: UUID, table_id: UUID, actor_id: UUID, reason: str | None
) -> Call | None:
    """Call the floor to a table, or with None say that it is seen to; the same again is nothing
    new.

    Raises TableUnknown, TableClosed.
    """
    table = table_locked(house_id, table_id, any_jackpot=True)
    if table.session_id is None:
        raise TableClosed
    there = calls_open([table.session_id]).get(table.session_id)
    if (there.reason if there else None) != reason:
        event_record(
            CALLED if reason else SEEN_TO,
            Subject(KIND, table.session_id),
            house_id=house_id,
            actor_id=actor_id,
            after={"table": str(table_id), "reason": reason},
        )
    return calls_open([table.session_id]).get(table.session_id)


def floor_call_take(*, house_id: UUID, table_id: UUID, actor_id: UUID) -> Call | None:
    """Somebody goes there. Who comes second changes nothing, and is given who was first; None where
    nobody calls any more.

    Raises TableUnknown, TableClosed.
    """
    table = table_locked(house_id, table_id, any_jackpot=True)
    if table.session_id is None:
        raise TableClosed
    there = calls_open([table.session_id]).get(table.session_id)
    if there is not None and there.taken_at is None:
        event_record(
            TAKEN,
            Subject(KIND, table.session_id),
            house_id=house_id,
            actor_id=actor_id,
            after={"table": str(table_id), "reason": there.reason},
        )
    return calls_open([table.session_id]).get(table.session_id)


def calls_open(session_ids: Collection[UUID]) -> dict[UUID, Call]:
    """The open call of each of these sessions. One statement."""
    asked = Event.objects.filter(subject_kind=KIND, subject_id__in=[str(pk) for pk in session_ids])
    rows = (
        asked.annotate(takes=Q(name=TAKEN))
        .order_by("subject_id", "takes", "-id")
        .distinct("subject_id", "takes")
    )
    newest = {(one.subject_id, one.takes): one for one in rows.select_related("actor")}
    found = {}
    for (subject, takes), one in newest.items():
        if takes or one.name != CALLED:
            continue
        taken = newest.get((subject, True))
        by = taken if taken and taken.pk > one.pk else None  # an older one took an older call
        who = by.actor.full_name if by and by.actor else ""
        found[UUID(subject)] = Call((one.after or {})["reason"], one.at, who, by.at if by else None)
    return found
