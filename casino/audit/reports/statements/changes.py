"""Reports about what was changed: corrected, voided, withdrawn or late rounds; parameters and who
approved them.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from casino.audit.reports.shape import Cell, Column, Kind, Row
from casino.audit.reports.texts import facts, reason
from casino.records.report_labels import PARAMETERS, SUBJECTS
from casino.text.states import labels
from casino.text.vocabulary import ACTIONS, TABLES, TITLES
from payouts.errors import mark
from payouts.models import PostedState
from tables.models import Round
from tables.selectors.versions import as_it_stood, of_session

WHAT = {
    "corrected": mark("corrected"),
    "voided": mark("void"),
    "reopened": mark("open again"),
    "withdrawn": mark("withdrawn"),
    "queued": mark("played offline, taken later"),
    "clarify_open": mark("to be clarified"),
    "clarify_taken": mark("clarified: taken"),
    "clarify_dismissed": mark("clarified: dismissed"),
    "late": mark("late award"),
    "adjusted": mark("meter put right"),
    "reversed": mark("transfer reversed"),
}

# What was struck stands beside what stands now, both from the ledger: of a correction what went to
# guests by each result, less what stakes that corrections put right until then brought, of a void
# or a reopening the stakes of its lock and what came after it.
_BROUGHT = """
    SELECT coalesce(sum(CASE WHEN k.takes_back IS NULL THEN k.accepted_minor
        ELSE -k.returned_minor END), 0) FROM tables_roundstake k
    WHERE k.round_id = f.round_id AND k.placed > 0
        AND k.revision BETWEEN 1 AND nullif(split_part({key}, ':', 4), '')::int
