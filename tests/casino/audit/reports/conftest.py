"""The evening, made once; each module has a copy, and each test's own writes are rolled back."""

import pytest

from tests.casino.audit.reports.evening import PokerEvening
from tests.worlds import for_module

CHEAP = ["tests.casino.people.hasher.CheapArgon2"]


@pytest.fixture(autouse=True)
def plain(settings) -> None:
    settings.PASSWORD_HASHERS = CHEAP
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }


evening = for_module(PokerEvening)
