"""Named checks of hits, awards, slips and gates in SQL, each of which must return no row; of
meters: `jackpot/audit/meters.py`.
"""

from payouts.rules.ledger.chart import METER

HITS: dict[str, str] = {
    # What was split is what the meter held: the award took it all (`ended_epochs_hold_nothing`),
    # from base, tables and prizes paid.
    "splits_are_of_the_whole_meter": f"""
        SELECT h.id::text AS hit_id, s.sum_minor, held.sum::text AS held FROM jackpot_hit h
        JOIN LATERAL (SELECT * FROM jackpot_split WHERE hit_id = h.id ORDER BY revision DESC
            LIMIT 1) s ON true
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(x.amount_minor), 0) AS sum FROM payouts_transfer t
                JOIN payouts_entry x ON x.transfer_id = t.id
            JOIN payouts_account a ON a.id = x.account_id
            WHERE t.house_id = h.house_id AND t.key = 'hit:' || h.id || ':award'
                AND a.detail_id = h.epoch_id AND a.kind IN {METER}
        ) held
        WHERE h.state = 'paid' AND s.sum_minor <> held.sum
    """,
    "ended_epochs_hold_nothing": """
        SELECT e.epoch_id::text, a.kind, a.owner_id::text, a.balance_minor FROM jackpot_epochend e
        JOIN payouts_account a ON a.detail_id = e.epoch_id WHERE a.balance_minor <> 0
    """,
    "ended_epochs_have_a_successor": """
        SELECT e.epoch_id::text, e.ended_as, h.state FROM jackpot_epochend e JOIN jackpot_epoch o
            ON o.id = e.epoch_id
        LEFT JOIN jackpot_epoch n ON n.jackpot_id = o.jackpot_id AND n.number = o.number + 1
        LEFT JOIN jackpot_hit h ON h.id = e.hit_id
        WHERE (e.ended_as = 'won') IS DISTINCT FROM (n.id IS NOT NULL)
            OR (e.ended_as = 'won' AND h.state IS DISTINCT FROM 'paid')
    """,
    # Shares and remainder are the amount won; the remainder and what was carried begin the next
    # epoch.
    "paid_hits_are_paid_whole": """
        SELECT h.id::text AS hit_id, s.won_minor, s.remainder_minor, awards.sum::text AS awarded,
            n.remainder_minor AS begun_with
        FROM jackpot_hit h
        JOIN LATERAL (SELECT * FROM jackpot_split WHERE hit_id = h.id ORDER BY revision DESC
            LIMIT 1) s ON true
        JOIN jackpot_epoch o ON o.id = h.epoch_id
        LEFT JOIN jackpot_epoch n ON n.jackpot_id = o.jackpot_id AND n.number = o.number + 1
        LEFT JOIN LATERAL (SELECT sum(amount_minor) AS sum FROM jackpot_award WHERE hit_id = h.id
            AND kind = 'share') awards ON true
        WHERE h.state = 'paid' AND (s.won_minor <> s.remainder_minor + coalesce(awards.sum, 0)
            OR n.remainder_minor IS DISTINCT FROM s.remainder_minor + s.carried_minor)
    """,
    "hits_that_are_not_paid_award_nothing": """
        SELECT a.id::text AS award_id, h.state FROM jackpot_award a JOIN jackpot_hit h
            ON h.id = a.hit_id
        WHERE a.kind = 'share' AND h.state <> 'paid'
    """,
    "winners_are_listed_and_verified": """
        SELECT a.id::text AS award_id, c.state FROM jackpot_award a LEFT JOIN jackpot_claim c
            ON c.id = a.claim_id
        LEFT JOIN jackpot_listedround l ON l.hit_id = a.hit_id AND l.round_id = a.round_id
        WHERE a.kind = 'share' AND (l.id IS NULL OR c.state <> 'verified' OR c.hit_id <> a.hit_id
            OR (c.round_id, c.table_id, c.box, c.guest_id) <> (a.round_id, a.table_id, a.box,
                a.guest_id))
    """,
    "one_award_a_winner": """
        SELECT a.round_id::text, a.box, a.guest_id::text, count(*) AS awards FROM jackpot_award a
        LEFT JOIN jackpot_slip s ON s.award_id = a.id WHERE a.kind <> 'prize'
            AND s.cancelled_as IS DISTINCT FROM 'unpaid'
        GROUP BY a.round_id, a.box, a.guest_id HAVING count(*) > 1
    """,
    # The list is what ran when the hit began: no linked round that was locked before and had not
    # ended is missing. The hits of each round's time are looked up: the rounds of ten years are
    # gone through once, not once a hit.
    "hits_list_what_ran": """
        SELECT h.id::text AS hit_id, r.round_id::text FROM jackpot_runninground r
        CROSS JOIN LATERAL (SELECT id FROM jackpot_hit WHERE jackpot_id = r.jackpot_id
            AND begun_turn > r.begun_turn
                            AND (r.ended_turn IS NULL OR begun_turn < r.ended_turn) OFFSET 0) h
        LEFT JOIN jackpot_listedround l ON l.hit_id = h.id AND l.round_id = r.round_id
            WHERE l.id IS NULL
    """,
    # No coin between a hit and the gate that opened the tables again.
    "no_coin_between_a_hit_and_its_gate": """
        SELECT h.id::text AS hit_id, r.round_id::text, r.started_at::text
            FROM jackpot_runninground r
        CROSS JOIN LATERAL (SELECT id, begun_turn FROM jackpot_hit WHERE jackpot_id = r.jackpot_id
            AND begun_turn < r.begun_turn
                            ORDER BY begun_turn DESC LIMIT 1) h
        WHERE r.coins <> '{}' AND NOT EXISTS (SELECT FROM jackpot_gate g
            WHERE g.jackpot_id = r.jackpot_id AND g.state = 'passed'
            AND g.ended_turn > h.begun_turn AND g.ended_turn < r.begun_turn)
    """,
    "gates_were_passed_by_what_was_shown": """
        SELECT g.id::text AS gate_id, d.name, d.state, d.shown, g.amount_minor FROM jackpot_gate g
        LEFT JOIN jackpot_gatedisplay d ON d.gate_id = g.id AND d.state <> 'out'
        WHERE g.state = 'passed' AND (d.state IS DISTINCT FROM 'confirmed'
            OR nullif(regexp_replace(d.shown, '[^0-9]', '', 'g'), '')::numeric IS DISTINCT
                FROM g.amount_minor)
    """,
    "slips_are_numbered_without_gap": """
        SELECT house_id::text, count(*) AS slips, max(number) AS last, min(number) AS first
            FROM jackpot_slip
        GROUP BY house_id HAVING count(*) <> max(number) OR min(number) <> 1
    """,
    # Each incarnation was begun, and numbers go on from one to the next.
    "slips_are_of_their_incarnation": """
        SELECT s.house_id::text, s.number, s.incarnation::text FROM jackpot_slip s
        LEFT JOIN jackpot_slip before ON (before.house_id, before.number) = (s.house_id,
            s.number - 1)
        WHERE s.incarnation < coalesce(before.incarnation, 1)
            OR s.incarnation <> 1 AND NOT EXISTS (SELECT FROM jackpot_incarnation i
                WHERE i.number = s.incarnation)
    """,
    "awards_have_their_slips": """
        SELECT a.id::text AS award_id, a.amount_minor FROM jackpot_award a LEFT JOIN jackpot_slip s
            ON s.award_id = a.id
        WHERE s.id IS NULL OR s.house_id <> a.house_id
    """,
    # Paid once or open, once: what the books say of each slip is what the slip says.
    "slips_are_paid_as_posted": """
        SELECT s.number, s.state, s.cancelled_as, paid.id AS paid_by, off.id AS cancelled_by
            FROM jackpot_slip s
        JOIN jackpot_award a ON a.id = s.award_id
        LEFT JOIN jackpot_takenback back ON back.slip_id = s.id
        LEFT JOIN payouts_transfer paid ON paid.house_id = a.house_id
            AND paid.key = 'award:' || a.id || CASE WHEN back.id IS NULL THEN ':slip_paid'
                ELSE ':slip_paid_again' END
        LEFT JOIN payouts_transfer off ON off.house_id = a.house_id
            AND off.key = 'award:' || a.id || ':award_cancelled'
        LEFT JOIN payouts_transfer other ON other.house_id = a.house_id
            AND other.key = 'award:' || a.id || CASE WHEN back.id IS NULL THEN ':slip_paid_again'
                ELSE ':slip_paid' END
        LEFT JOIN payouts_transfer reversal ON reversal.id = back.transfer_id
        WHERE (s.paid_at IS NOT NULL) <> (paid.id IS NOT NULL) OR reversal.reverses_id IS DISTINCT
            FROM other.id
            OR EXISTS (SELECT FROM payouts_transfer r WHERE r.reverses_id = paid.id)
            OR (s.state = 'cancelled'
                AND NOT (a.kind = 'late' AND s.cancelled_as = 'loss')) <> (off.id IS NOT NULL)
    """,
    "what_is_payable_has_open_slips": """
        SELECT h.id::text AS house_id, coalesce(p.owed, 0)::text AS owed,
            coalesce(s.open, 0)::text AS on_slips FROM payouts_house h
        LEFT JOIN (SELECT house_id, -sum(balance_minor) AS owed FROM payouts_account
            WHERE kind = 'awards_payable'
                   GROUP BY house_id) p ON p.house_id = h.id
        LEFT JOIN (SELECT a.house_id, sum(a.amount_minor) AS open FROM jackpot_award a
            JOIN jackpot_slip s ON s.award_id = a.id
                   WHERE s.state = 'open' GROUP BY a.house_id) s ON s.house_id = h.id
        WHERE coalesce(p.owed, 0) <> coalesce(s.open, 0)
    """,
    "one_award_a_prize": """
        SELECT a.prize_id::text, count(*) AS awards FROM jackpot_award a LEFT JOIN jackpot_slip s
            ON s.award_id = a.id
        WHERE a.kind = 'prize' AND s.cancelled_as IS DISTINCT FROM 'unpaid' GROUP BY a.prize_id
            HAVING count(*) > 1
    """,
    # What waits at a table is owed there, and a cancelled prize until what owes it is taken back.
    "waiting_prizes_are_owed": """
        SELECT w.table_id::text, w.waits::text, coalesce(-a.balance_minor, 0) AS owed FROM (
            SELECT p.table_id, coalesce(sum(p.amount_minor) FILTER (WHERE p.state = 'waiting'
                OR (p.state = 'awarded' AND s.state = 'cancelled' AND back.id IS NULL)), 0) AS waits
            FROM jackpot_waitingprize p LEFT JOIN LATERAL (
                SELECT l.state FROM jackpot_award x JOIN jackpot_slip l ON l.award_id = x.id
                    WHERE x.prize_id = p.id
                ORDER BY l.number DESC LIMIT 1) s ON true
            LEFT JOIN payouts_transfer t ON t.house_id = p.house_id AND t.key = CASE
                WHEN p.source_id = p.round_id
                THEN 'round:' || p.round_id || ':settle:' || p.revision ELSE 'envy:' || p.id END
            LEFT JOIN payouts_transfer back ON back.reverses_id = t.id
            GROUP BY p.table_id
        ) w LEFT JOIN payouts_account a ON a.kind = 'prizes_waiting' AND a.owner_id = w.table_id
        WHERE coalesce(-a.balance_minor, 0) <> w.waits
    """,
    "phases_agree_with_hits_and_gates": """
        SELECT j.id::text AS jackpot_id, j.phase, j.kept_phase, h.state AS hit, g.state AS gate
            FROM jackpot_jackpot j
        LEFT JOIN jackpot_hit h ON h.jackpot_id = j.id AND h.state IN ('draining', 'verifying')
        LEFT JOIN jackpot_gate g ON g.jackpot_id = j.id AND g.state = 'open'
        WHERE h.id IS DISTINCT FROM j.hit_id
            OR coalesce(h.state, '') <> CASE
                WHEN coalesce(nullif(j.kept_phase, ''), j.phase) IN ('draining', 'verifying')
                                        THEN coalesce(nullif(j.kept_phase, ''), j.phase) ELSE '' END
            OR (g.id IS NOT NULL AND (coalesce(nullif(j.kept_phase, ''), j.phase) <> 'showing'
                OR j.gate_id IS DISTINCT FROM g.id))
    """,
}
