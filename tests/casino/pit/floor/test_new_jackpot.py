"""A new jackpot in a house that plays: asked for on the floor's page, signed by another person on its own."""

from uuid import uuid4

import pytest

from jackpot.models import Jackpot
from jackpot.services.creation import CREATE
from payouts.models import Approval
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import REFUSED, FloorDesk, words
from tests.floor import stakes_for

ENGLISH = {"accept-language": "en"}
NEW = {"name": "Second", "progressive": "Bad Ragaz Progressive", "funding": "Bad Ragaz Progressive"} | {
    "rules": "",
    "offline_linked": "stop",
}


@pytest.fixture
def desk(db: None) -> FloorDesk:
    return FloorDesk()


def test_before_the_first_lock_one_person_adds_it(desk: FloorDesk) -> None:
    assert "Add the jackpot" in words(desk.get("tech", "set-up/"))
    desk.post("tech", "set-up/jackpot/", **NEW)
    assert Jackpot.objects.filter(name="Second").exists()


def test_it_waits_for_a_second_person_who_reads_what_it_is(desk: FloorDesk) -> None:
    desk.lock(stakes_for(desk.open()[:1]))
    assert "From a house's first round on" in desk.post("tech", "set-up/jackpot/", REFUSED, **NEW).replace(
        "&#x27;", "'"
    )
    assert not Jackpot.objects.filter(name="Second").exists()
    place = desk.post("tech", "set-up/jackpot-request/", **NEW)
    approval = Approval.objects.get(action=CREATE)
    assert place == f"/jackpots/asked/{approval.pk}/"
    own = words(desk.clients["tech"].get(place, headers=ENGLISH).content.decode())
    assert "You asked for this: others look at it and sign." in own
    page = desk.get("tech", "set-up/")
    assert place in page
    assert "Second waits for a second person." in words(page)
    boss = desk.clients["boss"]
    home = boss.get("/home/pit_boss/", headers=ENGLISH).content.decode()
    assert place in home
    assert "New jackpot Second, seed CHF 10’000.00" in words(home)
    signing = words(boss.get(place, headers=ENGLISH).content.decode())
    version = "Bad Ragaz Progressive, version 1"
    assert f"Name Second Seed CHF 10’000.00 Prizes {version} Funding {version} At a hit the rulebook" in signing
    form = {"key": str(uuid4()), "seen": bytes(approval.payload_hash).hex()}
    code = people.code(desk.people["boss"])
    assert boss.post(f"{place}sign/", form | {"secret": code}).status_code == 302
    made = Jackpot.objects.get(name="Second")
    assert f"/floor/jackpots/{made.pk}/" in boss.get(place, headers=ENGLISH).content.decode()


def test_it_is_turned_down(desk: FloorDesk) -> None:
    desk.lock(stakes_for(desk.open()[:1]))
    place = desk.post("tech", "set-up/jackpot-request/", **NEW)
    no = {"key": str(uuid4()), "reason": "not this year", "secret": people.code(desk.people["manager"])}
    assert desk.clients["manager"].post(f"{place}reject/", no).status_code == 302
    assert (Approval.objects.get(action=CREATE).state, Jackpot.objects.count()) == ("rejected", 1)
