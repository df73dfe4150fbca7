"""The refusals of drop boxes, each provoked through its command (`test_refusals.py`)."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from casino.people.models import Person
from payouts.errors import Refused
from payouts.models import Count
from tables import errors, services
from tests import floor
from tests.drops import cash_lines
from tests.tables.played import Played

Case = Callable[[Played, pytest.MonkeyPatch], Any]


def take(f: Played, person: Person | None = None) -> Count:
    ids = {"house_id": f.house.pk, "table_id": f.table.pk, "actor_id": (person or f.ines).pk}
    count: Count = floor.done(services.drop_count_begin, **ids)
    return count


def enter(f: Played, count: Count, person: Person, pieces: int = 0) -> Count:
    values = {"house_id": f.house.pk, "count_id": count.pk, "counter_id": person.pk}
    floor.done(services.drop_count_enter, **values, lines=cash_lines({100_00: pieces}))
    return count


def other_person(f: Played, _: pytest.MonkeyPatch) -> None:
    count = enter(f, enter(f, take(f), f.ines), f.tim, 1)
    enter(f, count, f.reto)


def taken_back(f: Played, _: pytest.MonkeyPatch) -> None:
    ids = {"house_id": f.house.pk, "buyin_id": uuid4(), "actor_id": f.martina.pk}
    floor.done(services.buyin_enter, **ids, table_id=f.table.pk, amount_minor=100_00)
    take(f)
    floor.done(services.buyin_take_back, **ids)


CASES: dict[type[Refused], Case] = {
    errors.DropCounterDealt: lambda f, _: take(f, f.martina),
    errors.DropCounterOther: other_person,
    errors.DropCountRunning: lambda f, _: take(f) and take(f),
    errors.SecondCounterSame: lambda f, _: enter(f, enter(f, take(f), f.ines), f.ines),
    errors.BoxCounted: taken_back,
}
