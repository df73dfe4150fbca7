"""Argon2id with a hundredth of the work, for tests that hash by the dozen; `test_services.py` looks at the real one."""

from typing import Any

from casino.people.hashers import Argon2


class CheapArgon2(Argon2):
    """The same format, little memory, one pass."""

    time_cost = 1
    memory_cost = 64
    parallelism = 1


def plain_settings(settings: Any) -> None:
    """For tests that sign in and read pages: passwords that cost nothing, static files by their own names."""
    settings.PASSWORD_HASHERS = ["tests.casino.people.hasher.CheapArgon2"]
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
