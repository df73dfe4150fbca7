"""Reports about the jackpot: the statement of each epoch, the file of each hit."""

from casino.audit.reports.shape import Column, Kind
from casino.audit.reports.statements.coverage import EPOCHS, HIT_LISTS
from casino.audit.reports.texts import hit_note
from casino.text.floor import AWARD_KINDS
from casino.text.states import labels
from jackpot.models import Claim, GateDisplay, Slip
from payouts.errors import mark
from payouts.models import Approval
from payouts.rules.ledger.chart import METER
from tables.models import Round
from tables.selectors.versions import as_it_stood, of_session

_LINES = {"day": mark("table and day"), "epoch": mark("whole epoch")}

# A meter is what its epoch's accounts hold: base (seed, remainder, faults put right), the tables'
# sub-meters, the prizes it paid. Each entry is one of five things; amounts count towards the meter,
# so that they add up. What ends an epoch sweeps all.
_STATEMENT = f"""
    WITH epochs AS (
        SELECT e.id, e.number, j.id AS jackpot_id, j.name, d.hit_id,
            (f.data ->> 'cap_minor')::bigint AS cap_minor,
            CASE d.ended_as WHEN 'won' THEN 'hit:' || d.hit_id || ':award' WHEN 'retired'
                THEN 'retire:' || j.id END AS swept_by
        FROM jackpot_epoch e JOIN jackpot_jackpot j ON j.id = e.jackpot_id
            JOIN payouts_postedtable f ON f.id = e.funding_id
        LEFT JOIN jackpot_epochend d ON d.epoch_id = e.id
        WHERE {EPOCHS}
    ), legs AS MATERIALIZED (
        SELECT p.id AS epoch_id, p.swept_by, a.kind, a.owner_id, x.transfer_id, x.amount_minor
        FROM epochs p JOIN payouts_account a ON a.house_id = %(house)s AND a.detail_id = p.id
            AND a.kind IN ('meter_base', 'sub_meter', 'meter_prizes', 'reserve_share')
        JOIN payouts_entry x ON x.account_id = a.id
    ), moved AS (
        SELECT l.epoch_id, CASE WHEN l.kind <> 'meter_base' THEN l.owner_id END AS table_id,
            t.gaming_day AS day,
            CASE WHEN l.kind = 'reserve_share' THEN CASE WHEN t.key = l.swept_by THEN 'passed_on'
                ELSE 'reserve' END
                WHEN t.key = l.swept_by THEN 'swept'
                WHEN l.kind = 'meter_base' AND t.reverses_id IS NULL AND t.kind IN ('seed', 'award')
                    THEN 'start'
                WHEN l.kind = 'sub_meter' AND t.reverses_id IS NULL THEN 'contributions'
                WHEN l.kind = 'meter_prizes' THEN 'prizes'
                ELSE 'corrections' END AS what,
            -l.amount_minor AS amount
        -- The epoch's transfers in one go, hashed: looked for one by one (hence the + 0) it is
        -- three blocks each (docs/PLANS.md).
        FROM legs l JOIN payouts_transfer t ON t.id + 0 = l.transfer_id
            AND t.id BETWEEN (SELECT min(transfer_id) FROM legs) AND (SELECT max(transfer_id)
                FROM legs)
    ), lines AS (
        SELECT epoch_id, GROUPING(day) AS whole, day, table_id,
            coalesce(sum(amount) FILTER (WHERE what = 'start'), 0) AS start,
            coalesce(sum(amount) FILTER (WHERE what = 'contributions'), 0) AS contributions,
            coalesce(sum(amount) FILTER (WHERE what = 'corrections'), 0) AS corrections,
            coalesce(sum(amount) FILTER (WHERE what = 'prizes'), 0) AS prizes,
            coalesce(sum(amount) FILTER (WHERE what = 'swept'), 0) AS swept,
            coalesce(sum(amount) FILTER (WHERE what = 'reserve'), 0) AS reserve,
            coalesce(sum(amount) FILTER (WHERE what NOT IN ('reserve', 'passed_on')), 0) AS should
        FROM moved GROUP BY GROUPING SETS ((epoch_id, day, table_id), (epoch_id))
    ), levels AS (
        SELECT l.*, v.name AS table_name, CASE l.whole WHEN 1 THEN l.should - l.swept
            ELSE sum(l.should - l.swept) OVER (
            PARTITION BY l.epoch_id, l.whole ORDER BY l.day, v.name NULLS FIRST, l.table_id
                ROWS UNBOUNDED PRECEDING) END AS level
        FROM lines l LEFT JOIN tables_table t ON t.id = l.table_id
        {as_it_stood("o.gaming_day <= l.day")}
    ), held AS (
        SELECT p.id AS epoch_id, -coalesce(sum(a.balance_minor), 0) AS meter FROM epochs p LEFT
            JOIN payouts_account a
            ON a.house_id = %(house)s AND a.detail_id = p.id AND a.kind IN {METER}
        GROUP BY p.id
    )
    SELECT p.name, p.number, CASE l.whole WHEN 1 THEN 'epoch' ELSE 'day' END, l.day,
        coalesce(l.table_name, ''), l.start,
        l.contributions, l.corrections, l.prizes, l.level, l.swept, l.should,
        CASE l.whole WHEN 1 THEN least(greatest(h.meter, 0), p.cap_minor) END,
        CASE l.whole WHEN 1 THEN h.meter - least(greatest(h.meter, 0), p.cap_minor) END,
        CASE l.whole WHEN 1 THEN h.meter - l.should END,
        CASE WHEN l.whole = 1 AND p.swept_by IS NOT NULL THEN coalesce(w.awarded, 0) END,
        CASE WHEN l.whole = 1 AND p.swept_by IS NOT NULL THEN -l.swept - coalesce(w.awarded, 0) END,
            l.reserve
    FROM levels l JOIN epochs p ON p.id = l.epoch_id JOIN held h ON h.epoch_id = p.id
    LEFT JOIN LATERAL (SELECT sum(amount_minor) AS awarded FROM jackpot_award
        WHERE hit_id = p.hit_id AND kind = 'share') w ON true
    WHERE %(table)s::uuid IS NULL OR l.whole = 1 OR l.table_id = %(table)s
    ORDER BY p.name, p.jackpot_id, p.number, l.whole, l.day, l.table_name NULLS FIRST, l.table_id
"""

