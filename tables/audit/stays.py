"""Named checks of seats at poker tables in SQL, each of which must return no row: as `AUDITS` of
`tables/audit/checks.py`.
"""

from payouts.audit_recent import listed, of_each

_OPEN = """
    SELECT p.guest_id, p.house_id, g.session_id, g.seated, g.box, g.left_at, s.table_id, s.closed_at
    FROM tables_pokerstay p JOIN tables_guest g ON g.id = p.guest_id
    JOIN tables_tablesession s ON s.id = g.session_id WHERE p.left_at IS NULL
"""

STAYS: dict[str, str] = {
    "stack_empty_after_leave": """
        SELECT a.id AS account_id, a.detail_id::text AS stay_id, a.balance_minor::text
        FROM payouts_account a LEFT JOIN tables_pokerstay p ON p.guest_id = a.detail_id
        WHERE a.kind = 'stack' AND a.balance_minor <> 0
            AND (p.guest_id IS NULL OR p.left_at IS NOT NULL)
    """,
    # A stack is what its guest brought, and what a count put right; where hands are booked, less
    # what the guest gave, and with what they won and lost.
    "stacks_are_what_was_bought": f"""
        SELECT stay.guest_id::text AS stay_id, brought.minor::text, played.minor::text AS played,
            (-a.balance_minor)::text AS booked
        FROM ({_OPEN}) stay
        LEFT JOIN payouts_account a ON a.house_id = stay.house_id AND a.kind = 'stack'
            AND a.owner_id = stay.table_id AND a.detail_id = stay.guest_id
        LEFT JOIN LATERAL (
            SELECT sum(c.amount_minor) AS minor FROM public.tables_staychips c
            WHERE c.stay_id = stay.guest_id
                AND c.kind IN ('buy_in', 'top_up', 'moved_in', 'counted')
        ) brought ON true
        LEFT JOIN LATERAL (
            SELECT sum(minor) AS minor FROM (
                SELECT s.booked_minor AS minor FROM public.tables_handseat s
                JOIN public.tables_hand h ON (h.id, h.revision, h.state)
                    = (s.hand_id, s.revision, 'ended')
                WHERE s.stay_id = stay.guest_id
                UNION ALL SELECT -e.amount_minor FROM public.payouts_entry e
                JOIN public.payouts_transfer t ON t.id = e.transfer_id
                WHERE e.account_id = a.id AND t.kind IN ('tip', 'time', 'hand_cleared')
                    AND t.reverses_id IS NULL
            ) moves
        ) played ON true
        WHERE coalesce(-a.balance_minor, 0)
            IS DISTINCT FROM brought.minor + coalesce(played.minor, 0)
    """,
    "in_play_empty": f"""
        SELECT a.id AS account_id, a.owner_id::text AS table_id, a.balance_minor::text
        FROM payouts_account a
        WHERE a.kind IN ('in_play', 'pot_carried') AND a.balance_minor <> 0
            AND NOT EXISTS (SELECT FROM ({_OPEN}) stay WHERE stay.table_id = a.owner_id)
    """,
    "stays_sit_at_open_tables": f"""
        SELECT stay.guest_id::text AS stay_id, stay.table_id::text, stay.box FROM ({_OPEN}) stay
        JOIN tables_table t ON t.id = stay.table_id
        WHERE stay.left_at IS NOT NULL OR stay.closed_at IS NOT NULL OR NOT stay.seated
            OR stay.box IS NULL OR t.house_id <> stay.house_id
        UNION ALL SELECT p.guest_id::text, NULL, g.box FROM tables_guest g
        JOIN tables_pokerstay p ON p.guest_id = g.id
        WHERE g.left_at IS NULL AND p.left_at IS NOT NULL
    """,
    # Each movement of a stay's chips is posted as it is recorded, and nothing else about a stay is.
    "stay_chips_are_posted": """
        SELECT c.id, c.stay_id::text, c.kind, c.amount_minor::text, t.id AS transfer_id
        FROM tables_staychips c LEFT JOIN payouts_transfer t
            ON t.id = c.transfer_id AND t.house_id = c.house_id
            AND t.kind = CASE WHEN c.kind IN ('moved_in', 'moved_out') THEN 'move' ELSE c.kind END
        LEFT JOIN payouts_entry e ON e.transfer_id = t.id
        LEFT JOIN payouts_account a ON a.id = e.account_id
        GROUP BY c.id, c.stay_id, c.kind, c.means, c.amount_minor, c.transfer_id, t.id
        HAVING t.id IS DISTINCT FROM c.transfer_id
            OR c.amount_minor <> coalesce(-sum(e.amount_minor) FILTER (WHERE CASE c.kind
                WHEN 'tip' THEN a.kind = 'tronc'
                WHEN 'time' THEN a.kind = 'time_income'
                WHEN 'out' THEN a.kind = 'circulation'
                WHEN 'moved_out' THEN a.kind = 'stack' AND a.detail_id <> c.stay_id
                ELSE a.kind = 'stack' AND a.detail_id = c.stay_id END), 0)
            OR c.means <> '' AND c.amount_minor <> coalesce(sum(e.amount_minor) FILTER (
                WHERE CASE c.means WHEN 'cash' THEN a.kind = 'drop'
                    WHEN 'stack' THEN a.kind = 'in_play' OR a.detail_id = c.stay_id
                    ELSE a.kind = 'circulation' END), 0)
        UNION ALL SELECT NULL, t.subject_id::text, t.kind, NULL, t.id FROM payouts_transfer t
        LEFT JOIN tables_staychips c ON c.transfer_id = t.id
        WHERE t.subject_kind = 'stay' AND t.kind <> 'table_emptied' AND c.id IS NULL
    """,
    "stays_post_at_their_table": """
        SELECT t.id AS transfer_id, a.id AS account_id, s.table_id::text, s.gaming_day::text
        FROM payouts_transfer t JOIN payouts_entry e ON e.transfer_id = t.id
        JOIN payouts_account a ON a.id = e.account_id
        LEFT JOIN tables_pokerstay p ON p.guest_id = t.subject_id
        LEFT JOIN tables_guest g ON g.id = p.guest_id
        LEFT JOIN tables_tablesession s ON s.id = g.session_id
        LEFT JOIN tables_guest old ON old.id = p.came_from_id
        LEFT JOIN tables_tablesession old_s ON old_s.id = old.session_id
        WHERE t.subject_kind = 'stay' AND ((t.gaming_day, p.house_id) IS DISTINCT
            FROM (s.gaming_day, t.house_id) OR a.owner_id IS DISTINCT FROM s.table_id
            AND (t.kind <> 'move' OR a.owner_id IS DISTINCT FROM old_s.table_id))
    """,
    # What is taken for time or out of pots lies in the tray.
    "fees_are_chips": """
        SELECT t.id AS transfer_id, sum(e.amount_minor)::text AS difference
        FROM payouts_transfer t JOIN payouts_entry e ON e.transfer_id = t.id
        JOIN payouts_account a ON a.id = e.account_id
        WHERE t.kind IN ('time', 'hand_raked', 'hand') AND a.kind IN ('tray', 'rake', 'time_income')
        GROUP BY t.id HAVING sum(e.amount_minor) <> 0
    """,
}

# What the minute's audit reads of them (`payouts/audit_recent.py`): chips that moved lately.
MARKED = ["tables_staychips"]
_MOVED = """
        SELECT id FROM public.tables_staychips WHERE id > {tables_staychips}
        UNION SELECT c.id FROM fresh JOIN public.tables_staychips c ON c.transfer_id = fresh.id
"""
VIEWS = {
    "moved_chips (id)": listed(_MOVED, "bigint"),
    "tables_staychips": (
        "SELECT row.* FROM moved_chips CROSS JOIN"
        f" {of_each('moved_chips', 'tables_staychips', 'id')} row"
    ),
}
MOVED_BY = "SELECT transfer_id FROM tables_staychips WHERE transfer_id IS NOT NULL"
SAME = ["stay_chips_are_posted", "stays_post_at_their_table", "fees_are_chips"]
