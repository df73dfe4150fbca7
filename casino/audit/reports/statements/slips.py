"""Reports about money that leaves by hand: payouts above an amount, slips and the gaps between
their numbers.
"""

from casino.audit.reports.shape import Column, Kind
from casino.text.floor import AWARD_KINDS, CANCELS, LINE_KINDS
from casino.text.states import labels
from jackpot.models import Slip
from payouts.errors import mark
from payouts.rules.rulesets.paytable import BY_NAME, WORDS
from tables.selectors.versions import of_session

_STATES = labels(Slip.State) | {
    "missing": mark("number missing"),
    "struck": mark("struck by a correction"),
}

# Numbers are looked at from the last one before these days to the last one in them: what is missing
# between stands in the list.
_SLIPS = f"""
    WITH span AS (
        SELECT coalesce(max(number) FILTER (WHERE made_at < %(since)s), 0) + 1 AS low,
            max(number) AS high
        FROM jackpot_slip WHERE house_id = %(house)s AND made_at < %(until)s
    ), numbers AS (SELECT generate_series(low, high) AS number FROM span)
    SELECT coalesce(slip_written_v1(s.number, s.incarnation), n.number::text),
        CASE WHEN s.id IS NULL THEN 'missing' ELSE s.state END, coalesce(w.kind, ''),
            w.amount_minor, s.cash_minor,
        (SELECT sum(x.amount_minor) FROM payouts_transfer p JOIN payouts_entry x
            ON x.transfer_id = p.id
            JOIN payouts_account a ON a.id = x.account_id AND a.kind = 'cash_rounding'
            WHERE p.house_id = %(house)s AND p.key IN ('award:' || w.id || ':slip_paid',
                'award:' || w.id || ':slip_paid_again')
                AND NOT EXISTS (SELECT FROM payouts_transfer b WHERE b.reverses_id = p.id)),
        s.made_at, s.due_on, s.paid_at, coalesce(c.full_name, ''), s.paid_at IS NOT NULL
            AND gaming_day_v1(s.paid_at, h.time_zone, h.gaming_day_change) > s.due_on,
        coalesce(s.cancelled_as, ''), coalesce(v.name, ''), w.box, w.round_id,
            coalesce(s.reason, '')
    FROM numbers n JOIN payouts_house h ON h.id = %(house)s
    LEFT JOIN jackpot_slip s ON s.house_id = %(house)s AND s.number = n.number LEFT
        JOIN jackpot_award w ON w.id = s.award_id
    LEFT JOIN tables_table t ON t.id = w.table_id LEFT JOIN casino_person c ON c.id = s.paid_by_id
    LEFT JOIN tables_round r ON r.id = w.round_id
    {of_session("r.session_id", "w.at")}
    WHERE s.id IS NULL OR ((%(table)s::uuid IS NULL OR w.table_id = %(table)s)
        AND (%(croupier)s::uuid IS NULL OR r.croupier_id = %(croupier)s) AND (%(game)s::text IS NULL
            OR t.game = %(game)s)
        AND (%(version)s::uuid IS NULL
             OR EXISTS (SELECT FROM jsonb_each_text(r.versions) v
                 WHERE v.value = %(version)s::text)))
    ORDER BY n.number
"""

SLIPS = Kind(
    "slips",
    mark("Slips"),
    mark(
        "Every slip number in a row, with what became of it; a number that is missing stands among"
        " them."
    ),
    (
        Column("number", mark("Slip")),
        Column("state", mark("State"), "code", words=_STATES),
        Column("kind", mark("Kind"), "code", words=AWARD_KINDS),
        Column("amount", mark("Amount"), "money", total=True),
        Column("cash", mark("Paid in cash"), "money", total=True),
        Column("rounding", mark("Rounding"), "money", total=True),
        Column("made_at", mark("Made"), "moment"),
        Column("due_on", mark("Due on"), "day"),
        Column("paid_at", mark("Paid"), "moment"),
        Column("paid_by", mark("Paid by")),
        Column("late", mark("Paid late"), "number", total=True),
        Column("cancelled_as", mark("Cancelled"), "code", words=CANCELS),
        Column("table", mark("Table")),
        Column("box", mark("Box"), "number"),
        Column("round_id", mark("Id of the round"), "id", to="audit-round"),
        Column("reason", mark("Reason"), wide=True),
    ),
    _SLIPS,
    takes=frozenset({"table", "game", "croupier", "version"}),
    struck=lambda row: row[1] == Slip.State.CANCELLED,
    note=mark(
        "Slips that were made on these days. A missing number is of no table, and stands in the"
        " list of each. A slip that was cancelled stands struck and is in no total."
    ),
)

