"""Named checks of meters in SQL, each of which must return no row; `payouts.audit.run_audits` asks
them.
"""

from jackpot.audit.hits import HITS

AUDITS: dict[str, str] = {
    # What tables hold of a running epoch is what their coins brought: no other posting fills a
    # sub-meter or a share of the reserve.
    "contributions_fill_the_meter": """
        SELECT coalesce(fed.epoch_id, held.epoch_id)::text AS epoch_id,
            coalesce(fed.table_id, held.table_id)::text AS table_id,
            fed.meter::text, held.meter::text AS meter_held, fed.reserve::text,
                held.reserve::text AS reserve_held
        FROM (
            SELECT epoch_id, table_id, sum(meter_minor) AS meter, sum(reserve_minor) AS reserve
                FROM jackpot_contribution
            WHERE epoch_id IN (SELECT epoch_id FROM jackpot_jackpot WHERE phase <> 'retired')
                GROUP BY epoch_id, table_id
        ) fed
        FULL JOIN (
            SELECT detail_id AS epoch_id, owner_id AS table_id, -sum(balance_minor)
                FILTER (WHERE kind = 'sub_meter') AS meter,
                -sum(balance_minor) FILTER (WHERE kind = 'reserve_share') AS reserve
            FROM payouts_account WHERE kind IN ('sub_meter', 'reserve_share')
                AND detail_id IN (SELECT epoch_id FROM jackpot_jackpot WHERE phase <> 'retired')
                    GROUP BY detail_id, owner_id
        ) held ON held.epoch_id = fed.epoch_id AND held.table_id = fed.table_id
        WHERE (coalesce(fed.meter, 0), coalesce(fed.reserve, 0)) <> (coalesce(held.meter, 0),
            coalesce(held.reserve, 0))
    """,
    "contributions_follow_their_schedule": """
        SELECT c.id AS contribution_id, c.coins, c.meter_minor, c.reserve_minor, c.house_minor
        FROM jackpot_contribution c JOIN jackpot_epoch e ON e.id = c.epoch_id
            JOIN payouts_postedtable f ON f.id = e.funding_id
        WHERE (c.meter_minor, c.reserve_minor,
            c.house_minor) <> (c.coins * (f.data ->> 'meter_minor')::bigint,
            c.coins * (f.data ->> 'reserve_minor')::bigint,
                c.coins * (f.data ->> 'house_minor')::bigint)
    """,
    "contributions_are_taken_back_whole": """
        SELECT back.id AS contribution_id, fed.id AS of_id FROM jackpot_contribution back
        JOIN jackpot_contribution fed ON fed.id = back.reverses_id
        WHERE (back.house_id, back.epoch_id, back.table_id, back.round_id, -back.coins,
            -back.meter_minor, -back.reserve_minor,
            -back.house_minor) <> (fed.house_id, fed.epoch_id, fed.table_id, fed.round_id,
                fed.coins, fed.meter_minor,
            fed.reserve_minor, fed.house_minor)
    """,
    "contributions_once_for_a_round": """
        SELECT round_id::text, count(*) AS contributions FROM jackpot_contribution
            WHERE reverses_id IS NULL
        GROUP BY round_id HAVING count(*) > 1
    """,
    "kept_sums_are_of_the_coins": """
        SELECT kept.epoch_id::text, kept.coins, fed.coins::text AS should_be, kept.minor,
            fed.minor::text AS minor_should_be
        FROM jackpot_fed kept LEFT JOIN LATERAL (
            SELECT coalesce(sum(c.coins), 0) AS coins,
                coalesce(sum(c.meter_minor + c.reserve_minor + c.house_minor), 0) AS minor
            FROM jackpot_contribution c WHERE c.epoch_id = kept.epoch_id
                AND c.id <= (SELECT max(upto) FROM jackpot_fed)
        ) fed ON true
        WHERE (kept.coins, kept.minor) <> (fed.coins, fed.minor)
    """,
    # Seed and remainder, whether by the house, by the reset, or both; faults put right and what
    # others left come on top of them.
    "epochs_begin_with_what_was_posted": """
        SELECT e.id::text AS epoch_id, e.seed_minor, e.remainder_minor, posted.begun::text
            FROM jackpot_epoch e
        LEFT JOIN (
            SELECT a.detail_id AS epoch_id, -sum(x.amount_minor) AS begun FROM payouts_account a
            JOIN payouts_entry x ON x.account_id = a.id JOIN payouts_transfer t
                ON t.id = x.transfer_id
            LEFT JOIN jackpot_epochend d ON d.epoch_id = a.detail_id
            WHERE a.kind = 'meter_base' AND x.amount_minor < 0 AND t.kind IN ('seed', 'award')
                AND t.key IS DISTINCT FROM 'hit:' || d.hit_id || ':award' GROUP BY a.detail_id
        ) posted ON posted.epoch_id = e.id
        WHERE coalesce(posted.begun, 0) <> e.seed_minor + e.remainder_minor
    """,
    # Nothing moves the base of a meter but its seed, a reset, and what two people have signed: that
    # much, and once.
    "bases_move_by_what_was_signed": """
        SELECT a.detail_id::text AS epoch_id, t.id AS transfer_id, t.kind, t.key, x.amount_minor
            FROM payouts_account a
        -- by its index
        CROSS JOIN LATERAL (SELECT transfer_id, amount_minor FROM payouts_entry
            WHERE account_id = a.id OFFSET 0) x
        CROSS JOIN LATERAL (SELECT * FROM payouts_transfer WHERE id = x.transfer_id OFFSET 0) t
        WHERE a.kind = 'meter_base' AND NOT (t.reverses_id IS NULL AND (
            (t.key = 'epoch:' || a.detail_id || ':seed' AND x.amount_minor < 0)
            OR EXISTS (SELECT FROM jackpot_hit h WHERE h.state = 'paid'
                AND t.key = 'hit:' || h.id || ':award')
            OR EXISTS (SELECT FROM jackpot_epochend d JOIN jackpot_epoch e ON e.id = d.epoch_id
                WHERE d.ended_as = 'retired'
                       AND t.key = 'retire:' || e.jackpot_id)
            OR EXISTS (SELECT FROM payouts_approval p WHERE t.key = 'adjust:' || p.id
                AND p.action = 'jackpot.adjust'
                       AND p.state = 'used'
                           AND (p.payload ->> 'amount_minor')::bigint = -x.amount_minor)
            OR EXISTS (SELECT FROM jackpot_award w JOIN jackpot_slip s ON s.award_id = w.id
                       WHERE t.key = 'award:' || w.id || ':award_cancelled'
                           AND s.state = 'cancelled' AND w.kind = 'share'
                       AND w.amount_minor = -x.amount_minor)))
    """,
    "jackpots_run_their_newest_epoch": """
        SELECT j.id::text AS jackpot_id, j.epoch_id::text, newest.number FROM jackpot_jackpot j
        LEFT JOIN LATERAL (SELECT id, number, house_id FROM jackpot_epoch WHERE jackpot_id = j.id
            ORDER BY number DESC LIMIT 1)
            newest ON true
        WHERE (j.epoch_id, j.house_id) IS DISTINCT FROM (newest.id, newest.house_id)
    """,
    # The base of a meter may owe what two people took of what the tables had brought; nothing else
    # may owe.
    "meters_are_not_negative": """
        SELECT a.detail_id::text AS epoch_id, a.kind, a.owner_id::text, a.balance_minor
            FROM payouts_account a
        WHERE a.kind IN ('meter_base', 'sub_meter', 'reserve_share', 'reserve')
            AND a.balance_minor > 0 AND NOT (
            a.kind = 'meter_base' AND EXISTS (
                SELECT FROM payouts_entry x JOIN payouts_transfer t ON t.id = x.transfer_id
                WHERE x.account_id = a.id AND x.amount_minor > 0 AND t.key LIKE 'adjust:%'))
    """,
    **HITS,
}
