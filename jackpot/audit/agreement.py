"""Claims, hits, slips, prizes that wait, gates, displays, jackpots, held against what is sealed of
them (`payouts/agreement.py`).

Rounds, results, stakes and who had a table are known by their tables' names only: this floor knows
no upper one.
"""

from jackpot.models import Phase
from payouts.agreement import Rule, apart, event

# Who had the table of a round: the one who locked it, whoever had the session, and who gave it away
# or took it over. And its authors: who entered or sent a result, who called or claimed, who asked
# for or signed a correction.
_HANDS = """
    SELECT array_agg(took.one) FROM (
        SELECT unnest(ARRAY[r.croupier_id, s.croupier_id, h.from_croupier_id, h.to_croupier_id])
            FROM tables_round r
            JOIN tables_tablesession s ON s.id = r.session_id LEFT JOIN tables_handover h
                ON h.session_id = s.id
            WHERE r.id = {0}.{1}
        UNION SELECT x.entered_by_id FROM tables_roundresult x WHERE x.round_id = {0}.{1}
        UNION SELECT q.made_by_id FROM jackpot_claim q WHERE q.round_id = {0}.{1}
        UNION SELECT e.sent_by_id FROM tables_toclarify e WHERE e.round_id = {0}.{1}
        UNION SELECT unnest(a.requester_id || ARRAY(SELECT g.signer_id
            FROM payouts_approvalsignature g
                WHERE g.approval_id = a.id))
            FROM payouts_approval a
            WHERE a.action = 'round.correct' AND a.subject_kind = 'round'
                AND a.subject_id = {0}.{1}::text AND a.state = 'used'
    ) took (one) WHERE took.one IS NOT NULL
"""
_DEALERS = (
    "NOT {0}.dealers <@ ({1}) OR NOT {0}.dealers @> ARRAY(SELECT croupier_id FROM tables_round"
    " WHERE id = {0}.{2})"
)


def _dealers(row: str, round_id: str = "round_id") -> str:
    """SQL: those who may not sign are not the ones who dealt, and others than the authors."""
    return _DEALERS.format(row, _HANDS.format(row, round_id), round_id)


