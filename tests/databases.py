"""Databases for tests: one template, migrated once, and clones of it for whoever needs one."""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from django.db import connection, connections

from tests.servers import servers

TEMPLATE = "saalchef"
# Books that were read from a dump lie on another server than they know.
HERE = """
    ALTER TABLE jackpot_incarnation DISABLE TRIGGER append_only_row;
    UPDATE jackpot_incarnation SET (system_identifier, timeline) = (SELECT system_identifier, timeline FROM server_v1());
    ALTER TABLE jackpot_incarnation ENABLE ALWAYS TRIGGER append_only_row;
"""
_numbers = itertools.count(1)
_home = TEMPLATE  # the database in use, where no test stands in a world


@contextmanager
def owner(database: str = TEMPLATE) -> Iterator[psycopg.Connection]:
    """A connection of the owner role, in autocommit."""
    with psycopg.connect(servers.owner_url, dbname=database, autocommit=True) as link:
        yield link


@contextmanager
def superuser(database: str | None = None) -> Iterator[psycopg.Connection]:
    """A connection of the superuser to the test's database, in autocommit: for the harm that only he can do."""
    name = database or connection.settings_dict["NAME"]
    with psycopg.connect(servers.superuser_url, dbname=name, autocommit=True) as link:
        yield link


@contextmanager
def app_may(right: str, table: str) -> Iterator[None]:
    """The app role has one right more than it should, for rows that a test makes up."""
    with superuser() as link:
        link.execute(f"GRANT {right} ON {table} TO {connection.settings_dict['USER']}")
        try:
            yield
        finally:
            link.execute(f"REVOKE {right} ON {table} FROM {connection.settings_dict['USER']}")


def use(database: str) -> None:
    """Work in this database from now on."""
    global _home
    _home = database
    _connect(database)


def stand(database: str | None) -> None:
    """Let the next test work in this database, or in the one that is in use."""
    if connection.settings_dict["NAME"] != (wanted := database or _home):
        _connect(wanted)


def _connect(database: str) -> None:
    connections.close_all()
    # the dictionary that the connections of all threads are made from
    connections.settings["default"]["NAME"] = database
    connection.settings_dict["NAME"] = database


def in_use() -> str:
    return _home


def clone(database: str, template: str = TEMPLATE) -> None:
    with owner("postgres") as link:
        link.execute(f'CREATE DATABASE "{database}" TEMPLATE "{template}" STRATEGY FILE_COPY')  # half of WAL_LOG's time
        # a clone does not take these rights over
        link.execute(f'REVOKE TEMPORARY ON DATABASE "{database}" FROM PUBLIC')


@contextmanager
def module_database(label: str, template: str = TEMPLATE) -> Iterator[str]:
    """A database that several tests share, for what is long to make; gives its name. Each of them leaves it as it was.

    `template`: another such database, of which this is a copy; nobody may be connected to it.
    """
    name = f"{label}_{next(_numbers)}"
    connections.close_all()
    clone(name, template)
    use(name)
    try:
        yield name
    finally:
        use("tests")
        with superuser("postgres") as link:  # only he may end what the app role left open
            link.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
