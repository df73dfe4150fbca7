"""The refusals of hands at *pots*, each provoked through its command (`test_refusals.py`)."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from payouts.errors import Refused
from tables import errors, services
from tables.games.poker.entered import PotsEntry
from tables.games.poker.raking import Pot
from tables.games.poker.settle import PotWinners
from tables.games.poker.streets import Betting, Street
from tables.models import Hand, PokerStay
from tables.services.floor import sessions
from tables.services.hands.entry import PlayedHand
from tests import floor
from tests.floor import Floor
from tests.poker import at_table, deal, of_hand, of_stay, opened, poker_table, sit
from tests.tables.played import Played
from tests.tables.stay_cases import bought

Case = Callable[[Played, pytest.MonkeyPatch], Any]


def guests(f: Floor, level: str = "pots", name: str = "Poker 1") -> list[PokerStay]:
    """Three guests with 100.00 each."""
    table = opened(f, poker_table(f, name))
    at_table(f, "table_entry_level_set", table, entry_level=level)
    return [sit(f, seat, table) for seat in (1, 2, 3)]


def won(stays: list[PokerStay], winner: int, stack_minor: int = 100_00) -> PlayedHand:
    """A pot of 10.00 from each goes to this seat."""
    pots = PotsEntry(
        seats=tuple(range(1, len(stays) + 1)),
        stacks=(stack_minor,) * len(stays),
        button=1,
        betting=Betting((Street(10_00),)),
        winners=(PotWinners((winner,)),),
    )
    return PlayedHand([stay.pk for stay in stays], Pot(), pots=pots)


def end(f: Floor, entry: PlayedHand) -> Hand:
    table_id = PokerStay.objects.filter(pk__in=entry.dealt)[0].guest.session.table_id
    ids = {"house_id": f.house.pk, "table_id": table_id, "hand_id": uuid4(), "person_id": f.martina.pk}
    hand: Hand = floor.done(services.hand_end, **ids, entry=entry)
    return hand


def one_seat_less(f: Played) -> None:
    entry = won(guests(f), 1)
    end(f, entry._replace(dealt=entry.dealt[:2]))


def given_on(f: Played) -> None:
    """Who won was not dealt in, and has tipped what they have."""
    stays = guests(f)
    hand = end(f, won(stays, 3))
    stack_minor = 90_00 + hand.results.get().pot_minor - hand.results.get().rake_minor
    of_stay(f, stays[2], "stay_chips", kind="tip", amount_minor=stack_minor, means="stack")
    of_hand(f, hand, "hand_correct", entry=won(stays[:2], 1))


def late(f: Played) -> None:
    hand = end(f, won(guests(f), 1))
    seats = hand.seats.order_by("seat")
    stacks = tuple(row.stack_minor + row.booked_minor for row in seats)
    entry = won([row.stay for row in seats], 1)
    assert entry.pots is not None
    end(f, entry._replace(pots=entry.pots._replace(stacks=stacks)))
    of_hand(f, hand, "hand_correction_request", entry=entry, correction="award_moved")


def moved(f: Played, correction: str = "award_moved", *, leaves: bool = False) -> None:
    """A pot that went to seat 1 is carried to seat 2."""
    stays = guests(f)
    hand = end(f, won(stays, 1))
    if leaves:
        of_stay(f, stays[2], "stay_leave", counted_minor=90_00)
    of_hand(f, hand, "hand_correct", entry=won(stays, 2), correction=correction)


def fixed(f: Played, command: str) -> None:
    """A pot is carried to another seat after the stacks were counted, or the day has changed."""
    stays = guests(f)
    hand = end(f, won(stays, 1))
    seats = hand.seats.all()
    counted = {str(row.stay_id): row.stack_minor + row.booked_minor for row in seats}
    values = {"counted": counted} if command == "stacks_count" else {}
    at_table(f, command, stays[0].guest.session.table, **values)
    of_hand(f, hand, "hand_correct", entry=won(stays, 2), correction="award_moved")


def overrides(f: Played, level: str = "pots", seat: int = 2, minor: int = 1_00, times: int = 1) -> None:
    """Asked for, of a hand that seat 1 has won; seat 4 was not in it."""
    stays = guests(f, level)
    hand = deal(f, *stays) if level == "rake_only" else end(f, won(stays, 1))
    stay_id = stays[seat - 1].pk if seat < 4 else uuid4()
    for _turn in range(times):
        of_hand(f, hand, "hand_override_request", stay_id=stay_id, amount_minor=minor, person_id=f.reto.pk)


def carried(f: Played) -> None:
    """Antes lie in the pot of which the books know nothing."""
    entry = won(guests(f), 1)
    assert entry.pots is not None
    end(f, entry._replace(pots=entry.pots._replace(carried_minor=6_00)))


def lowered(f: Played, patch: pytest.MonkeyPatch) -> None:
    """What lies there is proved by `test_passed`."""
    table = guests(f)[0].guest.session.table
    patch.setattr(sessions, "carried_at", lambda _table_id: 6_00)
    at_table(f, "table_entry_level_set", table, entry_level="rake_only")


def begun(f: Played, command: str = "", **values: object) -> None:
    """The third hand of a table runs."""
    stays = guests(f)
    table = stays[0].guest.session.table
    ids = {"house_id": f.house.pk, "table_id": table.pk, "hand_id": uuid4(), "person_id": f.martina.pk}
    begin = ids | {"button": 1, "dealt": [stay.pk for stay in stays]}
    floor.done(services.hand_begin, **begin, number=3)
    if command == "stay_leave":
        of_stay(f, stays[0], command, **values)
    elif command:
        at_table(f, command, table, **values)
    else:
        end(f, won(stays, 1))
        floor.done(services.hand_begin, **begin, number=1)


CASES: dict[type[Refused], Case] = {
    errors.HandPotsUnknown: lambda f, _: overrides(f, "rake_only"),
    errors.HandStakeless: lambda f, _: overrides(f, seat=4),
    errors.OverrideAbove: lambda f, _: overrides(f, minor=99_00),
    errors.HandRequestWaits: lambda f, _: overrides(f, times=2),
    errors.CarriedDiffers: lambda f, _: carried(f),
    errors.HandRuns: lambda f, _: begun(f, "session_roll"),
    errors.MidHand: lambda f, _: begun(f, "stay_leave", counted_minor=100_00),
    errors.NoHandRuns: lambda f, _: at_table(
        f, "hand_abandon", guests(f)[0].guest.session.table, reason="nobody plays"
    ),
    errors.NumberUsed: lambda f, _: begun(f),
    errors.CorrectionUnknown: lambda f, _: moved(f, "mistake"),
    errors.AwardGone: lambda f, _: moved(f, leaves=True),
    errors.CountStands: lambda f, _: fixed(f, "stacks_count"),
    errors.StacksRolled: lambda f, _: fixed(f, "session_roll"),
    errors.ClaimLate: lambda f, _: late(f),
    errors.LevelOther: lambda f, _: end(f, won(guests(f, "rake_only"), 1)),
    errors.SeatOther: lambda f, _: one_seat_less(f),
    errors.StacksDiffer: lambda f, _: end(f, won(guests(f), 1, stack_minor=101_00)),
    errors.StackLost: lambda f, _: given_on(f),
    errors.AntesCarried: lowered,
    errors.StacksUncounted: lambda f, _: at_table(
        f, "table_entry_level_set", bought(f).guest.session.table, entry_level="pots"
    ),
}
