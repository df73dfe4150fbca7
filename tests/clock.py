"""The clock of a test's database jumps, as when a server takes over whose clock is not that of the one before it."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

import psycopg
from psycopg.types.json import Jsonb

from payouts.rules.plain import fingerprint
from tests.databases import superuser

# The tables of the books, with their moments, and with their guards, which stand under replication too.
_MOMENTS = """
    SELECT t.table_name, array_agg(c.column_name::text) FROM information_schema.tables t
    JOIN information_schema.columns c USING (table_schema, table_name)
    WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND t.table_name ~ '^(jackpot|payouts|tables)_'
        AND c.data_type = 'timestamp with time zone' GROUP BY t.table_name
"""
_GUARDS = """
    SELECT tgrelid::regclass::text, tgname FROM pg_trigger
    WHERE tgrelid::regclass::text = ANY (%s) AND NOT tgisinternal AND tgenabled = 'A'
"""
_SINCE = """
    SELECT id, house_id::text, action, subject_kind, subject_id, revision, payload FROM payouts_approval
    WHERE state = 'open' AND payload ? 'since'
"""


def clock_jumps(seconds: int) -> None:
    """So many seconds forward, or back: all that was written so far lies that much further in the past, and is as it was."""
    back = timedelta(seconds=seconds)
    with superuser() as link, link.transaction():
        moved = {
            table: ", ".join(f"{column} = {column} - interval '{seconds} seconds'" for column in columns)
            for table, columns in link.execute(_MOMENTS).fetchall()
        }
        # One audit holds who wrote an entry against who wrote its transfer: both are written anew together.
        moved["payouts_entry"] = "amount_minor = amount_minor"
        guards = link.execute(_GUARDS, [[*moved, "payouts_approvalsignature"]]).fetchall()
        for table, changes in moved.items():
            link.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER; UPDATE {table} SET {changes}")
        _since(link, back)
        for table, guard in guards:
            link.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {guard}")
        link.execute("SELECT pg_stat_force_next_flush()")
    with superuser() as link:  # another audit reads from these figures whether a row was ever changed
        link.execute("SELECT pg_stat_reset()")


@contextmanager
def clock_of_a_restore(seconds: int) -> Iterator[None]:
    """By this clock, in seconds since 1970, an incarnation has its number: its guard alone sees it."""
    guard = "ALTER FUNCTION public.incarnation_begin_v1()"
    with superuser() as link:
        link.execute(f"""
            CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS 'SELECT to_timestamp({seconds}.5)';
            {guard} SET search_path = public, pg_catalog
        """)
        try:
            yield
        finally:
            link.execute(f"{guard} RESET search_path; DROP FUNCTION public.clock_timestamp()")


def _since(link: psycopg.Connection, back: timedelta) -> None:
    """Since when a phase holds is signed with what is asked about it: there it is the same moment still."""
    for key, *subject, payload in link.execute(_SINCE).fetchall():
        payload["since"] = (datetime.fromisoformat(payload["since"]) - back).isoformat()
        hashed = fingerprint([*subject, payload])
        values = [Jsonb(payload), hashed, key]
        link.execute("UPDATE payouts_approval SET payload = %s, payload_hash = %s WHERE id = %s", values)
        link.execute("UPDATE payouts_approvalsignature SET payload_hash = %s WHERE approval_id = %s", values[1:])
