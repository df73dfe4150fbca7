"""Folders and servers for tests of the launcher."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.casino.launcher.clones import open_folder


@pytest.fixture
def folder() -> Iterator[Path]:
    with open_folder() as path:
        yield path
