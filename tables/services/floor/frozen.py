"""A count freezes its tray: whatever moves it waits for the signature (CNT-9)."""

from uuid import UUID

from tables.errors import TableBeingCounted
from tables.models import TableSession
from tables.services.parts import one

_FROZEN = "SELECT tray_frozen_v1(%s)"
_HOLD = """
    SELECT t.id FROM tables_table t JOIN tables_round r ON r.table_id = t.id WHERE r.id = %s
        FOR SHARE OF t
"""


def check_uncounted(session: TableSession) -> None:
    """Refuse what moves the tray of a session's table while it is counted; the table's row is held,
    and the session was read under it. Raises TableBeingCounted.
    """
    if session.closed_at is None:
        is_frozen = session.counting_id is not None
    else:  # what comes late finds a tray that is perhaps counted anew
        is_frozen = _is_frozen(session.table_id)
    if is_frozen:
        raise TableBeingCounted


def hold_tray_of(round_id: UUID) -> UUID | None:
    """Hold the table of a round with all who move its tray: no count of it begins until the
    transaction ends.
    """
    row = one(_HOLD, [round_id])
    return row[0] if row else None


def check_tray_uncounted(table_id: UUID) -> None:
    """As `check_uncounted`, for a table that is held by `hold_tray_of`."""
    if _is_frozen(table_id):
        raise TableBeingCounted


def _is_frozen(table_id: UUID) -> bool:
    row = one(_FROZEN, [table_id])
    return bool(row and row[0])
