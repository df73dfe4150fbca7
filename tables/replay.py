"""Checks of rounds that only the game's rules can make: read from the record, settled again, compared with what stands.

Slower than an audit in SQL (some hundred rounds a second), so not each minute: `manage.py audit` asks for the last gaming day, with
`--replay` for all rounds, and the tests for all of theirs.
"""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

from django.db import connection, transaction

from payouts.audit import ROWS_MAX, STATEMENT_S, AuditResult
from payouts.errors import Refused
from payouts.rules.lines import Stake, StakeLine
from payouts.rules.plain import Json
from tables.rules.games import game_of
from tables.rules.prime import BoxStake, allocate
from tables.services.parts import rules_of
from tables.services.prizes import house_bears
from tables.services.settle import end_again

BATCH = 500
_LAST_DAY = "AND s.gaming_day >= (SELECT max(gaming_day) FROM tables_tablesession WHERE house_id = r.house_id)"
_ROUNDS = """
    SELECT round_record_v1(r.id)::text,
        (SELECT jsonb_agg(jsonb_build_array(x.revision, x.result, EXISTS (SELECT FROM jackpot_epochend d
            WHERE d.epoch_id = r.epoch_id AND d.at < x.at),
            coalesce((SELECT jsonb_agg(jsonb_build_array(l.box, l.guest_id, l.kind, l.stake_minor, l.returned_minor, l.won_minor,
                l.prize_minor, l.odds, l.hand, l.paid_by, l.code, l.rule) ORDER BY l.place) FROM tables_roundline l
                WHERE l.round_id = x.round_id AND l.revision = x.revision), '[]')) ORDER BY x.revision)
            FROM tables_roundresult x WHERE x.round_id = r.id)::text,
        (SELECT jsonb_object_agg(k.id, k.standing) FROM tables_roundstake k
            WHERE k.round_id = r.id AND k.standing IS NOT NULL)::text,
        (SELECT jsonb_agg(a.box) FROM jackpot_award a JOIN jackpot_slip p ON p.award_id = a.id
            WHERE a.round_id = r.id AND p.state <> 'cancelled' AND (a.kind <> 'prize' OR r.state IN ('voided', 'reopened')))::text
    FROM tables_round r JOIN tables_tablesession s ON s.id = r.session_id
    WHERE r.state <> 'withdrawn' {window}
"""
Record = dict[str, Any]


def replay(*, everything: bool = False) -> list[AuditResult]:
    """Settle rounds again from their records and hold their stakes against their limits; in one read-only snapshot.

    `everything`: all rounds there are, instead of those of each house's last gaming day.
    """
    found: dict[str, list[dict[str, Json]]] = {name: [] for name in CHECKS}
    took = dict.fromkeys(CHECKS, 0.0)
    for record in _records("" if everything else _LAST_DAY):
        for name, check in CHECKS.items():
            started = time.monotonic()
            found[name] += [{"round_id": record["id"], "why": why} for why in check(record)]
            took[name] += time.monotonic() - started
    return [AuditResult(name, rows[:ROWS_MAX], took[name]) for name, rows in found.items()]


def _records(window: str) -> Iterator[Record]:
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute(
            f"SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = '{STATEMENT_S}s'"
        )
        cursor.execute(f"DECLARE replayed NO SCROLL CURSOR FOR {_ROUNDS.format(window=window)}")
        while True:
            cursor.execute(f"FETCH {BATCH} FROM replayed")
            rows = cursor.fetchall()
            for record, results, standing, awarded in rows:
                yield json.loads(record) | {
                    "results": json.loads(results or "[]"),
                    "standing": json.loads(standing or "{}"),
                    "awarded": json.loads(awarded or "[]"),
                }
            if len(rows) < BATCH:
                return


def settles_differently(record: Record) -> Iterator[str]:
    """What of a round's results does not come out again: lines, or the stakes placed while it ran."""
    for revision, result, paid_out, lines in record["results"]:
        try:
            ended = end_again(record, result)
        except Refused as refused:
            yield f"result {revision} is refused: {refused.code}"
            continue
        if paid_out:  # a correction of a round whose meter was paid since
            ended = house_bears(ended)
        if [_columns(line) for line in ended.lines] != lines:
            yield f"result {revision} gives other lines"
        placed = [(s.box, s.guest, s.kind, s.amount_minor) for s in ended.placed]
        if placed != [_stake(row) for row in record["stakes"] if row["revision"] == revision]:
            yield f"result {revision} places other stakes"


def stakes_off_limits(record: Record) -> Iterator[str]:
    """What the rules that the round was locked under refuse of its stakes, or would have left of them on a shared box."""
    game, rules = game_of(record["game"]), rules_of(record["versions"])
    laid = [row for row in record["stakes"] if row["revision"] == 0]
    stakes = [Stake(*_stake(row)) for row in laid if row["accepted_minor"]]
    try:
        game.check(rules, stakes, layout=record["boxes"], level=record["entry_level"])
        for box, kind in dict.fromkeys((row["box"], row["kind"]) for row in laid) if game.shared else ():
            together = [row for row in laid if (row["box"], row["kind"]) == (box, kind)]
            offered = [
                BoxStake(row["guest"], row["offered_minor"], **record["standing"][str(row["id"])]) for row in together
            ]
            left = {one.guest: one.accepted_minor for one in allocate(game.limits(rules, kind), offered)}
            if left != {row["guest"]: row["accepted_minor"] for row in together}:
                yield f"the prime rule leaves other stakes on box {box}"
    except Refused as refused:
        yield f"refused: {refused.code}"


def awarded_without_a_claim(record: Record) -> Iterator[str]:
    """Awards that stand though the round, as it was corrected or voided since, gives the box none; or cannot be read any more."""
    if not record["awarded"]:
        return
    try:
        claims = end_again(record, record["results"][-1][1]).claims if record["results"] else ()
    except Refused as refused:
        yield f"the newest result is refused: {refused.code}"
        return
    for box in sorted(set(record["awarded"]) - set(claims)):
        yield f"box {box} has an award that this round does not give"


def _stake(row: Record) -> tuple[int, str, str, int]:
    return row["box"], row["guest"], row["kind"], row["accepted_minor"]


def _columns(line: StakeLine) -> list[object]:
    odds = "" if line.odds is None else str(line.odds)
    hand = "" if line.hand is None else line.hand.name.lower()
    amounts = (line.stake_minor, line.returned_minor, line.won_minor, line.prize_minor)
    return [line.box, line.guest, line.kind, *amounts, odds, hand, line.paid_by, line.reason.code, line.rule]


CHECKS: dict[str, Callable[[Record], Iterator[str]]] = {
    "rounds_settle_again_to_their_lines": settles_differently,
    "stakes_are_within_their_limits": stakes_off_limits,
    "awards_are_of_rounds_that_claim": awarded_without_a_claim,
}
