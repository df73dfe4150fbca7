"""A desk at a house that has lived, made once for each module; what a test does is rolled back."""

from collections.abc import Iterator

import pytest
from django.db import transaction
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from tests.casino.audit.desk import Desk
from tests.conftest import module_database

PLAIN = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}


@pytest.fixture(scope="module")
def lived_desk(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Desk]:
    with (
        django_db_blocker.unblock(),
        module_database("desk") as name,
        override_settings(PASSWORD_HASHERS=["tests.casino.people.hasher.CheapArgon2"]),
    ):
        yield Desk(name)


@pytest.fixture
def desk(lived_desk: Desk, django_db_blocker: DjangoDbBlocker, settings) -> Iterator[Desk]:
    settings.PASSWORD_HASHERS = ["tests.casino.people.hasher.CheapArgon2"]
    settings.STORAGES = settings.STORAGES | PLAIN
    with django_db_blocker.unblock(), transaction.atomic():
        yield lived_desk
        transaction.set_rollback(True)
