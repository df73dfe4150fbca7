"""Drop boxes over the API: listed without a figure, counted twice, each blind, together where the two differ (DRP-4)."""

from typing import Any
from uuid import uuid4

import pytest

from casino.people.models import Person
from casino.people.pins import pin_set
from payouts.models import Count, Event
from tables import services
from tests.casino.api.callers import Caller, Callers
from tests.casino.devices import devices
from tests.casino.people import people
from tests.drops import FULL, DropFloor, cash_lines
from tests.floor import done
from tests.worlds import world

PROVED = {"secret": devices.PIN}
LESS = FULL | {20_00: 79}


class DropCallers(Callers):
    """The floor of drop boxes; Sina and Dario of the cage sign in at the office."""

    floor: DropFloor

    def __init__(self) -> None:
        super().__init__(DropFloor())
        self.table = self.floor.counted.pk
        self.sina, self.dario, self.third = (self.caller(name) for name in ("sina.k", "dario.k", "ella.k"))
        self.croupier = self.at_tablet(self.floor.counted, self.floor.martina, "Tablet of UTH 3")
        pin_set(person=Person.objects.get(username="o.manager"), pin=devices.PIN)

    def caller(self, name: str, *roles: str) -> Caller:
        person = people.make(self.house, name, *(roles or ("cage",)))
        pin_set(person=person, pin=devices.PIN)
        return Caller(people.signed_in(person))

    def take(self) -> str:
        return str(commanded(self.sina, f"tables/{self.table}/drop-counts/")["id"])


pytestmark = world(DropCallers)


@pytest.fixture
def drops(floor: DropCallers) -> DropCallers:
    return floor


def commanded(caller: Caller, path: str, body: dict[str, Any] | None = None, status: int = 200) -> Any:
    got, answer = caller.post(path, PROVED | (body or {}))
    assert got == status, answer
    return answer["answer"] if status == 200 else answer["code"]


def enter(caller: Caller, count: str, pieces: dict[int, int], status: int = 200) -> Any:
    return commanded(caller, f"drop-counts/{count}/enter/", {"lines": cash_lines(pieces)}, status)


def agree(caller: Caller, count: str, entry: int, *, ok: bool = True, status: int = 200) -> Any:
    return commanded(caller, f"drop-counts/{count}/witness/", {"entry": entry, "ok": ok}, status)


def box_of(drops: DropCallers, caller: Caller) -> Any:
    [box] = [row for row in caller.get("drops/")[1]["results"] if row["id"] == str(drops.table)]
    return box


def test_DRP_4_a_box_goes_from_the_list_to_the_books(drops: DropCallers) -> None:  # noqa: N802
    drops.floor.bought(7_850_00)
    waits = {"id": str(drops.table), "name": "UTH 3", "retired": False, "is_waiting": True}
    assert box_of(drops, drops.sina) == waits | {"count": None, "counted_at": None}
    count = drops.take()
    assert box_of(drops, drops.dario) == waits | {"count": count, "counted_at": None}
    first = enter(drops.sina, count, FULL)
    assert (first["state"], len(first["counters"]), first["entries"], first["signed"]) == ("entered", 1, [], None)
    second = enter(drops.dario, count, FULL)
    assert (second["state"], second["differ"], second["together"]) == ("signed", [], None)
    assert [entry["value_minor"] for entry in second["entries"]] == [7_850_00, 7_850_00]
    assert second["entries"][0]["lines"] == cash_lines(FULL)
    assert (second["signed"]["recorded_minor"], second["signed"]["difference_minor"]) == (7_850_00, 0)
    assert drops.floor.balance("drop") == 0
    box = box_of(drops, drops.sina)
    assert (box["is_waiting"], box["count"], box["counted_at"]) == (False, None, second["ended_at"])


