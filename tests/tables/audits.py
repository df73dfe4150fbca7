"""Audits in tests: what is in breach, and how to switch every guard off."""

from django.apps import apps

from payouts.audit import run_audits
from payouts.guards import is_money_model

MONEY = [model._meta.db_table for model in apps.get_models() if is_money_model(model)]
FREE = "".join(f"ALTER TABLE {table} DISABLE TRIGGER USER; " for table in MONEY)


def breached() -> dict[str, list[dict[str, object]]]:
    """The rows in breach by audit; empty when the books are sound."""
    return {result.name: result.breaches for result in run_audits() if result.breaches}
