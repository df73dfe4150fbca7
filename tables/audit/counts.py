"""Named checks of counts in SQL, each of which must return no row: as `AUDITS` of
`tables/audit/checks.py`.
"""

# What moves a tray, by the session that it belongs to, however late it comes.
_OF_SESSION = """
    SELECT id, session_id FROM tables_round UNION ALL SELECT id, session_id FROM tables_hand
    UNION ALL SELECT id, session_id FROM tables_buyin
    UNION ALL SELECT g.id, g.session_id FROM tables_guest g
        JOIN tables_pokerstay p ON p.guest_id = g.id
"""


def drop_is_its_boxes(accounts: str = "payouts_account") -> str:
    """The audit of that name, of these accounts of drops. What came before the last box was counted
    lies in none that still is at its table, so it reads what was entered since then alone.
    """
    return f"""
        SELECT a.owner_id::text AS table_id, a.balance_minor::text AS drop, held.minor::text
        FROM {accounts} a JOIN tables_table o ON o.id = a.owner_id
        LEFT JOIN LATERAL (SELECT c.begun_at, coalesce(c.taken_version, 0) AS version
            FROM payouts_count c
            WHERE (c.place_id, c.place_kind, c.state) = (a.owner_id, a.kind, 'signed')
            ORDER BY c.begun_at DESC LIMIT 1) box ON true
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(CASE WHEN i.house_id IS NULL THEN b.amount_minor
                ELSE e.amount_minor END), 0) AS minor
            FROM public.payouts_entry e
            LEFT JOIN tables_buyin b ON b.transfer_id = e.transfer_id
            LEFT JOIN tables_entryreversal r ON r.buy_in_id = b.id
            LEFT JOIN payouts_inventory i ON i.transfer_id = e.transfer_id
            WHERE e.account_id = a.id AND e.account_version > coalesce(box.version, 0)
                AND r.id IS NULL AND (b.queued_at < box.begun_at) IS NOT TRUE
        ) held
        WHERE a.kind = 'drop' AND a.balance_minor <> held.minor
    """


COUNTS: dict[str, str] = {
    # What was counted is what the books had and the difference; what moved them is that difference,
    # and after it they have what was counted (CNT-5); of a drop box, what lay in it by them.
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
            OR (g.stands AND CASE c.place_kind
                WHEN 'drop' THEN coalesce(posted.moved, 0) <> -g.recorded_minor
                ELSE coalesce(posted.moved, 0) <> g.difference_minor
                    OR posted.after <> e.value_minor END)
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
    # Closer = opener + what rounds, hands and guests of the session moved, late ones too + fills
    # and credits between the two + what is left of its counts' differences (RES-1, CNT-10).
    "counted_result_is_the_books": f"""
        WITH own AS ({_OF_SESSION}), counted AS (
            SELECT s.id, s.table_id, a.id AS account, o.account_version AS first,
                c.account_version AS last, opened.value_minor AS opener,
                closed.value_minor AS closer
            FROM tables_tablesession s
            JOIN payouts_countsignature o ON o.count_id = s.opener_id AND o.stands
            JOIN payouts_countsignature c ON c.count_id = s.closer_id AND c.stands
            JOIN payouts_countentry opened ON opened.id = o.entry_id
            JOIN payouts_countentry closed ON closed.id = c.entry_id
            JOIN payouts_account a ON (a.house_id, a.kind, a.owner_id)
                = (s.house_id, 'tray', s.table_id)
        ), sums AS (
            SELECT d.*, coalesce((SELECT sum(e.amount_minor) FROM own
                    JOIN payouts_transfer t ON t.subject_id = own.id
                    JOIN payouts_entry e ON e.transfer_id = t.id AND e.account_id = d.account
                    WHERE own.session_id = d.id), 0) AS played,
                coalesce((SELECT sum(e.amount_minor) FROM payouts_entry e
                    JOIN payouts_transfer t ON t.id = e.transfer_id AND t.subject_id IS NULL
                    WHERE e.account_id = d.account AND e.account_version > d.first
                        AND e.account_version <= d.last), 0) AS filled,
                coalesce((SELECT sum(count_left_v1(n.id)) FROM payouts_count n
                    WHERE n.session_id = d.id AND n.place_kind = 'tray'
                        AND n.state = 'signed'), 0) AS differences
            FROM counted d
        )
        SELECT id::text AS session_id, opener::text, played::text, filled::text,
            differences::text, closer::text
        FROM sums WHERE closer <> opener + played + filled + differences
    """,
    # What is left of a difference says whether it is open (RES-4).
    "differences_are_as_large_as_they_say": """
        SELECT d.id::text AS difference_id, d.state, count_left_v1(d.count_id)::text AS minor
        FROM tables_difference d LEFT JOIN LATERAL (SELECT x.amount_minor FROM tables_explanation x
            WHERE x.difference_id = d.id ORDER BY x.at DESC LIMIT 1) explained ON true
        WHERE CASE d.state WHEN 'explained' THEN explained.amount_minor IS NULL
                OR abs(count_left_v1(d.count_id)) >= d.explain_from_minor
                    AND explained.amount_minor <> count_left_v1(d.count_id)
            ELSE (d.state = 'open') <> (abs(count_left_v1(d.count_id)) >= d.explain_from_minor) END
    """,
    # A drop box holds the buy-ins that are not taken back and lie in no box that was counted, and
    # what the first inventory found in it since the last one was taken (DRP-8).
    "drop_is_its_boxes": drop_is_its_boxes(),
    # What set a count back is posted as it says, once each (CNT-10).
    "counts_are_set_back_as_posted": """
        SELECT b.id AS count_back_id, b.amount_minor::text, t.kind, e.amount_minor::text AS posted
        FROM payouts_countback b JOIN payouts_count c ON c.id = b.count_id
        JOIN payouts_transfer t ON t.id = b.transfer_id
        JOIN payouts_account a ON (a.house_id, a.kind, a.owner_id)
            = (c.house_id, c.place_kind, c.place_id)
        LEFT JOIN payouts_entry e ON e.transfer_id = t.id AND e.account_id = a.id
        WHERE (t.kind, t.subject_id) <> ('count_set_back', c.id)
            OR e.amount_minor IS DISTINCT FROM -b.amount_minor
    """,
}
