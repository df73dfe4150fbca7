"""A desk at a house that has lived, made once for each module; what a test does is rolled back."""

from collections.abc import Iterator

import pytest
from django.db import transaction

from tests.casino.audit.desk import Desk
from tests.worlds import for_module

PLAIN = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}


lived_desk = for_module(Desk)


@pytest.fixture
def desk(lived_desk: Desk, django_db_blocker: object, settings) -> Iterator[Desk]:
    settings.PASSWORD_HASHERS = ["tests.casino.people.hasher.CheapArgon2"]
    settings.STORAGES = settings.STORAGES | PLAIN
    with django_db_blocker.unblock(), transaction.atomic():
        yield lived_desk
        transaction.set_rollback(True)
