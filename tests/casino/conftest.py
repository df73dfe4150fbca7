"""A house, people, a table with its tablet, and settings that make tests quick: cheap hashes, static files as they lie."""

import pytest
from django.test import Client

from casino.devices.models import Device
from casino.people.models import Person
from payouts.models import House
from tables.models import Table
from tests.casino.devices.devices import dealer, enrol, make_table
from tests.casino.people import people
from tests.casino.people.hasher import plain_settings
from tests.cast import make_house


@pytest.fixture(autouse=True)
def _plain_settings(settings) -> None:
    plain_settings(settings)


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


# On the floor
@pytest.fixture
def table(house: House) -> Table:
    return make_table(house)


@pytest.fixture
def boss(house: House) -> Person:
    return dealer(house, "p.boss", "pit_boss")


@pytest.fixture
def tablet(table: Table, boss: Person) -> tuple[Device, str]:
    return enrol(table, boss)


@pytest.fixture
def device(tablet: tuple[Device, str]) -> Device:
    return tablet[0]


@pytest.fixture
def martina(house: House) -> Person:
    return dealer(house)
