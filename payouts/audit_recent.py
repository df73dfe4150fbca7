"""What the minute's audit reads: what was written since the last one that was sound, with all that
belongs to it.

The audits stay as they are. Before them stand views of the same names (WITH), which hold only what
was touched: a transfer with all its entries and what it reverses, a round with all its rows. What
is older was asked about when it was new; by night all is asked about again
(`casino/ops/heartbeats.py`). Where an audit goes on from what stood before, its question about new
rows is its own.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from payouts.decided import Look, decided, look

# Tables by whose numbers one can tell what is new; upper floors add theirs.
MARKED = ["payouts_transfer", "payouts_entry"]


def listed(rows: str, kind: str) -> str:
    """SQL: the ids that a query gives, of which the planner counts on a hundred; of rows above a
    mark it counts on one, and joins thousands of them in nested loops.
    """
    return (
        f"SELECT jsonb_array_elements_text((SELECT coalesce(jsonb_agg(id), '[]') FROM ({rows}) AS"
        f" found (id)))::{kind}"
    )


def of_each(few: str, table: str, column: str) -> str:
    """SQL: the rows of a table for each id of a few, by an index, whatever the planner thinks; with
    who wrote them (`xmin`).
    """
    return (
        f"LATERAL (SELECT r.*, r.xmin FROM public.{table} r WHERE r.{column} = {few}.id OFFSET 0)"
    )


# A transfer is new, or an entry of it is.
_FRESH = """
        SELECT id FROM public.payouts_transfer WHERE id > {payouts_transfer}
        UNION SELECT transfer_id FROM public.payouts_entry WHERE id > {payouts_entry}
"""
_MOVED = """
        SELECT id FROM fresh
        UNION SELECT t.reverses_id FROM fresh JOIN public.payouts_transfer t ON t.id = fresh.id
            WHERE t.reverses_id IS NOT NULL
"""
_BOOKS = f"""
    payouts_transfer AS (SELECT t.* FROM moved CROSS
        JOIN {of_each("moved", "payouts_transfer", "id")} t),
    payouts_entry AS (SELECT e.* FROM moved CROSS
        JOIN {of_each("moved", "payouts_entry", "transfer_id")} e)
"""
# What upper floors put between them: views by name, and whose transfers are read besides.
_VIEWS: dict[str, str] = {}
_MOVED_BY: list[str] = []

# Of the newest entry of each account follows its balance, and of each new entry the one before it.
_LAST = """LEFT JOIN LATERAL (SELECT * FROM public.payouts_entry e WHERE e.account_id = a.id
                                  ORDER BY e.account_version DESC LIMIT 1)
            last ON true"""
_BEFORE = """LEFT JOIN public.payouts_entry before
            ON before.account_id = e.account_id
                AND before.account_version = e.account_version - 1"""
OWN: dict[str, str] = {
    "balances_equal_entries": f"""
        SELECT a.id AS account_id, a.balance_minor, coalesce(last.balance_after_minor,
            0) AS entries_minor
        FROM payouts_account a {_LAST} WHERE a.balance_minor <> coalesce(last.balance_after_minor,
            0)
    """,
    "versions_without_gap": f"""
        SELECT a.id AS account_id, a.version, last.account_version AS last
            FROM payouts_account a {_LAST}
        WHERE a.version <> coalesce(last.account_version, 0)
        UNION ALL SELECT e.account_id, e.account_version, before.account_version
            FROM payouts_entry e {_BEFORE}
        WHERE e.account_version > 1 AND before.id IS NULL
    """,
    "balances_after_run_on": f"""
        SELECT e.id AS entry_id, e.account_id, e.balance_after_minor,
            (coalesce(before.balance_after_minor, 0) + e.amount_minor)::text AS should_be
        FROM payouts_entry e {_BEFORE}
        WHERE e.balance_after_minor <> coalesce(before.balance_after_minor, 0) + e.amount_minor
    """,
}
# Asked of what is new in the words in which they are asked of all.
SAME = [
    "entries_sum_to_zero_per_transfer",
    "entries_sum_to_zero_in_all",
    "transfers_have_entries",
    "circles_balance",
    "one_house_per_transfer",
    "reversals_mirror_their_transfer",
    "entries_written_with_their_transfer",
]


class Marks(NamedTuple):
    """Up to which number of each table rows were audited, and what was seen then
    (`payouts/decided.py`).
    """

    low: Mapping[str, int]
    look: Look


def register(
    *,
    views: Mapping[str, str],
    moved_by: str,
    marked: Sequence[str],
    same: Sequence[str],
    own: Mapping[str, str],
) -> None:
    """Have the minute's audit know an upper floor: its views, whose transfers it reads, its tables
    and its audits of new rows.
    """
    _VIEWS.update(views)
    if moved_by not in _MOVED_BY:
        _MOVED_BY.append(moved_by)
    MARKED.extend(table for table in marked if table not in MARKED)
    SAME.extend(name for name in same if name not in SAME)
    OWN.update(own)


def is_recent(name: str) -> bool:
    """Whether an audit is asked about new rows alone each minute."""
    return name in OWN or name in SAME


def recent(name: str, sql: str, low: Mapping[str, int]) -> str:
    """The question of an audit about what is new above `low`; `sql` itself where it is asked about
    all each minute.
    """
    if not is_recent(name):
        return sql
    at = {table: int(low.get(table, 0)) for table in MARKED}
    views = ",".join(f"{view} AS ({query.format(**at)})" for view, query in _VIEWS.items())
    fresh = f"fresh (id) AS MATERIALIZED ({listed(_FRESH.format(**at), 'bigint')})"
    moved = f"moved (id) AS MATERIALIZED ({listed(' UNION '.join([_MOVED, *_MOVED_BY]), 'bigint')})"
    return f"WITH {', '.join(filter(None, [fresh, views, moved, _BOOKS]))} {OWN.get(name, sql)}"


def marked(earlier: Sequence[Marks]) -> Marks:
    """Look, before anything is read: what is decided now need not be asked about again if the audit
    that follows is sound.

    `earlier`: marks of the last runs, newest first; what they knew is not lost.
    """
    now = look(dict.fromkeys(MARKED, "id"))
    found = decided(now, (one.look for one in earlier))
    low = dict(earlier[0].low) if earlier else {}
    if found:
        low = {table: max(low.get(table, 0), found.highest.get(table, 0)) for table in MARKED}
    return Marks(low, now)
