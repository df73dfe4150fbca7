"""A house, a person, and settings that make tests quick: cheap hashes, static files that need no collecting."""

import pytest
from django.test import Client

from casino.models import Person
from payouts.models import House
from tests.cast import make_house
from tests.people import people


@pytest.fixture(autouse=True)
def _plain_settings(settings) -> None:
    settings.PASSWORD_HASHERS = ["tests.people.hasher.CheapArgon2"]
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }


@pytest.fixture
def house(db: None) -> House:
    return make_house()


@pytest.fixture
def person(house: House) -> Person:
    return people.make(house)


@pytest.fixture
def manager(house: House) -> Person:
    return people.make(house, "m.leitung", "manager")


@pytest.fixture
def chief(db: None) -> Person:
    """A manager of the whole installation."""
    return people.make(None, "c.leitung", "manager")


@pytest.fixture
def client() -> Client:
    return Client()