def test_DRP_4_two_that_differ_are_counted_together_and_signed_by_the_other(drops: DropCallers) -> None:  # noqa: N802
    drops.floor.bought(7_850_00)
    count = drops.take()
    enter(drops.sina, count, FULL)
    second = enter(drops.dario, count, LESS)
    assert (second["state"], second["differ"], second["entries"]) == ("again", [20_00], [])
    third = enter(drops.dario, count, FULL)
    assert (third["together"]["number"], third["together"]["value_minor"]) == (3, 7_850_00)
    assert agree(drops.sina, count, 3, ok=False)["together"] is None
    seen = enter(drops.dario, count, FULL)
    assert drops.sina.get(f"drop-counts/{count}/") == (200, seen)
    signed = agree(drops.sina, count, seen["together"]["number"])
    assert (signed["state"], signed["differ"], len(signed["entries"])) == ("signed", [], 4)
    assert signed["signed"]["difference_minor"] == 0


def test_DRP_4_nobody_hears_the_books_nor_the_first_count_before_both_have_counted(drops: DropCallers) -> None:  # noqa: N802
    for amount in (4_320_00, 3_445_00):
        drops.floor.bought(amount)
    hidden = {"776500", "785000"}  # what the books have, and what the first has counted
    readers = {**drops.offices, "tablet": drops.croupier, "sina": drops.sina, "dario": drops.dario}
    table = drops.table
    count = drops.take()
    steps: list[Any] = [lambda: None, lambda: enter(drops.sina, count, FULL)]
    steps += [lambda: enter(drops.sina, count, FULL, 403), lambda: agree(drops.dario, count, 1, status=409)]
    at_table = (f"tables/{table}/", f"tables/{table}/surface/")
    heard: list[Any] = []
    for step in steps:
        heard.append(step())
        for caller in readers.values():
            for path in ("drops/", f"drop-counts/{count}/", "counts/", f"counts/{count}/", "tables/", *at_table):
                heard.append(caller.get(path))
    heard.append(enter(drops.dario, count, LESS))
    heard += Event.objects.filter(subject_id=count).values_list("name", "before", "after", "reason")
    assert [text for text in map(str, heard) if any(figure in text for figure in hidden)] == []
    enter(drops.dario, count, LESS)
    agree(drops.sina, count, 3)
    readable = {name for name, caller in readers.items() if "776500" in str(caller.get(f"drop-counts/{count}/"))}
    assert readable == {"manager", "cage", "sina", "dario"}


def wrong_lines() -> dict[str, tuple[object, str]]:
    """By what is wrong with it, what is entered and how it is refused."""
    whole = cash_lines(FULL)
    return {
        "a fraction": ([*whole[:-1], {"value_minor": 1_000_00, "pieces": 1.5}], "data.refused"),
        "fewer than none": ([*whole[:-1], {"value_minor": 1_000_00, "pieces": -1}], "count.pieces_wrong"),
        "a text": ([*whole[:-1], {"value_minor": 1_000_00, "pieces": "3"}], "count.pieces_wrong"),
        "true": ([*whole[:-1], {"value_minor": 1_000_00, "pieces": True}], "count.pieces_wrong"),
        "an unknown note": ([*whole, {"value_minor": 500_00, "pieces": 1}], "count.denomination_unknown"),
        "a note twice": ([*whole, whole[0]], "count.denomination_unknown"),
        "one left empty": (whole[1:], "count.incomplete"),
        "nothing": ([], "count.incomplete"),
        "no list": ({"value_minor": 1}, "request.field_wrong"),
    }


def test_what_is_no_count_is_refused_and_changes_nothing(drops: DropCallers) -> None:
    count = drops.take()
    path = f"drop-counts/{count}/enter/"
    before = drops.sina.get(f"drop-counts/{count}/")
    refused = {}
    for what, (lines, _code) in wrong_lines().items():
        status, answer = drops.sina.post(path, PROVED | {"lines": lines})
        refused[what] = answer["code"]
        assert status == (422 if answer["code"].startswith("count.") else 400), (what, answer)
    assert refused == {what: code for what, (_lines, code) in wrong_lines().items()}
    assert drops.sina.post(path, {"lines": cash_lines(FULL)})[1]["code"] == "request.field_missing"
    assert commanded(drops.sina, path, {"lines": cash_lines(FULL), "secret": "000001"}, 422) == "pin.refused"
    assert drops.sina.get(f"drop-counts/{count}/") == before


