"""A jackpot with a life behind it, made once: each module has a copy, and each test's own writes are rolled back."""

import copy
from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from tests.conftest import module_database
from tests.jackpot.lived import Lived


@pytest.fixture(scope="session")
def lived_once(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Lived]:
    with django_db_blocker.unblock(), module_database("lived") as name:
        yield Lived(name)


@pytest.fixture(scope="module")
def lived(lived_once: Lived, django_db_blocker: DjangoDbBlocker) -> Iterator[Lived]:
    with django_db_blocker.unblock(), module_database("lived_here", lived_once.database) as name:
        own = copy.copy(lived_once)
        own.database = name
        yield own
