"""Guests at the seats of a poker table, over HTTP (POK-2, RAK-2): what is answered, shown to the tablet, and refused."""
# ruff: noqa: N802 - tests are named after the rules

from typing import Any
from uuid import UUID

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables.models import PokerStay
from tests.casino.api.callers import Callers
from tests.poker import PokerRoom
from tests.tables.audits import breached_here
from tests.worlds import world


class Room(Callers):
    """A poker room, and who calls: a tablet at each open table, the pit boss at the office."""

    floor: PokerRoom

    def __init__(self) -> None:
        super().__init__(PokerRoom())
        self.raked = self.at_tablet(self.floor.raked, self.floor.martina, "Poker 1")
        self.timed = self.at_tablet(self.floor.timed, self.floor.martina, "Poker 2")


pytestmark = world(Room)


def ok(answer: tuple[int, dict[str, Any]]) -> Any:
    assert answer[0] == 200, answer
    return answer[1].get("answer", answer[1])


def begin(room: Room, seat: object, amount: object = 100_00, means: object = "cash") -> Any:
    body = {"seat": seat, "amount_minor": amount, "means": means}
    return ok(room.raked.post(f"tables/{room.floor.raked.pk}/stays/", body))


def of_stay(stay: dict[str, Any], *names: str) -> tuple[Any, ...]:
    return tuple(stay[name] for name in names)


def test_POK_2_an_evening_at_a_seat(floor: Room) -> None:
    tablet, stay = floor.raked, begin(floor, 3)
    assert of_stay(stay, "number", "seat", "state", "away_since", "bought_minor", "time") == (
        1, 3, "playing", None, 100_00, None,
    )  # fmt: skip
    at = f"stays/{stay['id']}/"
    more = ok(tablet.post(f"{at}chips/", {"kind": "top_up", "amount_minor": 50_00, "means": "chips"}))
    tip = ok(tablet.post(f"{at}chips/", {"kind": "tip", "amount_minor": 2_00, "means": "stack"}))
    assert [one["bought_minor"] for one in (more, tip)] == [150_00, 150_00]
    away = ok(tablet.post(f"{at}away/"))
    assert (away["state"], away["away_since"] is not None) == ("away", True)
    assert of_stay(ok(tablet.post(f"{at}back/")), "state", "away_since") == ("playing", None)
    assert of_stay(ok(tablet.post(f"{at}move/", {"seat": 5})), "id", "seat") == (stay["id"], 5)
    left = ok(tablet.post(f"{at}leave/", {"counted_minor": 140_00}))
    assert left == {"stay": stay["id"], "counted_minor": 140_00, "difference_minor": -10_00, "time_minor": 0}
    assert breached_here() == {}


def surface(room: Room) -> Any:
    status, answer = room.timed.get(f"tables/{room.floor.timed.pk}/surface/")
    assert status == 200, answer
    return answer


def test_a_tablet_is_shown_its_table_and_who_sits_there_by_seat(floor: Room) -> None:
    room, table = floor.floor, floor.floor.timed
    second, first = room.sit(7, table=table), room.sit(2, 40_00, table=table)
    room.of(second, "stay_away")
    shown = surface(floor)
    assert (shown["table"], shown["entry_level"], shown["session"]["id"]) == (
        str(table.pk), "rake_only", str(room.session_of(table)),
    )  # fmt: skip
    assert shown["gaming_day"] == shown["session"]["gaming_day"]
    assert shown["croupier"]["id"] == str(room.martina.pk)
    assert shown["game"] == {
        "variants": ["holdem"],
        "seats": 9,
        "chip_minor": 1_00,
        "buy_in_least_minor": 40_00,
        "buy_in_most_minor": 200_00,
        "fee": "time",
    }
    assert (shown["time"], shown["tips_from_stack"]) == ({"half_hour_minor": 5_00, "means": "stack"}, True)
    rows = [of_stay(one, "id", "seat", "state", "bought_minor") for one in shown["stays"]]
    assert rows == [(str(first.pk), 2, "playing", 40_00), (str(second.pk), 7, "away", 100_00)]
    due = {"half_hours": 1, "amount_minor": 5_00, "paid_until": first.time_from.isoformat()}
    assert shown["stays"][0]["time"] == due


def test_as_many_statements_for_nine_seats_as_for_one(floor: Room) -> None:
    surface(floor)  # what is posted there is read once a process
    counts = []
    for seats in ((1,), range(2, 10)):
        for seat in seats:
            floor.floor.sit(seat, table=floor.floor.timed)
        with CaptureQueriesContext(connection) as asked:
            surface(floor)
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_a_closed_table_is_shown_without_what_a_session_has(floor: Room) -> None:
    shown = ok(floor.boss.get(f"tables/{floor.floor.free.pk}/surface/"))
    names = ("session", "gaming_day", "entry_level", "croupier", "game", "time", "tips_from_stack", "stays")
    assert of_stay(shown, *names) == (None, None, None, None, None, None, False, [])


def test_RAK_2_time_is_taken_from_those_who_are_named_or_from_all(floor: Room) -> None:
    room, path = floor.floor, f"tables/{floor.floor.timed.pk}/time/"
    stays = [str(room.sit(seat, table=room.timed).pk) for seat in (1, 2, 3)]
    paid = ok(floor.timed.post(path, {"stays": stays[:1], "means": "chips"}))
    assert paid == {"payments": [{"stay": stays[0], "half_hours": 1, "amount_minor": 5_00}]}
    rest = ok(floor.timed.post(path, {"stays": None, "means": "stack"}))
    assert [one["stay"] for one in rest["payments"]] == stays[1:]
    assert [one["time"]["amount_minor"] for one in surface(floor)["stays"]] == [0, 0, 0]


def test_POK_2_who_goes_to_another_table_goes_on_there_with_what_is_counted(floor: Room) -> None:
    stay = begin(floor, 1)
    body = {"seat": 4, "table": str(floor.floor.timed.pk), "counted_minor": 120_00}
    moved = ok(floor.raked.post(f"stays/{stay['id']}/move/", body))
    assert of_stay(moved, "seat", "state", "bought_minor") == (4, "playing", 120_00)
    assert moved["time"]["half_hours"] == 1
    assert PokerStay.objects.get(pk=moved["id"]).came_from_id == UUID(stay["id"])
