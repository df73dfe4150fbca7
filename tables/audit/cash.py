"""Named checks of buy-ins and tips in SQL, each of which must return no row: as `AUDITS` of
`tables/audit/checks.py`. That what is posted has its row, `GROUNDS` says.
"""

_ENTRIES = """
    SELECT id, house_id, session_id, transfer_id, stay_chips_id, amount_minor, 'drop' AS place
        FROM tables_buyin
    UNION ALL SELECT id, house_id, session_id, transfer_id, stay_chips_id, amount_minor, 'tronc'
        FROM tables_tip
"""

CASH: dict[str, str] = {
    # Each at the table and on the gaming day of its session, with its amount.
    "entries_are_posted": f"""
        SELECT entered.id::text, entered.place, entered.amount_minor::text, posted.minor::text
        FROM ({_ENTRIES}) entered JOIN tables_tablesession s ON s.id = entered.session_id
        LEFT JOIN LATERAL (
            SELECT t.house_id, t.gaming_day, sum(abs(e.amount_minor)) AS minor
            FROM payouts_transfer t JOIN payouts_entry e ON e.transfer_id = t.id
            JOIN payouts_account a ON a.id = e.account_id
                AND (a.kind, a.owner_id) = (entered.place, s.table_id)
            WHERE t.id = entered.transfer_id AND t.reverses_id IS NULL
                AND (entered.stay_chips_id IS NOT NULL OR t.subject_id = entered.id)
            GROUP BY t.id
        ) posted ON true
        WHERE (posted.house_id, posted.gaming_day, posted.minor)
            IS DISTINCT FROM (entered.house_id, s.gaming_day, entered.amount_minor)
            OR entered.house_id <> s.house_id
    """,
    # What is taken back is so by the reversal of its own posting.
    "entries_are_taken_back_as_posted": f"""
        SELECT b.id, entered.id::text, b.transfer_id FROM tables_entryreversal b
        LEFT JOIN ({_ENTRIES}) entered ON entered.id = coalesce(b.buy_in_id, b.tip_id)
        LEFT JOIN payouts_transfer t ON t.id = b.transfer_id
        WHERE (t.reverses_id, t.house_id, b.house_id) IS DISTINCT FROM
                (entered.transfer_id, entered.house_id, entered.house_id)
            OR entered.stay_chips_id IS NOT NULL
    """,
}
