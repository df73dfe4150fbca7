"""Audits in tests: what is in breach, and how to switch every guard off."""

from django.apps import apps
from django.db import connection

from jackpot.audit.meters import AUDITS as OF_JACKPOT
from payouts.agreement import agreement
from payouts.audit import AUDITS as OF_BOOKS
from payouts.audit import run_audits
from payouts.findings import Breach, tell_nobody
from payouts.models import AppendOnly, Guarded
from tables.audit.checks import AUDITS as OF_TABLES

AUDITS = OF_BOOKS | OF_TABLES | OF_JACKPOT
MONEY = [model._meta.db_table for model in apps.get_models() if issubclass(model, AppendOnly | Guarded)]
FREE = "".join(f"ALTER TABLE {table} DISABLE TRIGGER USER; " for table in MONEY)


def breached() -> dict[str, list[dict[str, object]]]:
    """The rows in breach by audit; empty when the books are sound."""
    return {result.name: result.breaches for result in run_audits() if result.breaches}


def disagreeing() -> list[Breach]:
    """The rows that may change and disagree with what seals hold of them; none when the books are sound."""
    return agreement(tell=tell_nobody)[0].breaches


def breached_here() -> dict[str, list[tuple[object, ...]]]:
    """The floor's and the jackpot's audits, and the sums of the books, asked within the transaction of a test."""
    found = {}
    with connection.cursor() as cursor:
        for name, sql in {name: sql for name, sql in AUDITS.items() if name not in _OF_COMMITTED}.items():
            cursor.execute(sql)
            found[name] = cursor.fetchall()
    return {name: rows for name, rows in found.items() if rows}


# What looks at commits, or at the books of a whole house: chips were brought to it beforehand.
_OF_COMMITTED = {"append_only_tables_unchanged", "entries_written_with_their_transfer", "chips_outside_are_claims"}
