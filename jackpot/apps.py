"""App configuration."""

from django.apps import AppConfig


class JackpotConfig(AppConfig):
    """Meters, hits, the barrier, awards, displays."""

    name = "jackpot"
    verbose_name = "Jackpot"
