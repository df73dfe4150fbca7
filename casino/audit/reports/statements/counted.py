"""Sessions by their counts (RES-1): the beginning of the statements that tell of them."""

# `sat`: the sessions of the days, each with the signatures between which it was played; until
# `next_at` a drop box that is taken is its own, and from `done_at` on nothing more comes into it.
# `fed`: fills, above nothing, and credits, found by their days: of a tray's entries they are few.
# `gaps`: what is left of the differences of its counts, and what has set them back (CNT-10).
# `counted`: a session is worth what its tray and its boxes say; what nobody has counted is NULL.
# A box counts for the session in which it was taken, as far as its buy-ins are of no other one.
COUNTED = """
    sat AS (
        SELECT s.id, s.table_id, s.gaming_day AS day, s.opened_at, s.closed_at,
            o.account_version AS first, o.signed_at AS since, opened.value_minor AS opener,
            g.account_version AS last, g.signed_at AS until, shut.value_minor AS closer,
            g.counter_id, g.witness_id, coalesce(c.begun_at, s.closed_at) AS done_at,
            (SELECT min(n.opened_at) FROM tables_tablesession n
                WHERE n.table_id = s.table_id AND n.opened_at > s.opened_at) AS next_at
        FROM tables_tablesession s
        LEFT JOIN payouts_countsignature o ON o.count_id = s.opener_id AND o.stands
        LEFT JOIN payouts_countentry opened ON opened.id = o.entry_id
        LEFT JOIN payouts_count c ON c.id = s.closer_id
        LEFT JOIN payouts_countsignature g ON g.count_id = s.closer_id AND g.stands
        LEFT JOIN payouts_countentry shut ON shut.id = g.entry_id
        WHERE s.house_id = %(house)s AND s.gaming_day BETWEEN %(first)s AND %(last)s
            AND (%(table)s::uuid IS NULL OR s.table_id = %(table)s)
    ), fed AS MATERIALIZED (
        SELECT a.owner_id AS table_id, e.account_version AS version, t.kind,
            abs(e.amount_minor) AS minor
        FROM payouts_transfer t JOIN payouts_entry e ON e.transfer_id = t.id
        JOIN payouts_account a ON a.id = e.account_id AND a.kind = 'tray'
        WHERE t.house_id = %(house)s AND t.kind IN ('fill', 'credit')
            AND t.posted_at BETWEEN (SELECT min(since) FROM sat) AND (SELECT max(until) FROM sat)
    ), fills AS (
        SELECT s.id, sum(f.minor) FILTER (WHERE f.kind = 'fill') AS filled,
            sum(f.minor) FILTER (WHERE f.kind = 'credit') AS credited
        FROM sat s JOIN fed f ON f.table_id = s.table_id AND f.version > s.first
            AND f.version <= s.last
        GROUP BY s.id
    ), own AS (
        SELECT s.id AS session_id, n.id, n.place_kind FROM sat s
        JOIN payouts_count n ON n.session_id = s.id AND n.place_kind = 'tray'
            AND n.state = 'signed'
        UNION ALL SELECT s.id, n.id, n.place_kind FROM sat s
        JOIN payouts_count n ON (n.place_id, n.place_kind, n.state) = (s.table_id, 'drop', 'signed')
            AND n.begun_at >= s.opened_at AND (s.next_at IS NULL OR n.begun_at < s.next_at)
    ), gaps AS (
        SELECT n.session_id AS id, sum(b.minor) AS set_back,
            sum(g.difference_minor - coalesce(b.minor, 0)) AS minor,
            sum(g.difference_minor - coalesce(b.minor, 0)) FILTER (WHERE n.place_kind = 'drop')
                AS boxes
        FROM own n JOIN payouts_countsignature g ON g.count_id = n.id AND g.stands
        LEFT JOIN LATERAL (SELECT sum(k.amount_minor) AS minor FROM payouts_countback k
            WHERE k.count_id = n.id) b ON true
        GROUP BY n.session_id
    ), sold AS (
        SELECT s.id, sum(b.amount_minor) AS minor FROM sat s
        JOIN tables_buyin b ON b.session_id = s.id
        LEFT JOIN tables_entryreversal r ON r.buy_in_id = b.id
        WHERE r.id IS NULL GROUP BY s.id
    ), boxed AS (
        SELECT s.*, coalesce(f.filled, 0) AS filled, coalesce(f.credited, 0) AS credited,
            coalesce(d.minor, 0) AS sold, coalesce(g.minor, 0) AS gap,
            coalesce(g.set_back, 0) AS set_back,
            CASE WHEN EXISTS (SELECT FROM payouts_count n WHERE n.place_id = s.table_id
                    AND n.place_kind = 'drop' AND n.state = 'signed' AND n.begun_at >= s.done_at)
                THEN coalesce(d.minor, 0) + coalesce(g.boxes, 0) END AS dropped
        FROM sat s LEFT JOIN fills f ON f.id = s.id LEFT JOIN gaps g ON g.id = s.id
        LEFT JOIN sold d ON d.id = s.id
    ), counted AS (
        SELECT b.*, b.dropped + b.closer + b.credited - b.opener - b.filled AS won FROM boxed b
    )"""