"""
_CORRECTIONS = """
    WITH facts AS (
        SELECT s.gaming_day AS day, x.at, 'corrected' AS what, s.table_id, r.id AS round_id,
            x.entered_by_id AS person_id, x.reason,
            'round:' || r.id || ':settle:' || (x.revision - 1) AS struck,
                'round:' || r.id || ':settle:' || x.revision AS stands,
            NULL::bigint AS amount
        FROM tables_tablesession s JOIN tables_round r ON r.session_id = s.id
            JOIN tables_roundresult x ON x.round_id = r.id
        WHERE s.house_id = %(house)s AND s.gaming_day BETWEEN %(first)s AND %(last)s
            AND x.revision > 1
        UNION ALL
        SELECT s.gaming_day, r.ended_at, r.state, s.table_id, r.id, r.ended_by_id, r.reason,
            'round:' || r.id || ':lock', '', NULL
        FROM tables_tablesession s JOIN tables_round r ON r.session_id = s.id
        WHERE s.house_id = %(house)s AND s.gaming_day BETWEEN %(first)s AND %(last)s
            AND r.state IN ('voided', 'reopened')
        UNION ALL
        SELECT s.gaming_day, r.locked_at, 'queued', s.table_id, r.id, r.croupier_id, '', '',
            'round:' || r.id || ':settle:' || r.revision, NULL FROM tables_tablesession s
                JOIN tables_round r ON r.session_id = s.id
        WHERE s.house_id = %(house)s AND s.gaming_day BETWEEN %(first)s AND %(last)s AND r.queued
        UNION ALL
        SELECT gaming_day_v1(r.ended_at, h.time_zone, h.gaming_day_change), r.ended_at, 'withdrawn',
            r.table_id, r.id,
            r.ended_by_id, r.reason, '', '', NULL
        FROM tables_table t JOIN tables_round r ON r.table_id = t.id JOIN payouts_house h
            ON h.id = t.house_id
        WHERE t.house_id = %(house)s AND r.state = 'withdrawn' AND r.locked_at >= %(since)s
            AND r.locked_at < %(until)s
        UNION ALL
        SELECT gaming_day_v1(c.received_at, h.time_zone, h.gaming_day_change),
            coalesce(c.closed_at, c.received_at),
            'clarify_' || c.state, c.table_id, c.round_id, coalesce(c.closed_by_id, c.sent_by_id),
            concat_ws(': ', concat_ws(' ', c.code, nullif(c.data, '{}')::text),
                nullif(c.reason, '')), '', '', NULL
        FROM tables_toclarify c JOIN payouts_house h ON h.id = c.house_id
        WHERE c.house_id = %(house)s AND c.kind <> 'hand_end'
            AND c.received_at >= %(since)s AND c.received_at < %(until)s
        UNION ALL
        SELECT t.gaming_day, w.at, 'late', w.table_id, w.round_id, t.actor_id, w.reason, '', '',
            w.amount_minor
        FROM jackpot_award w JOIN payouts_transfer t ON t.id = w.transfer_id
        WHERE w.house_id = %(house)s AND w.kind = 'late' AND t.gaming_day BETWEEN %(first)s
            AND %(last)s
        UNION ALL
        SELECT t.gaming_day, t.posted_at, CASE WHEN t.reverses_id IS NULL THEN 'adjusted'
            ELSE 'reversed' END, NULL,
            NULL, t.actor_id,
            t.reason, '', '', (SELECT CASE WHEN t.reverses_id IS NULL
                                    THEN -sum(x.amount_minor) FILTER (WHERE a.kind = 'meter_base')
                                    ELSE sum(x.amount_minor) FILTER (WHERE x.amount_minor > 0) END
                               FROM payouts_entry x JOIN payouts_account a ON a.id = x.account_id
                                   WHERE x.transfer_id = t.id)
        FROM payouts_transfer t WHERE t.house_id = %(house)s AND t.gaming_day BETWEEN %(first)s
            AND %(last)s
            AND (t.key LIKE 'adjust:%%' OR (t.reverses_id IS NOT NULL
                AND t.subject_kind NOT IN ('round', 'prize')))
    )
    SELECT f.day, f.at, f.what, coalesce(v.name, ''), r.number, f.round_id,
        coalesce(c.full_name, ''), coalesce(p.full_name, ''),
        b.guests, coalesce(f.amount, n.guests),
        CASE WHEN f.what NOT LIKE 'clarify%%' AND f.what <> 'withdrawn'
            THEN coalesce(f.amount, n.guests, 0) - coalesce(b.guests, 0) END, f.reason
    FROM facts f LEFT JOIN tables_table t ON t.id = f.table_id LEFT JOIN tables_round r
        ON r.id = f.round_id
    {table}
    LEFT JOIN casino_person c ON c.id = r.croupier_id LEFT JOIN casino_person p
        ON p.id = f.person_id
    LEFT JOIN LATERAL (
        SELECT -coalesce(sum(x.amount_minor), 0) - ({struck}) AS guests
            FROM payouts_transfer m
            JOIN payouts_entry x ON x.transfer_id = m.id
        JOIN payouts_account a ON a.id = x.account_id AND a.kind = 'circulation'
        WHERE m.house_id = %(house)s AND m.key IN (
            SELECT f.struck UNION ALL SELECT 'round:' || k.round_id || ':place:' || k.placed
                FROM tables_roundstake k
            WHERE k.round_id = f.round_id AND k.placed > 0
                AND f.struck = 'round:' || k.round_id || ':lock'
                AND NOT EXISTS (SELECT FROM tables_roundstake o
                    WHERE (o.round_id, o.takes_back) = (k.round_id, k.placed)))) b
        ON f.struck <> ''
    LEFT JOIN LATERAL (
        SELECT -coalesce(sum(x.amount_minor), 0) - ({stands}) AS guests
            FROM payouts_transfer m
            JOIN payouts_entry x ON x.transfer_id = m.id
        JOIN payouts_account a ON a.id = x.account_id AND a.kind = 'circulation'
        WHERE m.house_id = %(house)s AND m.key = f.stands) n ON f.stands <> ''
    WHERE (%(game)s::text IS NULL OR t.game = %(game)s)
        AND (%(table)s::uuid IS NULL OR f.table_id = %(table)s) AND (%(croupier)s::uuid IS NULL
            OR r.croupier_id = %(croupier)s)
        AND (%(version)s::uuid IS NULL
             OR EXISTS (SELECT FROM jsonb_each_text(r.versions) v
                 WHERE v.value = %(version)s::text))
    ORDER BY f.day, f.at, f.what, v.name, f.round_id, f.reason
