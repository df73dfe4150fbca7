"""The clocks set on: this process's, and the database's."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import time_machine
from django.db import connection
from django.utils import timezone

from tests.databases import superuser

CLOCKS = ("clock_timestamp", "statement_timestamp")


@contextmanager
def later(seconds: int) -> Iterator[None]:
    """The clocks so many seconds on: this process's, and the database's for whoever asks it in this thread."""
    with superuser() as link:
        link.execute("CREATE SCHEMA IF NOT EXISTS later")
        for clock in CLOCKS:
            link.execute(
                f"CREATE OR REPLACE FUNCTION later.{clock}() RETURNS timestamptz LANGUAGE sql AS "
                f"$$ SELECT pg_catalog.{clock}() + interval '{seconds} seconds' $$"
            )
        link.execute("GRANT USAGE ON SCHEMA later TO PUBLIC")
    try:
        with connection.cursor() as cursor:
            cursor.execute("SET search_path = later, pg_catalog, public")
        with time_machine.travel(timezone.now() + timedelta(seconds=seconds)):
            yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET search_path")
        with superuser() as link:
            link.execute("DROP SCHEMA later CASCADE")
