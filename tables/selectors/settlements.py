"""Sessions by their counts (RES-1): the rows of the report of settlements, and one of them with its
counts for its sheet.
"""

from datetime import date, datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from payouts.rules.ledger.postings import check_house
from tables.models import TableSession
from tables.selectors.versions import as_it_stood

# `sat`: the sessions of the days, each with the signatures between which it was played; until
# `next_at` a drop box that is taken is its own, and from `done_at` on nothing more comes into it.
# `fed`: fills, above nothing, and credits, found by their days: of a tray's entries they are few.
# `gaps`: what is left of the differences of its counts, and what has set them back (CNT-10).
# `counted`: a session is worth what its tray and its boxes say; what nobody has counted is NULL.
# A box counts for the session in which it was taken, as far as its buy-ins are of no other one.
COUNTED = """
    sat AS (
        SELECT s.id, s.table_id, s.gaming_day AS day, s.opened_at, s.closed_at,
            o.account_version AS first, o.signed_at AS since, opened.value_minor AS opener,
            g.account_version AS last, g.signed_at AS until, shut.value_minor AS closer,
            g.counter_id, g.witness_id, coalesce(c.begun_at, s.closed_at) AS done_at,
            (SELECT min(n.opened_at) FROM tables_tablesession n
                WHERE n.table_id = s.table_id AND n.opened_at > s.opened_at) AS next_at
        FROM tables_tablesession s
        LEFT JOIN payouts_countsignature o ON o.count_id = s.opener_id AND o.stands
        LEFT JOIN payouts_countentry opened ON opened.id = o.entry_id
        LEFT JOIN payouts_count c ON c.id = s.closer_id
        LEFT JOIN payouts_countsignature g ON g.count_id = s.closer_id AND g.stands
        LEFT JOIN payouts_countentry shut ON shut.id = g.entry_id
        WHERE s.house_id = %(house)s AND s.gaming_day BETWEEN %(first)s AND %(last)s
            AND (%(table)s::uuid IS NULL OR s.table_id = %(table)s)
    ), fed AS MATERIALIZED (
        SELECT a.owner_id AS table_id, e.account_version AS version, t.kind,
            abs(e.amount_minor) AS minor
        FROM payouts_transfer t JOIN payouts_entry e ON e.transfer_id = t.id
        JOIN payouts_account a ON a.id = e.account_id AND a.kind = 'tray'
        WHERE t.house_id = %(house)s AND t.kind IN ('fill', 'credit')
            AND t.posted_at BETWEEN (SELECT min(since) FROM sat) AND (SELECT max(until) FROM sat)
    ), fills AS (
        SELECT s.id, sum(f.minor) FILTER (WHERE f.kind = 'fill') AS filled,
            sum(f.minor) FILTER (WHERE f.kind = 'credit') AS credited
        FROM sat s JOIN fed f ON f.table_id = s.table_id AND f.version > s.first
            AND f.version <= s.last
        GROUP BY s.id
    ), own AS (
        SELECT s.id AS session_id, n.id, n.place_kind FROM sat s
        JOIN payouts_count n ON n.session_id = s.id AND n.place_kind = 'tray'
            AND n.state = 'signed'
        UNION ALL SELECT s.id, n.id, n.place_kind FROM sat s
        JOIN payouts_count n ON (n.place_id, n.place_kind, n.state) = (s.table_id, 'drop', 'signed')
            AND n.begun_at >= s.opened_at AND (s.next_at IS NULL OR n.begun_at < s.next_at)
    ), gaps AS (
        SELECT n.session_id AS id, sum(b.minor) AS set_back,
            sum(g.difference_minor - coalesce(b.minor, 0)) AS minor,
            sum(g.difference_minor - coalesce(b.minor, 0)) FILTER (WHERE n.place_kind = 'drop')
                AS boxes
        FROM own n JOIN payouts_countsignature g ON g.count_id = n.id AND g.stands
        LEFT JOIN LATERAL (SELECT sum(k.amount_minor) AS minor FROM payouts_countback k
            WHERE k.count_id = n.id) b ON true
        GROUP BY n.session_id
    ), sold AS (
        SELECT s.id, sum(b.amount_minor) AS minor FROM sat s
        JOIN tables_buyin b ON b.session_id = s.id
        LEFT JOIN tables_entryreversal r ON r.buy_in_id = b.id
        WHERE r.id IS NULL GROUP BY s.id
    ), boxed AS (
        SELECT s.*, coalesce(f.filled, 0) AS filled, coalesce(f.credited, 0) AS credited,
            coalesce(d.minor, 0) AS sold, coalesce(g.minor, 0) AS gap,
            coalesce(g.set_back, 0) AS set_back,
            CASE WHEN EXISTS (SELECT FROM payouts_count n WHERE n.place_id = s.table_id
                    AND n.place_kind = 'drop' AND n.state = 'signed' AND n.begun_at >= s.done_at)
                THEN coalesce(d.minor, 0) + coalesce(g.boxes, 0) END AS dropped
        FROM sat s LEFT JOIN fills f ON f.id = s.id LEFT JOIN gaps g ON g.id = s.id
        LEFT JOIN sold d ON d.id = s.id
    ), counted AS (
        SELECT b.*, b.dropped + b.closer + b.credited - b.opener - b.filled AS won FROM boxed b
    )"""

