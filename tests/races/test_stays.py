"""Races between guests of poker tables: for a seat, for their chips, between two tables; and between hands."""

import copy
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError
from pytest_django import DjangoDbBlocker

from payouts.db.constraints import constraint_of
from tables import services
from tables.games.poker.raking import Pot
from tables.models import PokerStay, Table
from tables.services.hands.entry import PlayedHand
from tables.services.seats import parts
from tests.databases import module_database
from tests.poker import PokerRoom, opened, poker_table
from tests.races.meet import Met, meet
from tests.tables.audits import breached


class RacingRoom(PokerRoom):
    """Poker tables; parts of commands to be raced."""

    def __init__(self, database: str) -> None:
        super().__init__()
        self.database = database
        self.second = opened(self, poker_table(self, "Poker 4"))

    def part(self, command: str, **values: object) -> Callable[[], Any]:
        ids = {"house_id": self.house.pk, "actor_id": self.reto.pk}
        return lambda: getattr(services, command)(**ids, **values)

    def sitting(self, seat: int = 1) -> Callable[[], Any]:
        return self.part("stay_begin", table_id=self.raked.pk, seat=seat, amount_minor=100_00, means="cash")

    def dealing(self, *stays: PokerStay) -> Callable[[], Any]:
        """A hand ends whose rake is taken."""
        entry = PlayedHand([stay.pk for stay in stays], Pot(rake_minor=5_00), "")
        ids = {"house_id": self.house.pk, "table_id": stays[0].guest.session.table_id, "hand_id": uuid4()}
        return lambda: services.hand_end(**ids, person_id=self.martina.pk, entry=entry)

    def race(self, first: Callable[[], Any], second: Callable[[], Any]) -> Met:
        return meet(self.database, first, second)


@pytest.fixture(scope="session")
def room_ready(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[RacingRoom]:
    with django_db_blocker.unblock(), module_database("rooms") as name:
        yield RacingRoom(name)


@pytest.fixture
def room(room_ready: RacingRoom, django_db_blocker: DjangoDbBlocker) -> Iterator[RacingRoom]:
    with django_db_blocker.unblock(), module_database("room", room_ready.database) as name:
        own = copy.deepcopy(room_ready)
        own.database = name
        yield own


@pytest.fixture
def unlocked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are read and not held."""
    monkeypatch.setattr(parts, "table_locked", lambda _house, table_id, **_: Table.objects.get(pk=table_id))


def code(refused: object) -> object:
    """The code of a refusal, or the guard of the database that refused."""
    return constraint_of(refused) if isinstance(refused, IntegrityError) else getattr(refused, "code", refused)


def test_of_two_guests_who_take_a_seat_one_has_it(room: RacingRoom) -> None:
    met = room.race(room.sitting(), room.sitting())
    assert (met.waited, met.first.guest.box, code(met.second)) == (True, 1, "poker.seat_taken")
    assert (room.stacks(), breached()) == ({"stack 1": -100_00}, {})


def test_without_the_tables_lock_the_key_of_the_seat_still_has_one_winner(room: RacingRoom, unlocked: None) -> None:
    met = room.race(room.sitting(), room.sitting())
    assert (met.waited, code(met.second)) == (True, "guest_number_once")
    assert (room.stacks(), breached()) == ({"stack 1": -100_00}, {})


def test_who_leaves_takes_chips_that_came_before_and_none_come_after(room: RacingRoom) -> None:
    stay = room.sit(1)
    other = room.sit(2)
    add = room.part("stay_chips", stay_id=stay.pk, kind="top_up", amount_minor=50_00, means="cash")
    leave = room.part("stay_leave", stay_id=stay.pk, counted_minor=150_00)
    met = room.race(add, leave)
    assert (met.waited, met.second) == (True, (150_00, 0, 0))
    leave = room.part("stay_leave", stay_id=other.pk, counted_minor=100_00)
    add = room.part("stay_chips", stay_id=other.pk, kind="top_up", amount_minor=50_00, means="cash")
    met = room.race(leave, add)
    assert (met.waited, code(met.second)) == (True, "poker.stay_gone")
    assert (room.stacks(), breached()) == ({}, {})


def test_without_the_tables_lock_chips_and_leaving_are_one_posting(room: RacingRoom, unlocked: None) -> None:
    """The control: the top-up waits at the key of the transfer alone, when all is decided."""
    stay = room.sit(1)
    leave = room.part("stay_leave", stay_id=stay.pk, counted_minor=100_00)
    add = room.part("stay_chips", stay_id=stay.pk, kind="top_up", amount_minor=50_00, means="cash")
    met = room.race(leave, add)
    assert (met.waited, code(met.second)) == (True, "ledger.key_used")
    assert (room.stacks(), breached()) == ({}, {})


def test_two_guests_who_change_tables_with_one_another_do_not_hold_each_other_up(room: RacingRoom) -> None:
    room.sit(1)
    room.sit(2, table=room.second)
    for turn in (0, 1):
        stays = {stay.guest.session.table_id: stay.pk for stay in PokerStay.objects.filter(left_at=None)}
        moves = [
            room.part("stay_move", stay_id=stays[at.pk], table_id=to.pk, seat=5 + turn, counted_minor=100_00)
            for at, to in ((room.raked, room.second), (room.second, room.raked))
        ]
        met = room.race(*(moves if turn else moves[::-1]))
        assert (met.waited, met.first.state, met.second.state) == (True, "playing", "playing")
    assert breached() == {}


def test_a_hand_waits_for_one_of_its_table_and_for_none_of_another(room: RacingRoom) -> None:
    pairs = [[room.sit(seat, table=table) for seat in (1, 2)] for table in (room.raked, room.second)]
    same = room.race(room.dealing(*pairs[0]), room.dealing(*pairs[0]))
    other = room.race(room.dealing(*pairs[0]), room.dealing(*pairs[1]))
    assert [(met.waited, met.first.number, met.second.number) for met in (same, other)] == [(True, 1, 2), (False, 3, 1)]
    assert breached() == {}
