"""A floor with everybody who calls the API."""

from collections.abc import Iterator

import pytest

from tests.casino.api.callers import Callers
from tests.casino.api.ground import QUICK, Ground
from tests.worlds import for_module, world


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "callers" in getattr(item, "fixturenames", ()):
            item.add_marker(world(Callers))


@pytest.fixture
def callers(floor: Callers) -> Callers:
    return floor


_ground = for_module(Ground)


@pytest.fixture(scope="module")
def ground(_ground: Ground) -> Iterator[Ground]:
    with QUICK:
        yield _ground
