"""A floor with a round in every state, once for a module of tests; each test's own writes are rolled back."""

from collections.abc import Iterator

import pytest

from tests.conftest import _use, module_database
from tests.tables.played import Played


@pytest.fixture(scope="module")
def played(django_db_setup: None, django_db_blocker: object) -> Iterator[Played]:
    with django_db_blocker.unblock(), module_database("played") as name:
        yield Played(name)


@pytest.fixture
def own_copy(played: Played, django_db_blocker: object) -> Iterator[str]:
    """A copy of the played floor's database, for what cannot be rolled back; gives its name."""
    with django_db_blocker.unblock():
        with module_database("played_copy", played.database) as name:
            yield name
        _use(played.database)
