"""A table as its tablet shows it: one answer, in as many statements after an evening as before it."""

from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.games.chips import chips
from casino.tablet.surface import RELATED, game_data, standing, versions_now
from payouts.models import Event
from tables.errors import TableClosed
from tables.models import Table
from tables.services import (
    floor_call,
    floor_call_take,
    round_call,
    round_correction_request,
    round_evaluate,
    round_reopen,
    table_close,
)
from tests.floor import Floor, done, stakes_for, taps
from tests.turns import each
from tests.worlds import world

WIN = taps(b1={"play": 4, "result": "win"})


pytestmark = world(Floor)


def shown(floor: Floor) -> dict:
    return standing(Table.objects.select_related(*RELATED).get(pk=floor.table.pk))


def test_a_table_through_its_evening(floor: Floor) -> None:
    told = shown(floor)
    assert (told["session"], told["round"], told["guests"], told["offline"]) == (None, None, [], "stop")
    guests = floor.open()
    assert [one["box"] for one in shown(floor)["guests"]] == [1, 2, 3, 4, 5, 6, 7]
    stakes = stakes_for(guests[:1], coins=1, trips=500)
    locked = floor.lock(stakes)["id"]
    told = shown(floor)["round"]
    assert (told["id"], told["state"], told["result"]) == (locked, "locked", None)
    assert sorted((one["kind"], one["amount_minor"]) for one in told["stakes"]) == [
        ("ante", 1500),
        ("blind", 1500),
        ("coin", 500),
        ("trips", 500),
    ]
    floor.settle(locked, WIN)
    floor.correct(locked, taps(b1={"play": 1, "result": "win"}))
    told = shown(floor)["round"]
    assert (told["state"], told["revision"], told["result"]["boxes"]["1"]["play"]) == ("settled", 2, 1)
    assert told["correction_waits"] is False
    prepared = round_evaluate(house_id=floor.house.pk, round_id=UUID(locked), result=WIN, state="settled")
    done(round_correction_request, prepared=prepared, person_id=floor.martina.pk, reason="mistyped")
    assert shown(floor)["round"]["correction_waits"] is True
    second = floor.lock(stakes)["id"]
    done(round_reopen, house_id=floor.house.pk, round_id=UUID(second), person_id=floor.martina.pk)
    assert (shown(floor)["round"]["id"], shown(floor)["round"]["state"]) == (second, "reopened")
    done(table_close, house_id=floor.house.pk, table_id=floor.table.pk, actor_id=floor.reto.pk)
    assert shown(floor)["round"] is None


def test_a_running_round_says_that_royal_was_called_in_it(floor: Floor) -> None:
    locked = floor.lock(stakes_for(floor.open()[:1], coins=1))["id"]
    assert shown(floor)["round"]["called"] is False
    done(round_call, house_id=floor.house.pk, round_id=UUID(locked), person_id=floor.martina.pk)
    assert shown(floor)["round"]["called"] is True


def test_the_floor_is_called_once(floor: Floor) -> None:
    """The same call again is no new one; another reason is; who is not open calls nobody."""
    where = {"house_id": floor.house.pk, "table_id": floor.table.pk, "actor_id": floor.martina.pk}
    with pytest.raises(TableClosed):
        done(floor_call, **where, reason="dispute")
    floor.open()
    for reason in ("dispute", "dispute", "chips"):
        assert done(floor_call, **where, reason=reason).reason == reason
        assert shown(floor)["call"] == reason
    taken = done(floor_call_take, **where | {"actor_id": floor.reto.pk})
    assert shown(floor)["call_taken"]["by"] == taken.taken_by == floor.reto.full_name
    assert (
        done(floor_call_take, **where | {"actor_id": floor.ines.pk}) == taken
    )  # who comes second is given who was first
    assert done(floor_call, **where, reason="chips") == taken
    assert done(floor_call, **where, reason="guest").taken_at is None  # another call, which nobody has taken
    assert shown(floor)["call_taken"] is None
    assert done(floor_call, **where, reason=None) is None
    assert done(floor_call, **where, reason=None) is None
    assert done(floor_call_take, **where) is None
    assert shown(floor)["call"] is None
    names = Event.objects.filter(subject_kind="floor_call").order_by("id").values_list("name", flat=True)
    assert list(names) == ["floor.called", "floor.called", "floor.taken", "floor.called", "floor.seen_to"]


def test_as_many_statements_for_a_long_evening(floor: Floor) -> None:
    guests = floor.open()
    counts = []
    for count in (1, 4):
        for _ in range(count):
            floor.settle(
                floor.lock(stakes_for(guests[:count]))["id"],
                {"boxes": {str(n): {"result": "fold"} for n in range(1, count + 1)}},
            )
        with CaptureQueriesContext(
            connection,
        ) as asked:
            shown(floor)
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 6


def test_versions_are_those_of_the_running_round(floor: Floor) -> None:
    """The next lock takes the session's and the epoch's; a running round keeps its own."""
    guests = floor.open()
    table = Table.objects.select_related(*RELATED).get(pk=floor.table.pk)
    before = versions_now(table, None)
    assert {"progressive", "funding", "uth_rules", "floor_rules"} <= set(before)
    floor.lock(stakes_for(guests[:1]))
    assert shown(floor)["versions"] == before
    rules = game_data(table, before)
    assert (rules["code"], rules["boxes"], rules["progressive"]["coin"], rules["reopen_s"]) == ("uth", 7, 500, 5)
    assert rules["limits"]["ante"] == {"minimum": 500, "maximum": 5000, "step": 500, "chips": chips(500, 5000, 500)}


@each(("low", "high", "step"), [(500, 500, 500), (500, 2000, 500), (1000, 50000, 1000), (25, 10000, 25)])
def test_every_chip_is_legal(low: int, high: int, step: int) -> None:
    given = chips(low, high, step)
    assert given == sorted(set(given))
    assert (given[0], given[-1]) == (low, high)
    assert all(amount % step == 0 for amount in given)
    assert len(given) <= 8
