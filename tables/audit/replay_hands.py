"""Hands of poker, played again from what was entered of them and what was posted: the fee, and at
*pots* what each seat paid and won (POK-6, POK-7, RAK-1, RAK-3); some of them by pokerkit too.
"""

import time
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

import orjson
from django.db import connection
from django.db.backends.utils import CursorWrapper

from payouts.audit import ROWS_MAX, AuditResult
from payouts.errors import Refused
from payouts.findings import Findings, Tell, tell_nobody
from tables.audit.replay import batches, window
from tables.games.poker.entered import HandRuling, PlayedPots, play, pots_entry
from tables.games.poker.opinion import differs
from tables.games.poker.raking import Fee, Pot, fee_of
from tables.services.seats.parts import PokerPosted, seats_posted

NAME = "hands_are_raked_again_to_their_fees"
OPINION_OF = 20  # hands, of which one is given to pokerkit as well
_RESULTS = """
    SELECT x.hand_id::text, x.revision, x.dealt::text[], x.flop, x.walk, x.pot_minor,
        x.posted_minor, x.rake_minor, x.entered::text, r.variant, s.versions::text
    FROM tables_handresult x JOIN tables_hand r ON r.id = x.hand_id
    JOIN tables_tablesession s ON s.id = r.session_id WHERE true {window}
"""
# Of hands at *pots* what is recorded beside their results, each in the order in which it is played.
_PARTS = {
    "seats": """
        SELECT hand_id::text, revision, seat, stay_id::text, stack_minor, ante_minor, live_minor,
            dead_minor, returned_minor, won_minor, folded
        FROM tables_handseat WHERE hand_id = ANY(%s::uuid[]) ORDER BY seat
    """,
    "pots": """
        SELECT hand_id::text, revision, number, amount_minor, rake_minor, seats
        FROM tables_handpot WHERE hand_id = ANY(%s::uuid[]) ORDER BY number
    """,
    "shares": """
        SELECT hand_id::text, revision, number, half, seat, amount_minor, odd_minor
        FROM tables_handshare WHERE hand_id = ANY(%s::uuid[]) ORDER BY number, half, seat
    """,
}
_Rows = list[tuple[Any, ...]]
_ByResult = dict[str, dict[tuple[str, int], _Rows]]


class _Result(NamedTuple):
    hand_id: str
    revision: int
    dealt: list[str]
    flop: bool
    walk: bool
    pot_minor: int | None
    posted_minor: int | None
    rake_minor: int
    entered: str | None
    variant: str
    versions: str


def replay_hands(
    *,
    everything: bool = False,
    piece: tuple[int, int] | None = None,
    tell: Tell | None = None,
    opinion_of: int = OPINION_OF,
) -> AuditResult:
    """Every result of a hand by what was posted then, each of `opinion_of` hands by pokerkit as
    well; other arguments as of `replay`.
    """
    findings = Findings(NAME, tell or tell_nobody, None if tell else ROWS_MAX)
    started = time.monotonic()
    count = 0
    query = _RESULTS.format(window=window(everything=everything, piece=piece))
    for cursor, rows in batches(query):
        count += len(rows)
        results = [_Result(*row) for row in rows]
        parts = _parts(cursor, results)
        for result in results:
            has_opinion = int(result.hand_id[-6:], 16) % opinion_of == 0
            findings.extend(
                {"hand_id": result.hand_id, "why": f"result {result.revision} {why}"}
                for why in _amiss(result, parts, has_opinion=has_opinion)
            )
    return AuditResult(NAME, findings.rows, time.monotonic() - started, findings.count, count)


class HandAgain(NamedTuple):
    """The results of a hand that were not played again to what is recorded, and those of which
    pokerkit is of another opinion; None where it has none: pots are not entered.
    """

    amiss: list[int]
    other: list[int] | None


def hand_again(hand_id: UUID) -> HandAgain:
    """Every result of one hand, by what was posted for it, and by pokerkit."""
    with connection.cursor() as cursor:
        cursor.execute(_RESULTS.format(window="AND x.hand_id = %s"), [hand_id])
        results = [_Result(*row) for row in cursor.fetchall()]
        parts = _parts(cursor, results)
    alone = {r.revision for r in results if [*_amiss(r, parts, has_opinion=False)]}
    both = {r.revision for r in results if [*_amiss(r, parts, has_opinion=True)]}
    has_opinion = any(result.entered is not None for result in results)
    return HandAgain(sorted(alone), sorted(both - alone) if has_opinion else None)


