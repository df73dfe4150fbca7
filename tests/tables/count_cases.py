"""The refusals of counts, each provoked through its command (`test_refusals.py`)."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest

from payouts.errors import Refused
from payouts.models import Count
from tables import errors, services
from tables.models import Table
from tests import floor
from tests.counts import COUNTED, OPENER, lines_of
from tests.floor import POSTED
from tests.tables.played import Played

Case = Callable[[Played, pytest.MonkeyPatch], Any]


def made(f: Played) -> Table:
    """A table that opens and closes on counts; its tray is empty."""
    ids = {"house_id": f.house.pk, "pit_id": f.pit.pk, "game": "uth", "boxes": 7}
    table: Table = floor.done(services.table_create, **ids, name="UTH 8", posted=POSTED | COUNTED)
    return table


def begin(f: Played, table: UUID | None = None, purpose: str = "opener") -> Count:
    ids = {"house_id": f.house.pk, "table_id": table or made(f).pk, "actor_id": f.martina.pk}
    count: Count = floor.done(services.count_begin, **ids, purpose=purpose)
    return count


def enter(f: Played, count: Count, lines: object = None, **changes: object) -> Count:
    values = {"house_id": f.house.pk, "count_id": count.pk, "counter_id": f.martina.pk}
    floor.done(services.count_enter, **values | {"lines": lines_of(*[0] * 8) if lines is None else lines} | changes)
    return count


def witness(f: Played, count: Count, entry: int = 1, **changes: object) -> Count:
    values = {"house_id": f.house.pk, "count_id": count.pk, "entry": entry, "ok": True, "witness_id": f.reto.pk}
    floor.done(services.count_witness, **values | changes)
    return count


def give_up(f: Played, count: Count, **changes: object) -> Count:
    values = {"house_id": f.house.pk, "count_id": count.pk, "actor_id": f.martina.pk}
    floor.done(services.count_give_up, **values | changes)
    return count


def open_table(f: Played, table: Table, **changes: object) -> None:
    ids = {"house_id": f.house.pk, "table_id": table.pk, "croupier_id": f.martina.pk, "actor_id": f.reto.pk}
    floor.done(services.table_open, **ids | changes)


def opened(f: Played) -> Table:
    """On an opener that agrees with the books: nothing is there."""
    table = made(f)
    witness(f, enter(f, begin(f, table.pk)))
    open_table(f, table)
    return table


def differs(f: Played, _: pytest.MonkeyPatch) -> None:
    table = made(f)
    count = enter(f, begin(f, table.pk), lines_of(1, *[0] * 7))
    witness(f, count)
    open_table(f, table)


def frozen(f: Played, _: pytest.MonkeyPatch) -> None:
    table = opened(f)
    begin(f, table.pk, "spot")
    floor.done(services.table_close, house_id=f.house.pk, table_id=table.pk, actor_id=f.reto.pk)


def unconfirmed(f: Played, _: pytest.MonkeyPatch) -> None:
    table = opened(f)
    witness(f, enter(f, begin(f, table.pk, "closer")))
    floor.done(services.table_close, house_id=f.house.pk, table_id=table.pk, actor_id=f.reto.pk)


CASES: dict[type[Refused], Case] = {
    errors.CountUnknown: lambda f, _: give_up(f, Count(pk=uuid4())),
    errors.PurposeUnknown: lambda f, _: begin(f, purpose="whim"),
    errors.NoChipSet: lambda f, _: begin(f, f.other.pk, "spot"),
    errors.CountRunning: lambda f, _: begin(f, begin(f).place_id),
    errors.PiecesWrong: lambda f, _: enter(f, begin(f), lines_of(-1, *OPENER[1:])),
    errors.DenominationUnknown: lambda f, _: enter(f, begin(f), [{"value_minor": 700, "pieces": 1}]),
    errors.CountIncomplete: lambda f, _: enter(f, begin(f), lines_of(*OPENER)[1:]),
    errors.CountEntered: lambda f, _: enter(f, enter(f, begin(f))),
    errors.CountSigned: lambda f, _: give_up(f, witness(f, enter(f, begin(f)))),
    errors.CountChanged: lambda f, _: witness(f, enter(f, begin(f)), 2),
    errors.SamePerson: lambda f, _: witness(f, enter(f, begin(f)), witness_id=f.martina.pk),
    errors.CountNotYours: lambda f, _: give_up(f, begin(f), croupier_id=f.nora.pk),
    errors.TableUncounted: lambda f, _: open_table(f, made(f)),
    errors.OpenerDiffers: differs,
    errors.TableBeingCounted: frozen,
    errors.CardsUnconfirmed: unconfirmed,
}
