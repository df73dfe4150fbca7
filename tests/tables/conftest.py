"""A floor with a round in every state, made once; each module has a copy, and each test's own writes are rolled back."""

import copy
from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from tests.conftest import _use, module_database
from tests.tables.played import Played


@pytest.fixture(scope="session")
def played_once(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Played]:
    with django_db_blocker.unblock(), module_database("played") as name:
        yield Played(name)


@pytest.fixture(scope="module")
def played(played_once: Played, django_db_blocker: DjangoDbBlocker) -> Iterator[Played]:
    with django_db_blocker.unblock(), module_database("played_here", played_once.database) as name:
        own = copy.copy(played_once)
        own.database = name
        yield own


@pytest.fixture
def own_copy(played: Played, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """A copy of the played floor's database, for what cannot be rolled back; gives its name."""
    with django_db_blocker.unblock():
        with module_database("played_copy", played.database) as name:
            yield name
        _use(played.database)
