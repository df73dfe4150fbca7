"""Guests at the seats of a poker table, over HTTP (POK-2, RAK-2): what is answered, shown to the tablet, and refused."""
# ruff: noqa: N802 - tests are named after the rules

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables.models import PokerStay, StayChips
from tests.casino.api.bad import refused
from tests.casino.api.callers import Callers
from tests.poker import PokerRoom, deal, opened, poker_table
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


def of_stay(stay: dict[str, Any], names: str) -> tuple[Any, ...]:
    return tuple(stay[name] for name in names.split())


def test_POK_2_an_evening_at_a_seat(floor: Room) -> None:
    tablet = floor.raked
    stay = begin(floor, 3)
    assert of_stay(stay, "number seat state away_since bought_minor time") == (
        1, 3, "playing", None, 100_00, None,
    )  # fmt: skip
    at = f"stays/{stay['id']}/"
    more = ok(tablet.post(f"{at}chips/", {"kind": "top_up", "amount_minor": 50_00, "means": "chips"}))
    tip = ok(tablet.post(f"{at}chips/", {"kind": "tip", "amount_minor": 2_00, "means": "stack"}))
    assert [stay["bought_minor"] for stay in (more, tip)] == [150_00, 150_00]
    away = ok(tablet.post(f"{at}away/"))
    assert (away["state"], away["away_since"] is not None) == ("away", True)
    assert of_stay(ok(tablet.post(f"{at}back/")), "state away_since") == ("playing", None)
    assert of_stay(ok(tablet.post(f"{at}move/", {"seat": 5})), "id seat") == (stay["id"], 5)
    left = ok(tablet.post(f"{at}leave/", {"counted_minor": 140_00}))
    assert left == {"stay": stay["id"], "counted_minor": 140_00, "difference_minor": -10_00, "time_minor": 0}
    assert breached_here() == {}


def surface(room: Room) -> Any:
    status, answer = room.timed.get(f"tables/{room.floor.timed.pk}/surface/")
    assert status == 200, answer
    return answer


def test_a_tablet_is_shown_its_table_and_who_sits_there_by_seat(floor: Room) -> None:
    room, table = floor.floor, floor.floor.timed
    second = room.sit(7, table=table)
    first = room.sit(2, 40_00, table=table)
    room.of(second, "stay_away")
    view = surface(floor)
    assert (view["table"], view["entry_level"], view["session"]["id"]) == (
        str(table.pk), "rake_only", str(room.session_of(table)),
    )  # fmt: skip
    assert view["gaming_day"] == view["session"]["gaming_day"]
    assert view["croupier"]["id"] == str(room.martina.pk)
    assert view["game"] == {
        "variants": ["holdem"],
        "seats": 9,
        "chip_minor": 1_00,
        "buy_in_least_minor": 40_00,
        "buy_in_most_minor": 200_00,
        "fee": "time",
    }
    assert (view["time"], view["tips_from_stack"]) == ({"half_hour_minor": 5_00, "means": "stack"}, True)
    rows = [of_stay(stay, "id seat state bought_minor") for stay in view["stays"]]
    assert rows == [(str(first.pk), 2, "playing", 40_00), (str(second.pk), 7, "away", 100_00)]
    due = {"half_hours": 1, "amount_minor": 5_00, "paid_until": first.time_from.isoformat()}
    assert view["stays"][0]["time"] == due


def test_a_tablet_is_told_number_and_variant_of_the_newest_hand(floor: Room) -> None:
    room = floor.floor
    stays = [room.sit(seat, table=room.timed) for seat in (1, 2)]
    assert surface(floor)["last_hand"] is None
    for _hand in range(2):
        deal(room, *stays, pot={})
    assert of_stay(surface(floor)["last_hand"], "number variant button") == (2, "holdem", None)


def test_as_many_statements_for_nine_seats_as_for_one(floor: Room) -> None:
    surface(floor)  # what is posted there is read once a process
    counts = []
    for seats in ((1,), range(2, 10)):
        for seat in seats:
            floor.floor.sit(seat, table=floor.floor.timed)
        with CaptureQueriesContext(connection) as queries:
            surface(floor)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_a_closed_table_is_shown_without_what_a_session_has(floor: Room) -> None:
    view = ok(floor.boss.get(f"tables/{floor.floor.free.pk}/surface/"))
    names = (
        "session",
        "gaming_day",
        "entry_level",
        "croupier",
        "game",
        "time",
        "tips_from_stack",
        "stays",
        "last_hand",
    )
    assert of_stay(view, " ".join(names)) == (None, None, None, None, None, None, False, [], None)


