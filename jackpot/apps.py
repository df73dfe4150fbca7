"""App configuration."""

from django.apps import AppConfig


class JackpotConfig(AppConfig):
    """Meters, hits, the barrier, awards, displays."""

    name = "jackpot"
    verbose_name = "Jackpot"

    def ready(self) -> None:
        """Have the books' audits ask this floor's questions too."""
        from jackpot.audit.agreement import RULES
        from jackpot.audit.meters import AUDITS
        from payouts import agreement
        from payouts.audit import register

        register(AUDITS)
        agreement.register(RULES)