_CLAIM_STEPS = "'claim.fixed', 'claim.verified', 'claim.refused', 'claim.dropped'"
CLAIMS = Rule(
    "jackpot_claim",
    "c.id",
    f"""jackpot_claim c LEFT JOIN jackpot_hit h ON h.id = c.hit_id
        LEFT JOIN jackpot_listedround l ON l.hit_id = c.hit_id AND l.round_id = c.round_id
        LEFT JOIN (SELECT o.id, row_number() OVER (PARTITION BY o.hit_id ORDER BY v.id) AS number
            FROM jackpot_claim o
                   LEFT JOIN payouts_event v ON (v.subject_kind, v.subject_id, v.name) = ('claim',
                       o.id::text, 'claim.made')) turn
            ON turn.id = c.id
        LEFT JOIN {event("claim", "c.id", "'claim.made'")} made ON true
        LEFT JOIN {event("claim", "c.id", "'claim.made', 'claim.fixed'")} boxed ON true
        LEFT JOIN {event("claim", "c.id", _CLAIM_STEPS)} step ON true""",
    {
        "id": "made.id IS NULL",
        "house_id": "c.house_id IS DISTINCT FROM h.house_id",
        "hit_id": "h.number::text IS DISTINCT FROM made.after ->> 'hit'",
        "number": "c.number IS DISTINCT FROM turn.number",
        "round_id": "l.id IS NULL",
        "table_id": "c.table_id IS DISTINCT FROM l.table_id",
        "box": "c.box::text IS DISTINCT FROM boxed.after ->> 'box'",
        "guest_id": """CASE WHEN c.box IS NULL THEN c.guest_id IS NOT NULL
            ELSE NOT EXISTS (SELECT FROM tables_roundstake k
            WHERE (k.round_id, k.box, k.guest_id) = (c.round_id, c.box, c.guest_id)
                AND k.kind = 'coin' AND k.revision = 0) END""",
        "origin": "c.origin IS DISTINCT FROM made.after ->> 'origin'",
        "state": """c.state IS DISTINCT FROM CASE WHEN step.id IS NULL THEN CASE WHEN c.box IS NULL
            THEN 'called' ELSE 'open' END
            WHEN step.name = 'claim.fixed' THEN 'open' ELSE substr(step.name, 7) END""",
        "dealers": _dealers("c"),
        # What a claim that was dropped had been looked at for stays beside it.
        "checklist": """step.name IS DISTINCT FROM 'claim.dropped' AND c.checklist IS DISTINCT FROM
            CASE step.name WHEN 'claim.verified'
                THEN nullif(step.after -> 'checklist', 'null') END""",
        "made_by_id": "c.made_by_id IS DISTINCT FROM made.actor_id",
        "made_at": apart("c.made_at", "made.at"),
        "decided_by_id": """step.name IS DISTINCT FROM 'claim.dropped'
            AND c.decided_by_id IS DISTINCT FROM
            CASE WHEN step.name <> 'claim.fixed' THEN step.actor_id END""",
        "decided_at": f"""CASE WHEN coalesce(step.name, 'claim.fixed') = 'claim.fixed'
            THEN c.decided_at IS NOT NULL
            ELSE {apart("c.decided_at", "step.at")} END""",
        "reason": "c.reason IS DISTINCT FROM coalesce(step.reason, '')",
    },
)
HITS = Rule(
    "jackpot_hit",
    "h.id",
    f"""jackpot_hit h
        LEFT JOIN {
        event(
            "jackpot",
            "h.jackpot_id",
            "'jackpot.verifying'",
            more="v.after ->> 'hit' = h.number::text",
        )
    } drained ON true
        LEFT JOIN {
        event(
            "jackpot",
            "h.jackpot_id",
            "'jackpot.showing'",
            more="v.after ->> 'hit' = h.number::text",
        )
    } over ON true
        LEFT JOIN payouts_approval a ON a.action = 'jackpot.reject' AND a.subject_kind = 'hit'
            AND a.subject_id = h.id::text
            AND a.state = 'used'""",
    {
        "state": """h.state IS DISTINCT FROM CASE WHEN over.after ? 'rejected' THEN 'rejected'
            WHEN over.id IS NOT NULL THEN 'paid'
            WHEN drained.id IS NOT NULL THEN 'verifying' ELSE 'draining' END""",
        "drained_at": (
            "CASE WHEN drained.id IS NULL THEN h.drained_at IS NOT NULL ELSE"
            f" {apart('h.drained_at', 'drained.at')} END"
        ),
        "ended_at": (
            "CASE WHEN over.id IS NULL THEN h.ended_at IS NOT NULL ELSE"
            f" {apart('h.ended_at', 'over.at')} END"
        ),
        "reason": "h.reason IS DISTINCT FROM coalesce(a.payload ->> 'reason', '')",
    },
)
_STANDS = """NOT EXISTS (SELECT FROM payouts_event b
    WHERE (b.subject_kind, b.subject_id, b.name) = ('slip', s.id::text, 'slip.taken_back')
        AND b.id > v.id)"""
