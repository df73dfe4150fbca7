"""A payment is taken back by who made it, once, within a minute; later, and a second time, two people cancel it."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction

from jackpot import services as jackpots
from jackpot.errors import SlipNotYours, SlipState, SlipTakeBackOver
from jackpot.models import Slip, TakenBack
from payouts.models import Account, Event, Transfer
from payouts.rules.plain import TextRefused
from payouts.services import Subject, event_record
from tests.clock import clock_jumps
from tests.floor import done
from tests.jackpot.test_late import Late
from tests.tables.audits import breached, disagreeing
from tests.worlds import world

WHY = "paid at the wrong desk"


def two_slips() -> Late:
    return Late().paid()


pytestmark = [world(two_slips), pytest.mark.usefixtures("own_database")]


@pytest.fixture
def floor(floor: Late) -> Late:
    """Two slips of 5 001.50, the first of them paid."""
    floor.pay(slip())
    return floor


def slip() -> Slip:
    return Slip.objects.get(number=1)


def back(floor: Late, **changes: Any) -> Slip:
    ids = {"house_id": floor.house.pk, "slip_id": slip().pk, "actor_id": floor.cage.pk, "reason": WHY}
    return done(jackpots.slip_take_back, **(ids | changes))


def cash() -> int:
    return Account.objects.get(kind="cage_cash").balance_minor


def test_a_payment_is_reversed_and_the_slip_is_paid_again(floor: Late) -> None:
    paid, before = slip(), cash()
    back(floor)
    again = slip()
    assert (again.state, again.paid_at, again.paid_by, again.cash_minor) == ("open", None, None, None)
    row, moved = TakenBack.objects.get(), Transfer.objects.get(key=f"award:{paid.award_id}:slip_paid")
    assert (row.slip, row.paid_at, row.paid_by, row.cash_minor, row.reason) == (
        paid, paid.paid_at, floor.cage, paid.cash_minor, WHY,
    )  # fmt: skip
    reversal = Transfer.objects.get(pk=row.transfer_id)
    assert (reversal.reverses_id, reversal.reason, cash()) == (moved.pk, WHY, before + paid.cash_minor)
    told = Event.objects.get(name="slip.taken_back")
    assert (told.actor, told.subject_id, told.reason, told.after) == (
        floor.cage, str(paid.pk), WHY, {"cash_minor": paid.cash_minor},
    )  # fmt: skip
    assert (breached(), disagreeing()) == ({}, [])
    floor.pay(again)
    assert (slip().state, cash()) == ("paid", before)
    with pytest.raises(SlipTakeBackOver):  # a second time it is for two people
        back(floor)
    floor.cancel(slip(), "receivable")
    assert (breached(), disagreeing()) == ({}, [])


def test_by_nobody_else_and_with_a_reason(floor: Late) -> None:
    with pytest.raises(SlipNotYours):
        back(floor, actor_id=floor.reto.pk)
    with pytest.raises(TextRefused):
        back(floor, reason="no")
    with pytest.raises(SlipState):
        back(floor, slip_id=Slip.objects.get(number=2).pk)
    assert (slip().state, TakenBack.objects.count()) == ("paid", 0)


@pytest.mark.parametrize("jumps", [[61], [-61], [3600, -3600]], ids=["a minute later", "set back", "set on and back"])
def test_a_minute_lasts_no_longer_by_any_clock(floor: Late, jumps: list[int]) -> None:
    """Of a clock that was set on and back what came between tells, in the log."""
    for seconds in jumps:
        clock_jumps(seconds)
        done(event_record, name="slip.made", house_id=floor.house.pk, subject=Subject("slip", uuid4()))
    with pytest.raises(SlipTakeBackOver):
        back(floor)
    assert slip().state == "paid"


def test_its_row_stands_only_beside_its_reversal(floor: Late) -> None:
    """The database refuses what the service would not do: another's name, no reversal, an open slip without a row."""
    paid = slip()
    own = {"house": floor.house, "slip": paid, "paid_at": paid.paid_at, "paid_by": floor.cage,
           "cash_minor": paid.cash_minor, "transfer_id": Transfer.objects.latest("pk").pk, "reason": WHY}  # fmt: skip
    for changes in ({}, {"paid_by": floor.reto}, {"reason": ""}):
        with pytest.raises(IntegrityError, match="not taken back"), transaction.atomic():
            TakenBack.objects.create(**(own | changes))
    with pytest.raises(IntegrityError, match="UPDATE refused"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE jackpot_slip SET state = 'open', paid_at = NULL, paid_by_id = NULL, cash_minor = NULL"
                       " WHERE state = 'paid'")  # fmt: skip
    assert slip().state == "paid"