"""
_CORRECTIONS = (
    _CORRECTIONS.replace("{struck}", _BROUGHT.format(key="f.struck"))
    .replace("{stands}", _BROUGHT.format(key="f.stands"))
    .replace("{table}", of_session("r.session_id", "f.at"))
)

CORRECTIONS = Kind(
    "corrections",
    mark("Corrections, voids, withdrawals, late rounds"),
    mark("What was struck and what stands instead; what came late, and what had to be clarified."),
    (
        Column("day", mark("Gaming day"), "day"),
        Column("at", mark("Time"), "moment"),
        Column("what", mark("What"), "code", words=WHAT),
        Column("table", mark("Table")),
        Column("round", mark("Round"), "number"),
        Column("round_id", mark("Id of the round"), "id", to="audit-round"),
        Column("croupier", mark("Croupier")),
        Column("person", mark("By")),
        Column("struck", mark("Struck, net"), "money", total=True),
        Column("stands", mark("Stands, net"), "money", total=True),
        Column("difference", mark("Difference"), "money", total=True),
        Column("reason", mark("Reason"), tells=reason, wide=True),
    ),
    _CORRECTIONS,
    takes=frozenset({"table", "game", "croupier", "version"}),
    rounds="days",
    summed=lambda row: row[2] in ("corrected", Round.State.VOIDED, Round.State.REOPENED),
    note=mark(
        "Amounts are what went to guests; what they staked is negative. Of a correction: by the"
        " result before it, and by the one after it, each less what was staked with the result, as"
        " Play is: on the round's page it is told without that. Of a void or a reopening: all"
        " stakes of the round. The totals add these up. Of a meter put right: by how much it rose."
    ),
)

# A version is told if it was in force on one of these days, or drafted, released or decided on one;
# beside it what it changed from the approved version before it. Lines of the approval matrix and
# settings of house, tables and jackpots stand among them.
_PARAMETERS = f"""
    WITH posted AS (
        SELECT p.*, CASE p.starts WHEN 'day' THEN p.in_force_from
            ELSE gaming_day_v1(p.released_at, h.time_zone, h.gaming_day_change) END AS begins
        FROM payouts_postedtable p JOIN payouts_house h ON h.id = p.house_id
            WHERE p.house_id = %(house)s
    ), spans AS (
        SELECT p.*, CASE WHEN p.state = 'approved' THEN lead(begins) OVER (
            PARTITION BY p.kind, p.name, p.state ORDER BY p.begins, p.version) END AS ends
        FROM posted p
    )
    SELECT coalesce(p.released_at, p.created_at) AS at, p.kind AS kind, p.name AS name,
        p.version AS version, p.state AS state,
        CASE WHEN p.state = 'approved' THEN p.begins END, p.ends - 1, coalesce(d.full_name, ''),
        coalesce((SELECT string_agg(s.full_name, ', ' ORDER BY g.signed_at)
            FROM payouts_approvalsignature g
                  JOIN casino_person s ON s.id = g.signer_id WHERE g.approval_id = p.approval_id),
                      ''),
        coalesce(p.data::text, 'null'), coalesce((SELECT b.data::text FROM payouts_postedtable b
            WHERE b.house_id = p.house_id
            AND b.kind = p.kind AND b.name = p.name AND b.state = 'approved'
                AND b.version < p.version
            ORDER BY b.version DESC LIMIT 1), 'null'), p.note
    FROM spans p LEFT JOIN casino_person d ON d.id = p.drafted_by_id
    WHERE (%(version)s::uuid IS NULL OR p.id = %(version)s) AND (
        (p.state = 'approved' AND p.begins <= %(last)s AND (p.ends IS NULL OR p.ends > %(first)s))
        OR (p.created_at >= %(since)s AND p.created_at < %(until)s)
        OR (p.released_at >= %(since)s AND p.released_at < %(until)s))
    UNION ALL
    SELECT r.created_at, 'approval_rule', r.action, r.version, 'approved',
        gaming_day_v1(r.created_at, h.time_zone, h.gaming_day_change), NULL, '',
        coalesce((SELECT string_agg(s.full_name, ', ' ORDER BY g.signed_at)
            FROM payouts_approvalsignature g
                  JOIN casino_person s ON s.id = g.signer_id WHERE g.approval_id = r.approval_id),
                      ''),
        jsonb_build_object('signers', r.signers, 'roles', r.roles, 'method', r.method, 'lifetime_s',
            r.lifetime_s)::text,
        coalesce((SELECT jsonb_build_object('signers', b.signers, 'roles', b.roles, 'method',
            b.method, 'lifetime_s', b.lifetime_s)
            FROM payouts_approvalrule b WHERE b.house_id = r.house_id AND b.action = r.action
                AND b.version = r.version - 1)::text, 'null'), ''
    FROM payouts_approvalrule r JOIN payouts_house h ON h.id = r.house_id
    WHERE r.house_id = %(house)s AND %(version)s::uuid IS NULL AND r.created_at >= %(since)s
        AND r.created_at < %(until)s
    UNION ALL
    SELECT e.at, e.name, coalesce(v.name, j.name, i.name, h.name, e.subject_kind), NULL, '', NULL,
        NULL,
        coalesce(p.full_name, ''), '',
        coalesce(e.after::text, 'null'), coalesce(e.before::text, 'null'), e.reason
    FROM payouts_event e LEFT JOIN casino_person p ON p.id = e.actor_id
    LEFT JOIN tables_table t ON e.subject_kind = 'table' AND t.id::text = e.subject_id
    {as_it_stood("o.opened_at <= e.at")}
    LEFT JOIN jackpot_jackpot j ON e.subject_kind = 'jackpot' AND j.id::text = e.subject_id
    LEFT JOIN tables_pit i ON e.subject_kind = 'pit' AND i.id::text = e.subject_id
    LEFT JOIN payouts_house h ON e.subject_kind = 'house' AND h.id::text = e.subject_id
    WHERE e.house_id = %(house)s AND %(version)s::uuid IS NULL AND e.at >= %(since)s
        AND e.at < %(until)s
        AND e.name IN ('house.created', 'pit.created', 'table.created', 'table.linked',
            'table.version_made', 'table.changed',
            'table.entry_level_set', 'jackpot.created',
                       'jackpot.parameters_set', 'display.required', 'display.out')
    ORDER BY at, kind, name, version
