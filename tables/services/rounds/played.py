"""In which session a round was played that came later, and by whom who has left since."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from payouts.rules.lines import Stake
from tables.models import Guest, TableSession


def session_played(
    table_id: UUID, now: Mapping[str, Any] | None, offered: Sequence[Stake]
) -> dict[str, Any] | None:
    """The session of a table in which these guests staked, where it is another one than the table
    has `now`, as the context of a lock has one; None of guests of several, or of none.
    """
    staked = {stake.guest for stake in offered}
    if now is not None and staked <= (now["guests"] or {}).keys():
        return None
    guests = Guest.objects.filter(pk__in=staked, session__table_id=table_id)
    sessions = TableSession.objects.filter(guests__in=guests).distinct()[:2]
    if len(sessions) != 1 or (now is not None and str(sessions[0].pk) == now["id"]):
        return None
    session = sessions[0]
    return {
        "id": str(session.pk),
        "gaming_day": session.gaming_day.isoformat(),
        "entry_level": session.entry_level,
        "versions": session.versions,
        "croupier": str(session.croupier_id),
        "guests": None,
    }


def left_since(session_id: str, offered: Sequence[Stake]) -> dict[str, list[Any]]:
    """Guests of a session who left after they had staked, each with the place that they had, in
    the order in which they left.
    """
    staked = {stake.guest for stake in offered}
    left = Guest.objects.filter(session_id=UUID(session_id), pk__in=staked, left_at__isnull=False)
    rows = left.order_by("left_at").values_list("pk", "box", "seated", "distance")
    return {str(pk): place for pk, *place in rows}