STATEMENT = Kind(
    "jackpot-statement",
    mark("Jackpot statement"),
    mark(
        "What each epoch began with, what its tables added day by day, what left it, and whether"
        " that is what is shown."
    ),
    (
        Column("jackpot", mark("Jackpot")),
        Column("epoch", mark("Epoch"), "number"),
        Column("line", mark("Line"), "code", words=_LINES),
        Column("day", mark("Gaming day"), "day"),
        Column("table", mark("Table")),
        Column("start", mark("Start"), "money", total=True),
        Column("contributions", mark("Contributions"), "money", total=True),
        Column("corrections", mark("Corrections"), "money", total=True),
        Column("prizes", mark("Prizes of the meter"), "money", total=True),
        Column("level", mark("Meter after it"), "money"),
        Column("swept", mark("Handed out at its end"), "money", total=True),
        Column("should", mark("Should be"), "money", total=True),
        Column("shown", mark("Shown"), "money", total=True),
        Column("above", mark("Above the cap"), "money", total=True),
        Column("difference", mark("Difference"), "money", total=True),
        Column("awards", mark("Awarded"), "money", total=True),
        Column("carried", mark("Carried on"), "money", total=True),
        Column("reserve", mark("To the reserve"), "money", total=True),
    ),
    _STATEMENT,
    takes=frozenset({"table", "version"}),
    rounds="epochs",
    note=mark(
        "Every epoch that lived on one of these days is told whole, from its start. Start +"
        " contributions ± corrections − prizes − what was handed out = what should be there; shown"
        " and above the cap are what the accounts hold. A line without a table is of the base. The"
        " meter after a line is what had come together by then, before it was handed out; what"
        " coins brought to the reserve is no part of it."
    ),
    aside=mark(
        "Lines of a whole epoch are of all tables, whichever was asked for: so no totals stand"
        " below."
    ),
    summed=lambda row: row[2] == "epoch",
)

