"""A drop box is counted: by two second people at once, and while a buy-in comes that lies in it (DRP-4, DRP-8)."""

import copy
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from uuid import uuid4

import pytest
from pytest_django import DjangoDbBlocker

from casino.people.models import Person
from payouts.models import Count, CountBack, CountEntry
from tables import services
from tables.services.counts.differences import left_minor
from tests.cast import make_person
from tests.databases import module_database
from tests.drops import FULL, DropFloor, cash_lines
from tests.races.meet import meet
from tests.races.racing import ends
from tests.tables.audits import breached

MORE = FULL | {100_00: 42}  # 8 050.00
LESS = FULL | {20_00: 79}


class DropRace(DropFloor):
    """The box holds 7 850.00; Ella may count it too."""

    def __init__(self, database: str) -> None:
        super().__init__()
        self.database = database
        self.third: Person = make_person("ella", "cage", house=self.house)
        self.bought(7_850_00)

    def counting(self, count: Count, person: Person, pieces: Mapping[int, int]) -> Callable[[], object]:
        ids = {"house_id": self.house.pk, "count_id": count.pk, "counter_id": person.pk}
        return lambda: services.drop_count_enter(**ids, lines=cash_lines(pieces)) and None

    def buying(self, count: Count) -> Callable[[], object]:
        """What the tablet has queued since before the box was taken."""
        where = {"house_id": self.house.pk, "table_id": self.counted.pk, "actor_id": self.martina.pk}
        queued = {"buyin_id": uuid4(), "queued_at": count.begun_at - timedelta(microseconds=1)}
        return lambda: services.buyin_enter(**where, **queued, amount_minor=200_00) and None


@pytest.fixture(scope="module")
def bought(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[DropRace]:
    with django_db_blocker.unblock(), module_database("drops") as name:
        yield DropRace(name)


@pytest.fixture
def racing(bought: DropRace, django_db_blocker: DjangoDbBlocker) -> Iterator[DropRace]:
    with django_db_blocker.unblock(), module_database("drop", bought.database) as name:
        own = copy.deepcopy(bought)
        own.database = name
        yield own


def test_DRP_4_of_two_second_counts_at_once_one_is_signed_and_the_other_refused(racing):  # noqa: N802
    count = racing.take()
    racing.counts(count, racing.first, FULL)
    met = meet(racing.database, racing.counting(count, racing.second, FULL), racing.counting(count, racing.third, FULL))
    assert (met.waited, ends(met)) == (True, (None, "count.signed"))
    counters = CountEntry.objects.filter(count=count).order_by("number").values_list("counter_id", flat=True)
    assert list(counters) == [racing.first.pk, racing.second.pk]
    assert (racing.balance("drop"), breached()) == (0, {})


def test_DRP_4_of_two_second_counts_that_differ_the_later_is_by_a_third_person(racing):  # noqa: N802
    count = racing.take()
    racing.counts(count, racing.first, FULL)
    met = meet(racing.database, racing.counting(count, racing.second, LESS), racing.counting(count, racing.third, FULL))
    assert (met.waited, ends(met)) == (True, (None, "count.drop_other_person"))
    count.refresh_from_db()
    assert (count.state, CountEntry.objects.filter(count=count).count()) == ("again", 2)


def test_DRP_8_a_late_buy_in_sets_the_box_back_whether_it_comes_before_the_signature_or_after(racing):  # noqa: N802
    for is_first in (True, False):
        count = racing.take()
        racing.counts(count, racing.first, MORE)
        commands = [racing.buying(count), racing.counting(count, racing.second, MORE)]
        met = meet(racing.database, *(commands if is_first else reversed(commands)))
        assert (met.waited, ends(met)) == (True, (None, None))
        assert CountBack.objects.get(count=count).amount_minor == 200_00
        assert (left_minor(count.pk), racing.balance("drop"), breached()) == (0, 0, {})
        racing.bought(7_850_00)
