"""Databases for tests: one template, migrated once; every test works in a clone of it, as the app role, with all guards on.

`db` (pytest-django): a test in one transaction that is rolled back. `own_database`: a clone of its own, for tests that commit, use
threads or kill connections. `floor`: the world that the test stands in (`worlds.py`), in either of them. Django's flush
does not exist here: append-only tables refuse TRUNCATE.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, connections
from django.utils import translation
from pytest_django import DjangoDbBlocker

from tests import template, worlds
from tests.databases import HERE, TEMPLATE, clone, in_use, module_database, owner, stand, use
from tests.servers import servers


@pytest.fixture(scope="session")
def django_db_setup(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Migrate the template as the owner, or read what another process migrated; all tests use clones of it, as the app role."""
    with django_db_blocker.unblock():
        if not template.restore(servers.programs, servers.owner_url, lambda: call_command("migrate", verbosity=0)):
            with owner() as link:
                link.execute(HERE)
        connections.close_all()
        clone("tests")
        use("tests")
    yield
    connections.close_all()


@pytest.fixture(autouse=True)
def _stand(request: pytest.FixtureRequest) -> None:
    """The transaction of a test that stands in a world is begun in that world's database, that of any other in the one in use."""
    if {"db", "own_database"} & {*request.fixturenames} or request.node.get_closest_marker("world"):
        request.getfixturevalue("django_db_setup")
    if in_use() != TEMPLATE:  # a fixture may ask for `db` only as it runs
        with request.getfixturevalue("django_db_blocker").unblock():
            stand(worlds.database_of(request.node))


@pytest.fixture
def own_database(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[str]:
    """A database of this test alone, a copy of its world if it stands in one; gives its name. What is committed goes with it."""
    before = in_use()  # that of the module, whose tests may follow in any order
    with django_db_blocker.unblock():
        with module_database("own", worlds.database_of(request.node) or TEMPLATE) as name:
            yield name
        use(before)


@pytest.fixture
def floor(request: pytest.FixtureRequest) -> Any:
    """The test's world."""
    request.getfixturevalue("own_database" if "own_database" in request.fixturenames else "db")
    return worlds.copy_for(request.node)


@pytest.fixture
def linked(floor: Any) -> Any:
    return floor


@pytest.fixture
def desk(floor: Any) -> Any:
    return floor


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
