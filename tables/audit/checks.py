"""Named checks of the floor in SQL, each of which must return no row; `payouts.audit.run_audits`
asks them.

What SQL cannot say, because the game's rules decide it (limits, the lines of a result), is checked
in `tables/audit/replay.py`.
"""

from tables.audit.cash import CASH
from tables.audit.counts import COUNTS
from tables.audit.grounds import GROUNDS
from tables.audit.hands import HANDS, NUMBERED
from tables.audit.stays import STAYS

# What each transfer of a round moved, by round, kind of transfer and its natural key.
_POSTED = """
    SELECT t.subject_id AS round_id, t.key,
        -sum(e.amount_minor) FILTER (WHERE a.kind = 'layout') AS layout,
        -sum(e.amount_minor) FILTER (WHERE a.kind = 'sub_meter') AS meter,
        -sum(e.amount_minor) FILTER (WHERE a.kind = 'reserve_share') AS reserve,
        -sum(e.amount_minor) FILTER (WHERE a.kind = 'coin_income') AS income,
        sum(e.amount_minor) FILTER (WHERE a.kind = 'table_win') AS table_win,
        sum(e.amount_minor) FILTER (WHERE a.kind = 'prize_cost') AS prizes
    FROM payouts_transfer t JOIN payouts_entry e ON e.transfer_id = t.id JOIN payouts_account a
        ON a.id = e.account_id
    WHERE t.subject_kind = 'round' AND t.kind = '{kind}' GROUP BY t.subject_id, t.key
"""

