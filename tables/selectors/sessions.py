"""Reads for the pages of sessions and rounds: a fixed number of statements, however many are on
screen.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Coalesce

from payouts.models import Approval
from tables.models import (
    Irregularity,
    Override,
    RoundLine,
    RoundResult,
    RoundStake,
    TableSession,
    TableVersion,
)
from tables.selectors.rounds import CORRECTION, OVERRIDE, VOID_CLAIMED

PAGE = 20  # rounds on one page of a session

# Of a round `r` as it counts now: what guests staked and were paid for it, and beside that what the
# jackpot took and gave.
_FIGURES = """
LEFT JOIN LATERAL (
    SELECT sum(CASE WHEN takes_back IS NULL THEN accepted_minor ELSE -returned_minor END)
            FILTER (WHERE kind <> 'coin')::bigint AS staked,
        sum(returned_minor) FILTER (WHERE revision = 0)::bigint AS returned,
        sum(accepted_minor) FILTER (WHERE kind = 'coin')::bigint AS coins
    FROM tables_roundstake
    WHERE round_id = r.id AND (placed > 0 OR revision IN (0, r.revision))
) k ON true
LEFT JOIN LATERAL (
    SELECT sum(returned_minor + won_minor)::bigint AS paid, sum(prize_minor)::bigint AS prizes
    FROM tables_roundline WHERE round_id = r.id AND revision = r.revision
) l ON true
"""

_ROUNDS = f"""
SELECT r.id, r.number, r.state, r.revision, r.entry_level, r.queued, r.locked_at, r.ended_at,
    r.reason, c.full_name,
    coalesce(k.returned, 0), coalesce(k.staked, 0), coalesce(l.paid, 0), coalesce(k.coins, 0),
        coalesce(l.prizes, 0)
FROM tables_round r
LEFT JOIN casino_person c ON c.id = r.croupier_id
{_FIGURES}
WHERE r.session_id = %s AND (%s::int IS NULL OR r.number < %s::int)
ORDER BY r.number DESC LIMIT %s
"""

_SUMS = f"""
SELECT count(*), count(*) FILTER (WHERE r.entry_level <> 'jackpot_only'),
    coalesce(sum(k.staked), 0)::bigint,
    coalesce(sum(l.paid), 0)::bigint, coalesce(sum(k.coins), 0)::bigint,
        coalesce(sum(l.prizes), 0)::bigint
FROM tables_round r
{_FIGURES}
WHERE r.session_id = %s AND r.state = 'settled'
"""


class RoundRow(NamedTuple):
    """One round of a session: what was staked and paid without coins and prizes, and these beside
    it (minor units).
    """

    id: UUID
    number: int
    state: str
    revision: int
    entry_level: str
    queued: bool
    locked_at: datetime
    ended_at: datetime | None
    reason: str
    croupier: str
    returned_minor: int
    staked_minor: int
    paid_minor: int
    coins_minor: int
    prizes_minor: int

    @property
    def tells(self) -> bool:
        """Whether its stakes were entered: what nobody entered says no result."""
        return self.entry_level != "jackpot_only"

    @property
    def result_minor(self) -> int:
        """What the table has won by it, as it is booked."""
        return self.staked_minor - self.paid_minor


class RoundSums(NamedTuple):
    """The settled rounds of a session together, `told` of which say a result (minor units)."""

    rounds: int
    told: int
    staked_minor: int
    paid_minor: int
    coins_minor: int
    prizes_minor: int

    @property
    def result_minor(self) -> int:
        """What the table has won by them."""
        return self.staked_minor - self.paid_minor


def _rows(sql: str, values: Iterable[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, list(values))
        return list(cursor.fetchall())


def session_rounds(
    *, session_id: UUID, before: int | None = None
) -> tuple[list[RoundRow], int | None]:
    """The rounds of a session newest first, those numbered below `before`; and where the next page
    begins, None at the end.
    """
    rows = [RoundRow(*row) for row in _rows(_ROUNDS, [session_id, before, before, PAGE + 1])]
    return rows[:PAGE], rows[PAGE - 1].number if len(rows) > PAGE else None


def session_sums(*, session_id: UUID) -> RoundSums:
    """All settled rounds of a session, as they count now. One statement."""
    return RoundSums(*_rows(_SUMS, [session_id])[0])


def table_sessions(*, table_id: UUID, most: int = 8) -> list[TableSession]:
    """The last sessions of a table, newest first."""
    rows = TableSession.objects.filter(table_id=table_id).select_related("croupier")
    return list(rows.order_by("-opened_at")[:most])


class RoundParts(NamedTuple):
    """All rows of one round, every revision, in their order."""

    stakes: list[RoundStake]
    lines: list[RoundLine]
    results: list[RoundResult]
    irregularities: list[Irregularity]
    overrides: list[Override]
    approvals: list[Approval]


def round_parts(*, round_id: UUID) -> RoundParts:
    """Stakes, lines, results of a round, what went wrong in it, what was decided otherwise, and
    requests for signatures about it. Seven statements.
    """
    approvals = Approval.objects.filter(
        action__in=(CORRECTION, VOID_CLAIMED, OVERRIDE),
        subject_kind="round",
        subject_id=str(round_id),
    )
    return RoundParts(
        list(
            RoundStake.objects.filter(round_id=round_id)
            .select_related("guest", "source")
            .order_by("revision", "id")
        ),
        list(
            RoundLine.objects.filter(round_id=round_id)
            .select_related("guest")
            .order_by("revision", "place")
        ),
        list(
            RoundResult.objects.filter(round_id=round_id)
            .select_related("entered_by")
            .order_by("revision")
        ),
        list(
            Irregularity.objects.filter(round_id=round_id)
            .select_related("recorded_by")
            .order_by("id")
        ),
        list(
            Override.objects.filter(round_id=round_id)
            .select_related("guest", "requested_by")
            .order_by("id")
        ),
        list(
            approvals.select_related("requester")
            .prefetch_related("signatures__signer")
            .order_by("-requested_at")
        ),
    )


def table_then(session: str = "session", table: str = "table") -> Coalesce:
    """What a table was called as a session was played, as a column of rows that lead to both by
    these paths; the first is empty for sessions themselves. A round that was never locked is of no
    session, and has the table's name of today.
    """
    number = f"{session}__table_version".removeprefix("__")
    version = TableVersion.objects.filter(table=OuterRef(table), number=OuterRef(number))
    return Coalesce(Subquery(version.values("name")), F(f"{table}__name"))
