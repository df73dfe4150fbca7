"""What may change is not sealed whole. Here it is held against what is: the events that told of it,
transfers, results, signatures.

A `Rule` asks one table, in SQL, which of its columns say otherwise than sealed rows do; a `Digest`
computes a row's own hash again. A command writes its row and the sealed rows beside it in one
transaction, so their times are near one another, not equal. Asked by a verification, not each
minute. That every column is either found or excused, `tests/seals/test_agreement.py` shows.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from django.db import connection, transaction

from payouts.audit import BATCH, WHOLE_STATEMENT_S, AuditResult
from payouts.findings import Breach, Findings, Tell
from payouts.rules.plain import fingerprint

NAME = "what_may_change_agrees_with_the_seals"
COMMAND_S = 60  # between the first and the last row of one command, at the very most


@dataclass(frozen=True, slots=True)
class Rule:
    """A table, the SQL of its rows' key, where its rows and what is sealed of them come from; by
    column, when it is wrong.
    """

    table: str
    key: str
    source: str
    wrong: Mapping[str, str]

    def sql(self) -> str:
        """A row for each that disagrees, with its columns."""
        cases = ", ".join(
            f"CASE WHEN {when} THEN '{column}' END" for column, when in self.wrong.items()
        )
        return (
            f"SELECT * FROM (SELECT '{self.table}' AS \"table\", ({self.key})::text AS key,"
            f" concat_ws(', ', {cases}) AS columns FROM {self.source}) AS asked WHERE columns <> ''"
        )


@dataclass(frozen=True, slots=True)
class Digest:
    """A table whose rows hold a hash of their own columns: the SQL of key, hash and what is hashed;
    how it is.
    """

    table: str
    columns: str
    sql: str
    digest: Callable[..., bytes]

    def breach(self, row: Sequence[Any]) -> Breach | None:
        """What is wrong with a row."""
        key, stored, *hashed = row
        if bytes(stored) == self.digest(*hashed):
            return None
        return {"table": self.table, "key": str(key), "columns": self.columns}


def apart(one: str, other: str) -> str:
    """SQL: two moments are not of one command, or one is missing."""
    return f"coalesce(abs(extract(epoch FROM ({one}) - ({other}))), {COMMAND_S + 1}) > {COMMAND_S}"


def event(kind: str, subject: str, names: str, *, newest: bool = True, more: str = "true") -> str:
    """SQL: the newest (or first) event of these names about a subject; all NULL where there is
    none.
    """
    return (
        f"LATERAL (SELECT * FROM payouts_event v WHERE v.subject_kind = '{kind}' AND v.subject_id ="
        f" ({subject})::text AND v.name IN ({names}) AND {more} ORDER BY v.id"
        f" {'DESC' if newest else ''} LIMIT 1)"
    )


def _approved(
    house: str, action: str, kind: str, subject: str, revision: int, payload: str
) -> bytes:
    return fingerprint([house, action, kind, subject, revision, orjson.loads(payload)])


def _data(text: str) -> bytes:
    return fingerprint(orjson.loads(text))


_CLOSED = "'approval.used', 'approval.killed', 'approval.rejected'"
_WRITTEN = "'posted_table.drafted', 'posted_table.edited'"
APPROVALS = Rule(
    "payouts_approval",
    "a.id",
    f"""payouts_approval a LEFT JOIN payouts_approvalrule u ON u.id = a.rule_id
        LEFT JOIN {event("approval", "a.id", "'approval.requested'")} asked ON true
        LEFT JOIN {event("approval", "a.id", _CLOSED)} closed ON true""",
    {
        "id": "asked.id IS NULL",
        "house_id": "a.house_id IS DISTINCT FROM asked.house_id",
        "rule_id": "(u.house_id, u.action) IS DISTINCT FROM (a.house_id, a.action)",
        "action": "a.action IS DISTINCT FROM asked.after ->> 'action'",
        "revision": "a.revision::text IS DISTINCT FROM asked.after ->> 'revision'",
        "requester_id": "a.requester_id IS DISTINCT FROM asked.actor_id",
        "excluded": (
            "asked.after ? 'excluded' AND to_jsonb(a.excluded) <> asked.after -> 'excluded'"
        ),
        "signers": "a.signers IS DISTINCT FROM u.signers",
        "roles": "a.roles::text[] IS DISTINCT FROM u.roles::text[]",
        "method": "a.method IS DISTINCT FROM u.method",
        "state": "a.state IS DISTINCT FROM coalesce(substr(closed.name, 10), 'open')",
        "requested_at": apart("a.requested_at", "asked.at"),
        "expires_at": (
            "a.expires_at IS DISTINCT FROM a.requested_at + make_interval(secs => u.lifetime_s)"
        ),
        "closed_at": (
            "CASE WHEN closed.id IS NULL THEN a.closed_at IS NOT NULL ELSE"
            f" {apart('a.closed_at', 'closed.at')} END"
        ),
        "payload_hash": """EXISTS (SELECT FROM payouts_approvalsignature s
            WHERE s.approval_id = a.id AND s.payload_hash <> a.payload_hash)""",
    },
)
_STEPS = ", ".join(
    f"'posted_table.{one}'" for one in ("requested", "released", "seeded", "rejected", "withdrawn")
)
# What was asked for, and what came into force, names kind, name, version, hash and start.
VERSIONS = Rule(
    "payouts_postedtable",
    "p.id",
    f"""payouts_postedtable p
        LEFT JOIN {event("posted_table", "p.id", "'posted_table.drafted'")} first ON true
        LEFT JOIN {event("posted_table", "p.id", _WRITTEN)} written ON true
        LEFT JOIN {event("posted_table", "p.id", _STEPS)} step ON true
        LEFT JOIN payouts_approval a ON a.id = p.approval_id
        LEFT JOIN LATERAL (SELECT CASE WHEN step.name IN ('posted_table.released',
            'posted_table.seeded') THEN step.after
            ELSE a.payload END AS said) paper ON true""",
    {
        "id": "first.id IS NULL",
        "house_id": "p.house_id IS DISTINCT FROM first.house_id",
        "kind": "p.kind <> paper.said ->> 'kind'",
        "name": "p.name <> paper.said ->> 'name'",
        "version": "p.version::text <> paper.said ->> 'version'",
        "data": "p.data IS DISTINCT FROM written.after",
        "data_hash": "encode(p.data_hash, 'hex') <> paper.said ->> 'data_hash'",
        "state": """p.state IS DISTINCT FROM CASE step.name WHEN 'posted_table.seeded'
            THEN 'approved'
            WHEN 'posted_table.released' THEN 'approved'
                ELSE coalesce(substr(step.name, 14), 'draft') END""",
        "starts": (
            "p.state IN ('requested', 'approved') AND (p.starts = 'day') <> (p.in_force_from IS NOT"
            " NULL)"
        ),
        "in_force_from": (
            "coalesce(p.in_force_from::text, p.starts) <> paper.said ->> 'in_force_from'"
        ),
        "drafted_by_id": "p.drafted_by_id IS DISTINCT FROM first.actor_id",
        "approval_id": """(p.approval_id IS NOT NULL
                AND (a.subject_id, a.action) IS DISTINCT FROM (p.id::text, 'posted_table.release'))
            OR (step.name = 'posted_table.released' AND a.state IS DISTINCT FROM 'used')""",
        "created_at": apart("p.created_at", "first.at"),
        "released_at": f"""CASE WHEN p.state = 'approved' THEN {apart("p.released_at", "step.at")}
            ELSE p.released_at IS NOT NULL END""",
    },
)

RULES: dict[str, Rule] = {one.table: one for one in (APPROVALS, VERSIONS)}
DIGESTS: dict[str, Digest] = {
    "payouts_approval": Digest(
        "payouts_approval",
        "payload, payload_hash",
        "SELECT id, payload_hash, house_id::text, action, subject_kind, subject_id, revision,"
        " payload::text FROM payouts_approval",
        _approved,
    ),
    "payouts_postedtable": Digest(
        "payouts_postedtable",
        "data, data_hash",
        "SELECT id, data_hash, data::text FROM payouts_postedtable",
        _data,
    ),
}


def register(rules: Sequence[Rule], digests: Sequence[Digest] = ()) -> None:
    """Have a verification ask these too; of each table one. Raises ValueError for a second one."""
    for rule in rules:
        if RULES.setdefault(rule.table, rule) is not rule:
            raise ValueError(f"{rule.table} is asked for twice")
    for digest in digests:
        if DIGESTS.setdefault(digest.table, digest) is not digest:
            raise ValueError(f"{digest.table} is asked for twice")


def digest_of(table: str, columns: str, sql: str) -> Digest:
    """A table whose rows hold the hash of one JSON column: `sql` gives key, hash and its text."""
    return Digest(table, columns, sql, _data)


def agreement(*, tell: Tell) -> tuple[AuditResult, int]:
    """Ask all of them in one read-only snapshot; what was found, and of how many rows."""
    started, found, looked_at = time.monotonic(), Findings(NAME, tell), 0
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute(
            "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL"
            f" statement_timeout = '{WHOLE_STATEMENT_S}s';"
            " SET LOCAL cursor_tuple_fraction = 1"  # all rows are wanted, not the first ones soon
        )
        for rule in RULES.values():
            cursor.execute(f"SELECT count(*) FROM {rule.table}")
            looked_at += cursor.fetchone()[0]
            found.extend(
                {"table": table, "key": key, "columns": columns}
                for table, key, columns in _asked(cursor, rule.sql())
            )
        for digest in DIGESTS.values():
            found.extend(filter(None, map(digest.breach, _asked(cursor, digest.sql))))
    return AuditResult(NAME, found.rows, time.monotonic() - started, found.count), looked_at


def _asked(cursor: Any, sql: str) -> Iterator[Sequence[Any]]:
    """The rows of a question, a thousand at a time."""
    cursor.execute(f"DECLARE asked NO SCROLL CURSOR FOR {sql}")
    while True:
        cursor.execute(f"FETCH {BATCH} FROM asked")
        rows = cursor.fetchall()
        yield from rows
        if len(rows) < BATCH:
            break
    cursor.execute("CLOSE asked")