def test_DRP_4_who_may_not_count_is_refused(drops: DropCallers) -> None:  # noqa: N802
    begin = f"tables/{drops.table}/drop-counts/"
    for role in ("pit_boss", "croupier", "auditor", "surveillance", "technician"):
        assert commanded(drops.offices[role], begin, {}, 403) == "person.not_allowed"
    assert commanded(drops.croupier, begin, {}, 403) == "person.not_allowed"
    assert commanded(drops.caller("zoe.k", "cage", "pit_boss"), begin, {}, 403) == "count.drop_pit"
    dealt = drops.caller("kim.k", "croupier")
    where = {"house_id": drops.house.pk, "table_id": drops.table, "actor_id": drops.floor.reto.pk}
    kim = Person.objects.get(username="kim.k")
    for person in (kim, drops.floor.martina):
        done(services.table_hand_over, **where, croupier_id=person.pk)
    kim.roles = ["cage"]  # since then
    kim.save(update_fields=["roles"])
    assert commanded(dealt, begin, {}, 403) == "count.drop_dealt"
    count = drops.take()
    assert enter(dealt, count, FULL, 403) == "count.drop_dealt"
    assert commanded(drops.dario, begin, {}, 409) == "count.drop_running"
    enter(drops.sina, count, FULL)
    assert enter(drops.sina, count, FULL, 403) == "count.drop_same_person"
    assert agree(drops.dario, count, 1, status=409) == "count.changed"
    enter(drops.manager, count, LESS)
    assert enter(drops.third, count, FULL, 403) == "count.drop_other_person"
    enter(drops.manager, count, FULL)
    assert enter(drops.sina, count, FULL, 409) == "count.entered"
    assert agree(drops.manager, count, 3, status=403) == "count.same_person"
    assert agree(drops.third, count, 3, status=403) == "count.drop_other_person"
    assert agree(drops.sina, count, 4, status=409) == "count.changed"
    agree(drops.sina, count, 3)
    assert enter(drops.third, count, FULL, 409) == "count.signed"
    assert commanded(drops.sina, f"drop-counts/{count}/give-up/", {}, 409) == "count.signed"


def test_counts_of_trays_and_of_drop_boxes_are_not_one_another(drops: DropCallers) -> None:
    count = drops.take()
    tray = Count.objects.filter(place_kind="tray").values_list("pk", flat=True)[0]
    assert enter(drops.sina, str(tray), FULL, 404) == "count.unknown"
    assert drops.sina.get(f"drop-counts/{tray}/")[0] == 404
    assert drops.boss.post(f"counts/{count}/give-up/")[1]["code"] == "count.unknown"
    assert commanded(drops.sina, f"drop-counts/{uuid4()}/give-up/", {}, 404) == "count.unknown"


def test_the_same_again_gives_the_first_answer_and_a_count_that_is_given_up_stays_unread(drops: DropCallers) -> None:
    key = str(uuid4())
    count = drops.take()
    path, body = f"drop-counts/{count}/enter/", PROVED | {"lines": cash_lines(FULL)}
    first, again = (drops.sina.post(path, body, key)[1] for _ in range(2))
    assert (first["answer"], (first["replayed"], again["replayed"])) == (again["answer"], (False, True))
    assert drops.sina.post(path, PROVED | {"lines": cash_lines(LESS)}, key)[0] == 422
    ended = commanded(drops.dario, f"drop-counts/{count}/give-up/")
    assert (ended["state"], ended["entries"], ended["differ"], ended["signed"]) == ("given_up", [], [], None)
