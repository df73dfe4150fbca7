"""Each race has a database of its own, copied from one in which a floor stands ready."""

import copy
from collections.abc import Iterator

import pytest

from jackpot import hints
from tests.databases import module_database
from tests.races.hall import Hall
from tests.races.racing import Racing


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps are taken when a test takes them, however slow the broker is: a hint that cannot be sent takes them at once."""
    monkeypatch.setattr(hints._worker, "send", lambda jackpot_id: True)


@pytest.fixture(scope="session")
def ready(django_db_setup: None, django_db_blocker: object) -> Iterator[Racing]:
    with django_db_blocker.unblock(), module_database("races") as name:
        yield Racing(name)


@pytest.fixture
def racing(ready: Racing, django_db_blocker: object) -> Iterator[Racing]:
    with django_db_blocker.unblock(), module_database("race", ready.database) as name:
        own = copy.deepcopy(ready)
        own.database = name
        yield own


@pytest.fixture(scope="session")
def hall_ready(django_db_setup: None, django_db_blocker: object) -> Iterator[Hall]:
    with django_db_blocker.unblock(), module_database("halls") as name:
        yield Hall(name)


@pytest.fixture
def hall(hall_ready: Hall, django_db_blocker: object) -> Iterator[Hall]:
    with django_db_blocker.unblock(), module_database("hall", hall_ready.database) as name:
        own = copy.deepcopy(hall_ready)
        own.database = name
        yield own
