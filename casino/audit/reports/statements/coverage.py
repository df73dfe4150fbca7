"""How far a report's figures cover what was played: how its rounds were entered."""

from dataclasses import dataclass
from typing import Literal

from django.db import connection

from casino.audit.reports.shape import Query

# The epochs that lived on the days asked for: a report of epochs tells each whole, from its start.
EPOCHS = """e.house_id = %(house)s AND e.opened_at < %(until)s AND (d.at IS NULL OR d.at >= %(since)s)
            AND (%(version)s::uuid IS NULL OR %(version)s::uuid IN (e.funding_id, e.progressive_id, e.rules_id))"""

# The hits that were not over before these days, each with its whole list. Of a table or a croupier are those in which one of its
# rounds has a claim or an award, late ones too; that a round merely ran meanwhile makes no hit its own.
HIT_LISTS = """h.house_id = %(house)s AND h.begun_at < %(until)s AND coalesce(h.ended_at, 'infinity') >= %(since)s
            AND (coalesce(%(table)s::uuid, %(croupier)s::uuid) IS NULL OR EXISTS (
                SELECT FROM (SELECT round_id, table_id FROM jackpot_claim WHERE hit_id = h.id
                             UNION ALL SELECT round_id, table_id FROM jackpot_award WHERE hit_id = h.id) won
                LEFT JOIN tables_round r ON r.id = won.round_id
                WHERE (%(table)s::uuid IS NULL OR won.table_id = %(table)s)
                    AND (%(croupier)s::uuid IS NULL OR r.croupier_id = %(croupier)s)))
            AND (%(version)s::uuid IS NULL OR EXISTS (SELECT FROM jackpot_epoch e WHERE e.id = h.epoch_id
                                                      AND %(version)s::uuid IN (e.funding_id, e.progressive_id, e.rules_id)))"""

# Rounds whose stakes nobody entered (`jackpot_only`) say nothing of results, whatever their coins brought.
_SQL = """
    SELECT count(*) FILTER (WHERE x.source = 'cards'), count(*) FILTER (WHERE x.source = 'taps'),
        count(*) FILTER (WHERE x.source = 'coins'), count(*) FILTER (WHERE r.state = 'locked'), count(*)
    FROM {rounds}
    LEFT JOIN tables_roundresult x ON x.round_id = r.id AND x.revision = r.revision
    WHERE r.state IN ('settled', 'locked') AND {asked}
"""
_DAYS = _SQL.format(
    rounds="tables_tablesession s JOIN tables_round r ON r.session_id = s.id",
    asked="""s.house_id = %(house)s AND s.gaming_day BETWEEN %(first)s AND %(last)s
        AND (%(game)s::text IS NULL OR s.table_id IN (SELECT id FROM tables_table WHERE house_id = %(house)s AND game = %(game)s))
        AND (%(table)s::uuid IS NULL OR s.table_id = %(table)s) AND (%(croupier)s::uuid IS NULL OR r.croupier_id = %(croupier)s)
        AND (%(version)s::uuid IS NULL
             OR EXISTS (SELECT FROM jsonb_each_text(r.versions) v WHERE v.value = %(version)s::text))""",
)
_EPOCHS = _SQL.format(
    rounds="jackpot_epoch e LEFT JOIN jackpot_epochend d ON d.epoch_id = e.id JOIN tables_round r ON r.epoch_id = e.id",
    asked=EPOCHS,
)
_HITS = _SQL.format(
    rounds="jackpot_hit h JOIN jackpot_listedround i ON i.hit_id = h.id JOIN tables_round r ON r.id = i.round_id",
    asked=HIT_LISTS,
)
_OF = {"days": _DAYS, "epochs": _EPOCHS, "hits": _HITS}


@dataclass(frozen=True)
class Coverage:
    """Of the rounds that count: settled from cards, from taps, from coins only; still running; all of them."""

    cards: int
    taps: int
    coins: int
    running: int
    rounds: int


def coverage_of(query: Query, over: Literal["days", "epochs", "hits"]) -> Coverage:
    """How the rounds behind a query's figures were entered: those of its days, of its epochs, of its hits. One statement."""
    with connection.cursor() as cursor:
        cursor.execute(_OF[over], query.bound())
        return Coverage(*cursor.fetchone())
