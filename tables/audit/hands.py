"""Named checks of hands in SQL, each of which must return no row (RAK-1, RAK-3)."""

from payouts.audit_recent import listed, of_each
from tables.audit import pots

HANDS: dict[str, str] = {
    **pots.POTS,
    # What counts of a hand is what its last revision took; what went before was taken back.
    "hands_are_posted": """
        SELECT r.hand_id::text, r.revision, r.rake_minor::text, t.id AS transfer_id,
            posted.rake_minor::text AS posted_minor
        FROM tables_handresult r JOIN tables_hand h ON h.id = r.hand_id
        LEFT JOIN payouts_transfer t ON t.id = r.transfer_id AND t.house_id = r.house_id
            AND t.kind = CASE WHEN r.entered IS NULL THEN 'hand_raked' ELSE 'hand' END
            AND (t.subject_kind, t.subject_id) = ('hand', r.hand_id)
        LEFT JOIN payouts_transfer back ON back.reverses_id = t.id
        LEFT JOIN LATERAL (SELECT -sum(e.amount_minor) AS rake_minor FROM payouts_entry e
            JOIN payouts_account a ON a.id = e.account_id
            WHERE e.transfer_id = t.id AND a.kind = 'rake' AND a.owner_id = h.table_id
        ) posted ON true
        WHERE r.rake_minor <> coalesce(posted.rake_minor, 0) OR t.id IS DISTINCT FROM r.transfer_id
            OR t.id IS NOT NULL AND (back.id IS NULL)
                <> (h.state = 'ended' AND h.revision = r.revision)
        UNION ALL SELECT t.subject_id::text, NULL, NULL, t.id, NULL FROM payouts_transfer t
        WHERE t.subject_kind = 'hand' AND t.kind IN ('hand_raked', 'hand')
            AND t.reverses_id IS NULL
            AND NOT EXISTS (SELECT FROM tables_handresult r WHERE r.transfer_id = t.id)
    """,
    "hands_are_of_their_day": """
        SELECT t.id AS transfer_id, t.subject_id::text AS hand_id, s.gaming_day::text
        FROM payouts_transfer t LEFT JOIN tables_hand h ON h.id = t.subject_id
        LEFT JOIN tables_tablesession s ON s.id = h.session_id
        WHERE t.subject_kind = 'hand'
            AND (t.house_id, t.gaming_day) IS DISTINCT FROM (h.house_id, s.gaming_day)
    """,
    # Each revision is recorded as its hand's level asks, and guests of the session were dealt in.
    "hands_are_recorded": """
        SELECT h.id::text AS hand_id, h.revision, recorded.count
        FROM tables_hand h LEFT JOIN LATERAL (
            SELECT count(*), max(r.revision) AS last,
                bool_and((r.entered IS NOT NULL) = (h.entry_level = 'pots')) AS at_level
            FROM tables_handresult r WHERE r.hand_id = h.id
        ) recorded ON true
        WHERE (recorded.count, recorded.last, recorded.at_level)
            IS DISTINCT FROM (h.revision::bigint, h.revision, true)
        UNION ALL SELECT r.hand_id::text, r.revision, cardinality(r.dealt)
        FROM tables_handresult r JOIN tables_hand h ON h.id = r.hand_id
        WHERE cardinality(r.dealt) <> (SELECT count(DISTINCT p.guest_id) FROM tables_pokerstay p
            JOIN tables_guest g ON g.id = p.guest_id
            WHERE p.guest_id = ANY (r.dealt) AND g.session_id = h.session_id)
    """,
    # What went wrong in a hand is of its session, which is one of its house.
    "hand_irregularities_are_of_their_session": """
        SELECT i.id, i.hand_id::text, i.session_id::text FROM tables_handirregularity i
        LEFT JOIN tables_tablesession s ON s.id = i.session_id
        LEFT JOIN tables_hand h ON h.id = i.hand_id
        WHERE s.house_id IS DISTINCT FROM i.house_id
            OR i.hand_id IS NOT NULL AND h.session_id IS DISTINCT FROM i.session_id
    """,
}
# Of a session's numbers none is left out.
NUMBERED = {
    "hand_numbers_without_gap": """
        SELECT h.session_id::text, max(h.number) AS last, count(*) FROM tables_hand h
        GROUP BY h.session_id HAVING max(h.number) <> count(*)
    """
}

# What the minute's audit reads of them (`payouts/audit_recent.py`): hands that were touched.
MARKED = ["tables_handresult", "tables_handirregularity", "tables_handoverride"]
_TOUCHED = """
        SELECT hand_id FROM public.tables_handresult WHERE id > {tables_handresult}
        UNION SELECT hand_id FROM public.tables_handirregularity
            WHERE id > {tables_handirregularity} AND hand_id IS NOT NULL
        UNION SELECT hand_id FROM public.tables_handoverride WHERE id > {tables_handoverride}
        UNION SELECT t.subject_id FROM fresh JOIN public.payouts_transfer t ON t.id = fresh.id
            WHERE t.subject_kind = 'hand' AND t.subject_id IS NOT NULL
"""
VIEWS = {
    "touched_hands (id)": listed(_TOUCHED, "uuid"),
    **{
        table: f"SELECT row.* FROM touched_hands, {of_each('touched_hands', table, key)} row"
        for table, key in (
            *(("tables_hand", "id"), ("tables_handresult", "hand_id")),
            ("tables_handirregularity", "hand_id"),
        )
    },
    **pots.VIEWS,
}
MOVED_BY = (
    "SELECT t.id FROM touched_hands JOIN public.payouts_transfer t ON t.subject_id ="
    " touched_hands.id"
)
SAME = [*HANDS]
