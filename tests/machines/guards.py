"""What a test takes away to see that a machine tells of it: a trigger, a part of a function of the database or of the program."""

from collections.abc import Callable

import pytest

from tests.databases import superuser

Guard = Callable[[pytest.MonkeyPatch], None]


def trigger(table: str, name: str) -> Guard:
    def take_away(patch: pytest.MonkeyPatch) -> None:
        with superuser() as link:
            link.execute(f"ALTER TABLE {table} DISABLE TRIGGER {name}")

    return take_away


def instead(module: object, name: str, other: object) -> Guard:
    return lambda patch: patch.setattr(module, name, other, raising=False)


def written(function: str, what: str, other: str) -> Guard:
    """A function of the database says something else."""

    def take_away(patch: pytest.MonkeyPatch) -> None:
        with superuser() as link:
            row = link.execute("SELECT pg_get_functiondef(%s::regproc)", [function]).fetchone()
            guard = str(row and row[0])
            assert what in guard
            link.execute(guard.replace(what, other))

    return take_away
