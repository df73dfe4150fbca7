"""The campaign's judgement of poker on trial (POK-2, RAK-1): each harm is done once, and it must say so."""

import re
from typing import Any

import pytest
from django.db import connection

from casino.simulate.books.poker import VOIDED, ChipsMoved, GuestStay, RakedHand, TableBook
from tables.models import Hand, PokerStay
from tables.services.seats import stays
from tests.faults.breaker import HOLD
from tests.faults.raked import raked_amiss
from tests.poker import PokerRoom, deal, of_hand, of_stay, sit
from tests.tables.test_pots import BETS, Potted
from tests.worlds import world

BOUGHT, LEAVES = 100_00, "stay_leave"


class Raked(PokerRoom):
    """Two guests have bought in for 100 each, and our book of their table."""

    def __init__(self) -> None:
        super().__init__()
        self.book = TableBook("Poker 1")
        self.guests = [self.guest(seat) for seat in (1, 2)]

    def guest(self, seat: int) -> PokerStay:
        """A guest sits down, as both have it."""
        stay = sit(self, seat, self.raked, BOUGHT)
        self.book.stays.append(GuestStay(str(stay.pk), seat, [ChipsMoved("buy_in", "cash", BOUGHT)]))
        return stay

    def hand(self) -> Hand:
        """A hand with a rake of 5, as both have it."""
        hand = deal(self, *self.guests)
        body = {"dealt": [str(stay.pk) for stay in self.guests], "flop": True, "walk": False}
        self.book.hands.append(RakedHand(str(hand.pk), len(self.book.hands) + 1, body, 500))
        return hand

    def leaves(self, lost: int = 0) -> None:
        """The first guest won what the second one had, without the rake, and without what was lost: both leave."""
        rake = sum(hand.rake_minor for hand in self.book.standing)
        for stay, own, counted in zip(self.guests, self.book.stays, (BOUGHT * 2 - rake - lost, 0), strict=True):
            of_stay(self, stay, LEAVES, counted_minor=counted)
            own.chips.append(ChipsMoved("out", "", counted))

    def amiss(self) -> list[str]:
        return amiss(self.book)


def amiss(book: TableBook) -> list[str]:
    """What the oracle finds, in short."""

    def ask(query: str) -> list[tuple[Any, ...]]:
        with connection.cursor() as cursor:
            cursor.execute(query)
            return cursor.fetchall()

    return [re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "…", line) for line in raked_amiss([book], ask)]


@pytest.fixture
def room(db: None) -> Raked:
    return Raked()


def test_an_evening_that_is_booked_as_it_was_is_not_complained_of(room: Raked) -> None:
    room.hand()
    of_hand(room, room.hand(), "hand_correct", pot={"rake_minor": 300})
    room.book.hands[1].revision, room.book.hands[1].rake_minor = 2, 300
    assert [line.split()[0] for line in room.amiss()] == ["in_play", "stack", "stack"]  # they sit there yet
    room.leaves(lost=100)
    assert room.amiss() == []


def test_a_hand_that_is_booked_twice_is_found(room: Raked) -> None:
    room.hand()
    deal(room, *room.guests)  # as a house would that knows no ids of hands
    room.leaves()
    assert [line for line in room.amiss() if line.startswith("hand ")] == [
        "hand …: nobody entered (2, 'ended', 1, 500, 500)"
    ]


def test_a_hand_that_was_acknowledged_and_is_lost_is_found(room: Raked) -> None:
    room.hand()
    room.book.hands.append(RakedHand("lost", 2, {}, 500))
    room.leaves()
    assert room.amiss() == ["hand lost: booked is None, by our books (2, 'ended', 1, 500, 500)"]


def test_a_void_hand_that_counts_is_found(room: Raked) -> None:
    room.hand()
    room.leaves()
    room.book.hands[0].state = VOIDED
    assert room.amiss() == ["hand …: booked is (1, 'ended', 1, 500, 500), by our books (1, 'voided', 1, 500, 0)"]


def test_a_buy_in_that_is_booked_twice_is_found(room: Raked) -> None:
    of_stay(room, room.guests[0], "stay_chips", kind="top_up", amount_minor=BOUGHT, means="cash")
    room.leaves()
    first = ("buy_in", "cash", BOUGHT)
    booked, ours = [first, ("top_up", "cash", BOUGHT), ("out", "", 2 * BOUGHT)], [first, ("out", "", 2 * BOUGHT)]
    assert room.amiss() == [f"stay …: booked is {booked}, by our books {ours}"]


def test_a_guest_of_whom_nobody_knows_is_found(room: Raked) -> None:
    of_stay(room, sit(room, 5, room.raked, BOUGHT), LEAVES, counted_minor=BOUGHT)
    room.leaves()
    assert room.amiss() == ["stay …: nobody entered [('buy_in', 'cash', 10000), ('out', '', 10000)]"]


def test_what_is_in_play_where_nobody_sits_any_more_is_found(room: Raked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stays, "empty_if_last", lambda *_given, **_named: None)
    room.leaves(lost=100)
    assert room.amiss() == ["in_play of …: -100 where nobody sits any more"]


@world(Potted)
def test_a_stack_that_a_hand_has_moved_otherwise_is_found(floor: Potted) -> None:
    """What was booked wrong and taken back counts for nothing."""
    hand = floor.end(floor.entry(*BETS, winners=[[3, 7], [7]]))
    entry = floor.entry(*BETS, winners=[[3], [7]])
    assert entry.pots is not None
    right = entry._replace(pots=entry.pots._replace(stacks=(85_00, 200_00, 130_00)))
    of_hand(floor, hand, "hand_correct", entry=right)
    three, five, seven = (str(stay.pk) for stay in floor.stays)
    book = TableBook("Poker 1", [RakedHand(str(hand.pk), 1, {}, 10_00, revision=2)])
    book.hands[0].nets = {three: 160_00, five: -130_00, seven: -40_00}
    assert [line for line in amiss(book) if line.startswith("stack in hand")] == []
    book.hands[0].nets[three] += 1_00
    assert [line for line in amiss(book) if line.startswith("stack in hand")] == [
        "stack in hand … of …: booked is 16000, by our books 16100"
    ]


def test_what_a_hand_a_buy_in_and_a_move_hang_on_is_an_account_of_its_own(room: Raked) -> None:
    accounts = (("tray", room.raked.pk), ("tray", room.timed.pk), ("stack", room.guests[0].pk))
    with connection.cursor() as cursor:
        for kind, whose in accounts:
            cursor.execute(HOLD.removesuffix(" FOR UPDATE"), [kind, str(whose)])
            assert cursor.rowcount == 1, kind