def test_RAK_2_time_is_taken_from_those_who_are_named_or_from_all(floor: Room) -> None:
    room, path = floor.floor, f"tables/{floor.floor.timed.pk}/time/"
    stays = [str(room.sit(seat, table=room.timed).pk) for seat in (1, 2, 3)]
    paid = ok(floor.timed.post(path, {"stays": stays[:1], "means": "chips"}))
    assert paid == {"payments": [{"stay": stays[0], "half_hours": 1, "amount_minor": 5_00}]}
    rest = ok(floor.timed.post(path, {"stays": None, "means": "stack"}))
    assert [stay["stay"] for stay in rest["payments"]] == stays[1:]
    assert [stay["time"]["amount_minor"] for stay in surface(floor)["stays"]] == [0, 0, 0]


def test_POK_2_who_goes_to_another_table_goes_on_there_with_what_is_counted(floor: Room) -> None:
    stay = begin(floor, 1)
    body = {"seat": 4, "table": str(floor.floor.timed.pk), "counted_minor": 120_00}
    moved = ok(floor.raked.post(f"stays/{stay['id']}/move/", body))
    assert of_stay(moved, "seat state bought_minor") == (4, "playing", 120_00)
    assert moved["time"]["half_hours"] == 1
    assert PokerStay.objects.get(pk=moved["id"]).came_from_id == UUID(stay["id"])


def test_a_tablet_is_told_of_other_tables_their_free_seats_and_nothing_else(floor: Room) -> None:
    room, path = floor.floor, f"tables/{floor.floor.raked.pk}/free-seats/"
    room.sit(2)
    left = room.sit(3, table=room.timed)
    for seat in (4, 9):
        room.sit(seat, table=room.timed)
    room.of(left, "stay_leave", counted_minor=100_00, waived="courtesy")
    timed = {"id": str(room.timed.pk), "name": "Poker 2", "seats": [1, 2, 3, 5, 6, 7, 8]}
    assert ok(floor.raked.get(path)) == {"tables": [timed]}  # neither its own nor the closed one
    opened(room, room.free)
    with CaptureQueriesContext(connection) as one_more:
        seats = ok(floor.raked.get(path))
    assert seats == {"tables": [timed, {"id": str(room.free.pk), "name": "Poker 3", "seats": [1, 2, 3, 4, 5, 6]}]}
    opened(room, poker_table(room, "Poker 4"))
    with CaptureQueriesContext(connection) as two_more:
        assert len(ok(floor.raked.get(path))["tables"]) == 3
    assert len(one_more) == len(two_more)
    refused(floor.raked.get(f"tables/{room.timed.pk}/free-seats/"), 404, "table.unknown")
    refused(floor.boss.get(f"tables/{room.table.pk}/free-seats/"), 422, "poker.no_stacks", "POK-2")


def test_HSE_1_the_pit_takes_a_table_into_the_gaming_day_that_is(floor: Room) -> None:
    room, path = floor.floor, f"tables/{floor.floor.raked.pk}/roll/"
    before = room.session_of(room.raked)
    stay = room.sit(6)
    refused(floor.raked.post(path), 403, "person.not_allowed")
    session = ok(floor.boss.post(path))
    assert (session["id"], session["closed_at"]) == (str(room.session_of(room.raked)), None)
    assert session["id"] != str(before)
    [now] = ok(floor.raked.get(f"tables/{room.raked.pk}/surface/"))["stays"]
    assert of_stay(now, "seat bought_minor") == (6, 100_00)
    assert PokerStay.objects.get(pk=now["id"]).came_from_id == stay.pk


def test_POK_2_the_croupier_counts_all_stacks_and_the_floor_signs_a_difference(floor: Room) -> None:
    stays = [begin(floor, seat)["id"] for seat in (1, 2)]
    path = f"tables/{floor.floor.raked.pk}/stacks/"
    body: dict[str, Any] = {"stacks": dict(zip(stays, (40_00, 158_00), strict=True))}
    refused(floor.raked.post(path, body | {"stacks": {stays[0]: 200_00}}), 422, "poker.stacks_missing", "POK-2")
    refused(floor.raked.post(path, body | {"stacks": {"all": 200_00}}), 422, "poker.stacks_missing", "POK-2")
    refused(floor.raked.post(path, body | {"stacks": []}), 400, "request.field_wrong")
    refused(floor.raked.post(path, body | {"missing_minor": 2_00}), 409, "poker.count_differs", "POK-2")
    signed = ok(floor.boss.post(path, body | {"missing_minor": 2_00}))
    assert signed == {
        "stacks": [
            {"stay": stays[0], "counted_minor": 40_00, "difference_minor": -60_00},
            {"stay": stays[1], "counted_minor": 158_00, "difference_minor": 58_00},
        ],
        "counted_minor": 198_00,
        "missing_minor": 2_00,
    }
    again = ok(floor.raked.post(path, {"stacks": {stays[0]: 40_00, stays[1]: 160_00}}))
    assert (again["counted_minor"], again["missing_minor"]) == (200_00, 0)
    assert breached_here() == {}


