"""Worlds that tests stand in: each is made once a process, in a database of its own, and every test has it as it was made.

    pytestmark = world(FloorDesk)       # of each test in the module
    @world(Linked, displays=2)          # of this test
    def test_…(floor): …                # in a transaction that is rolled back; with `own_database`, in a copy of the database

`linked` and `desk` are other names of `floor`.
"""

import pickle
from collections.abc import Callable, Hashable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from django.db import connections
from django.test import override_settings

from tables.selectors import results
from tests import databases

CHEAP = "tests.casino.people.hasher.CheapArgon2"
_databases = ExitStack()
_made: dict[Hashable, tuple[str, bytes]] = {}  # each world's database, and its object as it was made


def world(make: Callable[..., Any] | None, **values: Hashable) -> pytest.MarkDecorator:
    """Mark a test or a module: it stands in `make(**values)`; with None in nothing, whatever its module stands in."""
    return pytest.mark.world.with_args(make, **values)


def database_of(test: pytest.Item) -> str | None:
    made = _world_of(test)
    return made[0] if made else None


def copy_for(test: pytest.Item) -> Any:
    made = _world_of(test)
    if made is None:
        pytest.fail("a test with `floor` names its world: @world(Floor)")
    results._days.clear()  # what was read of another test's rounds, at tables of the same ids
    return pickle.loads(made[1])


def _world_of(test: pytest.Item) -> tuple[str, bytes] | None:
    mark = test.get_closest_marker("world")
    if mark is None or mark.args[0] is None:
        return None
    (make,) = mark.args
    key = (make, *sorted(mark.kwargs.items()))
    if key not in _made:
        before = databases.in_use()
        name = _databases.enter_context(databases.module_database("world"))
        try:
            with override_settings(PASSWORD_HASHERS=[CHEAP]):
                _made[key] = name, pickle.dumps(make(**mark.kwargs))
        finally:  # a world that is refused leaves the next tests where they were
            connections.close_all()
            databases.use(before)
    return _made[key]


def for_module(make: Callable[[str], Any]) -> Any:
    """A fixture: `make(database)`, made once a process. Each module has a copy, which every test leaves as it was."""

    @pytest.fixture(scope="module")
    def stands(django_db_setup: None, django_db_blocker: Any) -> Iterator[Any]:
        with django_db_blocker.unblock():
            template, made = _made_once(make)
            with databases.module_database("module", template) as name:
                own = pickle.loads(made)
                own.database = name
                yield own

    return stands


def _made_once(make: Callable[[str], Any]) -> tuple[str, bytes]:
    if make not in _made:
        name = _databases.enter_context(databases.module_database("world"))
        with override_settings(PASSWORD_HASHERS=[CHEAP]):
            _made[make] = name, pickle.dumps(make(name))
    return _made[make]
