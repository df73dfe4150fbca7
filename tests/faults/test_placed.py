"""The campaign's judgement of stakes after the lock on trial (BJ-6 to BJ-9, BJ-11): each harm is done once, and it must say so."""

import re
from uuid import UUID

import pytest
from django.db import connection

from tables import services
from tables.services.later import place
from tests.blackjack import Blackjack, hands
from tests.faults.placed import History, Stake, placed_amiss
from tests.faults.without import twice
from tests.floor import done

STAKE, CHIPS, RECORD, NOBODY = "after its lock is booked", "its chips moved", "on record is", "nobody placed"
WRONG = {"kind": "misdeal", "decision": "play_on"}


class Placed(Blackjack):
    """A round in which an owner has 100 francs on box 1, and what a croupier did in it."""

    def __init__(self) -> None:
        super().__init__()
        self.owner = self.guest(1)
        self.round_id: UUID = self.lay((self.owner, 1, 100))
        self.own = History(10_000)
        who = str(self.owner.pk)
        self.double = Stake(1, who, who, "double_1", 10_000)

    def doubled(self) -> None:
        self.place(self.round_id, self.owner, "double", cards="5h 6d")
        self.own.place(self.double)

    def taken_back(self) -> None:
        values = {"house_id": self.house.pk, "round_id": self.round_id, "person_id": self.martina.pk}
        done(services.round_take_back, **values, placed=self.own.newest)
        self.own.take_back(self.double)

    def recorded(self) -> None:
        values = {"house_id": self.house.pk, "round_id": self.round_id, "person_id": self.martina.pk}
        done(services.irregularity_record, **values, **WRONG, reason="dealt again")
        self.own.irregular.append((WRONG["kind"], WRONG["decision"], None, None, ""))

    def won(self) -> None:
        self.settle(self.round_id, {"bank": "bust", "boxes": hands(b1=["win"])})

    def amiss(self, *, known: bool = True) -> list[str]:
        """What the oracle finds, in short."""

        def ask(query: str) -> list[tuple[object, ...]]:
            with connection.cursor() as cursor:
                cursor.execute(query)
                return cursor.fetchall()

        found = placed_amiss({str(self.round_id): self.own} if known else {}, ask)
        return [re.search(rf": ({STAKE}|{CHIPS}|{RECORD}|{NOBODY}) ", one)[1] for one in found]


@pytest.fixture
def floor(db: None) -> Placed:
    return Placed()


def test_what_was_placed_taken_back_and_recorded_is_not_complained_of(floor: Placed) -> None:
    floor.doubled()
    floor.taken_back()
    floor.doubled()
    floor.recorded()
    assert floor.amiss() == [CHIPS]  # they lie there until the round ends
    floor.won()
    assert floor.amiss() == []
    assert [one[0] for one in floor.own.rows] == [1, 2, 3]
    assert floor.own.chips == [10_000, 10_000, -10_000, 10_000]


def test_what_a_correction_took_off_and_added_again_is_not_complained_of(floor: Placed) -> None:
    floor.doubled()
    floor.won()
    sent = floor.placing(floor.round_id, floor.owner, "double")["placement"]
    values = {"house_id": floor.house.pk, "round_id": floor.round_id, "state": "settled"}
    for off in (True, False):
        result = {"bank": "bust", "boxes": hands(b1=["win"])}
        prepared = services.round_evaluate(**values, result=result, placed=[] if off else [sent])
        done(services.round_correct, prepared=prepared, person_id=floor.martina.pk, reason="seen on camera")
        assert floor.amiss() == [STAKE]
        floor.own.put_right(floor.double, off=off)
        assert floor.amiss() == []


def test_a_stake_that_is_booked_twice_is_found(floor: Placed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "place_written", twice(place.place_written))
    floor.doubled()
    assert floor.amiss() == [STAKE, CHIPS]


def test_a_stake_that_was_refused_and_is_there_is_found(floor: Placed) -> None:
    floor.place(floor.round_id, floor.owner, "double", cards="5h 6d")
    floor.won()
    assert floor.amiss() == [STAKE, CHIPS]


def test_a_stake_that_was_placed_and_is_not_there_is_found(floor: Placed) -> None:
    floor.own.place(floor.double)
    floor.won()
    assert floor.amiss() == [STAKE, CHIPS]


def test_a_round_of_which_nobody_knows_is_found(floor: Placed) -> None:
    floor.doubled()
    assert floor.amiss(known=False) == [NOBODY]


def test_what_went_wrong_and_is_on_record_twice_or_not_is_found(floor: Placed) -> None:
    floor.recorded()
    floor.won()
    assert floor.amiss() == []
    floor.own.irregular *= 2
    assert floor.amiss() == [RECORD]
