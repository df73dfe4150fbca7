"""Named checks of the books in SQL, each of which must return no row. Run in tests, each minute by
beat, by `manage.py audit`.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from payouts.audit_recent import recent
from payouts.db.durability import undurable_settings
from payouts.db.gives_way import gives_way
from payouts.db.guards import missing_guards
from payouts.db.rights import needless_rights, owned, powers
from payouts.findings import Breach, Findings, Tell
from payouts.rules.ledger.chart import CHART, CLAIMS, POSITIONS
from payouts.rules.plain import Json

ROWS_MAX = 100  # rows shown of one breach: enough to see what it is
BATCH = 1000  # rows that are read in one go where every one is counted
STATEMENT_S = 60  # of what is new: the next run is due
WHOLE_STATEMENT_S = 7200  # an audit that reads all books: far longer than a command may take
LOCK_S = 2  # it waits for nobody but who changes a table's shape, and then another minute will do

_CHART_ROWS = ", ".join(
    f"('{kind.code}', '{kind.side}', {bool(kind.detail)})" for kind in CHART.values()
)
AUDITS: dict[str, str] = {
    "entries_sum_to_zero_per_transfer": """
        SELECT transfer_id, sum(amount_minor)::text AS difference FROM payouts_entry
        GROUP BY transfer_id HAVING sum(amount_minor) <> 0
    """,
    "entries_sum_to_zero_in_all": """
        SELECT house_id, sum(amount_minor)::text AS difference FROM payouts_entry
        GROUP BY house_id HAVING sum(amount_minor) <> 0
    """,
    "transfers_have_entries": """
        SELECT t.id AS transfer_id FROM payouts_transfer t
        WHERE NOT EXISTS (SELECT FROM payouts_entry e WHERE e.transfer_id = t.id)
    """,
    "balances_equal_entries": """
        SELECT a.id AS account_id, a.balance_minor, coalesce(sum(e.amount_minor),
            0)::text AS entries_minor
        FROM payouts_account a LEFT JOIN payouts_entry e ON e.account_id = a.id
        GROUP BY a.id HAVING a.balance_minor <> coalesce(sum(e.amount_minor), 0)
    """,
    "versions_without_gap": """
        SELECT a.id AS account_id, a.version, count(e.id) AS entries,
            min(e.account_version) AS first, max(e.account_version) AS last
        FROM payouts_account a LEFT JOIN payouts_entry e ON e.account_id = a.id
        GROUP BY a.id
        HAVING a.version <> count(e.id) OR coalesce(min(e.account_version), 1) <> 1
            OR coalesce(max(e.account_version), 0) <> count(e.id)
    """,
    "balances_after_run_on": """
        SELECT id AS entry_id, account_id, balance_after_minor, should_be::text FROM (
            SELECT id, account_id, balance_after_minor,
                sum(amount_minor) OVER (PARTITION BY account_id
                    ORDER BY account_version) AS should_be
            FROM payouts_entry
        ) running WHERE balance_after_minor <> should_be
    """,
    "one_house_per_transfer": """
        SELECT e.id AS entry_id, e.transfer_id, e.account_id FROM payouts_entry e
        LEFT JOIN payouts_transfer t ON t.id = e.transfer_id AND t.house_id = e.house_id
        LEFT JOIN payouts_account a ON a.id = e.account_id AND a.house_id = e.house_id
        WHERE t.id IS NULL OR a.id IS NULL
    """,
    "no_account_of_foreign_currency": """
        SELECT a.id AS account_id, a.currency, h.currency AS house_currency
        FROM payouts_account a JOIN payouts_house h ON h.id = a.house_id
            WHERE a.currency <> h.currency
    """,
    # Kind, side and detail are what the app role says when it opens an account; the database keeps
    # a balance on its side only.
    "accounts_are_of_the_chart": f"""
        SELECT a.id AS account_id, a.kind, a.side, a.detail_id::text FROM payouts_account a
        LEFT JOIN (
            VALUES {_CHART_ROWS})
            AS chart (kind, side, has_detail) ON chart.kind = a.kind
        WHERE (a.side, a.detail_id IS NOT NULL) IS DISTINCT FROM (chart.side, chart.has_detail)
    """,
    "reversals_mirror_their_transfer": """
        SELECT r.id AS reversal_id, r.reverses_id AS transfer_id FROM payouts_transfer r
        WHERE r.reverses_id IS NOT NULL AND EXISTS (
            SELECT account_id, sum(amount_minor) FROM payouts_entry
                WHERE transfer_id IN (r.id, r.reverses_id)
            GROUP BY account_id HAVING sum(amount_minor) <> 0
        )
    """,
    "chips_outside_are_claims": f"""
        SELECT house_id, sum(balance_minor)::text AS difference FROM payouts_account
        WHERE kind IN ('chips_outside', {", ".join(repr(kind) for kind in CLAIMS)})
        GROUP BY house_id HAVING sum(balance_minor) <> 0
    """,
    # All legs sum to zero, so where chips lie does by itself, and values with it.
    "circles_balance": f"""
        SELECT e.transfer_id, sum(e.amount_minor)::text AS positions
        FROM payouts_entry e JOIN payouts_account a ON a.id = e.account_id
        WHERE a.kind IN {POSITIONS}
        GROUP BY e.transfer_id HAVING sum(e.amount_minor) <> 0
    """,
    # A transfer and its entries are written by one call, so they carry one transaction number; a
    # row that was updated behind the triggers, or slipped in later, carries another. Holds across
    # physical backups; a restored dump gives every row a new number.
    "entries_written_with_their_transfer": """
        SELECT e.id AS entry_id, e.transfer_id FROM payouts_entry e JOIN payouts_transfer t
            ON t.id = e.transfer_id
        WHERE e.xmin <> t.xmin
    """,
    # PostgreSQL counts updated and deleted rows of each table since its statistics began; a refused
    # attempt does not count.
    "append_only_tables_unchanged": """
        SELECT relname AS table, n_tup_upd AS updated, n_tup_del AS deleted FROM pg_stat_user_tables
        WHERE (n_tup_upd > 0 OR n_tup_del > 0) AND EXISTS (
            SELECT FROM pg_trigger WHERE tgrelid = relid AND tgname = 'append_only_row'
        )
        UNION ALL SELECT 'nothing is counted: track_counts', 0, 0
            WHERE NOT current_setting('track_counts')::bool
    """,
    "approvals_used_were_signed": """
        SELECT a.id::text AS approval_id, r.signers, count(s.id) AS signed FROM payouts_approval a
        JOIN payouts_approvalrule r ON r.id = a.rule_id
        LEFT JOIN payouts_approvalsignature s ON s.approval_id = a.id
            AND s.payload_hash = a.payload_hash
            AND s.signer_id IS DISTINCT FROM a.requester_id AND NOT s.signer_id = ANY (a.excluded)
            AND s.signed_at <= a.expires_at
        WHERE a.state = 'used' GROUP BY a.id, r.id HAVING count(s.id) < r.signers
    """,
    # What stands beside a payload is what its digest in it says.
    "lists_are_what_was_signed": """
        SELECT a.id::text AS approval_id, signed.list FROM payouts_approval a
        CROSS JOIN LATERAL jsonb_each(a.payload -> 'lists') AS signed (list, told)
        LEFT JOIN payouts_approvallist l ON l.approval_id = a.id AND l.name = signed.list
        WHERE a.payload ? 'lists' AND signed.told ->> 'sha256' IS DISTINCT
            FROM encode(sha256(convert_to(l.text, 'UTF8')), 'hex')
    """,
    # From the first inventory on, or where chips came in by the piece from the start, the pieces
    # are what the stock is worth (CHP-4).
    "chips_are_issued": """
        SELECT counted.house_id, moved.minor::text AS pieces_minor,
            stock.minor::text AS stock_minor
        FROM (
            SELECT house_id FROM payouts_inventory
            UNION SELECT a.house_id FROM payouts_account a
                JOIN payouts_entry e ON (e.account_id, e.account_version) = (a.id, 1)
                JOIN payouts_chipmove m ON m.transfer_id = e.transfer_id
            WHERE a.kind = 'chip_stock'
        ) counted
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(m.value_minor
                * CASE m.to_place WHEN 'stock' THEN -m.pieces ELSE m.pieces END), 0) AS minor
            FROM payouts_chipmove m WHERE m.house_id = counted.house_id
        ) moved
        CROSS JOIN LATERAL (
            SELECT coalesce(-sum(a.balance_minor), 0) AS minor FROM payouts_account a
            WHERE (a.house_id, a.kind) = (counted.house_id, 'chip_stock')
        ) stock
        WHERE moved.minor <> stock.minor
    """,
    "commands_are_answered": """
        SELECT key FROM payouts_commandkey WHERE answer IS NULL
    """,
}

# Checks of upper floors, which this one does not know: their apps put them here when they are
# loaded.
REGISTERED: dict[str, str] = {}

# The same of what SQL alone cannot compare.
COMPUTED: dict[str, Callable[[], list[Breach]]] = {}

# Questions whose rows say that somebody still has to record something: the books are right all the
# same.
NOTICES: dict[str, str] = {}


def register(
    checks: Mapping[str, str],
    notices: Mapping[str, str] | None = None,
    computed: Mapping[str, Callable[[], list[Breach]]] | None = None,
) -> None:
    """Have `run_audits` ask these too, by name, and `run_notices` those. Raises ValueError for a
    name of another check.
    """
    COMPUTED.update(computed or {})
    for asked, more in ((REGISTERED, checks), (NOTICES, notices or {})):
        for name, sql in more.items():
            if {**AUDITS, **REGISTERED, **NOTICES}.get(name, sql) != sql:
                raise ValueError(f"two audits are called {name}")
            asked[name] = sql


@dataclass(frozen=True, slots=True)
class AuditResult:
    """One check's outcome: its name, the first rows in breach (as plain data), how long it took
    (seconds), how many there are.

    `count` is None where nobody asked for more than the first rows. `looked_at`: how much it looked
    at, where it goes through one after the other.
    """

    name: str
    breaches: list[dict[str, Json]]
    seconds: float
    count: int | None = None
    looked_at: int | None = None


def run_audits(
    *, tell: Tell | None = None, low: Mapping[str, int] | None = None
) -> list[AuditResult]:
    """Run every check in one read-only REPEATABLE READ snapshot, so that the checks speak of one
    moment. Takes no locks.

    `tell`: have every row in breach counted and told, instead of looking at the first hundred.
    `low`: by table, the number above which rows are new: only they are asked about, wherever a
    check can (`payouts/audit_recent.py`).

    Raises OperationalError when one check takes longer than 2 hours (of what is new: 60 s), waits
    longer than 2 s for a table being changed, or a table that was read is to be changed.
    """
    limit_s = WHOLE_STATEMENT_S if low is None else STATEMENT_S
    with gives_way(), transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute(
                "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;"
                f" SET LOCAL statement_timeout = '{limit_s}s'; SET LOCAL lock_timeout ="
                f" '{LOCK_S}s';"
                # all rows are wanted, not the first ones soon
                " SET LOCAL cursor_tuple_fraction = 1"
            )
        every = {**AUDITS, **REGISTERED}
        if low is not None:
            every = {name: recent(name, sql, low) for name, sql in every.items()}
        results = [
            run_whole(name, sql, tell) if tell else _run(name, sql) for name, sql in every.items()
        ]
        results += [_listed(name, breaches(), tell) for name, breaches in COMPUTED.items()]
        results.append(_listed("guards_in_place", _guards(missing_guards()), tell))
        rights = [*powers(), *owned(), *needless_rights()]
        results.append(_listed("rights_as_declared", _guards(rights), tell))
        undurable = [f"{name} = {value}" for name, value in undurable_settings()]
        results.append(_listed("commits_are_durable", _guards(undurable), tell))
    return results


def run_notices() -> list[AuditResult]:
    """What somebody still has to record, such as chips brought to a table. A breach of none of
    these is a fault of the books.
    """
    return [_run(name, sql) for name, sql in NOTICES.items()]


def run_whole(name: str, sql: str, tell: Tell) -> AuditResult:
    """Ask one check for every row, a thousand at a time; inside the caller's transaction."""
    started, found = time.monotonic(), Findings(name, tell)
    with connection.cursor() as cursor:
        cursor.execute(f"DECLARE audited NO SCROLL CURSOR FOR {sql}")
        while True:
            cursor.execute(f"FETCH {BATCH} FROM audited")
            rows = _rows(cursor)
            found.extend(rows)
            if len(rows) < BATCH:
                break
        cursor.execute("CLOSE audited")
    return AuditResult(name, found.rows, time.monotonic() - started, found.count)


def _run(name: str, sql: str) -> AuditResult:
    started = time.monotonic()
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM ({sql}) AS breach LIMIT {ROWS_MAX}")
        rows = _rows(cursor)
    return AuditResult(name, rows, time.monotonic() - started)


def _rows(cursor: CursorWrapper) -> list[dict[str, Json]]:
    columns = [column.name for column in cursor.description]
    return [
        {name: _plain(value) for name, value in zip(columns, row, strict=True)}
        for row in cursor.fetchall()
    ]


def _guards(names: list[str]) -> list[Breach]:
    return [{"guard": name} for name in names]


def _listed(name: str, breaches: list[Breach], tell: Tell | None) -> AuditResult:
    if tell is None:
        return AuditResult(name, breaches[:ROWS_MAX], 0.0)
    findings = Findings(name, tell)
    findings.extend(breaches)
    return AuditResult(name, findings.rows, 0.0, findings.count)


def _plain(value: object) -> Json:
    return value if value is None or isinstance(value, int | str) else str(value)
