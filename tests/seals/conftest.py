"""A house that was sealed while it lived, made once; what a test does to it is rolled back, or done to a copy."""

import copy
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.databases import module_database, use
from tests.seals.house import Sealed


@pytest.fixture(scope="session")
def sealed_once(
    django_db_setup: None, django_db_blocker: object, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Sealed]:
    with django_db_blocker.unblock(), module_database("sealed") as name:
        yield Sealed(name, tmp_path_factory.mktemp("keys"))


@pytest.fixture(scope="module")
def sealed(sealed_once: Sealed, django_db_blocker: object) -> Iterator[Sealed]:
    with django_db_blocker.unblock(), module_database("sealed_here", sealed_once.database) as name:
        own = copy.copy(sealed_once)
        own.database = name
        yield own


@pytest.fixture
def own_copy(sealed: Sealed, django_db_blocker: object) -> Iterator[Sealed]:
    """A copy of the database for what cannot be rolled back, with the same keys."""
    with django_db_blocker.unblock():
        with module_database("sealed_copy", sealed.database) as name:
            own = copy.copy(sealed)
            own.database = name
            yield own
        use(sealed.database)


@pytest.fixture
def keys(sealed: Sealed) -> Path:
    return sealed.key.parent
