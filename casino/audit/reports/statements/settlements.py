"""What each session of a table was worth, by its counts and by its rounds (RES-1)."""

from django.utils.translation import gettext as _

from casino.audit.reports.shape import Column, Kind
from casino.audit.reports.statements.counted import COUNTED
from casino.audit.reports.statements.tables import as_it_stood
from payouts.errors import mark
from payouts.models import House
from tables.games import GAMES

GAME_TITLES = {code: game.title for code, game in GAMES.items()}
# Recorded is what the rounds and hands of a session, and the chips of its guests at seats, moved
# between tray and drop, whenever they came: a buy-in moves as much out of the one as into the
# other. Of rounds that told no result there is no difference (CNT-7).
_SETTLEMENTS = f"""
    WITH {COUNTED}, done AS (
        SELECT * FROM counted WHERE closed_at IS NOT NULL
    ), plays AS (
        SELECT s.id AS session_id, r.id, r.state = 'settled' AS counts,
            r.entry_level <> 'jackpot_only' AS tells
        FROM done s JOIN tables_round r ON r.session_id = s.id
        UNION ALL SELECT s.id, h.id, h.state = 'ended', true
        FROM done s JOIN tables_hand h ON h.session_id = s.id
    ), covered AS (
        SELECT session_id, count(*) AS rounds, count(*) FILTER (WHERE tells) AS told
        FROM plays WHERE counts GROUP BY session_id
    ), recorded AS (
        SELECT b.session_id, sum(e.amount_minor) AS minor
        FROM (SELECT session_id, id FROM plays UNION ALL SELECT s.id, g.id
            FROM done s JOIN tables_guest g ON g.session_id = s.id) b
        JOIN payouts_transfer t ON t.subject_id = b.id
        JOIN payouts_entry e ON e.transfer_id = t.id
        JOIN payouts_account a ON a.id = e.account_id AND a.kind IN ('tray', 'drop')
        GROUP BY b.session_id
    ), given AS (
        SELECT s.id, sum(p.amount_minor) AS minor FROM done s
        JOIN tables_tip p ON p.session_id = s.id
        LEFT JOIN tables_entryreversal r ON r.tip_id = p.id
        WHERE r.id IS NULL GROUP BY s.id
    )
    SELECT s.day, v.name, t.game, s.opened_at, s.closed_at, s.opener,
        CASE WHEN s.opener IS NOT NULL AND s.closer IS NOT NULL THEN s.filled END,
        CASE WHEN s.opener IS NOT NULL AND s.closer IS NOT NULL THEN s.credited END,
        s.sold, s.dropped, coalesce(p.minor, 0), s.closer, s.won, coalesce(m.minor, 0),
        CASE WHEN coalesce(c.told, 0) = coalesce(c.rounds, 0)
            THEN s.won - coalesce(m.minor, 0) END,
        s.set_back, format('%%s/%%s', coalesce(c.told, 0), coalesce(c.rounds, 0)),
        concat_ws(', ', counter.full_name, witness.full_name), s.id
    FROM done s JOIN tables_table t ON t.id = s.table_id
    {as_it_stood("o.id = s.id")}
    LEFT JOIN covered c ON c.session_id = s.id
    LEFT JOIN recorded m ON m.session_id = s.id
    LEFT JOIN given p ON p.id = s.id
    LEFT JOIN casino_person counter ON counter.id = s.counter_id
    LEFT JOIN casino_person witness ON witness.id = s.witness_id
    ORDER BY s.day, v.position, v.name, s.opened_at, s.id
"""


def _coverage(text: str, _house: House) -> str:
    """How many rounds of how many told a result."""
    telling, _slash, rounds = text.partition("/")
    return _("%(told)s of %(rounds)s") % {"told": telling, "rounds": rounds}


SETTLEMENTS = Kind(
    "settlements",
    mark("Table settlements"),
    mark(
        "What each session of a table was worth: opener, fills, credits, drop and closer as they"
        " were counted, beside what its rounds and hands say."
    ),
    (
        Column("day", mark("Gaming day"), "day"),
        Column("table", mark("Table")),
        Column("game", mark("Game"), "code", words=GAME_TITLES),
        Column("opened", mark("Opened"), "moment"),
        Column("closed", mark("Closed"), "moment"),
        Column("opener", mark("Opening tray"), "money"),
        Column("fills", mark("Fills"), "money", total=True, complete=True),
        Column("credits", mark("Credits"), "money", total=True, complete=True),
        Column("drop", mark("Drop, recorded"), "money", total=True),
        Column("drop_counted", mark("Drop, counted"), "money", total=True, complete=True),
        Column("tips", mark("Tips"), "money", total=True),
        Column("closer", mark("Closing tray"), "money"),
        Column("counted", mark("Result, counted"), "money", total=True, complete=True),
        Column("recorded", mark("Result, recorded"), "money", total=True),
        Column("difference", mark("Difference"), "money", total=True, complete=True),
        Column("set_back", mark("Set back"), "money", total=True),
        Column("coverage", mark("Rounds that tell"), tells=_coverage),
        Column("people", mark("Counted and witnessed by")),
        Column("session_id", mark("Id of the session"), "id"),
    ),
    _SETTLEMENTS,
    takes=frozenset({"table"}),
    rounds="days",
    note=mark(
        "Counted is drop, closer and credits less opener and fills. Recorded is result, coins and"
        " fees of rounds and hands less prizes paid at the table, overrides and faults of the"
        " house. A dash stands for what nobody has counted, and for the difference where a round"
        " told no result: there the count is the result. What came after a closer was set back,"
        " and the count stands. The cash of a drop box counts for the session in which the box was"
        " taken, its buy-ins for their own."
    ),
)
