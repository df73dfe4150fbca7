"""App configuration."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class PayoutsConfig(AppConfig):
    """The money: houses, ledger, approvals, events, audit."""

    name = "payouts"
    verbose_name = _("Books")

    def ready(self) -> None:
        """Have every migration end with the database's own guards in place."""
        from payouts.db.guards import defend_after_migrate

        post_migrate.connect(defend_after_migrate)
