"""A table whose tray and drop box are counted, as a state machine: guests buy, win, lose; pieces vanish, are overlooked, turn up;
rounds and buy-ins lie on a silent tablet over counts and closers. After each step the books have in tray and box what the model
has, and of each signed count is left what its places and pieces say (CNT-1 to CNT-10, DRP-4, DRP-8, RES-4); at the end of each
life no audit finds anything.
"""
# ruff: noqa: N802 - tests are named after the rules

import copy
import os
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import pytest
from django.db import IntegrityError
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from casino.people.models import Person
from tables import services
from tables.models import Difference
from tables.rules.floor import FloorRules
from tables.services.cash import enter, take_back
from tables.services.counts import back
from tables.services.counts.differences import left_minor
from tables.services.counts.parts import CountedTable
from tests.cast import make_person
from tests.counts import explain
from tests.databases import module_database
from tests.drops import DropFloor
from tests.machines.guards import instead
from tests.machines.places import NOTES, DropBox, Left, pieces_for
from tests.machines.trays import BOUGHT, HASTY, TrayMachine
from tests.tables.audits import breached, disagreeing

EXAMPLES = int(os.environ.get("FLOOR_EXAMPLES") or "20")
STEPS = 80
SHORT = not os.environ.get("FLOOR_EXAMPLES")
MISSED = st.sampled_from((0, 0, 10_00))
REACHED = {
    *("again", "between", "opened", "closed", "stolen", "late round", "late buy-in", "set back", "of a box", "corrected"),
    *("frozen", "given up", "box equal", "box together", "box given up", "settled", "explained", "overlooked"),
    *("table.not_counted", "table.opener_differs", "table.round_running", "count.running", "count.same_person", "box.counted"),
    *("count.drop_same_person", "cash.taken_back", "count.changed"),
}  # fmt: skip


class PlacesMachine(TrayMachine):
    """One life on a database of its own."""

    world: DropFloor
    bea: Person
    database: str

    def __init__(self) -> None:
        super().__init__()
        self._database = module_database("places", self.database)
        self._database.__enter__()
        self.floor = copy.copy(self.world)

    def teardown(self) -> None:
        try:
            assert breached() == {}
            assert disagreeing() == []
        finally:
            self.leave()

    def leave(self) -> None:
        self._database.__exit__(None, None, None)

    def counted_box(self) -> DropBox | None:
        return next((box for box in self.places.boxes if box.count and not box.is_signed), None)

    @rule(hasty=HASTY)
    def take_box(self, hasty: bool) -> None:
        if self.counted_box() and not hasty:
            return
        code = "count.drop_running" if self.counted_box() else ""
        if count := self.ask(code, self.floor.take):
            self.places.box.count = count
            self.places.boxes.append(DropBox())

    @precondition(lambda self: self.counted_box())
    @rule(slip=MISSED, twice=st.booleans())
    def count_box(self, slip: int, twice: bool) -> None:
        """Sina, then Dario; where they differ, together."""
        box = self.counted_box()
        recorded = box.booked
        first = max(box.cash - slip, 0)
        self.ask("", self.floor.counts, box.count, self.floor.first, self.cash(first))
        if twice:
            self.ask("count.drop_same_person", self.floor.counts, box.count, self.floor.first, self.cash(box.cash))
        counted = self.ask("", self.floor.counts, box.count, self.floor.second, self.cash(box.cash))
        if first != box.cash:
            assert (counted.value_minor, bool(counted.differ)) == (None, True)
            self.ask("", self.floor.counts, box.count, self.floor.first, self.cash(box.cash))
            counted = self.ask("", self.floor.agrees, box.count, self.floor.second)
        self.seen["box equal" if first == box.cash else "box together"] += 1
        figures = (counted.value_minor, counted.recorded_minor, counted.difference_minor)
        assert figures == (box.cash, recorded, box.cash - recorded)
        left = self.places.left[box.count.pk] = Left(box.cash - recorded)
        for amount in box.late:
            left.follow(amount)
        box.is_signed = True

    def cash(self, amount: int) -> Counter[int]:
        return pieces_for(amount, None, tuple(NOTES)) or Counter()

    @precondition(lambda self: self.evening and not self.count and not self.running and not self.counted_box())
    @rule(amount=BOUGHT, slip=MISSED, counted=st.booleans())
    def sold_before_the_box(self, amount: int, slip: int, counted: bool) -> None:
        """A buy-in that lay on the tablet when its box was taken."""
        self.sell(amount, "late")
        self.take_box(hasty=False)
        if counted:
            self.count_box(slip, twice=False)
        while self.waiting():
            self.arrive()

    @precondition(lambda self: self.counted_box())
    @rule()
    def give_box_up(self) -> None:
        """What lay in it is counted with what comes after it."""
        box = self.counted_box()
        latest = self.places.box
        ids = {"house_id": self.floor.house.pk, "count_id": box.count.pk, "actor_id": self.floor.first.pk}
        self.ask("", services.drop_count_give_up, **ids)
        self.places.boxes.remove(box)
        latest.cash += box.cash
        latest.booked += box.booked + sum(box.late)
        for play in self.plays:
            play.box = latest if play.box is box else play.box
        self.seen["box given up"] += 1

    # What is left
    @precondition(lambda self: any(left.state == "open" for left in self.places.left.values()))
    @rule(data=st.data())
    def explain(self, data: st.DataObject) -> None:
        counts = [count for count, left in self.places.left.items() if left.state == "open"]
        count = data.draw(st.sampled_from(counts))
        explain(self.floor, Difference.objects.get(count=count), self.floor.ines, self.bea)
        left = self.places.left[count]
        left.state, left.explained = "explained", left.minor
        self.seen["explained"] += 1

    @invariant()
    def books_are_the_models(self) -> None:
        assert self.floor.balance("tray") == self.places.books
        assert self.floor.balance("drop") == self.places.drop
        left = {count: (left.minor, left.state) for count, left in self.places.left.items()}
        states = dict(Difference.objects.values_list("count_id", "state"))
        assert {count: (left_minor(count), states.get(count, "")) for count in left} == left
        self.seen["settled"] += any(state == "settled" for _, state in left.values())


