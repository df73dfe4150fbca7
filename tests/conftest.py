"""Databases for tests: one template, migrated once; every test works in a clone of it, as the app role, with all guards on.

`db` (pytest-django): a test in one transaction that is rolled back. `own_database`: a clone of its own, for tests that commit, use
threads or kill connections. Django's flush does not exist here: append-only tables refuse TRUNCATE.
"""

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection, connections
from django.utils import translation
from pytest_django import DjangoDbBlocker

from tests import template
from tests.servers import servers

TEMPLATE = "saalchef"
# Books that were read from a dump lie on another server than they know.
HERE = """
    ALTER TABLE jackpot_incarnation DISABLE TRIGGER append_only_row;
    UPDATE jackpot_incarnation SET (system_identifier, timeline) = (SELECT system_identifier, timeline FROM server_v1());
    ALTER TABLE jackpot_incarnation ENABLE ALWAYS TRIGGER append_only_row;
"""
_numbers = itertools.count(1)


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


def _use(database: str) -> None:
    connections.close_all()
    connections.settings["default"]["NAME"] = (
        database  # the dictionary that the connections of all threads are made from
    )
    connection.settings_dict["NAME"] = database


def _clone(database: str, template: str = TEMPLATE) -> None:
    with owner("postgres") as link:
        link.execute(f'CREATE DATABASE "{database}" TEMPLATE "{template}" STRATEGY FILE_COPY')  # half of WAL_LOG's time
        link.execute(
            f'REVOKE TEMPORARY ON DATABASE "{database}" FROM PUBLIC'
        )  # a clone does not take these rights over


@pytest.fixture(scope="session")
def django_db_setup(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Migrate the template as the owner, or read what another process migrated; all tests use clones of it, as the app role."""
    with django_db_blocker.unblock():
        if not template.restore(servers.programs, servers.owner_url, lambda: call_command("migrate", verbosity=0)):
            with owner() as link:
                link.execute(HERE)
        connections.close_all()
        _clone("tests")
        _use("tests")
    yield
    connections.close_all()


@contextmanager
def module_database(label: str, template: str = TEMPLATE) -> Iterator[str]:
    """A database that several tests share, for what is long to make; gives its name. Each of them leaves it as it was.

    `template`: another such database, of which this is a copy; nobody may be connected to it.
    """
    name = f"{label}_{next(_numbers)}"
    connections.close_all()
    _clone(name, template)
    _use(name)
    try:
        yield name
    finally:
        _use("tests")
        with superuser("postgres") as link:  # only he may end what the app role left open
            link.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
def own_database(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """A database of this test alone; gives its name. Everything committed here goes with it."""
    before = connection.settings_dict["NAME"]  # that of the module, whose tests may follow in any order
    with django_db_blocker.unblock():
        with module_database("own") as name:
            yield name
        _use(before)


@pytest.fixture(autouse=True)
def _no_language() -> None:
    """A page that a test has read leaves its reader's language to the thread; the next test begins with the house's."""
    translation.deactivate()


@pytest.fixture
def transactional_db() -> None:
    """Refuse pytest-django's flush: it truncates, and the books refuse that."""
    pytest.fail("use own_database: append-only tables cannot be flushed")


@pytest.fixture
def reconnect(own_database: str) -> Callable[[], None]:
    """Close this thread's connection, for tests in which the server cuts it."""
    return connection.close


@pytest.fixture(scope="module")
def database_of_module(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """A database that the tests of a module share; gives its name."""
    with django_db_blocker.unblock(), module_database("module") as name:
        yield name


# Folders and files whose tests take long or mostly wait, longest first. `make test` keeps this order: begun first, they run beside
# all the others, and nobody is left with one of them at the end.
SLOW = [
    "casino/live/test_outages",
    "casino/launcher/test_house",
    "faults/test_soak",
    "faults/test_red",
    "casino/launcher/test_demo_whole",
    "casino/live/test_sockets",
    "bench",
    "casino/launcher",
    "browser",
    "model",
    "casino/ops",
]
SLOW += ["casino/test_walk", "machines", "casino/live", "meta", "races", "casino/api"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow files first."""

    def turn(item: pytest.Item) -> int:
        place = str(item.path).removeprefix(f"{Path(__file__).parent}/")
        return next((at for at, slow in enumerate(SLOW) if place.startswith(slow)), len(SLOW))

    items.sort(key=turn)
