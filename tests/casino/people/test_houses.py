"""Who is of no house sees each house's own time and gaming day, in the list of all as in the one that he has chosen; never UTC."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from casino.devices.models import Device
from casino.people.models import Person
from casino.pit.models import Alert
from jackpot.models import Slip
from payouts.models import House
from payouts.services import house_create
from tables.models import Round
from tests.casino.devices import devices
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import words
from tests.floor import done
from tests.jackpot.linked import Linked
from tests.watched import watched

AT = datetime(
    2026, 11, 25, 5, 30, tzinfo=UTC
)  # 06:30 in Zurich, where the day has changed; 00:30 in New York, where it has not
EAST, WEST = "Europe/Zurich", "America/New_York"


@pytest.fixture
def houses(db: None, time_machine) -> list[House]:
    watched()
    time_machine.move_to(AT, tick=False)
    return [
        done(house_create, name=name, currency=currency, time_zone=zone)
        for name, currency, zone in (("Casino Ost", "CHF", EAST), ("Casino West", "USD", WEST))
    ]


@pytest.fixture
def all_houses(houses: list[House], chief: Person) -> Client:
    return people.signed_in(chief)


def said(client: Client, address: str, status: int = 200) -> str:
    page = client.get(address, headers={"accept-language": "en"})
    assert page.status_code == status, (address, page.status_code)
    return words(page.content.decode())


def choose(client: Client, house: House | None) -> None:
    assert client.post("/house/", {"house": house.pk if house else ""})["Location"] == "/"


def test_start_page_tells_the_time_and_the_gaming_day_of_each(all_houses: Client) -> None:
    page = said(all_houses, "/home/manager/")
    assert f"Casino Ost Gaming day Wed 25.11. {EAST} 06:30" in page
    assert f"Casino West Gaming day Tue 24.11. {WEST} 00:30" in page
    assert f"All houses · {EAST}" in page  # in what time the rest is told
    assert "05:30" not in page


def test_pages_are_about_the_house_that_was_chosen(all_houses: Client, houses: list[House]) -> None:
    for house, clock, day in (*zip(houses, ("06:30", "00:30"), ("25.11.", "24.11."), strict=True),):
        choose(all_houses, house)
        for address in ("/home/manager/", "/floor/", "/floor/slips/", "/audit/", "/audit/reports/", "/first-steps/"):
            page = all_houses.get(address, headers={"accept-language": "en"})
            assert page.status_code == 200, address
            head = words("<main" + page.content.decode().partition("<header")[2].partition("</header>")[0])
            assert f"{day} · {clock} House {house.name}" in head, (address, head)
            assert str(page.context["here"].house.pk) == str(house.pk), address
        assert f"As of {clock}:00" in said(all_houses, "/home/manager/")
    choose(all_houses, None)
    assert not all_houses.get("/home/manager/").context["here"]


def test_who_is_of_a_house_has_no_choice(houses: list[House]) -> None:
    client = people.signed_in(people.make(houses[0], "m.ost", "manager"))
    assert client.post("/house/", {"house": houses[1].pk}).status_code == 403
    assert "Casino West" not in client.get("/home/manager/").content.decode()


def test_nothing_but_a_house_is_chosen(all_houses: Client) -> None:
    for wrong in ("", "x", "00000000-0000-4000-8000-000000000000"):
        assert all_houses.post("/house/", {"house": wrong}).status_code == 302
        assert not all_houses.get("/home/manager/").context["here"]


def test_admin_tells_each_row_in_its_houses_time(all_houses: Client, houses: list[House]) -> None:
    told = {}
    for house in houses:
        data = {"table": str(house.pk), "since": AT.isoformat()}
        row = Alert.objects.create(house=house, kind="tablet_offline", subject=house.name, data=data)
        row.refresh_from_db()
        at = row.raised_at.astimezone(ZoneInfo(house.time_zone))
        told[house] = f"{at:%d.%m.%Y %H:%M:%S}", f"{at:%Z}"
        assert told[house][0] in said(all_houses, f"/admin/casino/alert/{row.pk}/change/")
    page = said(all_houses, "/admin/casino/alert/")
    assert all(f"{at} {zone}" in page for at, zone in told.values())
    choose(all_houses, houses[1])  # its rows alone, as everywhere
    page = said(all_houses, "/admin/casino/alert/")
    assert [told[house][0] in page for house in houses] == [False, True]


def test_people_and_devices_are_told_in_their_houses_time(all_houses: Client, houses: list[House]) -> None:
    people.make(houses[1], "l.west", pin_locked_at=AT, signed_in_at=AT)
    assert "locked since 00:30" in said(all_houses, "/pins/")
    assert "25.11.2026 00:30 EST" in said(all_houses, "/admin/casino/person/")
    settled = devices.enrol(devices.make_table(houses[1]), devices.dealer(houses[1], "p.west", "pit_boss"))[0]
    Device.objects.filter(pk=settled.pk).update(last_seen_at=AT)
    assert "Last seen 25.11. 00:30" in said(all_houses, "/devices/")


def test_sign_in_page_tells_the_houses_time_not_utc(client: Client, time_machine, db: None) -> None:
    time_machine.move_to(AT, tick=False)
    done(house_create, name="Casino West", currency="USD", time_zone=WEST)
    assert ">00:30</time>" in client.get("/sign-in/").content.decode()


def test_each_record_tells_its_own_houses_time(chief: Person, settings) -> None:
    """Whatever of a house is opened, times, head and gaming day are that house's, also while none is chosen."""
    watched()
    Linked()
    settings.DEMO_TIME_ZONE = WEST
    west = Linked(suffix="west")
    assert west.win(0) == "open"
    assert west.house.time_zone == WEST
    client, slip = people.signed_in(chief), Slip.objects.get(house=west.house)
    round_, hit = Round.objects.get(pk=slip.award.round_id), slip.award.hit
    locked, begun = (f"{at.astimezone(ZoneInfo(WEST)):%H:%M}" for at in (round_.locked_at, hit.begun_at))
    for address, clock in (
        (f"/floor/rounds/{round_.pk}/", locked),
        (f"/audit/rounds/{round_.pk}/", locked),
        (f"/audit/hits/{hit.pk}/", begun),
        (f"/floor/slips/{slip.pk}/", locked),
        (f"/pit/jackpots/{west.jackpot.pk}/", begun),
        (f"/audit/?house={west.house.pk}&kind=hits", begun),
    ):
        assert clock in said(client, address), address
        assert client.get(address).context["here"].house == west.house, address