def _parts(cursor: CursorWrapper, results: list[_Result]) -> _ByResult:
    """By name, and by hand and revision, the rows beside results; one statement each."""
    hands = [*{result.hand_id for result in results if result.entered is not None}]
    return {name: _rows(cursor, sql, hands) if hands else {} for name, sql in _PARTS.items()}


def _rows(cursor: CursorWrapper, sql: str, hands: list[str]) -> dict[tuple[str, int], _Rows]:
    rows: dict[tuple[str, int], _Rows] = {}
    cursor.execute(sql, [hands])
    for row in cursor.fetchall():
        rows.setdefault(row[:2], []).append(row[2:])
    return rows


def _amiss(result: _Result, parts: _ByResult, *, has_opinion: bool) -> Iterator[str]:
    posted = _posted(result.versions)
    if posted is None:
        yield "is of a table that plays no poker"
        return
    try:
        if result.entered is None:
            yield from _fee(result, posted)
        else:
            yield from _pots_amiss(result, posted, parts, has_opinion=has_opinion)
    except Refused as refused:
        yield f"is refused: {refused.code}"


@lru_cache(maxsize=100)
def _posted(versions: str) -> PokerPosted | None:
    """As text they are those of a session, and what is posted in a version never changes."""
    return seats_posted(orjson.loads(versions))


def _fee(result: _Result, posted: PokerPosted) -> Iterator[str]:
    pot = Pot(result.rake_minor, result.pot_minor, flop=result.flop, walk=result.walk)
    players = len(result.dealt)
    fee = fee_of(posted.game, posted.house, posted.rake, pot, players=players)
    if fee != Fee(result.rake_minor, result.posted_minor):
        yield "gives another fee"


def _pots_amiss(
    result: _Result, posted: PokerPosted, parts: _ByResult, *, has_opinion: bool
) -> Iterator[str]:
    if result.variant not in posted.game.variants:
        yield "is of a variant that was not posted"
        return
    entry = pots_entry(orjson.loads(result.entered or ""))
    if len(result.dealt) != len(entry.seats):
        yield "names other seats than guests"
        return
    ruling = HandRuling(posted.game, posted.house, posted.hands, posted.rake, result.variant)
    played = play(entry, ruling)
    if has_opinion and (what := differs(entry, ruling, played)):
        yield f"has other {what} by pokerkit"
    stacks = dict(zip(entry.seats, zip(result.dealt, entry.stacks, strict=True), strict=True))
    again = _played(played, stacks)
    for name, rows in again.items():
        recorded = parts[name].get((result.hand_id, result.revision), [])
        if recorded != rows and (name != "shares" or recorded != _unnamed(rows)):
            yield f"plays to other {name}"
    fees = sum(pot.rake_minor for pot in played.settled.pots)
    pots = sum(pot.pot.amount_minor for pot in played.settled.pots) or None  # None: all passed
    stands = (result.flop, result.walk, result.pot_minor, result.posted_minor, result.rake_minor)
    if (played.course.board, played.course.walk, pots, pots and fees, fees) != stands:
        yield "gives another fee"


def _unnamed(shares: _Rows) -> _Rows:
    """Shares as they were recorded while the odd chip of two halves stood in none of them where it
    made equal parts of the high one.
    """
    parts: dict[int, set[int]] = {}
    for pot, half, _seat, minor, _odd in shares:
        if half == "high":
            parts.setdefault(pot, set()).add(minor)
    return [
        (pot, half, seat, minor, 0 if half == "high" and len(parts[pot]) == 1 else odd)
        for pot, half, seat, minor, odd in shares
    ]


def _played(played: PlayedPots, stacks: dict[int, tuple[str, int]]) -> dict[str, _Rows]:
    """By name the rows that a hand is recorded with, without hand and revision."""
    settled = played.settled
    pots = [*enumerate(settled.pots, 1)]
    shares = [
        (number, share.half, share.seat, share.amount_minor, share.odd_minor)
        for number, pot in pots
        for share in pot.shares
    ]
    won = dict.fromkeys(stacks, 0)
    for _pot, _half, seat, minor, _odd in shares:
        won[seat] += minor
    seats = []
    for paid in sorted(played.course.payments):
        back = settled.uncalled if settled.uncalled and settled.uncalled.seat == paid.seat else None
        paid_minor = (paid.ante_minor, paid.live_minor, paid.dead_minor)
        returned_minor = back.amount_minor if back else 0
        at = (paid.seat, *stacks[paid.seat])
        seats.append((*at, *paid_minor, returned_minor, won[paid.seat], paid.folded))
    return {
        "seats": seats,
        "pots": [
            (number, pot.pot.amount_minor, pot.rake_minor, [*pot.pot.seats]) for number, pot in pots
        ],
        "shares": sorted(shares),
    }