"""


def _with_changes(rows: Iterable[Row]) -> Iterator[list[Cell]]:
    """Each row with what changed in place of the data before and after; all of it where nothing was
    before.
    """
    for row in rows:
        *told, after, before, note = row
        yield [*told, changes(json.loads(str(before)), json.loads(str(after))), note]


def changes(before: Any, after: Any) -> str:
    """What differs, one thing after another: `cap_minor: 100 → 200`, sorted by path; all of `after`
    where there was nothing before.

    >>> changes({"a": 1, "b": [1, 2]}, {"a": 2, "b": [1, 3]})
    'a: 1 → 2; b.2: 2 → 3'
    """
    old, new = dict(_leaves(before)), dict(_leaves(after))
    said = []
    for path in sorted(old.keys() | new.keys()):
        was, now = old.get(path, "–"), new.get(path, "–")
        if was != now:
            said.append(f"{path}: {was} → {now}" if old else f"{path}: {now}")
    return "; ".join(said)


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _leaves(part, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list):
        for place, part in enumerate(value, 1):
            yield from _leaves(part, f"{path}.{place}" if path else str(place))
    elif value is not None:
        yield path, json.dumps(value, ensure_ascii=False) if isinstance(value, bool) else str(value)


PARAMETER_HISTORY = Kind(
    "parameters",
    mark("Parameter history"),
    mark(
        "What was posted, set and linked: each version with what it changed, from when until when,"
        " who asked and who signed."
    ),
    (
        Column("at", mark("Time"), "moment"),
        Column(
            "kind",
            mark("Kind"),
            "code",
            words=TITLES | TABLES | PARAMETERS | {"approval_rule": mark("approval rule")},
        ),
        Column("name", mark("Name"), words=ACTIONS | SUBJECTS),
        Column("version", mark("Version"), "number"),
        Column("state", mark("State"), "code", words=labels(PostedState)),
        Column("first", mark("In force from"), "day"),
        Column("last", mark("Until"), "day"),
        Column("person", mark("By")),
        Column("signed", mark("Signed by")),
        Column("changed", mark("What changed"), tells=facts, wide=True, names=True),
        Column("note", mark("Note")),
    ),
    _PARAMETERS,
    made=_with_changes,
    takes=frozenset({"version"}),
    days_most=400,
    note=mark("Versions that count from the next epoch are dated by their release."),
)
