"""What every test of the pit stands on."""

import pytest

from tests.casino.floor_desk import FloorDesk
from tests.people.hasher import plain_settings
from tests.watched import watched


@pytest.fixture(autouse=True)
def plain(settings) -> None:
    plain_settings(settings)


@pytest.fixture
def desk(db: None) -> FloorDesk:
    watched()
    return FloorDesk()
