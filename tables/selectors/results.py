"""What the rounds of a gaming day have won or lost at each table, read from the books, each round
of them once in a process.

A round that has ended regularly stays as it is, unless it is put right: then it is one of the few
in `round_changed`. So one asks for the rounds above the number up to which all had ended, and for
those few: at the end of an evening for as many rows as at its beginning.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import chain, pairwise
from statistics import median
from typing import Any, NamedTuple
from uuid import UUID

import orjson
from django.db import connection

from tables.models import Round
from tables.models.plays import COUNTED

# rounds, or pauses between them, from which on one can say how long they usually take here
TIMED = 5
LONG = 3  # times what half of them took

# By table, the rounds of its sessions of the day that are not known (%s: by session, up to which
# number they are), and the changed.
PLAYED = """
    SELECT jsonb_agg(jsonb_build_array(o.id, d.id, d.number, d.state, d.revision,
        d.entry_level <> 'jackpot_only', d.queued,
        extract(epoch FROM d.began_at)::float8, extract(epoch FROM d.ended_at)::float8)) AS rounds
    FROM tables_tablesession o CROSS
        JOIN LATERAL (SELECT coalesce((%s::jsonb ->> o.id::text)::int, 0) AS upto) known
    CROSS JOIN LATERAL (
        SELECT * FROM tables_play r WHERE r.session_id = o.id AND r.number > known.upto
        UNION ALL SELECT * FROM tables_play r WHERE r.session_id = o.id AND r.number <= known.upto
            AND (r.revision > 1 OR r.state IN ('voided', 'reopened', 'withdrawn'))
    ) d
    WHERE o.house_id = here.id AND o.gaming_day = here.day AND o.table_id = t.id
"""

# Found by the transfer's key, so a correction on a later day changes the day that it corrects.
_RESULTS = """
SELECT d.id, (-coalesce((SELECT sum(e.amount_minor) FROM payouts_transfer x JOIN payouts_entry e
    ON e.transfer_id = x.id
    JOIN payouts_account a ON a.id = e.account_id AND a.kind = 'table_win'
    WHERE x.house_id = d.house_id AND x.key = 'round:' || d.id || ':settle:' || asked.revision),
        0))::bigint
FROM unnest(%s::uuid[], %s::int[]) AS asked (id, revision) JOIN tables_round d ON d.id = asked.id
UNION ALL SELECT h.hand_id, h.rake_minor FROM unnest(%s::uuid[], %s::int[]) AS asked (id, revision)
    JOIN tables_handresult h ON (h.hand_id, h.revision) = (asked.id, asked.revision)
"""


class Played(NamedTuple):
    """Of a table's day: how many rounds are settled, how many of them say a result, what these have
    won for the table (minor units, None where none says one), and from how many seconds on a round,
    or a pause between two, takes long here.
    """

    rounds: int
    told: int
    result_minor: int | None
    long_s: int | None
    idle_s: int | None


class _Seen(NamedTuple):
    """A settled round: its number and revision, what it says the table has won (None: nothing),
    from when to when it was played (None: not known).
    """

    number: int
    revision: int
    minor: int | None
    played: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class _Session:
    """The rounds of a session at a table that are known: up to `upto` all that had ended; how many
    seconds each took, and each pause between two.
    """

    table: UUID
    upto: int = 0
    rounds: Mapping[UUID, _Seen] = field(default_factory=dict)
    took: Sequence[float] = ()
    pauses: Sequence[float] = ()


# by house: the day that was asked for last, and its sessions
_days: dict[UUID, tuple[date, dict[UUID, _Session]]] = {}


def known(house_id: UUID) -> str:
    """What `PLAYED` need not read again, as it is asked."""
    _, sessions = _days.get(house_id, (None, {}))
    return orjson.dumps({str(pk): one.upto for pk, one in sessions.items()}).decode()


def played(read: Mapping[UUID, str | None], *, house_id: UUID, day: date) -> dict[UUID, Played]:
    """By table what `PLAYED` has read, now and before; one statement besides, where a round has
    ended since.
    """
    was, sessions = _days.get(house_id, (day, {}))
    sessions = dict(sessions) if was == day else {}
    fresh: dict[UUID, list[list[Any]]] = {}
    for table, rows in read.items():
        for session, pk, *row in orjson.loads(rows or "[]"):
            fresh.setdefault(UUID(session), []).append([UUID(pk), *row])
            sessions.setdefault(UUID(session), _Session(table))
    results = _results(
        [row for pk, new in fresh.items() for row in new if _is_new(sessions[pk], row)]
    )
    for pk, new in fresh.items():
        sessions[pk] = _with(sessions[pk], new, results)
    _days[house_id] = day, sessions
    by_table: dict[UUID, list[_Session]] = {table: [] for table in read}
    for one in sessions.values():
        by_table.get(one.table, []).append(one)
    return {table: _played(there) for table, there in by_table.items()}


def _is_new(session: _Session, row: list[Any]) -> bool:
    """Whether a round says a result that is not known yet."""
    pk, _, state, revision, tells, *_ = row
    there = session.rounds.get(pk)
    return bool(state in COUNTED and tells and (there is None or there.revision != revision))


def _with(session: _Session, rows: list[list[Any]], results: Mapping[UUID, int]) -> _Session:
    rounds, running = dict(session.rounds), []
    for pk, number, state, revision, tells, queued, *times in rows:
        there = rounds.pop(pk, None)
        if state in COUNTED:
            minor = results.get(pk, there.minor if there else None) if tells else None
            rounds[pk] = _Seen(number, revision, minor, None if queued else (times[0], times[1]))
        elif state == Round.State.LOCKED:
            running.append(number)
    upto = min(running) - 1 if running else max(number for _, number, *_ in rows)
    seen = sorted(rounds.values())
    took = [one.played[1] - one.played[0] for one in seen if one.played]
    return _Session(session.table, max(session.upto, upto), rounds, took, list(_pauses(seen)))


def _results(rows: list[list[Any]]) -> dict[UUID, int]:
    if not rows:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_RESULTS, [[row[0] for row in rows], [row[3] for row in rows]] * 2)
        return dict(cursor.fetchall())


def _played(sessions: list[_Session]) -> Played:
    seen = [one for session in sessions for one in session.rounds.values()]
    minors = [one.minor for one in seen if one.minor is not None]
    long_s, idle_s = _long(one.took for one in sessions), _long(one.pauses for one in sessions)
    return Played(len(seen), len(minors), sum(minors) if minors else None, long_s, idle_s)


def _pauses(rounds: list[_Seen]) -> Iterable[float]:
    """From the end of a round to the lock of the next one, where nothing lay between."""
    for one, after in pairwise(rounds):
        if one.played and after.played and after.number == one.number + 1:
            yield after.played[0] - one.played[1]


def _long(of_sessions: Iterable[Sequence[float]]) -> int | None:
    seconds = list(chain.from_iterable(of_sessions))
    return int(LONG * median(seconds)) if len(seconds) >= TIMED else None