class Counters(DropFloor):
    """What was entered is put right alone for a life, however slow the machine is."""

    posted: ClassVar = {"floor_rules": FloorRules(undo_s=300)}


@pytest.fixture(scope="module")
def counters(django_db_setup: None, django_db_blocker: Any) -> Iterator[tuple[DropFloor, Person, str]]:
    with django_db_blocker.unblock(), module_database("machines") as name:
        floor = Counters()
        yield floor, make_person("bea", "manager", house=floor.house), name


@pytest.mark.timeout(0)
def test_CNT_and_DRP_places_and_pieces_are_as_the_model_says(counters: tuple[DropFloor, Person, str]) -> None:
    run = settings(
        max_examples=EXAMPLES,
        stateful_step_count=STEPS,
        derandomize=SHORT,
        database=None,
        deadline=None,
        phases=[Phase.generate],  # one that fails is short enough to be read
        suppress_health_check=list(HealthCheck),
    )
    floor, bea, name = counters
    machine: Any = type("Run", (PlacesMachine,), {"world": floor, "bea": bea, "database": name, "seen": Counter()})
    run_state_machine_as_test(machine, settings=run)
    if SHORT:  # else it is chance
        assert REACHED - {name for name, times in machine.seen.items() if times} == set()


def heard_late(life: PlacesMachine) -> None:
    life.silent_tablet("win", 200_00, again=True)


def sold_before(life: PlacesMachine) -> None:
    life.sold_before_the_box(200_00, 0, counted=True)


def taken_back(life: PlacesMachine) -> None:
    life.sell(200_00, "at once")
    life.take_box(hasty=False)
    life.takes_back(life.plays[-1])


def sold_while_counted(life: PlacesMachine) -> None:
    life.begin_count("spot")
    life.sell(200_00, "at once")


def far_from_the_books(life: PlacesMachine) -> None:
    life.vanish(500_00, -1)
    life.count_through(500_00, 0, alone=False)


GUARDS = {
    heard_late: instead(back, "set_back", lambda *_: None),
    sold_before: instead(enter, "box_follow", lambda *_, **__: None),
    taken_back: instead(take_back, "check_box_uncounted", lambda _: None),
    sold_while_counted: instead(enter, "check_uncounted", lambda _: None),
    far_from_the_books: instead(CountedTable, "rules", lambda _: None),
}


@pytest.mark.parametrize("tried", GUARDS, ids=lambda tried: str(tried.__name__))
def test_the_machine_says_so_when_a_guard_is_gone(
    counters: tuple[DropFloor, Person, str], monkeypatch: pytest.MonkeyPatch, tried: Callable[[PlacesMachine], None]
) -> None:
    floor, bea, name = counters
    values = {"world": floor, "bea": bea, "database": name, "seen": Counter()}
    for is_guarded in (True, False):
        life = type("Run", (PlacesMachine,), values)()
        try:
            life.begin()
            if is_guarded:
                tried(life)
                life.books_are_the_models()
            else:
                GUARDS[tried](monkeypatch)
                with pytest.raises((AssertionError, IntegrityError)):  # the database tells too
                    tried(life)
                    life.books_are_the_models()
        finally:
            life.leave()
