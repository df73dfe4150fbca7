"""All stacks of a table are counted: what the books have, what the floor signs, and when the level may change (POK-2)."""
# ruff: noqa: N802 - tests are named after the rules

from typing import Any

import pytest
from django.db import transaction

from payouts.errors import Refused
from payouts.models import Event
from tables.models import PokerStay, StackCount, StayChips, TableSession
from tests.poker import PokerRoom, deal
from tests.tables.audits import breached_here
from tests.worlds import world


class CountRoom(PokerRoom):
    """Two guests with 100.00 each at *rake only*, who have played a hand with a rake of 5.00."""

    def __init__(self) -> None:
        super().__init__()
        self.stays = [self.sit(seat) for seat in (3, 5)]
        deal(self, *self.stays)

    def count(self, *minor: int, stays: list[PokerStay] | None = None, **values: Any) -> Any:
        counted = {str(stay.pk): amount for stay, amount in zip(stays or self.stays, minor, strict=False)}
        return self.at_table("stacks_count", counted=counted, **values)

    def level(self, entry_level: str = "pots") -> None:
        self.at_table("table_entry_level_set", entry_level=entry_level)


pytestmark = world(CountRoom)


def refused(work: Any, *args: Any, **values: Any) -> tuple[str, object]:
    with pytest.raises(Refused) as refusal, transaction.atomic():
        work(*args, **values)
    return refusal.value.code, refusal.value.data


def test_POK_2_a_count_books_each_stack_and_opens_the_level_that_needs_them(floor: CountRoom) -> None:
    uncounted = ("poker.stacks_uncounted", {})
    assert refused(floor.level) == uncounted
    done = floor.count(30_00, 165_00, croupier_id=floor.martina.pk)
    assert [(stack.counted_minor, stack.difference_minor) for stack in done.stacks] == [
        (30_00, -70_00),
        (165_00, 65_00),
    ]
    assert floor.stacks() == {"stack 3": -30_00, "stack 5": -165_00}
    rows = StayChips.objects.filter(kind="counted").order_by("pk").values_list("stay", "amount_minor")
    assert [*rows] == [(floor.stays[0].pk, -70_00), (floor.stays[1].pk, 65_00)]
    later = floor.sit(7)  # whoever comes after it is booked with what they buy
    floor.level()
    assert TableSession.objects.get(pk=floor.session_of(floor.raked)).entry_level == "pots"
    floor.level("rake_only")
    floor.of(later, "stay_chips", kind="tip", amount_minor=1_00, means="stack")
    assert refused(floor.level) == uncounted
    floor.count(30_00, 165_00, 99_00, stays=[*floor.stays, later])
    deal(floor, *floor.stays, pot={"rake_minor": 0})
    assert refused(floor.level) == uncounted
    assert breached_here() == {}


def test_POK_2_a_difference_is_answered_and_signed_by_the_floor(floor: CountRoom) -> None:
    differs = ("poker.count_differs", {"counted_minor": 192_00, "booked_minor": 195_00, "missing_minor": 3_00})
    assert refused(floor.count, 30_00, 162_00) == differs
    assert refused(floor.count, 30_00, 162_00, missing_minor=2_00) == differs
    assert refused(floor.count, 30_00, 162_00, missing_minor=3_00, croupier_id=floor.martina.pk) == differs
    assert floor.stacks() == {"stack 3": -100_00, "stack 5": -100_00, "in_play": 5_00}
    floor.count(30_00, 162_00, missing_minor=3_00)
    assert floor.stacks() == {"stack 3": -30_00, "stack 5": -162_00, "in_play": -3_00}
    count = StackCount.objects.get()
    assert (count.last_hand, count.counted_minor, count.missing_minor, count.counted_by_id) == (
        1, 192_00, 3_00, floor.reto.pk,
    )  # fmt: skip
    event = Event.objects.get(name="stacks.counted")
    assert event.after == {"session": str(count.session_id), "counted_minor": 192_00, "missing_minor": 3_00}
    floor.level()
    assert refused(floor.count, 30_00, 162_00, missing_minor=3_00, croupier_id=floor.martina.pk) == (
        "poker.count_by_floor", {},
    )  # fmt: skip
    floor.count(33_00, 162_00)  # they are there again
    assert floor.stacks() == {"stack 3": -33_00, "stack 5": -162_00}
    floor.count(33_00, 163_00, missing_minor=-1_00)
    assert floor.stacks()["in_play"] == 1_00
    assert breached_here() == {}


def test_POK_2_a_count_has_one_stack_of_whole_chips_for_each_guest(floor: CountRoom) -> None:
    away = floor.sit(7)
    floor.of(away, "stay_leave", counted_minor=100_00)
    missing = ("poker.stacks_missing", {"seats": "3, 5"})
    before = (floor.balances(), StayChips.objects.count())
    assert refused(floor.count, 195_00) == missing
    assert refused(floor.count, 30_00, 65_00, 100_00, stays=[*floor.stays, away]) == missing
    assert refused(floor.count, 30_50, 164_50)[0] == "poker.off_chip"
    assert refused(floor.count, -5_00, 200_00)[0] == "poker.amount_refused"
    assert (floor.balances(), StayChips.objects.count()) == before
    floor.count(0, 195_00)
    assert floor.stacks() == {"stack 5": -195_00}
