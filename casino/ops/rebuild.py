"""Balances, sub-meters and amounts computed anew from what was written once, into a schema of their
own, and compared.

The schema stays until the next time, for whoever wants to look; the serving role has no right to
it. Done in one snapshot, by the owner role.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings
from django.db import connection, transaction

from casino.database import OWNING, database_config
from jackpot.models import Jackpot
from jackpot.selectors.jackpots import meters_read
from payouts.errors import Refused, mark
from payouts.rules.ledger.chart import METER
from payouts.rules.plain import Json

SCHEMA = "rebuilt"
# Each from rows that never change: balances from entries, sub-meters of running epochs from the
# coins of rounds, amounts from the entries of everything that belongs to a running epoch.
TABLES = {
    "account": """
        SELECT a.id AS account_id, coalesce(sum(e.amount_minor), 0)::bigint AS balance_minor,
            count(e.id) AS version
        FROM payouts_account a LEFT JOIN payouts_entry e ON e.account_id = a.id GROUP BY a.id
    """,
    "sub_meter": """
        SELECT c.epoch_id, c.table_id, sum(c.meter_minor)::bigint AS amount_minor
            FROM jackpot_contribution c
        JOIN jackpot_jackpot j ON j.epoch_id = c.epoch_id WHERE j.phase <> 'retired'
            GROUP BY c.epoch_id, c.table_id
    """,
    "meter": f"""
        SELECT j.id AS jackpot_id, held.sum_minor, j.version_base + held.versions AS version,
            least(greatest(held.sum_minor, 0), (f.data ->> 'cap_minor')::bigint) AS shown_minor
        FROM jackpot_jackpot j JOIN jackpot_epoch o ON o.id = j.epoch_id JOIN payouts_postedtable f
            ON f.id = o.funding_id
        CROSS JOIN LATERAL (
            SELECT (-coalesce(sum(e.amount_minor), 0))::bigint AS sum_minor, count(e.id) AS versions
            FROM payouts_account a JOIN payouts_entry e ON e.account_id = a.id
            WHERE a.detail_id = j.epoch_id AND a.kind IN {METER}
        ) AS held
    """,
}
COMPARED = {
    "account": f"""
        SELECT a.id::text, a.kind, a.balance_minor, r.balance_minor, a.version, r.version
            FROM payouts_account a
        JOIN {SCHEMA}.account r ON r.account_id = a.id
        WHERE (a.balance_minor, a.version) <> (r.balance_minor, r.version) ORDER BY a.id
    """,
    "sub_meter": f"""
        SELECT a.id::text, a.kind, -a.balance_minor, coalesce(r.amount_minor, 0), NULL, NULL
        FROM payouts_account a JOIN jackpot_jackpot j ON j.epoch_id = a.detail_id
        LEFT JOIN {SCHEMA}.sub_meter r ON (r.epoch_id, r.table_id) = (a.detail_id, a.owner_id)
        WHERE a.kind = 'sub_meter' AND j.phase <> 'retired'
            AND -a.balance_minor <> coalesce(r.amount_minor, 0) ORDER BY a.id
    """,
}


class OwnerNeeded(Refused):
    """The owner role is not known here, and no other one makes a schema."""

    code = "rebuild.owner_needed"
    sentence = mark("Only the role that owns the tables can rebuild them beside the old ones.")
    remedy = mark("Set DATABASE_OWNER_URL and try again.")


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """One table that was computed anew: how many rows, and those that stand otherwise in the
    books."""

    name: str
    rows: int
    different: list[dict[str, Json]]


def rebuild() -> list[Rebuilt]:
    """Compute everything anew and compare it with what stands. Raises OwnerNeeded."""
    with _as_owner(), transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        cursor.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
        cursor.execute(f"CREATE SCHEMA {SCHEMA}")
        rows: dict[str, int] = {}
        for name, sql in TABLES.items():
            cursor.execute(f"CREATE TABLE {SCHEMA}.{name} AS {sql}")
            rows[name] = cursor.rowcount
        different = {name: list(_compared(name)) for name in COMPARED} | {"meter": list(_meters())}
    return [Rebuilt(name, rows[name], different[name]) for name in TABLES]


def _compared(name: str) -> Iterator[dict[str, Json]]:
    with connection.cursor() as cursor:
        cursor.execute(COMPARED[name])
        for account, kind, stands, should, version, versions in cursor.fetchall():
            found = {
                "account_id": account,
                "kind": kind,
                "stands_minor": stands,
                "rebuilt_minor": should,
            }
            yield (
                found
                if version == versions
                else found | {"version": version, "rebuilt_version": versions}
            )


def _meters() -> Iterator[dict[str, Json]]:
    """What the service itself reads and shows, against the amounts that were computed anew."""
    jackpots = list(Jackpot.objects.select_related("epoch", "epoch__funding").order_by("pk"))
    readings = meters_read(jackpots)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT jackpot_id, sum_minor, shown_minor, version FROM {SCHEMA}.meter")
        rebuilt = {jackpot: tuple(map(int, values)) for jackpot, *values in cursor.fetchall()}
    for jackpot in jackpots:
        stands = readings[jackpot.pk]
        here = (stands.sum_minor, stands.shown_minor, stands.version)
        if here != rebuilt.get(jackpot.pk):
            yield {
                "jackpot_id": str(jackpot.pk),
                "stands": list(here),
                "rebuilt": list(rebuilt.get(jackpot.pk, ())),
            }


@contextmanager
def _as_owner() -> Iterator[None]:
    """The default connection as the owner role, on the database that is served."""
    if not settings.DATABASE_OWNER_URL:
        raise OwnerNeeded
    serving = connection.settings_dict
    connection.close()
    owner = database_config(settings.DATABASE_OWNER_URL, options=OWNING)
    connection.settings_dict = {**serving, **owner, "NAME": serving["NAME"]}
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict = serving
