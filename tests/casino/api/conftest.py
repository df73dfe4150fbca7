"""A floor with everybody who calls the API."""

from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from tests.casino.api.callers import Callers
from tests.casino.api.ground import QUICK, Ground
from tests.conftest import module_database


@pytest.fixture
def callers(own_database: str) -> Callers:
    return Callers()


@pytest.fixture(scope="module")
def ground(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Ground]:
    """A played floor and another house for all tests of a module; each of them leaves it as it was."""
    with django_db_blocker.unblock(), module_database("ground") as name, QUICK:
        yield Ground(name)
