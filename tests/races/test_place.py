"""Races about stakes that come after the lock: one of two that say the same is taken, and none slips past an end of its round.
Nor does one that is taken back.
"""

import copy
from collections.abc import Iterator
from uuid import UUID

import pytest
from pytest_django import DjangoDbBlocker

from tables import services
from tables.games import GAMES
from tables.games.blackjack.game import BLACKJACK
from tests.blackjack import Blackjack, hands
from tests.databases import module_database
from tests.races.meet import meet, rewrite
from tests.races.racing import ends
from tests.tables.audits import breached

ENDS = {"bank": "bust", "boxes": hands(b1=["win"])}


class Placing(Blackjack):
    """A table of Black Jack with a locked round; parts of commands to be raced."""

    database = ""

    def __init__(self) -> None:
        super().__init__()
        self.owner = self.guest(1)
        self.round_id = self.lay((self.owner, 1, 100))

    def doubling(self):
        placing = self.placing(self.round_id, self.owner, "double")
        return lambda: services.round_place(**placing)

    def taking_back(self):
        taken = {"house_id": self.house.pk, "round_id": self.round_id, "placed": 1}
        return lambda: services.round_take_back(**taken, person_id=self.martina.pk)

    def settling(self):
        ids = {"house_id": self.house.pk, "round_id": self.round_id}
        prepared = services.round_evaluate(**ids, result=ENDS)
        return lambda: services.round_settle(prepared=prepared, person_id=self.martina.pk)

    def voiding(self):
        by = {"house_id": self.house.pk, "round_id": self.round_id, "person_id": self.reto.pk}
        return lambda: services.round_void(**by, reason="misdeal")

    def correcting(self, *placed, result=ENDS):
        """A croupier puts right what came after the lock of the round, settled by now."""
        ids = {"house_id": self.house.pk, "round_id": self.round_id}
        sent = [self.placing(self.round_id, self.owner, act)["placement"] for act in placed]
        prepared = services.round_evaluate(**ids, result=result, state="settled", placed=sent)
        by = {"person_id": self.martina.pk, "reason": "mistyped"}
        return lambda: services.round_correct(prepared=prepared, **by)

    def came(self, first, second) -> tuple[tuple[object, object], bool, list[UUID]]:
        """What both ended as, whether one waited, and the numbers of the stakes that came after the lock."""
        met = meet(self.database, first, second)
        return ends(met), met.waited, [one[0] for one in self.later(self.round_id)]


@pytest.fixture(scope="module")
def ready(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Placing]:
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch, module_database("placing") as name:
        patch.setitem(GAMES, "blackjack", BLACKJACK)
        floor = Placing()
        floor.database = name
        yield floor


@pytest.fixture
def placing(ready: Placing, django_db_blocker: DjangoDbBlocker) -> Iterator[Placing]:
    with django_db_blocker.unblock(), module_database("placed", ready.database) as name:
        own = copy.deepcopy(ready)
        own.database = name
        yield own


def test_two_at_once_are_one_stake(placing):
    outcome = placing.came(placing.doubling(), placing.doubling())
    assert outcome == (("locked", "blackjack.placed_already"), True, [1])
    assert breached() == {}


def test_stake_that_meets_the_end_of_its_round(placing):
    first = placing.came(placing.doubling(), placing.settling())
    assert first == (("locked", "round.changed"), True, [1])  # the result did not know it
    second = placing.came(placing.settling(), placing.doubling())
    assert second == (("settled", "round.state_refused"), True, [1])
    assert breached() == {}


def test_stake_that_meets_a_void(placing):
    assert placing.came(placing.doubling(), placing.voiding()) == (("locked", "voided"), True, [1])
    assert placing.came(placing.doubling(), placing.voiding())[0] == ("round.state_refused", "round.state_refused")
    assert breached() == {}


@pytest.fixture
def doubled(placing: Placing) -> Placing:
    placing.place(placing.round_id, placing.owner, "double")
    return placing


def test_two_that_take_one_back_take_it_once(doubled):
    outcome = doubled.came(doubled.taking_back(), doubled.taking_back())
    assert outcome == (("locked", "round.nothing_placed"), True, [1, 2])
    assert breached() == {}


def test_what_is_taken_back_meets_the_end_of_its_round(doubled):
    first = doubled.came(doubled.taking_back(), doubled.settling())
    assert first == (("locked", "round.changed"), True, [1, 2])  # the result paid it
    second = doubled.came(doubled.settling(), doubled.taking_back())
    assert second == (("settled", "round.state_refused"), True, [1, 2])
    assert breached() == {}


def test_what_is_taken_back_meets_the_settlement_that_pays_it(doubled):
    outcome = doubled.came(doubled.settling(), doubled.taking_back())
    assert outcome == (("settled", "round.state_refused"), True, [1])
    assert breached() == {}


def test_what_is_taken_back_meets_a_void(doubled):
    assert doubled.came(doubled.taking_back(), doubled.voiding()) == (("locked", "voided"), True, [1, 2])
    assert breached() == {}


def test_two_that_put_the_stakes_right_do_it_once(placing):
    placing.settle(placing.round_id, ENDS)
    outcome = placing.came(placing.correcting("double"), placing.correcting("double"))
    assert outcome == (("settled", "round.changed"), True, [1])
    outcome = placing.came(placing.correcting(), placing.correcting("double", result=ENDS | {"bank": "20"}))
    assert outcome == (("settled", "round.changed"), True, [1, 2])  # it fell away, and only once
    assert breached() == {}


def test_without_a_look_at_the_later_stakes_a_result_would_leave_one_without_a_line(placing):
    """The control."""
    rewrite(placing.database, "round_settle_v1", "<> coalesce(r.placed, 0)", "< 0")
    assert placing.came(placing.doubling(), placing.settling()) == (("locked", "settled"), True, [1])
    assert {"stakes_have_their_lines", "results_are_posted"} <= set(breached())