# One line for each fact of a hit's life, in the order in which they came.
_HITS = f"""
    WITH hits AS (
        SELECT h.*, j.name AS jackpot FROM jackpot_hit h JOIN jackpot_jackpot j
            ON j.id = h.jackpot_id
        WHERE {HIT_LISTS}
    ), put_right AS (
        -- The correction that a claim came by: its round's newest result when the claim was made,
        -- in the same transaction.
        SELECT c.id AS claim_id, c.hit_id, c.table_id, c.round_id, c.box, x.approval_id, x.reason
        FROM hits h JOIN jackpot_claim c ON c.hit_id = h.id AND c.origin = 'corrected'
        CROSS JOIN LATERAL (SELECT approval_id, reason FROM tables_roundresult r
            WHERE r.round_id = c.round_id AND r.at <= c.made_at ORDER BY r.revision DESC LIMIT 1) x
    ), facts AS (
        SELECT id AS hit_id, begun_at AS at, 0 AS turn, 'begun' AS what, NULL::uuid AS table_id,
            NULL::uuid AS round_id,
            NULL::int AS box, NULL::uuid AS person_id, shown_minor AS amount, '' AS state,
                reason AS text FROM hits
        UNION ALL SELECT l.hit_id, h.begun_at, 1, 'listed', l.table_id, l.round_id, NULL,
            r.croupier_id, NULL,
            coalesce(r.state, ''), '' FROM hits h JOIN jackpot_listedround l ON l.hit_id = h.id
            LEFT JOIN tables_round r ON r.id = l.round_id
        UNION ALL SELECT c.hit_id, c.made_at, 2, CASE c.origin WHEN 'corrected' THEN 'corrected'
            ELSE 'claim' END, c.table_id,
            c.round_id, c.box, c.made_by_id, NULL, c.state, coalesce(x.reason, '')
            FROM hits h JOIN jackpot_claim c ON c.hit_id = h.id LEFT JOIN put_right x
                ON x.claim_id = c.id
        UNION ALL SELECT x.hit_id, a.requested_at, 7, 'asked', x.table_id, x.round_id, x.box,
            a.requester_id, NULL, a.state,
            a.action FROM put_right x JOIN payouts_approval a ON a.id = x.approval_id
        UNION ALL SELECT x.hit_id, g.signed_at, 8, 'signed', x.table_id, x.round_id, x.box,
            g.signer_id, NULL, '', a.action
            FROM put_right x JOIN payouts_approval a ON a.id = x.approval_id
            JOIN payouts_approvalsignature g ON g.approval_id = a.id
        UNION ALL SELECT c.hit_id, c.decided_at, 3, 'decided', c.table_id, c.round_id, c.box,
            c.decided_by_id, NULL, c.state,
            concat_ws('; ', nullif(c.reason, ''), (SELECT string_agg(k || ': ' || v, ', '
                ORDER BY k)
                                                   FROM jsonb_each_text(nullif(c.checklist,
                                                       'null')) AS t(k, v)))
            FROM hits h JOIN jackpot_claim c ON c.hit_id = h.id WHERE c.decided_at IS NOT NULL
        UNION ALL SELECT id, drained_at, 4, 'drained', NULL, NULL, NULL, NULL, NULL, '', ''
            FROM hits WHERE drained_at IS NOT NULL
        UNION ALL SELECT s.hit_id, s.at, 5, 'split', NULL, NULL, NULL, NULL, s.won_minor, '',
            concat_ws(' ', 'rev', s.revision) FROM hits h JOIN jackpot_split s ON s.hit_id = h.id
        UNION ALL SELECT s.hit_id, s.at, 6, 'share', c.table_id, c.round_id, c.box, NULL,
            x.share_minor, '',
            concat_ws(' ', 'rev', s.revision)
            FROM hits h JOIN jackpot_split s ON s.hit_id = h.id JOIN jackpot_share x
                ON x.split_id = s.id
            JOIN jackpot_claim c ON c.id = x.claim_id
        UNION ALL SELECT h.id, a.requested_at, 7, 'asked', NULL, NULL, NULL, a.requester_id, NULL,
            a.state, a.action
            FROM hits h JOIN payouts_approval a ON a.subject_kind = 'hit'
                AND a.subject_id = h.id::text
        UNION ALL SELECT h.id, g.signed_at, 8, 'signed', NULL, NULL, NULL, g.signer_id, NULL, '',
            a.action
            FROM hits h JOIN payouts_approval a ON a.subject_kind = 'hit'
                AND a.subject_id = h.id::text
            JOIN payouts_approvalsignature g ON g.approval_id = a.id
        UNION ALL SELECT h.id, w.at, 9, 'award', w.table_id, w.round_id, w.box, NULL,
            w.amount_minor, w.kind, w.reason
            FROM hits h JOIN jackpot_award w ON w.hit_id = h.id
        UNION ALL SELECT h.id, s.paid_at, 12, 'paid', w.table_id, w.round_id, w.box, s.paid_by_id,
            s.cash_minor, s.state,
            '#' || slip_written_v1(s.number, s.incarnation)
            FROM hits h JOIN jackpot_award w ON w.hit_id = h.id JOIN jackpot_slip s
                ON s.award_id = w.id
            WHERE s.paid_at IS NOT NULL
        UNION ALL SELECT h.id, m.at, 12, m.what, w.table_id, w.round_id, w.box, b.paid_by_id,
            b.cash_minor, s.state,
            concat_ws(' ', '#' || slip_written_v1(s.number, s.incarnation), m.reason)
            FROM hits h JOIN jackpot_award w ON w.hit_id = h.id JOIN jackpot_slip s
                ON s.award_id = w.id
            JOIN jackpot_takenback b ON b.slip_id = s.id
            CROSS JOIN LATERAL (VALUES (b.paid_at, 'paid', NULL),
                (b.at, 'taken_back', b.reason)) m (at, what, reason)
        UNION ALL SELECT h.id, s.cancelled_at, 13, 'cancelled', w.table_id, w.round_id, w.box, NULL,
            w.amount_minor, s.state,
            concat_ws(' ', '#' || slip_written_v1(s.number, s.incarnation), s.reason)
            FROM hits h JOIN jackpot_award w ON w.hit_id = h.id JOIN jackpot_slip s
                ON s.award_id = w.id
            WHERE s.cancelled_at IS NOT NULL
        UNION ALL SELECT h.id, h.ended_at, 10, 'hit_' || h.state, NULL, NULL, NULL, NULL, NULL, '',
            h.reason FROM hits h
            WHERE h.ended_at IS NOT NULL
        UNION ALL SELECT h.id, g.made_at, 11, 'gate', NULL, NULL, NULL, NULL, g.amount_minor, '', ''
            FROM hits h
            JOIN jackpot_gate g ON g.hit_id = h.id
        UNION ALL SELECT h.id, d.at, 11, 'display', NULL, NULL, NULL, NULL, NULL, d.state,
            concat_ws(': ', d.name, d.shown)
            FROM hits h JOIN jackpot_gate g ON g.hit_id = h.id JOIN jackpot_gatedisplay d
                ON d.gate_id = g.id
            WHERE d.at IS NOT NULL
    )
    SELECT h.jackpot, h.number, f.at, f.what, coalesce(v.name, ''), r.number, f.round_id, f.box,
        coalesce(p.full_name, ''),
        f.amount, f.state, f.text
    FROM facts f JOIN hits h ON h.id = f.hit_id LEFT JOIN tables_table t ON t.id = f.table_id
    LEFT JOIN tables_round r ON r.id = f.round_id LEFT JOIN casino_person p ON p.id = f.person_id
    {of_session("r.session_id", "f.at")}
    ORDER BY h.jackpot, h.jackpot_id, h.number, f.at, f.turn, v.name, f.box, f.text
"""

