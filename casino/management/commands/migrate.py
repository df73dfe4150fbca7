"""`manage.py migrate`, always as the owner role: the app role that serves may not touch the tables'
shape.
"""

import time
from typing import Any

import psycopg
from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import OperationalError, connections

from casino.database import OWNING, database_config

TRIES, PAUSE_S = 30, 3.0


class Command(migrate.Command):
    """Django's migrate with the connection of DATABASE_OWNER_URL. Where a table is in use it is
    tried again: each migration that is done stays done.
    """

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
            self._patiently(*args, **options)
        finally:
            connection.close()
            connection.settings_dict = serving

    def _patiently(self, *args: Any, **options: Any) -> None:
        for left in reversed(range(TRIES)):
            try:
                super().execute(*args, **options)
                return
            except OperationalError as error:
                if not left or not isinstance(error.__cause__, psycopg.errors.LockNotAvailable):
                    raise
            self.stderr.write(f"A table is in use: tried again in {PAUSE_S:g} s.")
            connections["default"].close()
            time.sleep(PAUSE_S)
