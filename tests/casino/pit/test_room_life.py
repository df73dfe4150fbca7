"""The life of a hit in the control room, and the jackpots of a house; as many statements for many rounds as for few."""

import json
import re
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.pit.jackpots import life
from jackpot.models import Hit, Slip
from jackpot.services import display_out_request, jackpot_create, slip_pay
from tests.casino.people import people
from tests.casino.pit.clocks import later
from tests.casino.pit.desk import get
from tests.casino.pit.floor.floor_desk import FloorDesk, words
from tests.casino.pit.room import Room
from tests.floor import done
from tests.jackpot.linked import Linked, dull, royal
from tests.worlds import world

pytestmark = world(FloorDesk)


@world(Linked, displays=1)
def test_life_of_a_hit_and_the_hits_before_it(linked: Linked):
    boss = people.signed_in(people.make(linked.house, "boss.linked", "pit_boss"))

    def room(query: str = "", status: int = 200) -> str:
        response = boss.get(f"/pit/jackpots/{linked.jackpot.pk}/{query}", headers={"accept-language": "en"})
        assert response.status_code == status
        return response.content.decode()

    def standing() -> list[str]:
        return re.findall(r'<li class="station (\w+)"', room())

    assert boss.get("/pit/jackpots/")["Location"] == f"/pit/jackpots/{linked.jackpot.pk}/"
    assert "There has been no hit yet." in words(room())
    first, second = linked.start(0), linked.start(1)
    linked.end(0, first, royal())
    assert standing() == ["done", "now", *["later"] * 6]
    linked.end(1, second, dull())
    linked.advance()
    assert standing()[:4] == ["done", "done", "now", "later"]
    assert "Verify the claim" in words(room())
    linked.verify_all()
    assert standing()[:5] == ["done", "done", "done", "done", "now"]
    assert "revision 1" in words(room())
    linked.approve()
    assert standing() == ["done"] * 5 + ["now", "now", "later"]
    assert "Slip 1" in words(room())
    listed = "Awarded, to be paid: 1 slip"
    floor = boss.get(f"/floor/jackpots/{linked.jackpot.pk}/", headers={"accept-language": "en"}).content.decode()
    for history in (room().partition('id="room-history"')[2], floor.partition('id="hits"')[2]):
        assert listed in words(history)
    linked.confirm_all()
    assert standing()[6:] == ["done", "done"]
    assert Hit.objects.get().state == "paid"
    assert listed in words(room("?hit=1"))
    slip = Slip.objects.get()
    paid = {"slip_id": slip.pk, "actor_id": linked.cage.pk, "cash_minor": slip.award.amount_minor}
    done(slip_pay, house_id=linked.house.pk, **paid)
    history = words(room("?hit=1").partition('id="room-history"')[2])
    assert ("Paid" in history, listed in history) == (True, False)
    room("?hit=2", 404)
    room("?hit=x", 404)
    told = json.loads(boss.get(f"/pit/jackpots/{linked.jackpot.pk}/meter/").content)
    assert told["shown"][0] == told["shown"][-1]
    over = Hit.objects.get().epoch_id
    told = json.loads(boss.get(f"/pit/jackpots/{linked.jackpot.pk}/meter/?epoch={over}").content)
    assert told["shown"][-1] == Hit.objects.get().shown_minor
    assert [one["text"] for one in told["marks"]] == ["Epoche 1", "Treffer 1"]
    assert boss.get(f"/pit/jackpots/{linked.jackpot.pk}/meter/?epoch={uuid4()}").status_code == 404


def test_several_jackpots_are_listed(desk):
    names = {"progressive": "Bad Ragaz Progressive", "funding": "Bad Ragaz Progressive"}
    done(jackpot_create, house_id=desk.house.pk, name="Second", **names)
    page = get(desk, path="jackpots/").content.decode()
    assert words(page).count("CHF 10’000.00") == 2
    assert f'href="/pit/jackpots/{desk.jackpot.pk}/"' in page


