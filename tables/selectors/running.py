"""Which hand runs at a table, as far as its tablet tells: it is over with its end, or with that of
another hand, as the pit gets it to clarify, with the table, and when the croupier changes.
"""

from tables.models import BegunHand, Hand, ReviewItem, TableSession

# By session the hand that runs; in SQL, as `hand_running` has it.
RUNS = """
    SELECT b.session_id, b.at FROM tables_begunhand b
    JOIN tables_tablesession begun ON (begun.id, begun.croupier_id) = (b.session_id, b.croupier_id)
    WHERE begun.closed_at IS NULL AND begun.entry_level = 'pots' AND NOT b.abandoned
        AND NOT EXISTS (SELECT FROM tables_hand h WHERE h.session_id = b.session_id
            AND h.number > b.after_hand AND (NOT h.queued OR h.id = b.hand_id))
        AND NOT EXISTS (SELECT FROM tables_toclarify e WHERE e.round_id = b.hand_id)
"""


def hand_running(session: TableSession) -> BegunHand | None:
    """The hand that runs in a session. Three statements at most."""
    begun = BegunHand.objects.filter(
        session=session, croupier=session.croupier_id, abandoned=False
    ).first()
    if begun is None or session.closed_at is not None or session.entry_level != "pots":
        return None
    since = Hand.objects.filter(session=session, number__gt=begun.after_hand)
    if any(not queued or pk == begun.hand_id for pk, queued in since.values_list("pk", "queued")):
        return None
    items = ReviewItem.objects.filter(round_id=begun.hand_id)
    return None if items.exists() else begun