# A line of a round and an award by a slip are two ways of one prize: what waited for an approval is
# told as its award. Lines of a result that no longer counts stand among them, struck.
_PAYOUTS = f"""
    WITH lines AS (
        SELECT s.gaming_day AS day, x.at, 'line' AS source, r.table_id, r.session_id, r.number,
            r.id AS round_id, l.box, l.kind, l.hand,
            l.won_minor + CASE WHEN w.id IS NULL THEN l.prize_minor ELSE 0 END AS amount,
                x.entered_by_id AS person_id,
            '' AS slip,
            CASE WHEN r.state = 'settled' AND l.revision = r.revision THEN ''
                ELSE 'struck' END AS state
        FROM tables_tablesession s JOIN tables_round r ON r.session_id = s.id
        JOIN tables_roundline l ON l.round_id = r.id
            -- of a sum one part is half of it or more: so large lines are found by their index
            -- (tables.models.rounds.LARGE_MINOR)
            AND (l.won_minor >= (%(least)s::bigint + 1) / 2
                OR l.prize_minor >= (%(least)s::bigint + 1) / 2)
        JOIN tables_roundresult x ON x.round_id = r.id AND x.revision = l.revision
        LEFT JOIN jackpot_waitingprize w ON w.source_id = r.id AND w.round_id = r.id
            AND w.revision = l.revision AND w.place = l.place
        WHERE s.house_id = %(house)s AND s.gaming_day BETWEEN %(first)s AND %(last)s
            AND (%(croupier)s::uuid IS NULL OR r.croupier_id = %(croupier)s)
            AND (%(version)s::uuid IS NULL
                 OR EXISTS (SELECT FROM jsonb_each_text(r.versions) v
                     WHERE v.value = %(version)s::text))
        UNION ALL
        SELECT t.gaming_day, w.at, 'award', w.table_id, r.session_id, r.number, w.round_id, w.box,
            w.kind, '', w.amount_minor, s.paid_by_id,
            coalesce(slip_written_v1(s.number, s.incarnation), ''), s.state
        FROM jackpot_award w JOIN payouts_transfer t ON t.id = w.transfer_id LEFT
            JOIN jackpot_slip s ON s.award_id = w.id
        LEFT JOIN tables_round r ON r.id = w.round_id
        WHERE w.house_id = %(house)s AND t.gaming_day BETWEEN %(first)s AND %(last)s
            AND (%(croupier)s::uuid IS NULL OR r.croupier_id = %(croupier)s)
            AND (%(version)s::uuid IS NULL
                 OR EXISTS (SELECT FROM jsonb_each_text(r.versions) v
                     WHERE v.value = %(version)s::text))
    )
    SELECT f.day, f.at, f.source, v.name, f.number, f.round_id, f.box, f.kind, f.hand, f.amount,
        coalesce(f.slip, ''), f.state,
        coalesce(p.full_name, '')
    FROM lines f JOIN tables_table t ON t.id = f.table_id LEFT JOIN casino_person p
        ON p.id = f.person_id
    {of_session("f.session_id", "f.at")}
    WHERE f.amount > 0 AND f.amount >= %(least)s AND (%(table)s::uuid IS NULL
        OR f.table_id = %(table)s)
        AND (%(game)s::text IS NULL OR t.game = %(game)s)
    ORDER BY f.day, f.at, v.name, f.round_id, f.box, f.kind, f.source, f.amount
"""

PAYOUTS = Kind(
    "payouts",
    mark("Payouts above an amount"),
    mark(
        "What guests were paid at once from an amount on: at the table by a round’s line, at the"
        " cage by a slip."
    ),
    (
        Column("day", mark("Gaming day"), "day"),
        Column("at", mark("Time"), "moment"),
        Column(
            "source",
            mark("Way"),
            "code",
            words={"line": mark("at the table"), "award": mark("by a slip")},
        ),
        Column("table", mark("Table")),
        Column("round", mark("Round"), "number"),
        Column("round_id", mark("Id of the round"), "id", to="audit-round"),
        Column("box", mark("Box"), "number"),
        Column("kind", mark("Kind"), "code", words=LINE_KINDS | AWARD_KINDS),
        Column(
            "hand",
            mark("Hand"),
            "code",
            words={name: WORDS[hand] for name, hand in BY_NAME.items()},
        ),
        Column("amount", mark("Amount"), "money", total=True),
        Column("slip", mark("Slip")),
        Column("state", mark("State"), "code", words=_STATES),
        Column("person", mark("Person")),
    ),
    _PAYOUTS,
    takes=frozenset({"table", "game", "croupier", "version", "least"}),
    rounds="days",
    struck=lambda row: row[11] in ("struck", Slip.State.CANCELLED),
    note=mark(
        "A line’s amount is what was won on top of its stake, and a prize paid at the table; a"
        " prize that waited for signatures is told as its award. What a correction took back, and a"
        " slip that was cancelled, stands struck and is in no total."
    ),
)
