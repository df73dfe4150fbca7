"""What may explain a difference, from the counts and rounds beside it (RES-4)."""

from collections.abc import Iterable

from django.db import connection
from django.db.models import F

from tables.games.payable import other_classes
from tables.models import RoundLine
from tables.rules.pairs import Counted, Paid, Proposal, proposals
from tables.selectors.differences import DifferenceRow
from tables.services.parts import posted_of

LINES_MOST = 500  # of the paid lines between two counts, the largest

# All counts of a table on a day that left something, numbered by place.
_COUNTED = """
    SELECT c.id, c.place_kind, row_number() OVER (PARTITION BY c.place_kind ORDER BY g.signed_at),
        count_left_v1(c.id)
    FROM payouts_count c JOIN payouts_countsignature g ON g.count_id = c.id AND g.stands
    WHERE c.place_id = %s AND c.gaming_day BETWEEN %s::date - 1 AND %s::date + 1
"""


def difference_proposals(row: DifferenceRow) -> list[Proposal]:
    """What may explain a difference: another of its table, or a prize of a round since the count
    before.
    """
    with connection.cursor() as cursor:
        cursor.execute(_COUNTED, [row.table_id, row.gaming_day, row.gaming_day])
        counted = [
            Counted(count=pk, place=place, number=number, difference_minor=left)
            for pk, place, number, left in cursor.fetchall()
        ]
    [own] = [count for count in counted if count.count == row.count_id]
    return proposals(own, [count for count in counted if count is not own], _paid(row))


def _paid(row: DifferenceRow) -> Iterable[Paid]:
    """Lines that paid by a paytable in rounds that ended between the two counts."""
    lines = RoundLine.objects.filter(
        round__table_id=row.table_id,
        revision=F("round__revision"),
        round__ended_at__lte=row.until,
    ).exclude(hand="")
    if row.since is not None:
        lines = lines.filter(round__ended_at__gt=row.since)
    paid = lines.exclude(won_minor=0, prize_minor=0).order_by("-prize_minor", "-won_minor")
    for line in paid.select_related("round")[:LINES_MOST]:
        others = other_classes(line, posted_of((line.round.versions or {}).values()))
        minor = line.prize_minor or line.won_minor
        yield Paid(
            round=line.round_id, box=line.box, hand=line.hand, paid_minor=minor, others=others
        )
