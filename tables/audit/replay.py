"""Checks of rounds that only the game's rules can make: read from the record, settled again,
compared with what stands.

Slower than an audit in SQL, so not each minute: `manage.py audit` asks for the last gaming day,
with `--replay` for all rounds, and the tests for all of theirs.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import orjson
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from jackpot.models import Award, Slip
from payouts.audit import ROWS_MAX, WHOLE_STATEMENT_S, AuditResult
from payouts.db.gives_way import gives_way
from payouts.errors import Refused
from payouts.findings import Findings, Tell, tell_nobody
from payouts.rules.lines import Stake, StakeLine
from tables.audit.witness import (
    EVENTS,
    FEEDS,
    placed_after_its_card,
    read_feed,
    settled_against_feed,
)
from tables.games import bank_game
from tables.models import Round
from tables.rules.prime import BoxStake, allocate
from tables.selectors.rounds import awards_doubted
from tables.services.parts import rules_of
from tables.services.rounds.evaluate import end_again
from tables.services.rounds.prizes import house_bears

BATCH = 500
_LAST_DAY = (
    "AND s.gaming_day >= (SELECT max(gaming_day) FROM tables_tablesession WHERE house_id ="
    " r.house_id)"
)
_PIECE = " AND (hashtext(r.id::text)::bigint + 2147483648) % {1} = {0}"
# What the rules read of a round, no more: `round_record_v1`, which commands read, looks up accounts
# and feeds besides. Rows as they are, put together here: the server takes longer to write them as
# one text than to find them.
_ROUNDS = """
    SELECT r.id::text, t.game, v.boxes, r.entry_level, r.versions::text
    FROM tables_round r JOIN tables_table t ON t.id = r.table_id JOIN tables_tablesession s
        ON s.id = r.session_id
    JOIN tables_tableversion v ON (v.table_id, v.number) = (s.table_id, s.table_version)
    WHERE r.state <> 'withdrawn' {window}
"""
_STAKES = """
    SELECT round_id::text, box, guest_id::text, kind, offered_minor, accepted_minor, revision,
        placed, source_id::text, takes_back, standing::text
    FROM tables_roundstake WHERE round_id = ANY(%s::uuid[]) ORDER BY round_id, id
"""
_RESULTS = """
    SELECT x.round_id::text, x.revision, x.result::text, x.revision > 1 AND EXISTS (
        SELECT FROM jackpot_epochend d JOIN jackpot_epoch e ON e.id = d.epoch_id LEFT
            JOIN jackpot_hit h ON h.id = d.hit_id
        JOIN payouts_event paid ON paid.subject_kind = 'jackpot'
            AND paid.subject_id = e.jackpot_id::text
            AND CASE WHEN h.id IS NULL THEN paid.name = 'jackpot.retired'
                ELSE paid.name = 'jackpot.showing' AND paid.after ->> 'hit' = h.number::text END
        JOIN payouts_event put ON put.subject_kind = 'round' AND put.subject_id = x.round_id::text
            AND put.name = 'round.corrected' AND put.after ->> 'revision' = x.revision::text
                AND put.id > paid.id
        WHERE d.epoch_id = r.epoch_id)
    FROM tables_roundresult x JOIN tables_round r ON r.id = x.round_id
    WHERE x.round_id = ANY(%s::uuid[]) ORDER BY x.round_id, x.revision
"""
_LINES = """
    SELECT round_id::text, revision, box, guest_id::text, kind, stake_minor, returned_minor,
        won_minor, prize_minor, odds, hand,
        paid_by, code, rule
    FROM tables_roundline WHERE round_id = ANY(%s::uuid[]) ORDER BY round_id, revision, place
"""
_AWARDED = """
    SELECT a.round_id::text, a.box
    FROM jackpot_award a JOIN jackpot_slip p ON p.award_id = a.id JOIN tables_round r
        ON r.id = a.round_id
    WHERE a.round_id = ANY(%s::uuid[]) AND p.state <> 'cancelled'
        AND (a.kind <> 'prize' OR r.state IN ('voided', 'reopened'))
