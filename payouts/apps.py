"""App configuration."""

from django.apps import AppConfig


class PayoutsConfig(AppConfig):
    """The money: houses, ledger, approvals, events, audit."""

    name = "payouts"
    verbose_name = "Payouts"
