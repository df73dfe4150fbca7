"""The refusals of buy-ins and tips, each provoked through its command (`test_refusals.py`)."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from payouts.errors import Refused
from tables import errors, services
from tables.models import BuyIn, Tip
from tests import floor
from tests.poker import opened, poker_table, sit
from tests.tables.played import Played

Case = Callable[[Played, pytest.MonkeyPatch], Any]


def enter(f: Played, kind: str, amount_minor: int = 100_00, **values: Any) -> Any:
    ids = {"house_id": f.house.pk, "table_id": f.table.pk, "actor_id": f.martina.pk}
    own = {f"{kind}_id": uuid4(), "amount_minor": amount_minor}
    return floor.done(getattr(services, f"{kind}_enter"), **ids | own | values)


def back(f: Played, kind: str, row: BuyIn | Tip, **values: Any) -> Any:
    ids = {"house_id": f.house.pk, f"{kind}_id": row.pk, "actor_id": f.martina.pk}
    return floor.done(getattr(services, f"{kind}_take_back"), **ids | values)


def id_used(f: Played, _: pytest.MonkeyPatch) -> None:
    enter(f, "buyin", 50_00, buyin_id=enter(f, "buyin").pk)


def at_seat(f: Played, _: pytest.MonkeyPatch) -> None:
    sit(f, 1, opened(f, poker_table(f)))
    back(f, "buyin", BuyIn.objects.get(), actor_id=f.reto.pk)


def twice(f: Played, _: pytest.MonkeyPatch) -> None:
    row = enter(f, "tip")
    for _turn in range(2):
        back(f, "tip", row)


CASES: dict[type[Refused], Case] = {
    errors.BuyInAmountWrong: lambda f, _: enter(f, "buyin", 2_51),
    errors.TipAmountWrong: lambda f, _: enter(f, "tip", 0),
    errors.CashUnknown: lambda f, _: back(f, "tip", Tip(pk=uuid4())),
    errors.CashIdUsed: id_used,
    errors.CashAtSeat: at_seat,
    errors.CashTakenBack: twice,
    errors.BuyInTakeBackOver: lambda f, _: back(f, "buyin", enter(f, "buyin"), actor_id=f.nora.pk),
    errors.TipTakeBackOver: lambda f, _: back(f, "tip", enter(f, "tip"), actor_id=f.nora.pk),
}
