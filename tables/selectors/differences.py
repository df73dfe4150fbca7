"""Differences of counts as people look at them (RES-4)."""

from datetime import date, datetime
from typing import NamedTuple
from uuid import UUID

from django.db import connection

from payouts.rules.ledger.postings import check_house
from tables.models import Difference

# A count and the one before it at the same place: what is missing went between them. An opener is
# of the session that opened on it, a drop box of the one from which it was taken.
_ROWS = """
    SELECT d.id, d.state, d.gaming_day, c.id, c.purpose, c.place_kind, v.name, t.id,
        count_left_v1(c.id), g.difference_minor, before.signed_at, g.signed_at,
        g.counter_id, g.witness_id, x.code, x.explained_by_id, x.id, settled.id
    FROM tables_difference d JOIN payouts_count c ON c.id = d.count_id
    JOIN payouts_countsignature g ON g.count_id = c.id AND g.stands
    JOIN tables_table t ON t.id = d.table_id
    LEFT JOIN tables_tablesession s ON s.id = c.session_id
    JOIN tables_tableversion v ON v.table_id = t.id
        AND v.number = coalesce(s.table_version, t.version)
    LEFT JOIN LATERAL (SELECT p.signed_at FROM payouts_count o
        JOIN payouts_countsignature p ON p.count_id = o.id AND p.stands
        WHERE (o.place_id, o.place_kind) = (c.place_id, c.place_kind) AND p.signed_at < g.signed_at
        ORDER BY p.signed_at DESC LIMIT 1) before ON true
    LEFT JOIN LATERAL (SELECT e.id, e.code, e.explained_by_id FROM tables_explanation e
        WHERE e.difference_id = d.id ORDER BY e.at DESC LIMIT 1) x ON true
    LEFT JOIN LATERAL (SELECT o.id FROM tables_tablesession o
        WHERE o.table_id = d.table_id AND CASE WHEN c.place_kind = 'drop'
            THEN o.opened_at <= c.begun_at
            WHEN c.session_id IS NULL THEN o.opener_id = c.id ELSE o.id = c.session_id END
        ORDER BY o.opened_at DESC LIMIT 1) own ON true
    LEFT JOIN tables_tablesession settled ON settled.id = own.id AND settled.closed_at IS NOT NULL
        AND settled.closer_id IS NOT NULL
    WHERE d.house_id = %(house)s AND (%(pk)s::uuid IS NULL OR d.id = %(pk)s)
        AND (%(first)s::date IS NULL OR d.gaming_day >= %(first)s OR d.state = 'open')
    ORDER BY d.state = 'open' DESC, g.signed_at DESC LIMIT %(most)s
"""


class DifferenceRow(NamedTuple):
    """`left_minor` is what is left of `first_minor`; it arose `since` the count before (None: there
    is none) `until` this one. `code`, `explained_by`, `explanation`: of the newest explanation.
    `settled`: its session, closed on a closer.
    """

    pk: UUID
    state: str
    gaming_day: date
    count_id: UUID
    purpose: str
    place: str
    table: str
    table_id: UUID
    left_minor: int
    first_minor: int
    since: datetime | None
    until: datetime
    counter: UUID
    witness: UUID
    code: str | None
    explained_by: UUID | None
    explanation: UUID | None
    settled: UUID | None


def differences(
    *, house_id: UUID, first: date | None = None, most: int = 200
) -> list[DifferenceRow]:
    """Those that are open, and all from a gaming day on, the open ones first, the newest first. One
    statement.
    """
    return _rows(house_id, None, first, most)


def difference_row(*, house_id: UUID, pk: UUID) -> DifferenceRow | None:
    """One of them; None where the house has none."""
    return next(iter(_rows(house_id, pk, None, 1)), None)


def differences_open(house_id: UUID) -> int:
    """How many of a house wait to be explained."""
    return Difference.objects.filter(house_id=house_id, state=Difference.State.OPEN).count()


def _rows(house_id: UUID, pk: UUID | None, first: date | None, most: int) -> list[DifferenceRow]:
    check_house(house_id)
    with connection.cursor() as cursor:
        cursor.execute(_ROWS, {"house": house_id, "pk": pk, "first": first, "most": most})
        return [DifferenceRow(*row) for row in cursor.fetchall()]
