"""`manage.py migrate`, always as the owner role: the app role that serves may not touch the tables'
shape.
"""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections

from casino.database import OWNING, database_config


class Command(migrate.Command):
    """Django's migrate with the connection of DATABASE_OWNER_URL."""

    def execute(self, *args: Any, **options: Any) -> None:
        """Point the default connection to the owner role for the length of the command, its system
        checks included.
        """
        if not settings.DATABASE_OWNER_URL:
            raise CommandError(
                "Set DATABASE_OWNER_URL to the role that owns the tables: the serving role may not"
                " migrate."
            )
        connection = connections["default"]
        serving = connection.settings_dict
        connection.close()
        connection.settings_dict = {
            **serving,
            **database_config(settings.DATABASE_OWNER_URL, options=OWNING),
        }
        try:
            super().execute(*args, **options)
        finally:
            connection.close()
            connection.settings_dict = serving