def test_a_command_to_a_seat_is_carried_out_once(floor: Room) -> None:
    key = str(uuid4())
    body = {"seat": 1, "amount_minor": 100_00, "means": "cash"}
    path = f"tables/{floor.floor.raked.pk}/stays/"
    (status, first), (again_status, again) = (floor.raked.post(path, body, key) for _ in range(2))
    assert (status, again_status, again) == (200, 200, first | {"replayed": True})
    refused(floor.raked.post(path, body | {"seat": 2}, key), 422, "command.key_reused")
    assert PokerStay.objects.count() == 1


def test_POK_2_bad_input_is_refused_and_moves_nothing(floor: Room, subtests: pytest.Subtests) -> None:
    room = floor.floor
    stay = begin(floor, 1)
    table, at = f"tables/{room.raked.pk}/", f"stays/{stay['id']}/"
    beside = str(room.sit(1, table=room.timed).pk)
    other = str(uuid4())
    buy: dict[str, Any] = {"seat": 2, "amount_minor": 100_00, "means": "cash"}
    tip: dict[str, Any] = {"kind": "tip", "amount_minor": 1_00, "means": "stack"}
    outside, no_amount = (422, "poker.seat_outside", "BOX-1"), (422, "poker.amount_refused", "POK-2")
    bad: list[tuple[str, dict[str, Any], tuple[int, str, str | None]]] = [
        *((f"{table}stays/", buy | {"seat": seat}, outside) for seat in (0, 10, -1, "2", True, None, [2], 10**18)),
        *((f"{table}stays/", buy | {"amount_minor": minor}, no_amount) for minor in (0, -1_00, "4000", 10**18, {})),
        (f"{table}stays/", buy | {"amount_minor": 40_50}, (422, "poker.off_chip", "POK-2")),
        (f"{table}stays/", buy | {"amount_minor": 4000.0}, (400, "data.refused", None)),
        (f"{table}stays/", buy | {"amount_minor": 10**30}, (400, "data.refused", None)),
        (f"{table}stays/", buy | {"amount_minor": 39_00}, (422, "poker.buy_in_outside", "POK-2")),
        (f"{table}stays/", buy | {"means": "credit"}, (422, "poker.chips_refused", "POK-2")),
        (f"{table}stays/", buy | {"means": 5}, (400, "text.refused", None)),
        (f"{table}stays/", buy | {"seat": 1}, (409, "poker.seat_taken", "BOX-1")),
        (f"{at}chips/", tip | {"kind": "rebuy"}, (422, "poker.chips_refused", "POK-2")),
        (f"{at}chips/", tip | {"amount_minor": "100"}, no_amount),
        (f"{at}move/", {"seat": 10}, outside),
        (f"{at}move/", {"seat": 2, "table": str(room.timed.pk), "counted_minor": -1}, no_amount),
        (f"{at}move/", {"seat": 2, "table": other}, (404, "table.unknown", None)),
        (f"{at}leave/", {"counted_minor": "10000"}, no_amount),
        (f"stays/{beside}/away/", {}, (404, "poker.stay_gone", "POK-2")),  # of another table than the tablet's
        (f"stays/{other}/leave/", {"counted_minor": 0}, (404, "poker.stay_gone", "POK-2")),
        (f"{table}time/", {"means": "stack"}, (422, "poker.no_time_charge", "RAK-2")),
        *((f"{table}time/", {"means": "stack", "stays": ids}, (400, "request.field_wrong", None))
          for ids in ([], "all", ["x"], [other, other])),
    ]  # fmt: skip
    before = (room.balances(), room.balances(room.timed), StayChips.objects.count(), PokerStay.objects.count())
    for path, body, (status, code, rule) in bad:
        with subtests.test(path=path, body=body):
            refused(floor.raked.post(path, body), status, code, rule)
    one_stay = {"means": "stack", "stays": [stay["id"]]}
    refused(floor.timed.post(f"tables/{room.timed.pk}/time/", one_stay), 404, "poker.stay_gone", "POK-2")
    after = (room.balances(), room.balances(room.timed), StayChips.objects.count(), PokerStay.objects.count())
    assert before == after


def test_POK_2_who_has_not_the_table_moves_no_chips_there(floor: Room) -> None:
    nora = floor.at_tablet(floor.floor.raked, floor.floor.nora, "Second tablet")
    stay = begin(floor, 1)
    for path, body in (
        (f"tables/{floor.floor.raked.pk}/stays/", {"seat": 2, "amount_minor": 100_00, "means": "cash"}),
        (f"stays/{stay['id']}/leave/", {"counted_minor": 100_00}),
    ):
        refused(nora.post(path, body), 403, "round.croupier_wrong")
