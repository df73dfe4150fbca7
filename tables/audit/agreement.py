"""Rounds, sessions, tables and what has to be clarified, held against what is sealed of them
(`payouts/agreement.py`).
"""

from payouts.agreement import Rule, apart, digest_of, event
from payouts.rules.ledger.chart import CHART
from tables.audit.agreement_counts import OF_COUNTS

# The lock's print (`lock_print` of `tables.services.rounds.lock`), computed from the sealed stakes:
# table, stakes in their order, played without the server. Of rounds that ended without a result an
# event tells; of the others the first result, which fixes who and when. In which order a session's
# rounds came, the numbers of their stakes tell, and from which round on an entry level holds, its
# event: by times a clock that was set back would accuse somebody. Events of before say no number.
_GIVEN_BACK = "r.state NOT IN ('locked', 'settled')"
_ENDED_AT = "CASE r.state WHEN 'settled' THEN first.at ELSE told.at END"
_FROM = "CASE name WHEN 'table.opened' THEN 1 ELSE (after ->> 'from_round')::int END"
ROUNDS = Rule(
    "tables_round",
    "r.id",
    f"""tables_round r LEFT JOIN tables_tablesession s ON s.id = r.session_id LEFT
        JOIN jackpot_epoch e ON e.id = r.epoch_id
        LEFT JOIN payouts_transfer lock ON lock.house_id = r.house_id
            AND lock.key = 'round:' || r.id || ':lock'
        LEFT JOIN tables_roundresult first ON first.round_id = r.id AND first.revision = 1
        LEFT JOIN (SELECT round_id, string_agg(format('[%s,"%s",%s,%s]', box, guest_id,
            to_json(kind), offered_minor), ','
                          ORDER BY box, kind COLLATE "C", guest_id::text COLLATE "C") AS stakes,
                              min(id) AS first
                   FROM tables_roundstake WHERE revision = 0 AND placed = 0 GROUP BY round_id) laid
                       ON laid.round_id = r.id
        LEFT JOIN (SELECT o.id, row_number() OVER of_session AS number, s.first, max(s.first)
            OVER of_session AS last
                   FROM tables_round o LEFT JOIN (SELECT round_id, min(id) AS first
                       FROM tables_roundstake
                                                  WHERE revision = 0 GROUP BY round_id) s
                                                      ON s.round_id = o.id
                   WHERE o.session_id IS NOT NULL
                   WINDOW of_session AS (PARTITION BY o.session_id ORDER BY o.number)) turn
                       ON turn.id = r.id
        LEFT JOIN (SELECT after ->> 'session' AS session, after ->> 'entry_level' AS level, at,
            {_FROM} AS number,
                          lead(at, 1, 'infinity') OVER of_session AS until, lead({_FROM})
                              OVER of_session AS next
                   FROM payouts_event WHERE name IN ('table.opened', 'table.entry_level_set')
                   WINDOW of_session AS (PARTITION BY after ->> 'session' ORDER BY id)) entered
            ON entered.session = r.session_id::text
                AND CASE WHEN entered.number IS NULL THEN r.locked_at >= entered.at
                    ELSE r.number >= entered.number END
                AND CASE WHEN entered.next IS NULL THEN entered.until = 'infinity'
                    OR r.locked_at < entered.until
                    ELSE r.number < entered.next END
        LEFT JOIN {event("round", "r.id", "'round.' || r.state", more=_GIVEN_BACK)} told ON true""",
    {
        "number": "r.number IS DISTINCT FROM turn.number OR turn.first < turn.last",
        "entry_level": "r.state <> 'withdrawn' AND r.entry_level IS DISTINCT FROM entered.level",
        "versions": """r.versions IS DISTINCT FROM s.versions || CASE WHEN e.id IS NULL THEN '{}'
            ELSE jsonb_strip_nulls(
            jsonb_build_object('progressive', e.progressive_id, 'funding', e.funding_id,
                'jackpot_rules', e.rules_id)) END""",
        "lock_hash": """r.state <> 'withdrawn' AND r.lock_hash IS DISTINCT FROM sha256(convert_to(
            format('["%s",[%s],%s]', r.table_id, laid.stakes, CASE WHEN r.queued THEN 'true'
                ELSE 'false' END), 'UTF8'))""",
        "queued": "r.state = 'withdrawn' AND r.queued",
        "croupier_id": """CASE WHEN r.state = 'withdrawn' THEN r.croupier_id IS NOT NULL
            ELSE lock.id IS NOT NULL AND r.croupier_id IS DISTINCT FROM lock.actor_id END""",
        "locked_at": (
            "(lock.id IS NOT NULL OR told.id IS NOT NULL AND r.state = 'withdrawn') AND"
            f" {apart('r.locked_at', 'coalesce(lock.posted_at, told.at)')}"
        ),
        "ended_at": f"""CASE WHEN r.state = 'locked' THEN r.ended_at IS NOT NULL
            ELSE {apart("r.ended_at", _ENDED_AT)} END""",
        "ended_by_id": """r.ended_by_id IS DISTINCT FROM CASE r.state WHEN 'locked' THEN NULL
            WHEN 'settled' THEN first.entered_by_id ELSE told.actor_id END""",
        "reason": "r.reason IS DISTINCT FROM coalesce(told.reason, '')",
    },
)
SESSIONS = Rule(
    "tables_tablesession",
    "s.id",
    f"""tables_tablesession s
        LEFT JOIN {
        event("table", "s.table_id", "'table.opened'", more="v.after ->> 'session' = s.id::text")
    } opened ON true
        LEFT JOIN {
        event(
            "table",
            "s.table_id",
            "'table.opened', 'table.entry_level_set'",
            more="v.after ->> 'session' = s.id::text",
        )
    } entered ON true
        LEFT JOIN {
        event("table", "s.table_id", "'table.closed'", more="v.after ->> 'session' = s.id::text")
    } closed ON true
        LEFT JOIN LATERAL (SELECT * FROM tables_handover h WHERE h.session_id = s.id
            ORDER BY h.id DESC LIMIT 1) hand ON true""",
    {
        "entry_level": "s.entry_level IS DISTINCT FROM entered.after ->> 'entry_level'",
        "croupier_id": (
            "s.croupier_id::text IS DISTINCT FROM coalesce(hand.to_croupier_id::text, opened.after"
            " ->> 'croupier')"
        ),
        "closer_id": "s.closer_id::text IS DISTINCT FROM closed.after ->> 'closer'",
        "closed_by_id": "s.closed_by_id IS DISTINCT FROM closed.actor_id",
        "closed_at": (
            "CASE WHEN closed.id IS NULL THEN s.closed_at IS NOT NULL ELSE"
            f" {apart('s.closed_at', 'closed.at')} END"
        ),
    },
)
TABLES = Rule(
    "tables_table",
    "t.id",
    f"""tables_table t LEFT JOIN {event("table", "t.id", "'table.changed'")} changed ON true
        LEFT JOIN tables_tableversion v ON (v.table_id, v.number) = (t.id, t.version)
        LEFT JOIN {event("table", "t.id", "'table.linked'")} linked ON true
        LEFT JOIN {event("table", "t.id", "'table.opened', 'table.closed'")} opened ON true""",
    {
        "version": "t.version <> coalesce((changed.after ->> 'version')::int, 1)",
        **{
            column: f"t.{column} IS DISTINCT FROM v.{column}"
            for column in ("pit_id", "name", "position", "boxes", "posted", "retired")
        },
        "jackpot_id": "t.jackpot_id::text IS DISTINCT FROM linked.after ->> 'jackpot'",
        "session_id": """t.session_id::text IS DISTINCT FROM
            CASE opened.name WHEN 'table.opened' THEN opened.after ->> 'session' END""",
    },
)
CLARIFIED = Rule(
    "tables_toclarify",
    "c.id",
    f"""tables_toclarify c LEFT JOIN {event("to_clarify", "c.id", "'clarify.recorded'")} made
        ON true
        LEFT JOIN {event("to_clarify", "c.id", "'clarify.taken', 'clarify.dismissed'")} closed
            ON true""",
    {
        "id": "made.id IS NULL",
        "house_id": "c.house_id IS DISTINCT FROM made.house_id",
        "table_id": (
            "NOT EXISTS (SELECT FROM tables_table t WHERE t.id = c.table_id AND t.house_id ="
            " c.house_id)"
        ),
        "play": "c.play IS DISTINCT FROM coalesce(made.after ->> 'play', 'round')",
        "kind": "c.kind IS DISTINCT FROM made.after ->> 'kind'",
        "code": "c.code IS DISTINCT FROM made.after ->> 'code'",
        "sent_by_id": "c.sent_by_id IS DISTINCT FROM made.actor_id",
        "received_at": apart("c.received_at", "made.at"),
        "state": "c.state IS DISTINCT FROM coalesce(substr(closed.name, 9), 'open')",
        "closed_by_id": "c.closed_by_id IS DISTINCT FROM closed.actor_id",
        "closed_at": (
            "CASE WHEN closed.id IS NULL THEN c.closed_at IS NOT NULL ELSE"
            f" {apart('c.closed_at', 'closed.at')} END"
        ),
        "reason": "c.reason IS DISTINCT FROM coalesce(closed.reason, '')",
    },
)
STAYS = Rule(
    "tables_pokerstay",
    "p.guest_id",
    f"""tables_pokerstay p
        LEFT JOIN {event("stay", "p.guest_id", "'stay.away', 'stay.back'")} paused ON true
        LEFT JOIN {
        event(
            "stay",
            "p.guest_id",
            "'stay.left', 'stay.moved'",
            more="(v.name = 'stay.left' OR v.after ? 'stay')",
        )
    } ended ON true""",
    {
        "away_since": (
            "CASE WHEN paused.name = 'stay.away' THEN"
            f" {apart('p.away_since', 'paused.at')} ELSE p.away_since IS NOT NULL END"
        ),
        "left_at": (
            "CASE WHEN ended.id IS NULL THEN p.left_at IS NOT NULL ELSE"
            f" {apart('p.left_at', 'ended.at')} END"
        ),
    },
)
HANDS = Rule(
    "tables_hand",
    "h.id",
    f"""tables_hand h
        LEFT JOIN LATERAL (SELECT max(r.revision) AS revision FROM tables_handresult r
            WHERE r.hand_id = h.id) last ON true
        LEFT JOIN {event("hand", "h.id", "'hand.voided'")} voided ON true""",
    {
        "state": (
            "h.state IS DISTINCT FROM CASE WHEN voided.id IS NULL THEN 'ended' ELSE 'voided' END"
        ),
        "revision": "h.revision IS DISTINCT FROM last.revision",
    },
)
# Whose an account of a table is, the audits ask of those that rounds move; of the rest (drop,
# tronc, rake) nothing sealed tells.
_OWNED = {"house": "a.owner_id = a.house_id", "jackpot": "j.id IS NOT NULL"}
_DETAIL = {"epoch": "e.id IS NOT NULL", "stay": "p.guest_id IS NOT NULL", "": "false"}
_DETAILS = " ".join(f"WHEN '{kind.code}' THEN {_DETAIL[kind.detail]}" for kind in CHART.values())
_OWNER = " ".join(
    f"WHEN '{kind.code}' THEN {_OWNED.get(kind.owner, 'true')}" for kind in CHART.values()
)
ACCOUNTS = Rule(
    "payouts_account",
    "a.id",
    """payouts_account a LEFT JOIN jackpot_jackpot j
        ON (j.id, j.house_id) = (a.owner_id, a.house_id)
        LEFT JOIN jackpot_epoch e ON (e.id, e.house_id) = (a.detail_id, a.house_id)
        LEFT JOIN tables_pokerstay p ON (p.guest_id, p.house_id) = (a.detail_id, a.house_id)""",
    {
        "owner_id": f"NOT CASE a.kind {_OWNER} ELSE false END",
        "detail_id": f"a.detail_id IS NOT NULL AND NOT CASE a.kind {_DETAILS} ELSE false END",
    },
)
RULES = (ROUNDS, SESSIONS, TABLES, CLARIFIED, STAYS, HANDS, ACCOUNTS, *OF_COUNTS)
DIGESTS = (
    digest_of(
        "tables_toclarify",
        "payload, payload_hash",
        "SELECT id, payload_hash, payload::text FROM tables_toclarify",
    ),
)
