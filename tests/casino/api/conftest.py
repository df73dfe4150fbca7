"""A floor with everybody who calls the API."""

from collections.abc import Iterator

import pytest

from tests.casino.api.callers import Callers
from tests.casino.api.ground import QUICK, Ground
from tests.databases import module_database
from tests.worlds import world


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "callers" in getattr(item, "fixturenames", ()):
            item.add_marker(world(Callers))


@pytest.fixture
def callers(floor: Callers) -> Callers:
    return floor


@pytest.fixture(scope="module")
def ground(django_db_setup: None, django_db_blocker: object) -> Iterator[Ground]:
    """A played floor and another house for all tests of a module; each of them leaves it as it was."""
    with django_db_blocker.unblock(), module_database("ground") as name, QUICK:
        yield Ground(name)
