"""A floor with everybody who calls the API."""

import pytest

from tests.api.callers import Callers


@pytest.fixture(autouse=True)
def _plain_settings(settings) -> None:
    settings.PASSWORD_HASHERS = ["tests.people.hasher.CheapArgon2"]
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }


@pytest.fixture
def callers(own_database: str) -> Callers:
    return Callers()