SLIPS = Rule(
    "jackpot_slip",
    "s.id",
    f"""jackpot_slip s LEFT JOIN {event("slip", "s.id", "'slip.made'")} made ON true
        LEFT JOIN {event("slip", "s.id", "'slip.paid'", more=_STANDS)} paid ON true
        LEFT JOIN {event("slip", "s.id", "'slip.cancelled'")} off ON true""",
    {
        # Of slips that were sealed before they had one no seal holds it.
        "incarnation": (
            "s.incarnation::text IS DISTINCT FROM coalesce(made.after ->> 'incarnation', '1')"
        ),
        "state": """s.state IS DISTINCT FROM CASE WHEN off.id IS NOT NULL THEN 'cancelled'
            WHEN paid.id IS NOT NULL THEN 'paid'
            ELSE 'open' END""",
        "paid_at": (
            "CASE WHEN paid.id IS NULL THEN s.paid_at IS NOT NULL ELSE"
            f" {apart('s.paid_at', 'paid.at')} END"
        ),
        "paid_by_id": "s.paid_by_id IS DISTINCT FROM paid.actor_id",
        "cash_minor": "s.cash_minor::text IS DISTINCT FROM paid.after ->> 'cash_minor'",
        "cancelled_at": (
            "CASE WHEN off.id IS NULL THEN s.cancelled_at IS NOT NULL ELSE"
            f" {apart('s.cancelled_at', 'off.at')} END"
        ),
        "cancelled_as": "s.cancelled_as IS DISTINCT FROM coalesce(off.after ->> 'how', '')",
        "reason": "s.reason IS DISTINCT FROM coalesce(off.reason, '')",
    },
)
# A prize stands in a line of its round's result; Envy for another linked table is a coin there, and
# a transfer of its own.
PRIZES = Rule(
    "jackpot_waitingprize",
    "p.id",
    """jackpot_waitingprize p LEFT JOIN tables_round r ON r.id = p.round_id
        LEFT JOIN tables_roundresult x ON x.round_id = p.source_id AND x.revision = p.revision
        LEFT JOIN tables_roundline l ON p.source_id = p.round_id AND l.round_id = p.round_id
            AND l.revision = p.revision
            AND l.place = p.place
        LEFT JOIN payouts_transfer t ON t.house_id = p.house_id AND t.key = 'envy:' || p.id
        LEFT JOIN tables_roundstake k ON l.id IS NULL AND t.id IS NOT NULL
            AND k.round_id = p.round_id AND k.revision = 0
            AND k.kind = 'coin' AND k.box = p.place
        LEFT JOIN LATERAL (SELECT v.id, s.id AS slip, s.state FROM jackpot_award v LEFT
            JOIN jackpot_slip s ON s.award_id = v.id
            WHERE v.prize_id = p.id ORDER BY s.number DESC, v.id LIMIT 1) w ON true
        LEFT JOIN LATERAL (SELECT sum(e.amount_minor) AS minor FROM payouts_entry e
            JOIN payouts_account a ON a.id = e.account_id
            WHERE e.transfer_id = t.id AND a.kind = 'prizes_waiting') owed ON true""",
    {
        # One of no hit was asked for by itself.
        "id": """w.id IS NULL AND p.state = 'waiting' AND p.hit_id IS NULL
            AND NOT EXISTS (SELECT FROM payouts_approval a
            WHERE a.action = 'jackpot.prize' AND a.subject_kind = 'prize'
                AND a.subject_id = p.id::text)""",
        "house_id": "p.house_id IS DISTINCT FROM r.house_id",
        "jackpot_id": "p.jackpot_id IS DISTINCT FROM r.jackpot_id",
        "hit_id": """p.hit_id IS NOT NULL AND NOT EXISTS (SELECT FROM jackpot_listedround o
            WHERE o.hit_id = p.hit_id
            AND o.round_id IN (p.round_id, p.source_id))""",
        "source_id": "x.id IS NULL",
        "round_id": "l.id IS NULL AND t.id IS NULL",
        "revision": "x.id IS NULL",
        "place": "l.id IS NULL AND k.id IS NULL",
        "table_id": "p.table_id IS DISTINCT FROM r.table_id",
        "box": "p.box IS DISTINCT FROM coalesce(l.box, k.box)",
        "guest_id": "p.guest_id IS DISTINCT FROM coalesce(l.guest_id, k.guest_id)",
        "kind": "p.kind IS DISTINCT FROM coalesce(l.kind, 'envy')",
        "amount_minor": "p.amount_minor IS DISTINCT FROM coalesce(l.prize_minor, -owed.minor)",
        "dealers": _dealers("p", "source_id"),
        # One whose slip was cancelled stays awarded until people ask for it again.
        "state": """p.state IS DISTINCT FROM CASE WHEN w.id IS NOT NULL AND w.state IS DISTINCT
            FROM 'cancelled' THEN 'awarded'
            WHEN t.id IS NOT NULL AND EXISTS (SELECT FROM payouts_transfer b
                WHERE b.reverses_id = t.id) THEN 'dropped'
            WHEN t.id IS NULL AND EXISTS (SELECT FROM tables_roundresult n
                WHERE n.round_id = p.source_id AND n.revision > p.revision) THEN 'dropped'
            WHEN w.id IS NOT NULL AND NOT EXISTS (SELECT FROM payouts_event e, payouts_event made
                WHERE (e.name, e.subject_kind, e.subject_id) = ('prize.asked_again', 'prize',
                    p.id::text)
                AND (made.name, made.subject_kind, made.subject_id) = ('slip.made', 'slip',
                    w.slip::text) AND e.id > made.id)
                THEN 'awarded'
            ELSE 'waiting' END""",
        "at": apart("p.at", "x.at"),
    },
)
RUNNING = Rule(
    "jackpot_runninground",
    "n.round_id",
    "jackpot_runninground n LEFT JOIN tables_round r ON r.id = n.round_id",
    {
        "started_at": apart("n.started_at", "r.locked_at"),
        "ended_at": (
            "CASE WHEN r.ended_at IS NULL THEN n.ended_at IS NOT NULL ELSE"
            f" {apart('n.ended_at', 'r.ended_at')} END"
        ),
    },
)
# A gate lapses when the next one is made, when a hit begins, or when the jackpot closes.
GATES = Rule(
    "jackpot_gate",
    "g.id",
    f"""jackpot_gate g LEFT JOIN jackpot_jackpot j ON j.id = g.jackpot_id
        LEFT JOIN {
        event("jackpot", "g.jackpot_id", "'gate.made'", more="v.after ->> 'gate' = g.number::text")
    } made ON true
        LEFT JOIN {
        event(
            "jackpot", "g.jackpot_id", "'jackpot.open'", more="v.after ->> 'gate' = g.number::text"
        )
    } passed ON true
        LEFT JOIN {
        event(
            "jackpot",
            "g.jackpot_id",
            "'gate.made', 'jackpot.draining', 'jackpot.closed', 'jackpot.showing'",
            newest=False,
            more="v.id > made.id",
        )
    } lapsed ON true
        LEFT JOIN {
        event("jackpot", "g.jackpot_id", "'jackpot.draining'", more="v.id < made.id")
    } began ON true
        LEFT JOIN jackpot_hit after ON after.jackpot_id = g.jackpot_id
            AND after.number::text = began.after ->> 'hit'""",
    {
        "id": "NOT EXISTS (SELECT FROM jackpot_gatedisplay d WHERE d.gate_id = g.id)",
        "house_id": "g.house_id IS DISTINCT FROM made.house_id",
        "jackpot_id": "made.id IS NULL",
        "number": "made.id IS NULL",
        "amount_minor": "g.amount_minor::text IS DISTINCT FROM made.after ->> 'amount_minor'",
        "hit_id": "g.hit_id IS DISTINCT FROM after.id",
        "state": """g.state IS DISTINCT FROM CASE WHEN passed.id IS NOT NULL THEN 'passed'
            WHEN j.gate_id = g.id THEN 'open'
            ELSE 'lapsed' END""",
        "made_at": apart("g.made_at", "made.at"),
        "ended_at": f"""CASE g.state WHEN 'open' THEN g.ended_at IS NOT NULL WHEN 'passed'
            THEN {apart("g.ended_at", "passed.at")}
            ELSE {apart("g.ended_at", "lapsed.at")} END""",
    },
)
_OF_DISPLAY = "v.after ->> 'display' = q.display_id::text"
# A display may be taken out and required again, and a clock be set back between: the event of a row
# is the one of its moment.
_ADDED = """LATERAL (SELECT * FROM payouts_event v
        WHERE (v.subject_kind, v.subject_id, v.name) = ('jackpot', q.jackpot_id::text,
            'display.required')
            AND v.after ->> 'display' = q.display_id::text
        ORDER BY abs(extract(epoch FROM v.at - q.added_at)), v.id LIMIT 1)"""
