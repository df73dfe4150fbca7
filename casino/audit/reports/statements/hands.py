"""What was changed about hands: corrected, void, played offline, to be clarified (RAK-1)."""

from casino.audit.reports.shape import Column, Kind
from casino.audit.reports.statements.changes import WHAT
from casino.audit.reports.texts import reason
from payouts.errors import mark
from tables.selectors.versions import of_session

# What was struck stands beside what stands now, on the gaming day of the hand.
_CHANGES = f"""
    WITH played AS (
        SELECT s.gaming_day AS day, h.* FROM tables_tablesession s
        JOIN tables_hand h ON h.session_id = s.id
        WHERE s.house_id = %(house)s AND s.gaming_day BETWEEN %(first)s AND %(last)s
    ), facts AS (
        SELECT h.day, x.at, 'corrected' AS what, h.table_id, h.id AS hand_id,
            x.entered_by_id AS person_id, o.rake_minor AS struck, x.rake_minor AS stands,
            m.moved, m.unbooked, x.reason
        FROM played h JOIN tables_handresult x ON x.hand_id = h.id AND x.revision > 1
        JOIN tables_handresult o ON o.hand_id = h.id AND o.revision = x.revision - 1
        LEFT JOIN LATERAL (
            SELECT sum(greatest(n.booked_minor - b.booked_minor, 0)) AS moved,
                sum(n.returned_minor + n.won_minor - n.ante_minor - n.live_minor - n.dead_minor
                    - n.booked_minor) AS unbooked
            FROM tables_handseat n
            JOIN tables_handseat b ON (b.hand_id, b.revision, b.stay_id)
                = (n.hand_id, n.revision - 1, n.stay_id)
            WHERE (n.hand_id, n.revision) = (x.hand_id, x.revision)) m ON true
        UNION ALL
        SELECT h.day, e.at, 'voided', h.table_id, h.id, e.actor_id, x.rake_minor, 0,
            NULL, NULL, e.reason
        FROM played h JOIN tables_handresult x ON x.hand_id = h.id AND x.revision = h.revision
        JOIN payouts_event e ON e.subject_kind = 'hand' AND e.subject_id = h.id::text
            AND e.name = 'hand.voided'
        WHERE h.state = 'voided'
        UNION ALL
        SELECT h.day, h.ended_at, 'queued', h.table_id, h.id, x.entered_by_id, NULL, x.rake_minor,
            NULL, NULL, ''
        FROM played h JOIN tables_handresult x ON x.hand_id = h.id AND x.revision = 1
        WHERE h.queued
        UNION ALL
        SELECT gaming_day_v1(c.received_at, z.time_zone, z.gaming_day_change),
            coalesce(c.closed_at, c.received_at), 'clarify_' || c.state, c.table_id, c.round_id,
            coalesce(c.closed_by_id, c.sent_by_id), NULL, NULL,
            NULL, NULL,
            concat_ws(': ', concat_ws(' ', c.code, nullif(c.data, '{{}}')::text),
                nullif(c.reason, ''))
        FROM tables_toclarify c JOIN payouts_house z ON z.id = c.house_id
        WHERE c.house_id = %(house)s AND c.kind = 'hand_end'
            AND c.received_at >= %(since)s AND c.received_at < %(until)s
    )
    SELECT f.day, f.at, f.what, coalesce(v.name, ''), h.number, f.hand_id,
        coalesce(c.full_name, ''), coalesce(p.full_name, ''), f.struck, f.stands,
        f.stands - f.struck, f.moved, f.unbooked, f.reason
    FROM facts f LEFT JOIN tables_table t ON t.id = f.table_id
    LEFT JOIN tables_hand h ON h.id = f.hand_id
    LEFT JOIN tables_tablesession s ON s.id = h.session_id
    {of_session("h.session_id", "f.at")}
    LEFT JOIN casino_person c ON c.id = h.croupier_id
    LEFT JOIN casino_person p ON p.id = f.person_id
    WHERE (%(table)s::uuid IS NULL OR f.table_id = %(table)s)
        AND (%(croupier)s::uuid IS NULL OR h.croupier_id = %(croupier)s)
        AND (%(version)s::uuid IS NULL
             OR EXISTS (SELECT FROM jsonb_each_text(s.versions) v
                 WHERE v.value = %(version)s::text))
    ORDER BY f.day, f.at, f.what, v.name, f.hand_id, f.reason
"""

HANDS = Kind(
    "hands",
    mark("Corrected, void and late hands"),
    mark("What was struck of hands of poker and what stands instead; what came late."),
    (
        Column("day", mark("Gaming day"), "day"),
        Column("at", mark("Time"), "moment"),
        Column("what", mark("What"), "code", words=WHAT),
        Column("table", mark("Table")),
        Column("hand", mark("Hand"), "number"),
        Column("hand_id", mark("Id of the hand"), "id", to="audit-hand"),
        Column("croupier", mark("Croupier")),
        Column("person", mark("By")),
        Column("struck", mark("Rake struck"), "money", total=True),
        Column("stands", mark("Rake that stands"), "money", total=True),
        Column("difference", mark("Difference"), "money", total=True),
        Column("moved", mark("Moved to other seats"), "money", total=True),
        Column("unbooked", mark("On no stack"), "money", total=True),
        Column("reason", mark("Reason"), tells=reason, wide=True),
    ),
    _CHANGES,
    takes=frozenset({"table", "croupier", "version"}),
    summed=lambda row: not {"corrected", "voided"}.isdisjoint(row[2:3]),
    note=mark(
        "Amounts are what the house took out of the pot: before, and after. A hand that was played"
        " offline stands with what it came with. Where pots are entered, a correction says what it"
        " moved to the stacks of other seats, and what is on no stack: they did not bear it, or"
        " were counted since. The totals add up corrections and voids."
    ),
)