def test_room_takes_as_many_statements_for_many_rounds(db):
    counted = []
    for tables in (2, 5):
        linked = Linked(count=tables, displays=1, suffix=f".c{tables}")
        boss = people.signed_in(people.make(linked.house, f"boss.c{tables}", "pit_boss"))
        rounds = [linked.start(number) for number in range(tables)]
        linked.end(0, rounds[0], royal())
        with CaptureQueriesContext(connection) as queries:
            assert boss.get(f"/pit/jackpots/{linked.jackpot.pk}/").status_code == 200
        counted.append(len(queries))
    assert counted[0] == counted[1]


@world(Linked, displays=1)
def test_time_of_another_day_says_its_day(linked: Linked, own_database):
    """A slip that is paid two days after the hit began; what was on the day of the hit says the time alone."""
    room = Room(linked)
    assert linked.win(0) == "open"
    hit, slip = Hit.objects.get(), Slip.objects.get()
    with later(2 * 86_400):
        ids = {"house_id": linked.house.pk, "slip_id": slip.pk, "actor_id": linked.tim.pk}
        done(slip_pay, **ids, cash_minor=slip.award.amount_minor)
    slip.refresh_from_db()
    zone = ZoneInfo(linked.house.time_zone)
    assert f"{slip.paid_at.astimezone(zone):%d.%m. %H:%M:%S} Slip 1" in room.station("paid")
    claimed = room.station("claimed")
    assert f"{hit.claims.get().made_at.astimezone(zone):%H:%M:%S} Claim 1" in claimed
    assert not re.search(r"\d\d\.\d\d\. ", claimed)


@world(Linked, displays=2)
def test_split_and_reopening_say_what_did_them(linked: Linked, own_database):
    room = Room(linked)
    linked.end(0, linked.start(0), royal())
    linked.advance()
    linked.verify_all()
    assert re.search(r"revision 1 \d\d:\d\d:\d\d · by the jackpot itself", room.station("split"))
    linked.approve()
    linked.confirm(linked.displays[1])
    ids = {"house_id": linked.house.pk, "jackpot_id": linked.jackpot.pk, "person_id": linked.reto.pk}
    done(display_out_request, **ids, display_id=linked.displays[0], reason="its screen is black")
    linked.sign(linked.asked("jackpot.display_out"), linked.bea)
    linked.advance()
    assert re.search(
        r"\d\d:\d\d:\d\d · by the jackpot itself · after “Display 1” was taken out", room.station("reopened")
    )


@world(Linked, displays=1)
def test_older_hits_are_read_page_by_page(floor: Linked, monkeypatch):
    """No hit falls out of the history; the page of the older ones takes as many statements."""
    monkeypatch.setattr(life, "HISTORY", 2)
    room = Room(floor)
    for _ in range(5):
        assert room.linked.win(0) == "open"

    def listed(query: str = "") -> tuple[list[str], int]:
        with CaptureQueriesContext(connection) as statements:
            page = room.html(query)
        part = page.partition('id="room-history"')[2]
        return re.findall(r'<tr[^>]*><th scope="row"><a [^>]*>(\d+)<', part), len(statements)

    listed()
    (first, few), (second, same), (third, last) = listed(), listed("?before=4"), listed("?before=2")
    assert (first, second, third) == (["5", "4"], ["3", "2"], ["1"])
    assert few == same == last
    assert '/?before=4#room-history"' in room.html()
    assert '/?before=2#room-history"' in room.html("?before=4")
    assert "Older ones" not in room.html("?before=2")
    assert "To the newest" in room.html("?before=2")
    assert "?hit=3&amp;before=4" in room.html("?before=4")  # a hit that is opened leaves the list where it is
    assert '/?hit=3&amp;before=2#room-history"' in room.html("?hit=3&before=4")
    assert room.client.get(f"/pit/jackpots/{room.linked.jackpot.pk}/?before=x").status_code == 404
