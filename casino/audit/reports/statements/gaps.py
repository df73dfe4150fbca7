"""Differences of counts: at which table, between which two counts, how far, and why (RES-4)."""

from casino.audit.reports.shape import Column, Kind
from casino.text.states import labels
from payouts.errors import mark
from payouts.models import CountPurpose
from payouts.models.count import CountPlace
from tables.models.differences import DifferenceState
from tables.rules.pairs import CLASSES
from tables.selectors.versions import of_session

# A tray is counted from a signature to the next one; the cash of a drop box came in between two
# takings (DRP-8). What is written about a difference is not read here.
_DIFFERENCES = f"""
    WITH gaps AS (
        SELECT d.id, d.state, d.gaming_day AS day, d.table_id, c.id AS count_id, c.purpose,
            c.place_id, c.place_kind, c.session_id, g.difference_minor,
            CASE c.place_kind WHEN 'drop' THEN c.begun_at ELSE g.signed_at END AS until,
            g.counter_id, g.witness_id
        FROM tables_difference d JOIN payouts_count c ON c.id = d.count_id
        JOIN payouts_countsignature g ON g.count_id = c.id AND g.stands
        WHERE d.house_id = %(house)s AND d.gaming_day BETWEEN %(first)s AND %(last)s
            AND (%(table)s::uuid IS NULL OR d.table_id = %(table)s)
    )
    SELECT f.day, v.name, f.place_kind, f.purpose, before.at, f.until, f.difference_minor,
        count_left_v1(f.count_id), f.state, coalesce(x.code, ''), coalesce(p.full_name, ''),
        coalesce(signed.names, ''), f.id
    FROM gaps f JOIN tables_table t ON t.id = f.table_id
    {of_session("f.session_id", "f.until")}
    LEFT JOIN LATERAL (
        SELECT CASE f.place_kind WHEN 'drop' THEN c.begun_at ELSE g.signed_at END AS at
        FROM payouts_count c JOIN payouts_countsignature g ON g.count_id = c.id AND g.stands
        WHERE (c.place_id, c.place_kind) = (f.place_id, f.place_kind)
            AND CASE f.place_kind WHEN 'drop' THEN c.begun_at ELSE g.signed_at END < f.until
        ORDER BY at DESC LIMIT 1) before ON true
    LEFT JOIN LATERAL (SELECT e.code, e.explained_by_id, e.approval_id FROM tables_explanation e
        WHERE e.difference_id = f.id ORDER BY e.at DESC LIMIT 1) x ON true
    LEFT JOIN casino_person p ON p.id = x.explained_by_id
    LEFT JOIN LATERAL (SELECT string_agg(q.full_name, ', ' ORDER BY s.signed_at) AS names
        FROM payouts_approvalsignature s JOIN casino_person q ON q.id = s.signer_id
        WHERE s.approval_id = x.approval_id) signed ON true
    ORDER BY f.day, f.until, v.name, f.place_kind, f.id
"""

DIFFERENCES = Kind(
    "differences",
    mark("Differences of counts"),
    mark(
        "Each difference that the house wants explained: at which table, between which two counts,"
        " how far counted is from recorded, and who explained it as what."
    ),
    (
        Column("day", mark("Gaming day"), "day"),
        Column("table", mark("Table")),
        Column(
            "place",
            mark("Place"),
            "code",
            words={CountPlace.TRAY: mark("Tray"), CountPlace.DROP: mark("Drop box")},
        ),
        Column("purpose", mark("Purpose"), "code", words=labels(CountPurpose)),
        Column("since", mark("Count before"), "moment"),
        Column("until", mark("This count"), "moment"),
        Column("counted", mark("As counted"), "money", total=True),
        Column("left", mark("What is left"), "money", total=True),
        Column("state", mark("State"), "code", words=labels(DifferenceState)),
        Column("class", mark("Explained as"), "code", words=CLASSES),
        Column("by", mark("Explained by")),
        Column("signed", mark("Second person")),
        Column("difference_id", mark("Id of the difference"), "id", to="cage-difference"),
    ),
    _DIFFERENCES,
    takes=frozenset({"table"}),
    note=mark(
        "Something was missing, or too much, between the count before and this one; where there is"
        " no count before, since the beginning. What came after a count is set back, and what is"
        " left says how far it is now. The words of an explanation stand with the difference alone."
    ),
)
