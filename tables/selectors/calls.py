"""Which tables call the floor, and who has taken the call: the newest of its events say it."""

from collections.abc import Collection
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext

from payouts.errors import mark
from payouts.models import Event

KIND = "floor_call"  # of the subject: the session that calls
CALLED, TAKEN, SEEN_TO = "floor.called", "floor.taken", "floor.seen_to"
CALL_REASONS = {  # why a table calls the floor
    "dispute": mark("Dispute"),
    "chips": mark("Chips"),
    "payout": mark("Large payout"),
    "guest": mark("Guest"),
    "technical": mark("Technical fault"),
}


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
