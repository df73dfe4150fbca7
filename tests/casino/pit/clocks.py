"""The clocks set on: this process's, and the database's."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

import time_machine
from django.db import connection
from django.utils import timezone

from tests.databases import superuser

CLOCKS = ("clock_timestamp", "statement_timestamp")


@contextmanager
def later(seconds: int, since: datetime | None = None) -> Iterator[None]:
    """The clocks so many seconds on: this process's, and the database's for whoever asks it in this thread.

    `since`: so long after that moment, at which they stand still, however long the test took to come here.
    """
    stands = since and since + timedelta(seconds=seconds)
    with superuser() as link:
        link.execute("CREATE SCHEMA IF NOT EXISTS later")
        for clock in CLOCKS:
            says = f"timestamptz '{stands}'" if stands else f"pg_catalog.{clock}() + interval '{seconds} seconds'"
            link.execute(
                f"CREATE OR REPLACE FUNCTION later.{clock}() RETURNS timestamptz LANGUAGE sql AS $$ SELECT {says} $$"
            )
        link.execute("GRANT USAGE ON SCHEMA later TO PUBLIC")
    try:
        with connection.cursor() as cursor:
            cursor.execute("SET search_path = later, pg_catalog, public")
        with time_machine.travel(stands or timezone.now() + timedelta(seconds=seconds), tick=not stands):
            yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET search_path")
        with superuser() as link:
            link.execute("DROP SCHEMA later CASCADE")