_FACTS = {
    "begun": mark("Hit begun, shown then"),
    "listed": mark("Round that ran at the time"),
    "claim": mark("Claim"),
    "corrected": mark("Claim by a correction of the round"),
    "decided": mark("Claim decided"),
    "drained": mark("All listed rounds over"),
    "split": mark("Split worked out"),
    "share": mark("Share of a claim"),
    "asked": mark("Approval asked for"),
    "signed": mark("Signed"),
    "award": mark("Awarded"),
    "paid": mark("Paid"),
    "taken_back": mark("Payment taken back"),
    "cancelled": mark("Slip cancelled"),
    "hit_paid": mark("Hit over: awarded"),
    "hit_rejected": mark("Hit over: rejected"),
    "gate": mark("New value to be shown"),
    "display": mark("Display has confirmed"),
}

HITS = Kind(
    "hits",
    mark("Hit file"),
    mark(
        "The life of each hit: the rounds of its list, claims, splits, signatures, awards, slips,"
        " displays."
    ),
    (
        Column("jackpot", mark("Jackpot")),
        Column("hit", mark("Hit"), "number"),
        Column("at", mark("Time"), "moment"),
        Column("what", mark("What"), "code", words=_FACTS),
        Column("table", mark("Table")),
        Column("round", mark("Round"), "number"),
        Column("round_id", mark("Id of the round"), "id", to="audit-round"),
        Column("box", mark("Box"), "number"),
        Column("person", mark("Person")),
        Column("amount", mark("Amount"), "money"),
        Column(
            "state",
            mark("State"),
            "code",
            words=labels(Approval.State, Round.State, Claim.State, GateDisplay.State, Slip.State)
            | AWARD_KINDS,
        ),
        Column("text", mark("Note"), tells=hit_note, wide=True),
    ),
    _HITS,
    takes=frozenset({"table", "croupier", "version"}),
    rounds="hits",
    note=mark(
        "Hits that were not over before the first of these days are told whole, with what came"
        " after."
    ),
    aside=mark(
        "These are the hits in which a round of the table or croupier asked for has a claim or an"
        " award. Each is told whole, with the rounds of all tables: a split only adds up whole."
    ),
)
