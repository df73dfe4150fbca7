"""Reports about people: approvals, sign-ins and permissions, who looked at what."""

from casino.audit.reports.shape import Column, Kind
from casino.audit.reports.texts import facts, reason
from casino.records.report_labels import LOOKED_ON, LOOKS, PEOPLE, REPORTS, SUBJECTS
from casino.text.states import labels
from casino.text.vocabulary import ACTIONS, METHODS
from payouts.errors import mark
from payouts.models import Approval
from tables.selectors.versions import of_session

_APPROVALS = f"""
    SELECT a.requested_at, a.action, coalesce(v.name, ''), coalesce(r.number::text, a.subject_kind),
        a.subject_id,
        coalesce(q.full_name, ''), a.signers, count(g.id),
        coalesce(string_agg(s.full_name, ', ' ORDER BY g.signed_at, s.full_name), ''),
        max(g.signed_at), a.state, a.closed_at, a.method,
        CASE WHEN jsonb_typeof(a.payload -> 'amount_minor') = 'number'
            THEN (a.payload ->> 'amount_minor')::bigint END,
        coalesce(a.payload ->> 'reason', '')
    FROM payouts_approval a LEFT JOIN payouts_approvalsignature g ON g.approval_id = a.id
    LEFT JOIN casino_person s ON s.id = g.signer_id LEFT JOIN casino_person q
        ON q.id = a.requester_id
    LEFT JOIN tables_round r ON a.subject_kind = 'round' AND r.id::text = a.subject_id LEFT
        JOIN tables_table t ON t.id = r.table_id
    {of_session("r.session_id", "a.requested_at")}
    WHERE a.house_id = %(house)s AND a.requested_at >= %(since)s AND a.requested_at < %(until)s
        AND (%(person)s::uuid IS NULL OR a.requester_id = %(person)s OR EXISTS (
            SELECT FROM payouts_approvalsignature o WHERE o.approval_id = a.id
                AND o.signer_id = %(person)s))
    GROUP BY a.id, v.name, r.number, q.full_name ORDER BY a.requested_at, a.id
"""

APPROVALS = Kind(
    "approvals",
    mark("Approvals"),
    mark(
        "What needed signatures: who asked, how many were needed, who signed when, and what became"
        " of it."
    ),
    (
        Column("at", mark("Asked for"), "moment"),
        Column("action", mark("Action"), "code", words=ACTIONS),
        Column("table", mark("Table")),
        Column("subject", mark("Subject"), words=SUBJECTS),
        Column("subject_id", mark("Which one"), "id", names=True),
        Column("requester", mark("Asked by")),
        Column("needed", mark("Signatures needed"), "number"),
        Column("given", mark("Given"), "number", total=True),
        Column("signed", mark("Signed by"), wide=True),
        Column("signed_at", mark("Last signature"), "moment"),
        Column("state", mark("State"), "code", words=labels(Approval.State)),
        Column("closed_at", mark("Closed"), "moment"),
        Column("method", mark("Proof"), "code", words=METHODS),
        Column("amount", mark("Amount"), "money"),
        Column("reason", mark("Reason"), wide=True),
    ),
    _APPROVALS,
    takes=frozenset({"person"}),
    note=mark(
        "Requests that were made on these days. Where nobody asked, the system did. A round is"
        " named by its number."
    ),
)

# What is of no house (a name that nobody has, a manager of all houses, a verification) is told
# where there is only one house.
_OURS = """
    (e.house_id = %(house)s OR (e.house_id IS NULL AND NOT EXISTS (SELECT FROM payouts_house h
        WHERE h.id <> %(house)s)))
        AND e.at >= %(since)s AND e.at < %(until)s
"""
_ACCESS = f"""
    SELECT e.at, e.name, coalesce(p.full_name, ''), coalesce(a.full_name, ''),
        coalesce((SELECT string_agg(k || ': ' || v, '; ' ORDER BY k) FROM jsonb_each_text(
            CASE jsonb_typeof(e.before) WHEN 'object' THEN e.before END) AS t(k, v)), ''),
        coalesce((SELECT string_agg(k || ': ' || v, '; ' ORDER BY k) FROM jsonb_each_text(
            CASE jsonb_typeof(e.after) WHEN 'object' THEN e.after END) AS t(k, v)), ''),
        e.reason, e.request_id
    FROM payouts_event e LEFT JOIN casino_person a ON a.id = e.actor_id
    LEFT JOIN casino_person p ON e.subject_kind = 'person' AND p.id::text = e.subject_id
    WHERE {_OURS} AND split_part(e.name, '.', 1) IN ('sign_in', 'sign_out', 'password', 'pin',
        'person', 'device')
        AND (%(person)s::uuid IS NULL OR %(person)s IN (a.id, p.id))
    ORDER BY e.at, e.id
"""

ACCESS = Kind(
    "access",
    mark("Sign-ins and permissions"),
    mark(
        "Who signed in or was refused, where; who made, changed, locked or let in whom; devices"
        " enrolled and revoked."
    ),
    (
        Column("at", mark("Time"), "moment"),
        Column("what", mark("What"), "code", words=PEOPLE),
        Column("person", mark("Person")),
        Column("by", mark("By")),
        Column("before", mark("Before"), tells=facts, wide=True, names=True),
        Column("after", mark("After"), tells=facts, wide=True, names=True),
        Column("reason", mark("Reason"), tells=reason, wide=True),
        Column("request", mark("Request"), "id"),
    ),
    _ACCESS,
    takes=frozenset({"person"}),
    days_most=31,
)

_LOOKS = f"""
    SELECT e.at, coalesce(p.full_name, ''), e.name, e.subject_kind, e.subject_id,
        coalesce((SELECT string_agg(k || ': ' || v, '; ' ORDER BY k)
            FROM jsonb_each_text(CASE jsonb_typeof(e.after -> 'asked')
            WHEN 'object' THEN e.after -> 'asked' WHEN 'null' THEN NULL
            ELSE CASE jsonb_typeof(e.after) WHEN 'object' THEN e.after END END) AS t(k, v)), ''),
        coalesce(e.after ->> 'format', ''),
        CASE WHEN jsonb_typeof(e.after -> 'lines') = 'number'
            THEN (e.after ->> 'lines')::bigint END,
        coalesce(e.after ->> 'number', ''), coalesce(e.after ->> 'sha256', '')
    FROM payouts_event e LEFT JOIN casino_person p ON p.id = e.actor_id
    WHERE {_OURS} AND split_part(e.name, '.', 1) IN ('report', 'audit', 'verify')
        AND (%(person)s::uuid IS NULL OR e.actor_id = %(person)s)
    ORDER BY e.at, e.id
"""

LOOKED = Kind(
    "looks",
    mark("What an auditor looked at"),
    mark(
        "Which reports and records were opened or taken home, by whom, with which filters; the hash"
        " says which state it was."
    ),
    (
        Column("at", mark("Time"), "moment"),
        Column("person", mark("Person")),
        Column("what", mark("What"), "code", words=LOOKS),
        Column("subject", mark("Subject"), words=SUBJECTS),
        Column("subject_id", mark("Which one"), "id", words=REPORTS, names=True),
        Column("asked", mark("Asked for"), tells=facts, wide=True, names=True),
        Column("format", mark("Format"), words=LOOKED_ON),
        Column("lines", mark("Lines"), "number"),
        Column("number", mark("Report no.")),
        Column("sha256", mark("Data hash (SHA-256)"), "id"),
    ),
    _LOOKS,
    takes=frozenset({"person"}),
    days_most=31,
)
