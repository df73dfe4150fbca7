"""Named checks of hands whose pots are entered, each of which must return no row (POK-2, POK-6,
POK-7): as `AUDITS` of `tables/audit/checks.py`.
"""

from payouts.audit_recent import of_each

# Of each result at *pots*: what its seats, pots and shares come to.
_SUMS = """
    LEFT JOIN LATERAL (
        SELECT count(*) AS seats, sum(s.won_minor) AS won,
            sum(s.ante_minor + s.live_minor + s.dead_minor - s.returned_minor) AS paid
        FROM tables_handseat s WHERE (s.hand_id, s.revision) = (r.hand_id, r.revision)
    ) seat ON true
    LEFT JOIN LATERAL (
        SELECT sum(p.amount_minor) AS minor, sum(p.rake_minor) AS rake, max(p.number) AS last,
            count(*)
        FROM tables_handpot p WHERE (p.hand_id, p.revision) = (r.hand_id, r.revision)
    ) pot ON true
"""
POTS: dict[str, str] = {
    # Everybody who was dealt in has a seat; what they paid is in the pots, with what was carried,
    # and comes out of them; a hand that all passed in has none, and nobody wins it.
    "pots_are_paid_and_won": f"""
        SELECT r.hand_id::text, r.revision, seat.paid::text, pot.minor::text, seat.won::text
        FROM tables_handresult r {_SUMS}
        CROSS JOIN LATERAL (SELECT r.entered -> 'passed' IS NOT NULL AS passed,
            seat.paid + coalesce((r.entered ->> 'carried_minor')::bigint, 0) AS minor) lay
        WHERE r.entered IS NOT NULL AND (seat.seats <> cardinality(r.dealt)
                OR NOT lay.passed AND (pot.minor, pot.rake, seat.won) IS DISTINCT
                    FROM (lay.minor, r.rake_minor, lay.minor - r.rake_minor)
                OR lay.passed AND (pot.count, seat.won, r.rake_minor) IS DISTINCT FROM (0, 0, 0)
                OR r.pot_minor IS DISTINCT FROM pot.minor OR pot.last <> pot.count)
            OR r.entered IS NULL AND (seat.seats > 0 OR pot.count > 0)
    """,
    # What a hand leaves in the pot for the next one, and what it found there, is what moved in it;
    # less only where it came late or was put right (POK-4).
    "pots_are_carried": f"""
        SELECT r.hand_id::text, r.revision, r.entered ->> 'carried_minor' AS carried,
            moved.minor::text
        FROM tables_handresult r JOIN tables_hand h ON h.id = r.hand_id {_SUMS}
        LEFT JOIN LATERAL (
            SELECT coalesce(-sum(e.amount_minor), 0) AS minor FROM payouts_entry e
            JOIN payouts_account a ON a.id = e.account_id
            WHERE e.transfer_id = r.transfer_id AND a.kind = 'pot_carried'
                AND a.owner_id = h.table_id
        ) moved ON true
        WHERE r.revision = 1 AND NOT h.queued AND moved.minor <> CASE
            WHEN r.entered -> 'passed' IS NOT NULL THEN seat.paid
            ELSE -coalesce((r.entered ->> 'carried_minor')::bigint, 0) END
    """,
    "shares_are_pots": """
        SELECT p.hand_id::text, p.revision, p.number, p.amount_minor::text, shared.minor::text
        FROM tables_handpot p LEFT JOIN LATERAL (
            SELECT sum(s.amount_minor) AS minor, bool_and(s.seat = ANY (p.seats)) AS inside
            FROM tables_handshare s
            WHERE (s.hand_id, s.revision, s.number) = (p.hand_id, p.revision, p.number)
        ) shared ON true
        WHERE shared.inside IS NOT TRUE OR shared.minor <> p.amount_minor - p.rake_minor
            OR EXISTS (SELECT FROM unnest(p.seats) AS chair LEFT JOIN tables_handseat s
                ON (s.hand_id, s.revision, s.seat) = (p.hand_id, p.revision, chair)
                WHERE s.folded IS NOT FALSE)
        UNION ALL SELECT s.hand_id::text, s.revision, s.seat, s.won_minor::text, shared.minor::text
        FROM tables_handseat s LEFT JOIN LATERAL (
            SELECT coalesce(sum(h.amount_minor), 0) AS minor FROM tables_handshare h
            WHERE (h.hand_id, h.revision, h.seat) = (s.hand_id, s.revision, s.seat)
        ) shared ON true
        WHERE s.won_minor <> shared.minor
    """,
    # A hand moves the stacks of its guests by what is recorded of each, and no other one's; less
    # only where it came late or was put right.
    "stacks_move_as_played": """
        SELECT s.hand_id::text, s.revision, s.seat, s.booked_minor::text, moved.minor::text
        FROM tables_handseat s JOIN tables_hand h ON h.id = s.hand_id
        JOIN tables_handresult r ON (r.hand_id, r.revision) = (s.hand_id, s.revision)
        LEFT JOIN LATERAL (
            SELECT coalesce(-sum(e.amount_minor), 0) AS minor FROM payouts_entry e
            JOIN payouts_account a ON a.id = e.account_id
            WHERE e.transfer_id = r.transfer_id AND a.kind = 'stack' AND a.owner_id = h.table_id
                AND a.detail_id = s.stay_id
        ) moved ON true
        WHERE s.booked_minor <> moved.minor OR r.revision = 1 AND NOT h.queued
            AND s.booked_minor <> s.returned_minor + s.won_minor
                - s.ante_minor - s.live_minor - s.dead_minor
        UNION ALL SELECT t.subject_id::text, NULL, NULL, NULL, a.id::text
        FROM payouts_transfer t JOIN payouts_entry e ON e.transfer_id = t.id
        JOIN payouts_account a ON a.id = e.account_id AND a.kind = 'stack'
        WHERE t.kind = 'hand' AND t.reverses_id IS NULL
            AND NOT EXISTS (SELECT FROM tables_handresult r JOIN tables_handseat s
                ON (s.hand_id, s.revision) = (r.hand_id, r.revision)
                WHERE r.transfer_id = t.id AND s.stay_id = a.detail_id)
    """,
    # What management paid for a hand was signed, is of a guest who was in it, and is in the books.
    "hand_overrides_are_posted": """
        SELECT o.id, o.hand_id::text, o.amount_minor::text, posted.id AS transfer_id,
            posted.minor::text, p.state
        FROM tables_handoverride o FULL JOIN (
            SELECT t.id, t.house_id, t.subject_id, sum(e.amount_minor) AS minor
            FROM payouts_transfer t JOIN payouts_entry e ON e.transfer_id = t.id
                JOIN payouts_account a ON a.id = e.account_id AND a.kind = 'house_fault'
            WHERE t.kind = 'pay_for_fault' AND t.reverses_id IS NULL
            GROUP BY t.id, t.house_id, t.subject_id
        ) posted ON posted.id = o.transfer_id
        LEFT JOIN payouts_approval p ON p.id = o.approval_id
        LEFT JOIN tables_handseat s ON (s.hand_id, s.revision, s.stay_id, s.seat)
            = (o.hand_id, o.revision, o.stay_id, o.seat)
        WHERE (posted.house_id, posted.subject_id, posted.minor, p.state, p.action, p.subject_id,
                s.won_minor)
            IS DISTINCT FROM (o.house_id, o.hand_id, o.amount_minor, 'used', 'poker.override',
                o.hand_id::text, o.won_minor)
    """,
}
_ROWS = ("tables_handseat", "tables_handpot", "tables_handshare", "tables_handoverride")
VIEWS = {
    table: f"SELECT row.* FROM touched_hands, {of_each('touched_hands', table, 'hand_id')} row"
    for table in _ROWS
}
