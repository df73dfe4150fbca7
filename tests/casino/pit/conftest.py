"""What every test of the pit stands on."""

import pytest

from tests.casino.pit.floor.floor_desk import FloorDesk
from tests.watched import watched


@pytest.fixture
def desk(floor: FloorDesk) -> FloorDesk:
    watched()
    return floor