AUDITS: dict[str, str] = {
    **STAYS,
    **CASH,
    **HANDS,
    **NUMBERED,
    **GROUNDS,
    **COUNTS,
    # Stakes that stay lie on the layout; coins were cut into meter, reserve and house, as the
    # jackpot recorded.
    "stakes_are_posted": f"""
        SELECT r.id::text AS round_id, staked.chips::text, posted.layout::text, staked.coins::text,
            posted.meter::text,
            posted.reserve::text, posted.income::text
        FROM tables_round r
        LEFT JOIN (
            SELECT round_id, sum(accepted_minor) FILTER (WHERE kind <> 'coin') AS chips,
                sum(accepted_minor) FILTER (WHERE kind = 'coin') AS coins
            FROM tables_roundstake WHERE revision = 0 AND placed = 0 GROUP BY round_id
        ) staked ON staked.round_id = r.id
        LEFT JOIN jackpot_contribution fed ON fed.round_id = r.id AND fed.reverses_id IS NULL
        LEFT JOIN ({_POSTED.format(kind="lock")}) posted
            ON posted.round_id = r.id AND posted.key = 'round:' || r.id || ':lock'
        WHERE r.state <> 'withdrawn' AND (
            coalesce(staked.chips, 0) <> coalesce(posted.layout, 0)
            OR coalesce(staked.coins, 0)
                <> coalesce(posted.meter, 0) + coalesce(posted.reserve, 0) + coalesce(posted.income,
                    0)
            OR (coalesce(fed.meter_minor, 0), coalesce(fed.reserve_minor, 0),
                coalesce(fed.house_minor, 0))
                <> (coalesce(posted.meter, 0), coalesce(posted.reserve, 0),
                    coalesce(posted.income, 0))
        )
    """,
    # One that came after the lock lies there since then, each by a posting of its own.
    "later_stakes_are_posted": f"""
        SELECT coalesce(k.round_id, posted.round_id)::text AS round_id, k.placed, posted.key,
            k.accepted_minor::text AS chips, posted.layout::text
        FROM (SELECT * FROM tables_roundstake WHERE placed > 0 AND accepted_minor > 0) k
        FULL JOIN (
            SELECT * FROM ({_POSTED.format(kind="lock")}) every
                WHERE key <> 'round:' || round_id || ':lock'
        ) posted ON posted.key = 'round:' || k.round_id || ':place:' || k.placed
        WHERE k.accepted_minor IS DISTINCT FROM posted.layout
    """,
    # Each stake that stayed, or was placed while the round ran, has its line in each result, and no
    # line has another stake; one that was taken back has none. What a correction put right counts
    # from its result on.
    "stakes_have_their_lines": """
        SELECT round_id::text, revision, box, kind, stake.minor::text AS staked,
            line.minor::text AS settled
        FROM (
            SELECT x.round_id, x.revision, k.box, k.guest_id, k.kind, sum(k.accepted_minor) AS minor
            FROM tables_roundresult x JOIN tables_roundstake k ON k.round_id = x.round_id
                AND (k.revision IN (0, x.revision) OR k.placed > 0 AND k.revision < x.revision)
            WHERE (k.accepted_minor > 0 OR k.placed > 0) AND k.takes_back IS NULL
                AND NOT (k.placed > 0 AND EXISTS (SELECT FROM tables_roundstake b
                    WHERE (b.round_id, b.takes_back) = (k.round_id, k.placed)
                        AND b.revision <= x.revision))
            GROUP BY x.round_id, x.revision, k.box, k.guest_id, k.kind
        ) stake
        FULL JOIN (
            SELECT round_id, revision, box, guest_id, kind, sum(stake_minor) AS minor
                FROM tables_roundline
            WHERE kind <> 'envy' GROUP BY round_id, revision, box, guest_id, kind
        ) line USING (round_id, revision, box, guest_id, kind)
        WHERE stake.minor IS DISTINCT FROM line.minor
    """,
    "settled_rounds_have_results": """
        SELECT r.id::text AS round_id, r.state, r.revision, x.results, x.last,
            l.lines AS results_with_lines
        FROM tables_round r
        LEFT JOIN (
            SELECT round_id, count(*) AS results, max(revision) AS last FROM tables_roundresult
                GROUP BY round_id
        ) x ON x.round_id = r.id
        LEFT JOIN (
            SELECT round_id, count(DISTINCT revision) AS lines FROM tables_roundline
                GROUP BY round_id
        ) l ON l.round_id = r.id
        WHERE (r.state = 'settled') <> (r.revision > 0)
            OR (coalesce(x.results, 0), coalesce(x.last, 0), coalesce(l.lines, 0)) <> (r.revision,
                r.revision, r.revision)
    """,
    # The recorded result: what lines say was won, lost and given as prizes is what was posted,
    # result by result.
    "results_are_posted": f"""
        SELECT l.round_id::text, l.revision, l.table_win::text,
            posted.table_win::text AS table_win_posted, l.prizes::text,
            posted.prizes::text AS prizes_posted, l.layout::text,
                posted.layout::text AS layout_posted
        FROM (
            SELECT line.round_id, line.revision,
                coalesce(sum(won_minor + returned_minor - stake_minor)
                    FILTER (WHERE kind NOT IN ('coin', 'envy')), 0) AS table_win,
                coalesce(sum(prize_minor) FILTER (WHERE paid_by = 'house'), 0) AS prizes,
                    coalesce(max(laid.chips), 0) AS layout
            FROM tables_roundline line
            LEFT JOIN (
                SELECT x.round_id, x.revision, sum(CASE WHEN k.takes_back IS NULL
                    THEN k.accepted_minor ELSE -k.returned_minor END) AS chips
                FROM tables_roundresult x JOIN tables_roundstake k ON k.round_id = x.round_id
                    AND (k.revision = 0 OR k.placed > 0 AND k.revision <= x.revision)
                WHERE k.kind <> 'coin' GROUP BY x.round_id, x.revision
            ) laid ON laid.round_id = line.round_id AND laid.revision = line.revision
            GROUP BY line.round_id, line.revision
        ) l
        FULL JOIN ({_POSTED.format(kind="settle")}) posted
            ON posted.round_id = l.round_id
                AND posted.key = 'round:' || l.round_id || ':settle:' || l.revision
        WHERE l.round_id IS NULL OR (l.table_win, l.prizes, -l.layout)
            <> (coalesce(posted.table_win, 0), coalesce(posted.prizes, 0),
                coalesce(posted.layout, 0))
    """,
    # What management decided against the rules was signed, and is paid beside the round's result.
    "overrides_are_posted": """
        SELECT o.id, o.round_id::text, o.amount_minor::text, posted.id AS transfer_id,
            posted.minor::text, p.state
        FROM tables_override o FULL JOIN (
            SELECT t.id, t.house_id, t.subject_id, -sum(e.amount_minor) AS minor
            FROM payouts_transfer t JOIN payouts_entry e ON e.transfer_id = t.id
                JOIN payouts_account a ON a.id = e.account_id AND a.kind = 'circulation'
            WHERE t.kind = 'override' AND t.reverses_id IS NULL GROUP BY t.id, t.house_id,
                t.subject_id
        ) posted ON posted.id = o.transfer_id
        LEFT JOIN payouts_approval p ON p.id = o.approval_id
        WHERE (posted.house_id, posted.subject_id, posted.minor, p.state, p.action, p.subject_id)
            IS DISTINCT FROM (o.house_id, o.round_id, o.amount_minor, 'used', 'round.override',
                o.round_id::text)
    """,
    # Of a round stands what its state says: the lock and what came after it until it is taken back,
    # alone or with its round; of the results the newest.
    "rounds_stand_as_posted": """
        SELECT t.id AS transfer_id, t.key, r.state, r.revision, back.id AS reversed_by
            FROM payouts_transfer t
        LEFT JOIN tables_round r ON r.id = t.subject_id AND r.house_id = t.house_id
        LEFT JOIN payouts_transfer back ON back.reverses_id = t.id
        WHERE t.subject_kind = 'round' AND t.reverses_id IS NULL
            AND (r.id IS NULL OR (back.id IS NULL) IS DISTINCT FROM CASE
            WHEN t.key = 'round:' || r.id || ':lock' THEN r.state IN ('locked', 'settled')
            WHEN starts_with(t.key, 'round:' || r.id || ':place:')
                THEN r.state IN ('locked', 'settled') AND NOT EXISTS (
                    SELECT FROM tables_roundstake b WHERE b.round_id = r.id
                        AND t.key = 'round:' || r.id || ':place:' || b.takes_back)
            WHEN t.key = 'round:' || r.id || ':settle:' || r.revision THEN r.state = 'settled'
            ELSE false
        END)
    """,
    "rounds_post_at_their_table": """
        SELECT t.id AS transfer_id, a.id AS account_id, r.table_id::text, r.epoch_id::text,
            s.gaming_day::text
        FROM payouts_transfer t JOIN payouts_entry e ON e.transfer_id = t.id JOIN payouts_account a
            ON a.id = e.account_id
        JOIN tables_round r ON r.id = t.subject_id JOIN tables_tablesession s ON s.id = r.session_id
        WHERE t.subject_kind = 'round' AND (a.owner_id <> r.table_id OR t.gaming_day <> s.gaming_day
            OR a.detail_id IS NOT NULL AND a.detail_id IS DISTINCT FROM r.epoch_id)
    """,
    "rounds_are_their_sessions": """
        SELECT r.id::text AS round_id, s.id::text AS session_id FROM tables_round r
        LEFT JOIN tables_tablesession s ON s.id = r.session_id
        LEFT JOIN jackpot_epoch e ON e.id = r.epoch_id
        WHERE (r.state <> 'withdrawn' AND (s.table_id, s.house_id) IS DISTINCT
            FROM (r.table_id, r.house_id))
            OR (e.jackpot_id, e.house_id) IS DISTINCT
                FROM (r.jackpot_id, CASE WHEN r.jackpot_id IS NOT NULL THEN r.house_id END)
    """,
    "rows_of_a_round_are_of_its_house": """
        SELECT row.kind, row.id, row.round_id::text FROM (
            SELECT 'stake' AS kind, id, round_id, house_id, guest_id FROM tables_roundstake
            UNION ALL SELECT 'stake', id, round_id, house_id, source_id FROM tables_roundstake
                WHERE placed > 0
            UNION ALL SELECT 'line', id, round_id, house_id, guest_id FROM tables_roundline
            UNION ALL SELECT 'result', id, round_id, house_id, NULL FROM tables_roundresult
            UNION ALL SELECT 'feed', id, round_id, house_id, NULL FROM tables_cardfeed
            UNION ALL SELECT 'irregularity', id, round_id, house_id, NULL FROM tables_irregularity
            UNION ALL SELECT 'override', id, round_id, house_id, guest_id FROM tables_override
            UNION ALL SELECT 'contribution', id, round_id, house_id, NULL FROM jackpot_contribution
        ) row
        LEFT JOIN tables_round r ON r.id = row.round_id LEFT JOIN tables_guest g
            ON g.id = row.guest_id
        WHERE r.house_id IS DISTINCT FROM row.house_id
            OR (g.id IS NOT NULL AND (g.session_id, g.house_id) IS DISTINCT
                FROM (r.session_id, row.house_id))
    """,
    "locked_rounds_have_an_open_table": """
        SELECT r.id::text AS round_id, t.name AS table, r.session_id::text FROM tables_round r
        JOIN tables_table t ON t.id = r.table_id LEFT JOIN tables_tablesession s
            ON s.id = r.session_id
        -- what came later is of the session in which it was played
        WHERE r.state = 'locked' AND (NOT r.queued AND (t.session_id IS DISTINCT FROM r.session_id
                OR s.closed_at IS NOT NULL)
            OR t.jackpot_id IS DISTINCT FROM r.jackpot_id)
    """,
    "open_sessions_are_their_tables": """
        SELECT t.name AS table, t.session_id::text, s.id::text AS open_session FROM tables_table t
        FULL JOIN (SELECT id, table_id FROM tables_tablesession WHERE closed_at IS NULL) s
            ON s.table_id = t.id
        WHERE t.session_id IS DISTINCT FROM s.id
    """,
    # The jackpot's own record of the rounds at linked tables says what the rounds say: which run,
    # with which coins, how they ended.
    "running_rounds_are_rounds": """
        SELECT coalesce(r.id, run.round_id)::text AS round_id, r.state, run.ended_as,
            run.coins::text
        FROM (SELECT * FROM tables_round WHERE jackpot_id IS NOT NULL) r FULL
            JOIN jackpot_runninground run ON run.round_id = r.id
        LEFT JOIN (
            SELECT round_id, jsonb_object_agg(box::text, guest_id) AS coins FROM tables_roundstake
            WHERE revision = 0 AND kind = 'coin' AND accepted_minor > 0 GROUP BY round_id
        ) laid ON laid.round_id = r.id
        WHERE (run.house_id, run.jackpot_id, run.epoch_id, run.table_id, run.coins,
            run.ended_as) IS DISTINCT FROM
            (r.house_id, r.jackpot_id, r.epoch_id, r.table_id, coalesce(laid.coins, '{}'),
                CASE r.state WHEN 'locked' THEN '' ELSE r.state END)
    """,
    # Where the house blocks all stakes after a hit (PRG-9), no round began before the gate but what
    # was played without the server.
    "no_round_between_a_hit_and_its_gate": """
        SELECT h.id::text AS hit_id, r.id::text AS round_id, r.locked_at::text FROM tables_round r
        JOIN jackpot_runninground run ON run.round_id = r.id
        CROSS JOIN LATERAL (SELECT id, epoch_id, begun_turn FROM jackpot_hit
            WHERE jackpot_id = r.jackpot_id
                            AND begun_turn < run.begun_turn ORDER BY begun_turn DESC LIMIT 1) h
        JOIN jackpot_epoch e ON e.id = h.epoch_id LEFT JOIN payouts_postedtable p
            ON p.id = e.rules_id
        WHERE NOT r.queued AND coalesce(p.data ->> 'blocked_after_hit', 'all') = 'all'
            AND NOT EXISTS (SELECT FROM jackpot_gate g WHERE g.jackpot_id = r.jackpot_id
                AND g.state = 'passed'
                AND g.ended_turn > h.begun_turn AND g.ended_turn < run.begun_turn)
    """,
    # What the meter paid of prizes is what the results say that it pays (PRG-5).
    "meter_pays_what_results_say": """
        SELECT l.round_id::text, l.prizes::text, coalesce(posted.minor, 0)::text AS posted FROM (
            SELECT line.round_id, sum(line.prize_minor) AS prizes FROM tables_roundline line
            JOIN tables_round r ON r.id = line.round_id AND r.revision = line.revision
            WHERE line.paid_by = 'meter' GROUP BY line.round_id
        ) l LEFT JOIN (
            SELECT t.subject_id, sum(e.amount_minor) AS minor FROM payouts_entry e
                JOIN payouts_transfer t ON t.id = e.transfer_id
            JOIN payouts_account a ON a.id = e.account_id AND a.kind = 'meter_prizes'
            WHERE t.subject_kind = 'round' GROUP BY t.subject_id
        ) posted ON posted.subject_id = l.round_id
        WHERE l.prizes <> coalesce(posted.minor, 0)
    """,
    "no_round_has_more_coins_than_boxes": """
        SELECT c.round_id::text, c.coins, v.boxes FROM jackpot_contribution c
        LEFT JOIN tables_round r ON r.id = c.round_id
        LEFT JOIN tables_tablesession s ON s.id = r.session_id
        LEFT JOIN tables_tableversion v ON (v.table_id, v.number) = (c.table_id, s.table_version)
        WHERE c.coins > coalesce(v.boxes, 0)
    """,
    "coins_go_back_with_their_round": """
        SELECT fed.round_id::text, r.state, back.id AS taken_back FROM jackpot_contribution fed
        LEFT JOIN tables_round r ON r.id = fed.round_id LEFT JOIN jackpot_contribution back
            ON back.reverses_id = fed.id
        WHERE fed.reverses_id IS NULL
            AND (r.state IN ('voided', 'reopened')) IS DISTINCT FROM (back.id IS NOT NULL)
    """,
}

NOTICES: dict[str, str] = {
    # A tray below nothing paid out chips that nobody recorded as filled: the table lacks a fill.
    "trays_lack_no_fill": """
        SELECT t.name AS table, a.balance_minor FROM payouts_account a LEFT JOIN tables_table t
            ON t.id = a.owner_id
        WHERE a.kind = 'tray' AND a.balance_minor < 0
    """,
}
