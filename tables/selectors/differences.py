"""Differences of counts as people look at them, and what may explain each (RES-4)."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import F

from jackpot.rules.progressive import ProgressiveRules
from payouts.rules.ledger.postings import check_house
from payouts.rules.rulesets.paytable import Paytable
from tables.games.uth.rules import UthRules
from tables.models import Difference, RoundLine
from tables.rules.pairs import Counted, Paid, Proposal, proposals
from tables.services.parts import posted_of

LINES_MOST = 500  # of the paid lines between two counts, the largest

# A count and the one before it at the same place: what is missing went between them.
_ROWS = """
    SELECT d.id, d.state, d.gaming_day, c.id, c.purpose, c.place_kind, v.name, t.id,
        count_left_v1(c.id), g.difference_minor, before.signed_at, g.signed_at,
        g.counter_id, g.witness_id, x.code, x.explained_by_id, x.id
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
    WHERE d.house_id = %(house)s AND (%(pk)s::uuid IS NULL OR d.id = %(pk)s)
        AND (%(first)s::date IS NULL OR d.gaming_day >= %(first)s OR d.state = 'open')
    ORDER BY d.state = 'open' DESC, g.signed_at DESC LIMIT %(most)s
"""

# All counts of a table on a day that left something, numbered by place.
_COUNTED = """
    SELECT c.id, c.place_kind, row_number() OVER (PARTITION BY c.place_kind ORDER BY g.signed_at),
        count_left_v1(c.id)
    FROM payouts_count c JOIN payouts_countsignature g ON g.count_id = c.id AND g.stands
    WHERE c.place_id = %s AND c.gaming_day BETWEEN %s::date - 1 AND %s::date + 1
"""


class DifferenceRow(NamedTuple):
    """`left_minor` is what is left of `first_minor`; it arose `since` the count before (None: there
    is none) `until` this one. `code`, `explained_by`, `explanation`: of the newest explanation.
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
    [of] = [one for one in counted if one.count == row.count_id]
    return proposals(of, [one for one in counted if one is not of], _paid(row))


def differences_open(house_id: UUID) -> int:
    """How many of a house wait to be explained."""
    return Difference.objects.filter(house_id=house_id, state=Difference.State.OPEN).count()


def _rows(house_id: UUID, pk: UUID | None, first: date | None, most: int) -> list[DifferenceRow]:
    check_house(house_id)
    with connection.cursor() as cursor:
        cursor.execute(_ROWS, {"house": house_id, "pk": pk, "first": first, "most": most})
        return [DifferenceRow(*row) for row in cursor.fetchall()]


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
        others = _others(line, line.round.versions or {})
        minor = line.prize_minor or line.won_minor
        yield Paid(
            round=line.round_id, box=line.box, hand=line.hand, paid_minor=minor, others=others
        )


def _others(line: RoundLine, versions: Mapping[str, str]) -> dict[str, int]:
    """What other classes pay where this line was paid, in minor units by class."""
    posted = posted_of(versions.values())
    if line.prize_minor:
        rules: Any = posted.get("progressive")
        prizes = rules.prizes if isinstance(rules, ProgressiveRules) else ()
        paid = {prize.hand.name.lower(): prize.amount_minor for prize in prizes}
    else:
        table, game = posted.get(line.kind), posted.get("uth_rules")
        if not isinstance(table, Paytable) or not isinstance(game, UthRules):
            return {}
        unit, is_up = game.odds_round_to, game.odds_round == "up"
        paid = {
            hand.name.lower(): odds.won(line.stake_minor, unit, up=is_up)
            for hand, odds in table.odds().items()
        }
    return {hand: minor for hand, minor in paid.items() if minor and hand != line.hand}
