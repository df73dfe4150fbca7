"""In which session a round was played that came later, and by whom who has left since."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from payouts.rules.lines import Stake
from tables.models import Guest, TableSession, TableVersion


def session_played(
    table_id: UUID, now: Mapping[str, Any] | None, offered: Sequence[Stake]
) -> Mapping[str, Any] | None:
    """The session of a table in which all these guests staked, in the form of the context of a
    lock, with the boxes that the table had then; that which it has `now` where there is no other.
    """
    staked = {stake.guest for stake in offered}
    if now is not None and staked <= (now["guests"] or {}).keys():
        return now
    guests = Guest.objects.filter(pk__in=staked, session__table_id=table_id)
    sessions = TableSession.objects.filter(guests__in=guests).distinct()[:2]
    if len(sessions) != 1 or (now is not None and str(sessions[0].pk) == now["id"]):
        return now
    [session] = sessions
    return {
        "id": str(session.pk),
        "gaming_day": session.gaming_day.isoformat(),
        "entry_level": session.entry_level,
        "versions": session.versions,
        "croupier": str(session.croupier_id),
        "guests": None,
        "boxes": TableVersion.objects.get(table=table_id, number=session.table_version).boxes,
    }


def guests_played(
    session: Mapping[str, Any], offered: Sequence[Stake], *, queued: bool
) -> dict[str, Sequence[Any]]:
    """The guests of a session by id, each with their place; of a round that came later with those
    who left after they had staked, in the order in which they left, before them.
    """
    present: dict[str, Sequence[Any]] = session["guests"] or {}
    staked = {stake.guest for stake in offered}
    if not queued or staked <= present.keys():
        return present
    left = Guest.objects.filter(
        session_id=UUID(session["id"]), pk__in=staked, left_at__isnull=False
    )
    rows = left.order_by("left_at").values_list("pk", "box", "seated", "distance")
    return {str(pk): place for pk, *place in rows} | present
