"""App configuration."""

from django.apps import AppConfig


class TablesConfig(AppConfig):
    """The floor: pits, tables, sessions, boxes, guests, rounds, stakes."""

    name = "tables"
    verbose_name = "Tables"

    def ready(self) -> None:
        """Have the books' audits ask this floor's questions too."""
        from payouts.audit import register
        from tables.audit import AUDITS

        register(AUDITS)