DISPLAYS = Rule(
    "jackpot_requireddisplay",
    "q.id",
    f"""jackpot_requireddisplay q
        LEFT JOIN {_ADDED} added ON true
        LEFT JOIN {
        event(
            "jackpot",
            "q.jackpot_id",
            "'display.out'",
            newest=False,
            more=_OF_DISPLAY + " AND v.id > added.id",
        )
    } gone ON true""",
    {
        "house_id": "q.house_id IS DISTINCT FROM added.house_id",
        "jackpot_id": "added.id IS NULL",
        "display_id": "added.id IS NULL",
        "name": "q.name IS DISTINCT FROM added.after ->> 'name'",
        "added_at": apart("q.added_at", "added.at"),
        "ended_at": (
            "CASE WHEN gone.id IS NULL THEN q.ended_at IS NOT NULL ELSE"
            f" {apart('q.ended_at', 'gone.at')} END"
        ),
        "reason": "q.reason IS DISTINCT FROM coalesce(gone.reason, '')",
    },
)
_OF_GATE = "v.after ->> 'gate' = g.number::text AND v.after ->> 'display' = d.name"
SHOWN = Rule(
    "jackpot_gatedisplay",
    "d.id",
    f"""jackpot_gatedisplay d LEFT JOIN jackpot_gate g ON g.id = d.gate_id
        LEFT JOIN {
        event("jackpot", "g.jackpot_id", "'gate.made'", more="v.after ->> 'gate' = g.number::text")
    } made ON true
        LEFT JOIN {
        event(
            "jackpot",
            "g.jackpot_id",
            "'display.required', 'display.out'",
            more="v.after ->> 'display' = d.display_id::text AND v.id < made.id",
        )
    } required ON true
        LEFT JOIN {
        event("jackpot", "g.jackpot_id", "'gate.confirmed'", more=_OF_GATE)
    } confirmed ON true
        LEFT JOIN {
        event(
            "jackpot",
            "g.jackpot_id",
            "'display.out'",
            newest=False,
            more="v.after ->> 'display' = d.display_id::text AND v.id > made.id",
        )
    } gone ON confirmed.id IS NULL""",
    {
        "gate_id": "g.id IS NULL",
        "house_id": "d.house_id IS DISTINCT FROM g.house_id",
        "display_id": "required.name IS DISTINCT FROM 'display.required'",
        "name": "required.after ->> 'name' IS DISTINCT FROM d.name",
        "state": """CASE WHEN confirmed.id IS NOT NULL THEN d.state <> 'confirmed'
            WHEN gone.id IS NULL THEN d.state <> 'waiting'
            ELSE d.state = 'confirmed' END""",
        "at": (
            "CASE d.state WHEN 'waiting' THEN d.at IS NOT NULL ELSE"
            f" {apart('d.at', 'coalesce(confirmed.at, gone.at)')} END"
        ),
        "shown": "d.shown IS DISTINCT FROM coalesce(confirmed.after ->> 'shown', '')",
        "reason": "d.reason IS DISTINCT FROM CASE d.state WHEN 'out' THEN gone.reason ELSE '' END",
    },
)
_HALTS = "'jackpot.suspended', 'jackpot.resumed', 'jackpot.restored'"
_STEPS = "', '".join(f"jackpot.{one}" for one in Phase.values if one != Phase.SUSPENDED)
JACKPOTS = Rule(
    "jackpot_jackpot",
    "j.id",
    f"""jackpot_jackpot j LEFT JOIN {event("jackpot", "j.id", "'jackpot.created'")} made ON true
        LEFT JOIN {event("jackpot", "j.id", "'jackpot.created', 'jackpot.parameters_set'")} told
            ON true
        LEFT JOIN {event("jackpot", "j.id", f"'{_STEPS}'")} step ON true
        LEFT JOIN {event("jackpot", "j.id", _HALTS)} halt ON true
        LEFT JOIN {event("jackpot", "j.id", "'jackpot.restored'")} restored ON true
        LEFT JOIN LATERAL (SELECT g.id FROM jackpot_gate g WHERE g.jackpot_id = j.id
            ORDER BY g.number DESC LIMIT 1) gate ON true
        LEFT JOIN LATERAL (SELECT o.id FROM jackpot_epoch o WHERE o.jackpot_id = j.id
            ORDER BY o.number DESC LIMIT 1) epoch ON true
        LEFT JOIN jackpot_hit hit ON hit.jackpot_id = j.id
            AND hit.state IN ('draining', 'verifying')""",
    {
        "id": "made.id IS NULL",
        "house_id": "j.house_id IS DISTINCT FROM made.house_id",
        "name": "j.name IS DISTINCT FROM told.after ->> 'name'",
        "progressive": "j.progressive IS DISTINCT FROM told.after ->> 'progressive'",
        "funding": "j.funding IS DISTINCT FROM told.after ->> 'funding'",
        "rules": "j.rules IS DISTINCT FROM told.after ->> 'rules'",
        "offline_linked": "j.offline_linked IS DISTINCT FROM told.after ->> 'offline_linked'",
        "phase": """(j.phase = 'suspended')
                <> coalesce(halt.name IN ('jackpot.suspended', 'jackpot.restored'), false)
            OR j.phase <> 'suspended' AND halt.id IS NULL
                AND j.phase <> coalesce(substr(step.name, 9), 'open')""",
        "kept_phase": """j.kept_phase IS DISTINCT FROM CASE WHEN j.phase = 'suspended'
            THEN nullif(j.kept_phase, '') ELSE '' END
            OR j.phase = 'suspended' AND step.id > halt.id
                AND j.kept_phase <> substr(step.name, 9)""",
        "epoch_id": "j.epoch_id IS DISTINCT FROM epoch.id",
        "hit_id": "j.hit_id IS DISTINCT FROM hit.id",
        "gate_id": "j.gate_id IS NOT NULL AND j.gate_id IS DISTINCT FROM gate.id",
        "incarnation": (
            "j.incarnation::text IS DISTINCT FROM coalesce(restored.after ->> 'incarnation', '1')"
        ),
        "created_at": apart("j.created_at", "made.at"),
    },
)
RULES = (CLAIMS, HITS, SLIPS, PRIZES, RUNNING, GATES, DISPLAYS, SHOWN, JACKPOTS)
