"""The protocol of a gaming day: what happened on the floor, in the order of the clock, round by
round left out.
"""

from casino.audit.reports.shape import Column, Kind
from casino.audit.reports.texts import reason
from casino.records.report_labels import EVENTS, TRANSFERS
from payouts.errors import mark
from payouts.rules.ledger.chart import POSITIONS
from tables.selectors.versions import of_session

# Events of the floor, money that moved beside rounds, and under each table that was closed what it
# took by its rounds, hands and time.
_PROTOCOL = f"""
    WITH facts AS (
        SELECT gaming_day_v1(e.at, h.time_zone, h.gaming_day_change) AS day, e.at, e.name AS what,
            e.id AS turn,
            CASE e.subject_kind WHEN 'table' THEN nullif(e.subject_id, '')::uuid
                WHEN 'stay' THEN (e.after ->> 'table')::uuid
                WHEN 'count' THEN (e.after ->> 'table')::uuid
                WHEN 'buyin' THEN (e.after ->> 'table')::uuid
                WHEN 'tip' THEN (e.after ->> 'table')::uuid
                WHEN 'hand' THEN (SELECT d.table_id FROM tables_hand d
                    WHERE d.id = nullif(e.subject_id, '')::uuid) END AS table_id,
            CASE e.subject_kind WHEN 'hand' THEN (SELECT d.session_id FROM tables_hand d
                WHERE d.id = nullif(e.subject_id, '')::uuid) END AS session_id,
            CASE e.subject_kind WHEN 'round' THEN nullif(e.subject_id, '')::uuid END AS round_id,
                e.actor_id AS person_id,
            CASE WHEN jsonb_typeof(e.after -> 'amount_minor') = 'number'
                THEN (e.after ->> 'amount_minor')::bigint END AS amount,
            CASE WHEN e.name IN ('round.irregularity', 'hand.irregular')
                THEN format('irregularity.%%s.%%s: %%s',
                    e.after ->> 'kind', e.after ->> 'decision', e.reason)
                ELSE e.reason END AS text
        FROM payouts_event e JOIN payouts_house h ON h.id = e.house_id
        WHERE e.house_id = %(house)s AND e.at >= %(since)s AND e.at < %(until)s
            AND split_part(e.name, '.', 1) NOT IN
            ('guest', 'report', 'audit', 'verify', 'sign_in', 'sign_out', 'password', 'pin',
                'person', 'device', 'approval')
            AND e.name <> 'round.placed'
            -- transfers tell the rest
            AND (split_part(e.name, '.', 1) NOT IN ('stay', 'chips') OR e.reason <> '')
            AND (split_part(e.name, '.', 1) NOT IN ('buyin', 'tip') OR e.name LIKE '%%.refused')
        UNION ALL
        SELECT t.gaming_day, t.posted_at, t.kind, t.id, (SELECT min(a.owner_id::text)::uuid
            FROM payouts_entry x
                JOIN payouts_account a ON a.id = x.account_id
                    AND a.kind IN ('tray', 'drop', 'tronc', 'rake', 'stack', 'in_play',
                        'pot_carried')
                WHERE x.transfer_id = t.id),
            NULL, NULL, t.actor_id, (SELECT greatest(
                    sum(x.amount_minor) FILTER (WHERE a.kind IN {POSITIONS}),
                    sum(x.amount_minor) FILTER (WHERE a.kind NOT IN {POSITIONS}))
                FROM payouts_entry x JOIN payouts_account a ON a.id = x.account_id
                WHERE x.transfer_id = t.id AND x.amount_minor > 0), t.reason
        FROM payouts_transfer t WHERE t.house_id = %(house)s AND t.gaming_day BETWEEN %(first)s
            AND %(last)s
            AND t.subject_kind NOT IN ('round', 'hand', 'prize')
        UNION ALL
        SELECT s.gaming_day, s.closed_at, 'session.result', 0, s.table_id, s.id, NULL,
            s.closed_by_id,
            coalesce(w.won, 0), ''
        FROM tables_tablesession s LEFT JOIN (
            SELECT coalesce(r.session_id, d.session_id, g.session_id) AS session_id,
                -sum(x.amount_minor) AS won
            FROM payouts_transfer t JOIN payouts_entry x ON x.transfer_id = t.id
            JOIN payouts_account a ON a.id = x.account_id
                AND a.kind IN ('table_win', 'rake', 'time_income')
            LEFT JOIN tables_round r ON t.subject_kind = 'round' AND r.id = t.subject_id
            LEFT JOIN tables_hand d ON t.subject_kind = 'hand' AND d.id = t.subject_id
            LEFT JOIN tables_guest g ON t.subject_kind = 'stay' AND g.id = t.subject_id
            WHERE t.house_id = %(house)s AND t.gaming_day BETWEEN %(first)s AND %(last)s
                AND t.subject_kind IN ('round', 'hand', 'stay')
            GROUP BY 1
        ) w ON w.session_id = s.id
        WHERE s.house_id = %(house)s AND s.gaming_day BETWEEN %(first)s AND %(last)s
            AND s.closed_at IS NOT NULL
    )
    SELECT f.day, f.at, f.what, coalesce(v.name, ''), r.number, f.round_id,
        coalesce(p.full_name, ''), f.amount, f.text
    FROM facts f LEFT JOIN tables_round r ON r.id = f.round_id LEFT JOIN tables_table t
        ON t.id = coalesce(f.table_id, r.table_id)
    {of_session("coalesce(r.session_id, f.session_id)", "f.at")}
    LEFT JOIN casino_person p ON p.id = f.person_id
    WHERE (%(table)s::uuid IS NULL OR t.id = %(table)s) AND (%(game)s::text IS NULL
        OR t.game = %(game)s)
        AND (%(croupier)s::uuid IS NULL OR %(croupier)s IN (r.croupier_id, f.person_id))
    ORDER BY f.day, f.at, f.turn, f.what
"""

_WORDS = EVENTS | TRANSFERS | {"session.result": mark("Result of the session, recorded")}

PROTOCOL = Kind(
    "day-protocol",
    mark("Protocol of the gaming day"),
    mark(
        "Tables opened, handed over and closed, hits, corrections, money beside rounds, in the"
        " order in which it happened."
    ),
    (
        Column("day", mark("Gaming day"), "day"),
        Column("at", mark("Time"), "moment"),
        Column(
            "what",
            mark("What"),
            "code",
            words=EVENTS | TRANSFERS | {"session.result": mark("Result of the session, recorded")},
        ),
        Column("table", mark("Table")),
        Column("round", mark("Round"), "number"),
        Column("round_id", mark("Id of the round"), "id", to="audit-round"),
        Column("person", mark("Person")),
        Column("amount", mark("Amount"), "money"),
        Column("text", mark("Note"), tells=reason, wide=True),
    ),
    _PROTOCOL,
    takes=frozenset({"table", "game", "croupier"}),
    days_most=31,
    rounds="days",
    note=mark(
        "Rounds that took their course stand in the table results, looks and sign-ins in reports of"
        " their own."
    ),
)
