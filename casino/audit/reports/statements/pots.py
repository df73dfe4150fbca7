"""Odd chips of pots that were split: how many, whose they are, in which hand (POK-7)."""

from casino.audit.reports.shape import Column, Kind
from casino.text.floor import HALVES
from payouts.errors import mark
from tables.selectors.versions import as_it_stood

# Of each hand as it stands by now, on the gaming day of its session.
_ODD_CHIPS = f"""
    SELECT s.gaming_day, h.ended_at, v.name, h.number, h.id, coalesce(p.full_name, ''),
        x.number, cardinality(x.seats), x.amount_minor - x.rake_minor, k.half, k.seat,
        k.amount_minor, k.odd_minor,
        CASE WHEN k.id = halves.last THEN halves.minor ELSE 0 END
    FROM tables_tablesession s JOIN tables_hand h ON h.session_id = s.id AND h.state = 'ended'
    JOIN tables_table t ON t.id = h.table_id
    {as_it_stood("o.id = s.id")}
    JOIN tables_handshare k ON (k.hand_id, k.revision) = (h.id, h.revision) AND k.odd_minor > 0
    JOIN tables_handpot x
        ON (x.hand_id, x.revision, x.number) = (k.hand_id, k.revision, k.number)
    CROSS JOIN LATERAL (
        SELECT max(o.id) FILTER (WHERE o.half = 'high' AND o.odd_minor > 0) AS last,
            sum(CASE o.half WHEN 'high' THEN o.amount_minor WHEN 'low' THEN -o.amount_minor
                ELSE 0 END) AS minor
        FROM tables_handshare o
        WHERE (o.hand_id, o.revision, o.number) = (k.hand_id, k.revision, k.number)) halves
    LEFT JOIN casino_person p ON p.id = h.croupier_id
    WHERE s.house_id = %(house)s AND s.gaming_day BETWEEN %(first)s AND %(last)s
        AND (%(table)s::uuid IS NULL OR s.table_id = %(table)s)
        AND (%(croupier)s::uuid IS NULL OR h.croupier_id = %(croupier)s)
        AND (%(version)s::uuid IS NULL
             OR EXISTS (SELECT FROM jsonb_each_text(s.versions) v
                 WHERE v.value = %(version)s::text))
    ORDER BY s.gaming_day, h.ended_at, v.name, h.id, x.number, k.half, k.seat
"""

ODD_CHIPS = Kind(
    "odd-chips",
    mark("Odd chips"),
    mark("What was left over when pots of poker were split, and which seat got it."),
    (
        Column("day", mark("Gaming day"), "day"),
        Column("at", mark("Time"), "moment"),
        Column("table", mark("Table")),
        Column("hand", mark("Hand"), "number"),
        Column("hand_id", mark("Id of the hand"), "id", to="audit-hand"),
        Column("croupier", mark("Croupier")),
        Column("pot", mark("Pot"), "number"),
        Column("seats", mark("Players in it"), "number"),
        Column("shared", mark("Shared out"), "money"),
        Column("half", mark("Part"), "code", words=HALVES),
        Column("seat", mark("Seat"), "number"),
        Column("amount", mark("Its share"), "money"),
        Column("odd", mark("Odd chips of it"), "money", total=True),
        Column("halves", mark("Of the two halves"), "money", total=True),
    ),
    _ODD_CHIPS,
    takes=frozenset({"table", "croupier", "version"}),
    note=mark(
        "Pot 1 is the main pot. Odd chips go to the winners from the button on, of two halves to"
        " the high hand, as the house has posted it (POK-7)."
    ),
)
