"""Results of the tables, as recorded: by hour, day, month or game: the rows of its own statement.

The pit's board reads `tables/selectors/results.py`.
"""

from casino.audit.reports.hours import hour_of, hour_told, hours_made
from casino.audit.reports.shape import Column, Kind
from payouts.errors import mark
from tables.games import GAMES
from tables.selectors.settlements import COUNTED
from tables.selectors.versions import as_it_stood

# Each part is added up before the parts meet: of a month there are millions of rows, and some
# hundred sums.
_PLAYED = """s.house_id = %(house)s AND s.gaming_day BETWEEN %(first)s AND %(last)s
            AND (%(table)s::uuid IS NULL OR s.table_id = %(table)s) AND (%(croupier)s::uuid IS NULL
                OR r.croupier_id = %(croupier)s)
            AND (%(version)s::uuid IS NULL
                 OR EXISTS (SELECT FROM jsonb_each_text(r.versions) v
                     WHERE v.value = %(version)s::text))"""

# A result is recorded: what the ledger's accounts of the table moved by, each amount for the house.
# A correction is posted on the gaming day of its round and belongs to the hour in which that was
# locked, or a hand ended; what is of neither to the hour in which it was posted. What a count posts
# at a drop or a tronc is nothing that guests gave.
#
# Of a table whose tray is being counted nobody is shown what is recorded that day (CNT-2).
#
# What is counted is known for a span where it is for each session of its days (`told`: something
# was recorded, so the line stands whatever was counted).
_RESULTS = """
    WITH {counted}, moved AS (
        SELECT a.owner_id AS table_id, t.gaming_day AS day, CASE %(by)s WHEN 'hour'
            THEN date_trunc('hour', coalesce(r.locked_at, h.ended_at, t.posted_at),
                    (SELECT time_zone FROM payouts_house WHERE id = %(house)s)) END
                AS since,
            -sum(x.amount_minor) FILTER (WHERE a.kind IN ('table_win', 'house_fault')) AS result,
            -sum(x.amount_minor) FILTER (WHERE a.kind = 'coin_income') AS coin_income,
            -sum(x.amount_minor) FILTER (WHERE a.kind = 'prize_cost') AS prizes,
            sum(x.amount_minor) FILTER (WHERE a.kind = 'drop' AND t.kind NOT IN
                ('drop_count', 'count_set_back', 'inventory_first')) AS dropped,
            -sum(x.amount_minor) FILTER (WHERE a.kind = 'rake') AS rake,
            -sum(x.amount_minor) FILTER (WHERE a.kind = 'time_income') AS time_charge,
            -sum(x.amount_minor) FILTER (WHERE a.kind = 'tronc' AND t.kind NOT IN
                ('tronc_paid', 'count_set_back', 'inventory_first')) AS tips
        FROM payouts_account a JOIN payouts_entry x ON x.account_id = a.id JOIN payouts_transfer t
            ON t.id = x.transfer_id
        LEFT JOIN tables_round r ON t.subject_kind = 'round' AND r.id = t.subject_id
        LEFT JOIN tables_hand h ON t.subject_kind = 'hand' AND h.id = t.subject_id
        LEFT JOIN tables_tablesession s ON s.id = h.session_id
        WHERE a.house_id = %(house)s AND a.kind IN ('table_win', 'coin_income', 'prize_cost',
            'drop', 'rake', 'time_income', 'tronc', 'house_fault')
            AND (%(table)s::uuid IS NULL OR a.owner_id = %(table)s)
                AND t.gaming_day BETWEEN %(first)s AND %(last)s
            AND (%(croupier)s::uuid IS NULL
                 OR coalesce(r.croupier_id, h.croupier_id) = %(croupier)s)
            AND (%(version)s::uuid IS NULL
                 OR EXISTS (SELECT FROM jsonb_each_text(coalesce(r.versions, s.versions)) v
                     WHERE v.value = %(version)s::text))
        GROUP BY 1, 2, 3
    ), ended AS (
        SELECT s.table_id, s.gaming_day AS day, CASE %(by)s WHEN 'hour' THEN date_trunc('hour',
                r.locked_at, (SELECT time_zone FROM payouts_house
                    WHERE id = %(house)s)) END AS since,
            count(*) FILTER (WHERE e.source = 'cards') AS cards, count(*)
                FILTER (WHERE e.source = 'taps') AS taps,
            count(*) FILTER (WHERE e.source = 'coins') AS coins
        FROM tables_tablesession s JOIN tables_round r ON r.session_id = s.id
            AND r.state = 'settled'
        JOIN tables_roundresult e ON e.round_id = r.id AND e.revision = r.revision
        WHERE {played}
        GROUP BY 1, 2, 3
    ), staked AS (
        SELECT s.table_id, s.gaming_day AS day, CASE %(by)s WHEN 'hour' THEN date_trunc('hour',
                r.locked_at, (SELECT time_zone FROM payouts_house
                    WHERE id = %(house)s)) END AS since,
            sum(l.stake_minor) AS stakes
        FROM tables_tablesession s JOIN tables_round r ON r.session_id = s.id
            AND r.state = 'settled'
        JOIN tables_roundline l ON l.round_id = r.id AND l.revision = r.revision
            AND l.kind <> 'coin'
        WHERE {played}
        GROUP BY 1, 2, 3
    ), parts AS (
        SELECT table_id, day, since, 1 AS told, 0 AS cards, 0 AS taps, 0 AS coins, 0 AS stakes,
            result, coin_income, prizes, dropped, rake, time_charge, tips, 0 AS sessions,
            NULL::bigint AS boxes, NULL::bigint AS won, 0 AS gap FROM moved
        UNION ALL SELECT table_id, day, since, 1, cards, taps, coins, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            NULL, NULL, 0 FROM ended
        UNION ALL SELECT table_id, day, since, 1, 0, 0, 0, stakes, 0, 0, 0, 0, 0, 0, 0, 0,
            NULL, NULL, 0 FROM staked
        UNION ALL SELECT table_id, day, NULL, 0, 0, 0, 0, 0, NULL, 0, 0, 0, 0, 0, 0, 1,
            dropped, won, gap FROM counted
        WHERE %(by)s <> 'hour' AND %(croupier)s::uuid IS NULL AND %(version)s::uuid IS NULL
    ), placed AS (
        SELECT p.*, CASE %(by)s WHEN 'month' THEN date_trunc('month', p.day)::date
            WHEN 'game' THEN NULL ELSE p.day END AS span FROM parts p
    )
    SELECT p.span, {hour}, CASE WHEN %(by)s = 'game' THEN ''
            ELSE (array_agg(v.name ORDER BY p.day DESC))[1] END, t.game,
        sum(p.cards + p.taps + p.coins), sum(p.cards), sum(p.taps),
        sum(p.coins), CASE WHEN sum(p.coins) = 0 OR sum(p.cards + p.taps) > 0
            THEN sum(p.stakes) END,
        CASE WHEN sum(p.coins) = 0 OR sum(p.cards + p.taps) > 0 THEN coalesce(sum(p.result), 0) END,
        coalesce(sum(p.coin_income), 0), coalesce(sum(p.prizes), 0), coalesce(sum(p.dropped), 0),
            CASE WHEN sum(p.coins) = 0 OR sum(p.cards + p.taps) > 0
            THEN floor(sum(p.result) * 1000 / nullif(sum(p.dropped), 0))::bigint END,
        CASE WHEN sum(p.sessions) = count(p.boxes) THEN sum(p.boxes) END,
        CASE WHEN sum(p.sessions) = count(p.won) THEN sum(p.won) END,
        CASE WHEN sum(p.sessions) = count(p.won) AND count(p.won) > 0 AND sum(p.coins) = 0
            THEN sum(p.gap) END,
        CASE WHEN sum(p.sessions) = count(p.won)
            THEN floor(sum(p.won) * 1000 / nullif(sum(p.boxes), 0))::bigint END,
        coalesce(sum(p.rake), 0), coalesce(sum(p.time_charge), 0), coalesce(sum(p.tips), 0)
    FROM placed p JOIN tables_table t ON t.id = p.table_id
    {table}
    WHERE (%(game)s::text IS NULL OR t.game = %(game)s)
        AND NOT EXISTS (SELECT FROM payouts_count n
            JOIN tables_tablesession s ON s.id = n.session_id
            WHERE n.place_id = t.id AND n.place_kind = 'tray'
                AND n.state IN ('begun', 'entered', 'again') AND s.gaming_day = p.day)
    GROUP BY p.span, p.since, t.game, CASE WHEN %(by)s = 'game' THEN NULL ELSE t.id END
    HAVING max(p.told) = 1 OR count(p.won) > 0
    ORDER BY p.span, p.since, min(v.position), min(v.name), min(t.id::text)
"""
_RESULTS = (
    _RESULTS.replace("{counted}", COUNTED)
    .replace("{played}", _PLAYED)
    .replace("{table}", as_it_stood("o.gaming_day <= p.day"))
    .replace(
        "{hour}", hour_of("p.since", "(SELECT time_zone FROM payouts_house WHERE id = %(house)s)")
    )
)

