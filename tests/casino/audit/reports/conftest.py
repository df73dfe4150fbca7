"""The evening, made once; each module has a copy, and each test's own writes are rolled back."""

import copy
from collections.abc import Iterator

import pytest
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from tests.casino.audit.reports.evening import Evening
from tests.conftest import module_database

CHEAP = ["tests.casino.people.hasher.CheapArgon2"]


@pytest.fixture(autouse=True)
def plain(settings) -> None:
    settings.PASSWORD_HASHERS = CHEAP
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }


@pytest.fixture(scope="session")
def evening_once(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Evening]:
    with django_db_blocker.unblock(), module_database("evening") as name:
        with override_settings(PASSWORD_HASHERS=CHEAP):
            made = Evening(name)
        yield made


@pytest.fixture(scope="module")
def evening(evening_once: Evening, django_db_blocker: DjangoDbBlocker) -> Iterator[Evening]:
    with django_db_blocker.unblock(), module_database("evening_here", evening_once.database) as name:
        own = copy.deepcopy(evening_once)  # a module may change the names of its house
        own.database = name
        yield own
