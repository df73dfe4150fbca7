"""What the rounds of a gaming day have won or lost at each table, read from the books, each round of them once in a process."""

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

# Of a table's settled rounds of a day: how many, how many of them say a result, and a sign that is another one as soon as any round
# is added, corrected or taken away. The entries of a round's result in force never change, so the same sign means the same result.
PLAYED = """
    SELECT count(*) AS rounds, count(*) FILTER (WHERE d.entry_level <> 'jackpot_only') AS told,
        bit_xor(hashtextextended(d.id::text, d.revision)) FILTER (WHERE d.entry_level <> 'jackpot_only') AS sign,
        count(*) FILTER (WHERE NOT d.queued) AS timed,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM d.ended_at - d.locked_at)::float8)
            FILTER (WHERE NOT d.queued) AS usual_s
    FROM tables_tablesession o JOIN tables_round d ON d.session_id = o.id AND d.state = 'settled'
    WHERE o.table_id = t.id AND o.gaming_day = here.day
"""

# Found by the transfer's key, so a correction on a later day changes the day that it corrects.
_RESULTS = """
SELECT o.table_id, count(*), bit_xor(hashtextextended(d.id::text, d.revision)),
    (-sum((SELECT coalesce(sum(e.amount_minor), 0) FROM payouts_transfer x
          JOIN payouts_entry e ON e.transfer_id = x.id
          JOIN payouts_account a ON a.id = e.account_id AND a.kind = 'table_win'
          WHERE x.house_id = d.house_id AND x.key = 'round:' || d.id || ':settle:' || d.revision)))::bigint
FROM tables_tablesession o JOIN tables_round d ON d.session_id = o.id AND d.state = 'settled' AND d.entry_level <> 'jackpot_only'
WHERE o.table_id = ANY(%s) AND o.gaming_day = %s
GROUP BY o.table_id
"""


class Result(NamedTuple):
    """What `told` rounds of a table's day say: minor units, what the table has won. `sign` is of these very rounds."""

    sign: int
    told: int
    minor: int


_known: dict[UUID, Result] = {}  # by table: one for each, of the day that was asked for last


def results_of(signs: Mapping[UUID, int], *, day: date) -> dict[UUID, Result]:
    """By table the result of `day`, for those with a sign; one statement, for the tables of which it is not known yet.

    Where a round ended since the sign was read, the result is the newer one, with how many rounds it is of.
    """
    missing = [pk for pk, sign in signs.items() if pk not in _known or _known[pk].sign != sign]
    if missing:
        for pk, told, sign, minor in _rows(missing, day):
            _known[pk] = Result(sign, told, minor)
    return {pk: _known[pk] for pk in signs if pk in _known}


def _rows(tables: list[UUID], day: date) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(_RESULTS, [tables, day])
        return list(cursor.fetchall())
