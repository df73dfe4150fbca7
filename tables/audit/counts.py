"""Named checks of counts in SQL, each of which must return no row: as `AUDITS` of
`tables/audit/checks.py`.
"""

COUNTS: dict[str, str] = {
    # What was counted is what the books had and the difference; what moved them is that difference,
    # and after it they have what was counted (CNT-5).
    "counts_meet_their_transfer": """
        SELECT c.id::text AS count_id, e.value_minor::text AS counted,
            g.recorded_minor::text AS recorded, g.difference_minor::text AS difference,
            posted.moved::text, posted.after::text
        FROM payouts_countsignature g JOIN payouts_count c ON c.id = g.count_id
        JOIN payouts_countentry e ON e.id = g.entry_id
        LEFT JOIN LATERAL (
            SELECT sum(x.amount_minor) AS moved, max(x.balance_after_minor) AS after
            FROM payouts_transfer t JOIN payouts_entry x ON x.transfer_id = t.id
            JOIN payouts_account a ON a.id = x.account_id
                AND (a.kind, a.owner_id) = (c.place_kind, c.place_id)
            WHERE t.house_id = c.house_id AND t.key = 'count:' || c.id
        ) posted ON true
        WHERE e.value_minor <> g.recorded_minor + g.difference_minor
            OR (g.stands AND (coalesce(posted.moved, 0) <> g.difference_minor
                OR posted.after <> e.value_minor))
    """,
    # What was entered is what its pieces come to (CNT-1).
    "entries_are_their_pieces": """
        SELECT e.id AS entry_id, e.value_minor::text AS counted, lines.minor::text AS pieces
        FROM payouts_countentry e LEFT JOIN (
            SELECT entry_id, sum(value_minor * pieces) AS minor FROM payouts_countline GROUP BY 1
        ) lines ON lines.entry_id = e.id
        WHERE e.value_minor <> coalesce(lines.minor, 0)
    """,
    # A count is signed where a signature of it stands, by two people, one of whom entered it
    # (CNT-2).
    "counts_are_signed_by_two": """
        SELECT c.id::text AS count_id, c.state, g.counter_id::text AS counter,
            g.witness_id::text AS witness
        FROM payouts_count c LEFT JOIN payouts_countsignature g ON g.count_id = c.id AND g.stands
        LEFT JOIN payouts_countentry e ON e.id = g.entry_id
        WHERE (c.state = 'signed') <> (g.id IS NOT NULL) OR g.counter_id = g.witness_id
            OR g.counter_id <> e.counter_id OR e.count_id <> c.id
    """,
    # A session is frozen by a count that runs, or by its closer (CNT-9).
    "sessions_are_frozen_by_their_count": """
        SELECT s.id::text AS session_id, s.counting_id::text AS count_id, c.state
        FROM tables_tablesession s
        FULL JOIN (SELECT * FROM payouts_count
            WHERE place_kind = 'tray' AND state IN ('begun', 'entered', 'again')
                AND session_id IS NOT NULL) c
            ON c.id = s.counting_id
        LEFT JOIN payouts_count closer ON closer.id = s.counting_id
            AND (closer.state, closer.purpose, closer.session_id) = ('signed', 'closer', s.id)
        WHERE (s.counting_id IS NOT NULL AND c.id IS NULL AND closer.id IS NULL)
            OR (c.id IS NOT NULL AND s.id IS DISTINCT FROM c.session_id)
    """,
}
