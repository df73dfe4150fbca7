"""A count of a tray and what moves it meanwhile (CNT-9)."""

import copy
from collections.abc import Callable, Iterator
from uuid import UUID, uuid4

import pytest
from pytest_django import DjangoDbBlocker

from payouts.models import CountBack, CountSignature
from tables import services
from tables.models import TableSession
from tables.services.counts import witness
from tests.counts import OPENER, CountedFloor
from tests.databases import module_database
from tests.floor import stakes_for, taps
from tests.races.meet import meet, rewrite
from tests.races.racing import ends
from tests.tables.audits import breached

LESS = (39, *OPENER[1:])  # one of 2.50 is missing


class CountedRace(CountedFloor):
    """The counted table, open, with a round that its box has lost."""

    def __init__(self, database: str) -> None:
        super().__init__()
        self.database = database
        self.opened()
        self.guests = list(TableSession.objects.get(table=self.counted).guests.order_by("box"))
        self.settled = UUID(self.lock(stakes_for(self.guests[:1]), table_id=self.counted.pk)["id"])
        self.settle(self.settled, taps(b1={"result": "fold"}))

    def locking(self) -> Callable[[], object]:
        staked = {"table_id": self.counted.pk, "stakes": stakes_for(self.guests[:1]), "round_id": uuid4()}
        return lambda: services.round_lock(house_id=self.house.pk, croupier_id=self.martina.pk, **staked)

    def beginning(self) -> Callable[[], object]:
        ids = {"house_id": self.house.pk, "table_id": self.counted.pk, "actor_id": self.martina.pk}
        return lambda: services.count_begin(**ids, purpose="spot")


@pytest.fixture(scope="module")
def lost(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[CountedRace]:
    with django_db_blocker.unblock(), module_database("counts") as name:
        yield CountedRace(name)


@pytest.fixture
def racing(lost: CountedRace, django_db_blocker: DjangoDbBlocker) -> Iterator[CountedRace]:
    with django_db_blocker.unblock(), module_database("count", lost.database) as name:
        own = copy.deepcopy(lost)
        own.database = name
        yield own


def test_a_lock_waits_for_a_count_that_begins_and_is_refused(racing):
    met = meet(racing.database, racing.beginning(), racing.locking())
    assert (met.waited, ends(met)[1]) == (True, "table.being_counted")


def test_a_count_waits_for_a_lock_and_is_refused(racing):
    met = meet(racing.database, racing.locking(), racing.beginning())
    assert (met.waited, ends(met)) == (True, ("locked", "table.round_running"))


def signed_beside_a_correction(racing: CountedRace) -> tuple[bool, int]:
    """The office corrects a round while the signature is worked out: whether it waited, and what lies in the tray then."""
    count = racing.begin("spot")
    ids = {"house_id": racing.house.pk, "count_id": count.pk, "witness_id": racing.reto.pk}
    entry = racing.enter(count, *LESS)
    where = {"house_id": racing.house.pk, "round_id": racing.settled}
    prepared = services.round_evaluate(**where, result=taps(b1={"play": 1, "result": "lose"}), state="settled")
    met = meet(
        racing.database,
        lambda: services.count_witness(**ids, entry=entry, ok=True) and None,
        lambda: services.round_correct(prepared=prepared, person_id=racing.martina.pk, reason="mistyped"),
        before=(witness, "_write"),
    )
    assert not isinstance(met.first, BaseException), met.first
    return met.waited, racing.balance("tray")


def test_a_signature_knows_a_correction_that_came_while_it_was_worked_out(racing):
    """It starts again: the box has lost 15.00 more, which the signature finds missing too."""
    assert signed_beside_a_correction(racing) == (False, 3_659_750)
    assert CountSignature.objects.latest("id").difference_minor == -250 - 3_000 - 1_500
    assert breached() == {}


def test_without_its_second_look_a_signature_books_beside_the_correction(racing):
    """The control."""
    rewrite(racing.database, "count_sign_v1", "difference <> c.difference_minor OR", "false AND")
    assert signed_beside_a_correction(racing) == (False, 3_659_750 + 1_500)
    assert set(breached()) == {"counts_meet_their_transfer", "guards_in_place"}


def test_a_correction_waits_for_the_signature_of_a_closer_and_sets_it_back(racing):
    """The account of the tray is held from the moment the books are read: what was counted stands (CNT-10)."""
    count = racing.begin("closer")
    entry = racing.enter(count, *LESS)
    ids = {"house_id": racing.house.pk, "count_id": count.pk, "witness_id": racing.reto.pk}
    where = {"house_id": racing.house.pk, "round_id": racing.settled}
    prepared = services.round_evaluate(**where, result=taps(b1={"play": 1, "result": "lose"}), state="settled")
    met = meet(
        racing.database,
        lambda: services.count_witness(**ids, entry=entry, ok=True) and None,
        lambda: services.round_correct(prepared=prepared, person_id=racing.martina.pk, reason="mistyped") and None,
    )
    assert (met.waited, ends(met)) == (True, (None, None))
    assert racing.balance("tray") == 3_660_000 - 250
    assert CountBack.objects.get(count=count).amount_minor == 1_500
    assert breached() == {}
