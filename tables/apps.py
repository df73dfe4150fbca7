"""App configuration."""

from django.apps import AppConfig


class TablesConfig(AppConfig):
    """The floor: pits, tables, sessions, boxes, guests, rounds, stakes."""

    name = "tables"
    verbose_name = "Tables"
