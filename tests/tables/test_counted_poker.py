"""A poker table that is counted: what its count freezes, and how it goes on in the next gaming day (CNT-3, CNT-9)."""

from collections.abc import Callable
from typing import Any

import pytest

from payouts.errors import Refused
from payouts.models import Account, Count
from tables.models import PokerStay, TableSession
from tests.counts import COUNTED, CountedFloor
from tests.poker import at_table, deal, of_stay, poker_table, sit
from tests.worlds import world

FULL = (0, 0, 0, 0, 0, 100, 0, 0)  # the 10 000.00 that lie in the tray


class CountedRoom(CountedFloor):
    """Poker 1, counted, where two guests sit who brought 100.00 in chips."""

    def __init__(self, **changes: Any) -> None:
        super().__init__(**changes)
        self.poker = poker_table(self, "Poker 1", rake="Poker", **COUNTED)
        self.sign("opener", *FULL, table=self.poker)
        at_table(self, "table_open", self.poker, croupier_id=self.martina.pk, entry_level="rake_only")
        self.stays = [sit(self, seat, self.poker, means="chips") for seat in (1, 2)]


pytestmark = world(CountedRoom)


def code_of(work: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        work()
    return refused.value.code


def test_CNT_9_chips_of_guests_and_fees_wait_for_the_signature(floor):  # noqa: N802
    first, second = floor.stays
    count = floor.begin("spot", floor.poker)
    moves: list[Callable[[], object]] = [
        lambda: sit(floor, 3, floor.poker),
        lambda: sit(floor, 3, floor.poker, means="chips"),
        lambda: of_stay(floor, first, "stay_chips", kind="top_up", amount_minor=40_00, means="cash"),
        lambda: of_stay(floor, first, "stay_chips", kind="tip", amount_minor=1_00, means="chips"),
        lambda: deal(floor, first, second),
        lambda: deal(floor, first, second, queued=True),
    ]
    assert {code_of(move) for move in moves} == {"table.being_counted"}
    of_stay(floor, second, "stay_leave", counted_minor=100_00)  # moves no chip of the tray
    floor.witness(count, floor.enter(count, *FULL))
    deal(floor, first, sit(floor, 3, floor.poker, means="chips"))
    assert Account.objects.get(kind="tray", owner_id=floor.poker.pk).balance_minor == 1_000_000 + 5_00


def test_CNT_3_a_table_that_goes_on_in_the_next_day_is_counted_once_between(floor):  # noqa: N802
    before = TableSession.objects.get(table=floor.poker)
    assert code_of(lambda: at_table(floor, "session_roll", floor.poker)) == "table.not_counted"
    closer = floor.sign("closer", *FULL, table=floor.poker).count
    after = at_table(floor, "session_roll", floor.poker)
    before.refresh_from_db()
    assert (before.closer_id, after.opener_id, after.counting_id) == (closer.pk, closer.pk, None)
    assert PokerStay.objects.filter(guest__session=after, left_at=None).count() == 2
    assert code_of(lambda: at_table(floor, "session_roll", floor.poker)) == "table.not_counted"
    assert Count.objects.filter(place_id=floor.poker.pk).count() == 2