"""
_STAKE = (
    "box",
    "guest",
    "kind",
    "offered_minor",
    "accepted_minor",
    "revision",
    "placed",
    "source",
    "takes_back",
    "standing",
)
DOUBTED = "has an award that the round does not give"
Record = dict[str, Any]


def replay(
    *, everything: bool = False, piece: tuple[int, int] | None = None, tell: Tell | None = None
) -> list[AuditResult]:
    """Settle rounds again from their records and hold their stakes against their limits; in one
    read-only snapshot.

    `everything`: all rounds there are, instead of those of each house's last gaming day. `piece`:
    the first, second … of so many pieces of them, for processes that share the work; every round is
    in one. `tell`: as in `run_audits`.
    """
    found = {
        name: Findings(name, tell or tell_nobody, None if tell else ROWS_MAX) for name in CHECKS
    }
    took = dict.fromkeys(CHECKS, 0.0)
    count = 0
    for record in _records(window(everything=everything, piece=piece)):
        count += 1
        for name, check in CHECKS.items():
            started = time.monotonic()
            found[name].extend(
                {"round_id": record["id"], **_reason_data(why)} for why in check(record)
            )
            took[name] += time.monotonic() - started
    return [
        AuditResult(name, one.rows, took[name], one.count, count) for name, one in found.items()
    ]


def window(*, everything: bool, piece: tuple[int, int] | None) -> str:
    """The condition on what is replayed, called `r`, in sessions `s`; as `replay` says."""
    return ("" if everything else _LAST_DAY) + (_PIECE.format(*piece) if piece else "")


def batches(query: str) -> Iterator[tuple[CursorWrapper, list[tuple[Any, ...]]]]:
    """The rows of a query in one read-only snapshot, some at a time, with a cursor within it."""
    with gives_way(), transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute(
            "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL"
            f" statement_timeout = '{WHOLE_STATEMENT_S}s'"
        )
        cursor.execute(f"DECLARE replayed NO SCROLL CURSOR FOR {query}")
        while True:
            cursor.execute(f"FETCH {BATCH} FROM replayed")
            rows = cursor.fetchall()
            yield cursor, rows
            if len(rows) < BATCH:
                return


def _records(within: str) -> Iterator[Record]:
    for cursor, rows in batches(_ROUNDS.format(window=within)):
        yield from _put_together(cursor, rows)


def _put_together(cursor: CursorWrapper, rows: list[tuple[Any, ...]]) -> Iterator[Record]:
    ids = [row[0] for row in rows]
    stakes, results, lines, awarded = (
        rows_of(cursor, sql, ids) for sql in (_STAKES, _RESULTS, _LINES, _AWARDED)
    )
    feeds = rows_of(cursor, FEEDS, ids)
    events = rows_of(cursor, EVENTS, list(feeds)) if feeds else {}
    for round_id, game, boxes, entry_level, versions in rows:
        yield {
            "id": round_id,
            "game": game,
            "boxes": boxes,
            "entry_level": entry_level,
            "versions": orjson.loads(versions),
            "stakes": [dict(zip(_STAKE, row, strict=True)) for row in stakes.get(round_id, ())],
            "results": [
                (
                    revision,
                    orjson.loads(result),
                    paid_out,
                    [line[1:] for line in lines.get(round_id, ()) if line[0] == revision],
                )
                for revision, result, paid_out in results.get(round_id, ())
            ],
            "awarded": [box for (box,) in awarded.get(round_id, ())],
            **read_feed(feeds.get(round_id, ()), events.get(round_id, ())),
        }


def rows_of(cursor: CursorWrapper, sql: str, ids: list[str]) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of these rounds or hands, without their id."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    cursor.execute(sql, [ids])
    for round_id, *row in cursor.fetchall():
        found.setdefault(round_id, []).append(tuple(row))
    return found


def settles_differently(record: Record) -> Iterator[str]:
    """What of a round's results does not come out again: lines, or the stakes placed while it
    ran."""
    for revision, result, paid_out, lines in record["results"]:
        try:
            ended = end_again(record, result, revision)
        except Refused as refused:
            yield f"result {revision} is refused: {refused.code}"
            continue
        if paid_out:  # a correction of a round whose meter was paid since
            ended = house_bears(ended)
        if [_columns(line) for line in ended.lines] != lines:
            yield f"result {revision} gives other lines"
        placed = [(s.box, s.guest, s.kind, s.amount_minor) for s in ended.placed]
        came = [one for one in record["stakes"] if one["revision"] == revision]
        if placed != [_stake(row) for row in came if not row["placed"]]:
            yield f"result {revision} places other stakes"


def stakes_off_limits(record: Record) -> Iterator[str]:
    """What the rules that the round was locked under refuse of its stakes, or would have left of
    them on a shared box.
    """
    game, rules = bank_game(record["game"]), rules_of(record["versions"])
    laid = [row for row in record["stakes"] if not row["revision"] and not row["placed"]]
    stakes = [Stake(*_stake(row)) for row in laid if row["accepted_minor"]]
    try:
        game.check(rules, stakes, layout=record["boxes"], level=record["entry_level"])
        for box, kind in (
            dict.fromkeys((row["box"], row["kind"]) for row in laid) if game.shared else ()
        ):
            together = [row for row in laid if (row["box"], row["kind"]) == (box, kind)]
            offered = [
                BoxStake(row["guest"], row["offered_minor"], **orjson.loads(row["standing"]))
                for row in together
            ]
            left = {
                one.guest: one.accepted_minor for one in allocate(game.limits(rules, kind), offered)
            }
            if left != {row["guest"]: row["accepted_minor"] for row in together}:
                yield f"the prime rule leaves other stakes on box {box}"
    except Refused as refused:
        yield f"refused: {refused.code}"


def awarded_without_a_claim(record: Record) -> Iterator[str | dict[str, Any]]:
    """Awards that stand though the round, as it was corrected or voided since, gives the box none;
    or cannot be read any more.
    """
    if not record["awarded"]:
        return
    try:
        claims = end_again(record, record["results"][-1][1]).claims if record["results"] else ()
    except Refused as refused:
        yield f"the newest result is refused: {refused.code}"
        return
    for box in sorted(set(record["awarded"]) - set(claims)):
        yield {"box": box, "why": DOUBTED}


def awards_put_right(found: Sequence[Mapping[str, Any]]) -> bool:
    """Whether all that an earlier replay found of awards is put right by now: the award is still
    there, and its round gives it again or its slip is cancelled. Two statements.
    """
    keys = {(row.get("round_id"), row.get("box")) for row in found}
    if any(row.get("why") != DOUBTED for row in found):
        return False
    awards = Award.objects.filter(round_id__in={round_id for round_id, _box in keys})
    standing = awards.exclude(slip__state=Slip.State.CANCELLED)
    undone = Round.objects.filter(state__in=[Round.State.VOIDED, Round.State.REOPENED]).values("pk")
    left = awards_doubted(standing).values_list("round_id", "box")
    left = left.union(
        standing.filter(kind="prize", round_id__in=undone).values_list("round_id", "box")
    )
    there = {(str(round_id), box) for round_id, box in awards.values_list("round_id", "box")}
    return keys <= there - {(str(round_id), box) for round_id, box in left}


def _reason_data(why: str | dict[str, Any]) -> dict[str, Any]:
    return why if isinstance(why, dict) else {"why": why}


def _stake(row: Record) -> tuple[int, str, str, int]:
    return row["box"], row["guest"], row["kind"], row["accepted_minor"]


def _columns(line: StakeLine) -> tuple[object, ...]:
    odds = "" if line.odds is None else str(line.odds)
    hand = "" if line.hand is None else line.hand.name.lower()
    amounts = (line.stake_minor, line.returned_minor, line.won_minor, line.prize_minor)
    return (
        line.box,
        line.guest,
        line.kind,
        *amounts,
        odds,
        hand,
        line.paid_by,
        line.reason.code,
        line.rule,
    )


CHECKS: dict[str, Callable[[Record], Iterator[str | dict[str, Any]]]] = {
    "rounds_settle_again_to_their_lines": settles_differently,
    "stakes_are_within_their_limits": stakes_off_limits,
    "awards_are_of_rounds_that_claim": awarded_without_a_claim,
    "rounds_settle_as_the_shoe_read": settled_against_feed,
    "stakes_come_before_their_card": placed_after_its_card,
}
