"""A table calls the floor, with a reason; somebody takes the call, and in the end says that it is
seen to. No money and no round depends on it: it is kept as events (`tables.selectors.calls`).
"""

from uuid import UUID

from payouts.services import Subject, event_record
from tables.errors import TableClosed
from tables.selectors.calls import CALLED, KIND, SEEN_TO, TAKEN, Call, calls_open
from tables.services.parts import table_locked


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