# Recorded is what the rounds and hands of a session, and the chips of its guests at seats, moved
# between tray and drop, whenever they came: a buy-in moves as much out of the one as into the
# other. Of rounds that told no result there is no difference (CNT-7).
SETTLED = f"""
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

# The counts that a session is settled by, as they were signed, with its opener.
_COUNTS = f"""
    WITH {COUNTED}, mine AS (
        SELECT id FROM own WHERE session_id = %(session)s
        UNION SELECT opener_id FROM tables_tablesession WHERE id = %(session)s
    )
    SELECT c.id, g.entry_id, c.place_kind, c.purpose, g.signed_at, e.value_minor,
        g.difference_minor, b.minor, d.id, d.state, x.code, counter.full_name, witness.full_name
    FROM mine m JOIN payouts_count c ON c.id = m.id
    JOIN payouts_countsignature g ON g.count_id = c.id AND g.stands
    JOIN payouts_countentry e ON e.id = g.entry_id
    JOIN casino_person counter ON counter.id = g.counter_id
    JOIN casino_person witness ON witness.id = g.witness_id
    LEFT JOIN LATERAL (SELECT coalesce(sum(k.amount_minor), 0)::bigint AS minor
        FROM payouts_countback k WHERE k.count_id = c.id) b ON true
    LEFT JOIN tables_difference d ON d.count_id = c.id
    LEFT JOIN LATERAL (SELECT o.code FROM tables_explanation o WHERE o.difference_id = d.id
        ORDER BY o.at DESC LIMIT 1) x ON true
    ORDER BY g.signed_at, c.id
"""


class TableSettlement(NamedTuple):
    """A closed session by its counts and by its rounds, in minor units; None: not counted, and the
    difference where a round told no result. `coverage`: rounds that tell, a slash, all rounds.
    """

    gaming_day: date
    table_name: str
    game: str
    opened_at: datetime
    closed_at: datetime
    opener_minor: int | None
    filled_minor: int | None
    credited_minor: int | None
    sold_minor: int
    dropped_minor: int | None
    tipped_minor: int
    closer_minor: int | None
    counted_minor: int | None
    recorded_minor: int
    difference_minor: int | None
    set_back_minor: int
    coverage: str
    people: str
    session_id: UUID


class SettledCount(NamedTuple):
    """A signed count of a session. `back_minor`: what came later and set its difference back.
    `difference_id`, `state`, `code`: where it was so far from the books that it is explained.
    """

    count_id: UUID
    entry_id: int
    place: str
    purpose: str
    signed_at: datetime
    value_minor: int
    difference_minor: int
    back_minor: int
    difference_id: UUID | None
    state: str | None
    code: str | None
    counter: str
    witness: str


_FIELDS = ", ".join(TableSettlement._fields)
_MINOR = ", ".join(
    f"{name}::bigint" if name.endswith("_minor") else name for name in TableSettlement._fields
)
_ONE = f"""
    SELECT {_MINOR} FROM ({SETTLED}) settled ({_FIELDS})
    WHERE session_id = %(session)s AND closer_minor IS NOT NULL
"""


def settlement(session: TableSession) -> TableSettlement | None:
    """What the report says of a session; None until it is closed on a signed closer. One
    statement.
    """
    rows = [TableSettlement(*row) for row in _rows(_ONE, session)]
    return rows[0] if rows else None


def settled_counts(session: TableSession) -> list[SettledCount]:
    """Its opener, the counts of its tray, and of the drop boxes taken from it, as they were
    signed. One statement.
    """
    return [SettledCount(*row) for row in _rows(_COUNTS, session)]


def _rows(sql: str, session: TableSession) -> list[tuple[Any, ...]]:
    check_house(session.house_id)
    values: dict[str, Any] = {
        "house": session.house_id,
        "first": session.gaming_day,
        "last": session.gaming_day,
        "table": session.table_id,
        "session": session.pk,
    }
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())
