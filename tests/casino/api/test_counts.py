"""Counts of a tray over the API: entered at the tablet, witnessed beside it; until both have signed nobody hears of the books."""

from typing import Any
from uuid import uuid4

import pytest

from casino.people.pins import pin_set
from payouts.models import Count, Event
from payouts.rules.ledger import recipes
from tables.models import ReviewItem, TableSession
from tests.casino.api.callers import Caller, Callers
from tests.casino.devices import devices
from tests.counts import OPENER, CountedFloor, lines_of
from tests.floor import stakes_for, taps
from tests.worlds import world

PROVED = {"secret": devices.PIN}


class CountedHouse(Callers):
    """The counted floor with its callers; two people at tablets of the counted table."""

    floor: CountedFloor

    def __init__(self) -> None:
        super().__init__(CountedFloor())
        self.croupier = self.at_tablet(self.floor.counted, self.floor.martina, "Tablet of UTH 3")
        for person in (self.floor.reto, self.floor.ines):
            pin_set(person=person, pin=devices.PIN)


pytestmark = world(CountedHouse)


@pytest.fixture
def counted(floor: CountedHouse) -> CountedHouse:
    return floor


def commanded(caller: Caller, path: str, body: object = None, status: int = 200) -> Any:
    got, answer = caller.post(path, body)
    assert got == status, answer
    return answer["answer"] if status == 200 else answer["code"]


def begin(house: CountedHouse, purpose: str) -> str:
    return str(commanded(house.croupier, f"tables/{house.floor.counted.pk}/counts/", {"purpose": purpose})["id"])


def enter(house: CountedHouse, count: str, *pieces: int) -> Any:
    return commanded(house.croupier, f"counts/{count}/enter/", {"lines": lines_of(*pieces), **PROVED})


def witness(house: CountedHouse, count: str, status: int = 200, **changes: object) -> Any:
    body = {"entry": 1, "ok": True, "username": "reto", **PROVED}
    return commanded(house.croupier, f"counts/{count}/witness/", body | changes, status)


def test_a_count_goes_from_the_tablet_to_the_books(counted):
    count = begin(counted, "opener")
    entered = enter(counted, count, *OPENER)
    assert (entered["state"], entered["signed"], entered["entries"][0]["value_minor"]) == ("entered", None, 3_660_000)
    assert entered["entries"][0]["lines"] == lines_of(*OPENER)
    for other in ("martina", "nobody"):
        assert witness(counted, count, 422, username=other) == "device.sign_in_refused"
    assert witness(counted, count, 422, secret="000001") == "device.sign_in_refused"
    signed = witness(counted, count)
    assert (signed["state"], signed["signed"]["difference_minor"], signed["signed"]["recorded_minor"]) == (
        "signed",
        0,
        3_660_000,
    )
    opening = {"croupier": str(counted.floor.martina.pk)}
    commanded(counted.boss, f"tables/{counted.floor.counted.pk}/open/", opening)
    assert TableSession.objects.get(table=counted.floor.counted).opener_id == Count.objects.get(pk=count).pk


def test_CNT_2_nobody_hears_what_the_books_have_before_both_have_signed(counted):  # noqa: N802
    """Neither amount nor sign, whoever reads and whatever they are answered; then they do."""
    counted.floor.move("fill", recipes.fill(8_765_432))
    recorded, difference = 3_660_000 + 8_765_432, -8_765_432
    figures = {str(abs(amount)) for amount in (recorded, difference)}
    readers = {**counted.offices, "tablet": counted.croupier}
    count = begin(counted, "opener")
    heard = [enter(counted, count, *OPENER), witness(counted, count, ok=False), enter(counted, count, *OPENER)]
    heard.append(witness(counted, count, entry=2))
    assert heard[-1]["state"] == "again"
    for _step in ("again", "entered"):
        for caller in readers.values():
            table = counted.floor.counted.pk
            for path in ("counts/", f"counts/{count}/", "tables/", f"tables/{table}/", f"tables/{table}/surface/"):
                heard.append(caller.get(path))
        if _step == "again":
            heard.append(enter(counted, count, *OPENER))
    heard += Event.objects.filter(subject_id=count).values_list("name", "before", "after", "reason")
    heard.append(witness(counted, count, 409, entry=1))
    assert [text for text in map(str, heard) if any(figure in text for figure in figures)] == []
    signed = witness(counted, count, entry=3)
    assert signed["signed"]["difference_minor"] == difference
    readable = {name for name, caller in readers.items() if str(recorded) in str(caller.get(f"counts/{count}/"))}
    assert readable == {"pit_boss", "auditor", "surveillance", "manager", "cage", "tablet"}


def test_a_manager_witnesses_in_the_office_and_nobody_else_does(counted):
    count = begin(counted, "opener")
    enter(counted, count, *OPENER)
    body = {"entry": 1, "ok": True, **PROVED}
    for role in ("cage", "auditor", "surveillance", "technician", "croupier"):
        assert commanded(counted.offices[role], f"counts/{count}/witness/", body, 403) == "person.not_allowed"
    assert witness(counted, count, 422, username="nora.f") == "device.sign_in_refused"  # another croupier
    assert witness(counted, count, username="ines.f")["state"] == "signed"


def test_CNT_9_what_a_tablet_has_queued_waits_there_and_is_no_entry_to_be_clarified(counted):  # noqa: N802
    floor = counted.floor
    floor.opened()
    guests = list(TableSession.objects.get(table=floor.counted).guests.order_by("box"))
    count = begin(counted, "spot")
    path = f"tables/{floor.counted.pk}/queued-rounds/"
    one = {"round": str(uuid4()), "stakes": stakes_for(guests[:1]), "result": taps(b1={"result": "fold"})}
    key = str(uuid4())
    headers = counted.croupier.headers | {"Idempotency-Key": key}
    response = counted.croupier.client.post(f"/api/{path}", {"rounds": [one]}, "application/json", headers=headers)
    assert (response.status_code, response.json()["code"], response["Retry-After"]) == (409, "table.being_counted", "5")
    assert not ReviewItem.objects.exists()
    enter(counted, count, *OPENER)
    witness(counted, count)
    status, answer = counted.croupier.post(path, {"rounds": [one]}, key)
    assert (status, [round_["outcome"] for round_ in answer["rounds"]]) == (200, ["taken"])


def test_a_count_is_given_up_by_who_began_it_or_the_pit(counted):
    counted.floor.opened()
    count = begin(counted, "spot")
    assert commanded(counted.boss, f"counts/{count}/give-up/")["state"] == "given_up"
    again = begin(counted, "spot")
    assert commanded(counted.croupier, f"counts/{again}/give-up/")["state"] == "given_up"
    assert commanded(counted.croupier, f"counts/{again}/give-up/", None, 409) == "count.signed"


def test_counts_are_listed_by_table_and_state(counted):
    count = begin(counted, "opener")
    commanded(counted.boss, f"counts/{count}/give-up/")
    of_table = {"table": str(counted.floor.counted.pk)}
    listed = {
        status: [row["id"] for row in counted.auditor.get("counts/", **of_table, state=status)[1]["results"]]
        for status in ("given_up", "begun", "")
    }
    assert listed == {"given_up": [count], "begun": [], "": [count]}
    assert counted.auditor.get("counts/", table=str(counted.floor.table.pk))[1]["results"] == []
    assert counted.auditor.get("counts/", table="x")[0] == 400