RESULTS = Kind(
    "results",
    mark("Table results"),
    mark(
        "What each table or game took and paid, by hour, day or month: as it was recorded round by"
        " round, and beside it as it was counted."
    ),
    (
        Column("day", mark("Gaming day"), "day"),
        Column("hour", mark("Hour"), "number", tells=hour_told),
        Column("table", mark("Table")),
        Column(
            "game", mark("Game"), "code", words={code: game.title for code, game in GAMES.items()}
        ),
        Column("rounds", mark("Rounds"), "number", total=True),
        Column("cards", mark("From cards"), "number", total=True),
        Column("taps", mark("From taps"), "number", total=True),
        Column("coins", mark("Coins only"), "number", total=True),
        Column("stakes", mark("Stakes"), "money", total=True),
        Column("result", mark("Result, recorded"), "money", total=True),
        Column("coin_income", mark("House’s part of coins"), "money", total=True),
        Column("prizes", mark("Prizes of the house"), "money", total=True),
        Column("drop", mark("Drop, recorded"), "money", total=True),
        Column("hold", mark("Hold, in ‰ of the drop"), "number"),
        Column("drop_counted", mark("Drop, counted"), "money", total=True, complete=True),
        Column("counted", mark("Result, counted"), "money", total=True, complete=True),
        Column("difference", mark("Difference"), "money", total=True, complete=True),
        Column("hold_counted", mark("Hold, counted, in ‰"), "number"),
        Column("rake", mark("Rake"), "money", total=True),
        Column("time_charge", mark("Time charge"), "money", total=True),
        Column("tips", mark("Tips"), "money", total=True),
    ),
    _RESULTS,
    takes=frozenset({"table", "game", "croupier", "version", "by"}),
    rounds="days",
    made=hours_made(1),
    note=mark(
        "Recorded is what rounds and hands say; counted is drop, closer and credits less opener and"
        " fills, with coins and prizes in it. Counted stands where each session of a line has its"
        " opener, closer and drop counted, but not by hour, croupier or version; the difference"
        " where each round told a result. A month is named by its first day; lines by game are of"
        " all days together. A dash stands for what is not known, and for the hold where there was"
        " no drop. What is of no round or hand, such as the drop and the time charge, is left out"
        " where those of one croupier or one version are asked for. While its tray is counted, a"
        " table is left out of that day."
    ),
)
