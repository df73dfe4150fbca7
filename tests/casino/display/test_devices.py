"""Displays as devices: made by a code for a jackpot, of one house, in service until they are revoked; and the page about them."""

from uuid import uuid4

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from casino.devices.door import seat_from_cookies
from casino.devices.kinds import DISPLAYS
from casino.devices.models import DISPLAY, Device, DeviceCode
from casino.devices.refusals import DeviceJackpotUnknown, EnrolmentCodeRefused, NotEnrolled
from casino.devices.services import (
    device_code_make,
    device_enrol,
    device_revoke,
    feed_enrol,
)
from casino.devices.signin import seat_of
from casino.people.refusals import NotAllowed
from jackpot.models import RequiredDisplay
from payouts.models import Event
from tests.casino.people import people
from tests.casino.people.hasher import plain_settings
from tests.cast import make_house, make_person
from tests.floor import Floor
from tests.turns import each
from tests.worlds import world


@pytest.fixture(autouse=True)
def _plain(settings) -> None:
    plain_settings(settings)


pytestmark = world(Floor, stocked=False)


def enrolled(floor: Floor, name: str = "Eingang") -> tuple[Device, str]:
    return device_enrol(
        kind="display", code=device_code_make(kind="display", place_id=floor.jackpot.pk, name=name, by=floor.tim)[1]
    )


def cookies(device: Device, token: str) -> dict[str, str]:
    return {DISPLAYS.cookie(device.pk): token}


def test_a_code_makes_a_display_of_the_jackpot(floor: Floor) -> None:
    device, token = enrolled(floor)
    assert (device.kind, device.place, device.table, device.house) == (DISPLAY, floor.jackpot, None, floor.house)
    assert seat_from_cookies(DISPLAYS, cookies(device, token), device.pk).device == device
    told = Event.objects.get(name="device.enrolled")
    assert told.after["jackpot"] == str(floor.jackpot.pk)


def test_a_code_makes_only_what_it_was_made_for(floor: Floor) -> None:
    _, for_display = device_code_make(kind="display", place_id=floor.jackpot.pk, name="Eingang", by=floor.tim)
    _, for_tablet = device_code_make(kind="tablet", place_id=floor.table.pk, name="Tablet", by=floor.tim)
    with pytest.raises(EnrolmentCodeRefused):
        device_enrol(kind="tablet", code=for_display)
    with pytest.raises(EnrolmentCodeRefused):
        device_enrol(kind="display", code=for_tablet)
    assert device_enrol(kind="display", code=for_display)[0].kind == "display"
    assert device_enrol(kind="tablet", code=for_tablet)[0].kind == "tablet"


def test_a_display_of_the_same_name_takes_the_place_of_the_one_before(floor: Floor) -> None:
    first, token = enrolled(floor)
    second, _ = enrolled(floor)
    assert first != second
    with pytest.raises(NotEnrolled):
        seat_from_cookies(DISPLAYS, cookies(first, token), first.pk)


def test_tokens_of_displays_and_tablets_do_not_open_one_another(floor: Floor) -> None:
    display, token = enrolled(floor)
    tablet, other = device_enrol(
        kind="tablet", code=device_code_make(kind="tablet", place_id=floor.table.pk, name="Tablet", by=floor.tim)[1]
    )
    with pytest.raises(NotEnrolled):
        seat_of(device_id=display.pk, token=token)
    with pytest.raises(NotEnrolled):
        seat_from_cookies(DISPLAYS, cookies(tablet, other), tablet.pk)
    with pytest.raises(NotEnrolled):
        seat_from_cookies(DISPLAYS, cookies(display, token), uuid4())
    with pytest.raises(NotEnrolled):
        seat_from_cookies(DISPLAYS, cookies(display, other), display.pk)


def test_only_who_may_enrol_makes_codes_for_jackpots_of_his_house(floor: Floor) -> None:
    with pytest.raises(NotAllowed):
        device_code_make(kind="display", place_id=floor.jackpot.pk, name="Eingang", by=floor.martina)
    stranger = make_person("f.remd", "technician", house=make_house("Casino Wiesbaden", "EUR"))
    with pytest.raises(DeviceJackpotUnknown):
        device_code_make(kind="display", place_id=floor.jackpot.pk, name="Eingang", by=stranger)
    with pytest.raises(DeviceJackpotUnknown):
        device_code_make(kind="display", place_id=uuid4(), name="Eingang", by=floor.tim)


# A jackpot of another house is not that of the code either: which of the two is told is the database's to choose.
BOTH = ("device_code_of_its_jackpot", "device_jackpot_of_house")


def test_database_keeps_displays(floor: Floor) -> None:
    device, _ = enrolled(floor)
    spare = device_code_make(kind="display", place_id=floor.jackpot.pk, name="spare", by=floor.tim)[0]
    table_code = device_code_make(kind="tablet", place_id=floor.table.pk, name="spare", by=floor.tim)[0]
    stranger = make_house("Casino Wiesbaden", "EUR")
    values = {"house": floor.house, "jackpot": floor.jackpot, "kind": "display", "name": "x", "code": spare}
    refused = {
        "device_display_name_once": {"name": device.name},
        "device_kind_known": {"table": floor.table},
        "device_code_of_its_jackpot": {"code": table_code},
        "device_jackpot_of_house": {"house": stranger},
    }
    for constraint, fields in refused.items():
        row = values | {"enrolled_by": floor.tim, "token_hash": uuid4().bytes * 2} | fields
        with pytest.raises(IntegrityError) as caught, transaction.atomic():
            Device.objects.create(**row)
        broken = caught.value.__cause__.diag.constraint_name
        assert broken == constraint or (broken, constraint) == BOTH
    for fields in ({"kind": "tablet"}, {"kind": "feed", "code": None}, {"code": None}, {"jackpot": None}):
        row = values | {"enrolled_by": floor.tim, "token_hash": uuid4().bytes * 2} | fields
        with pytest.raises(IntegrityError, match="device_kind_known"), transaction.atomic():
            Device.objects.create(**row)
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        Device.objects.filter(pk=device.pk).update(jackpot=None)


@each("both", [True, False])
def test_database_keeps_codes_to_one_place(floor: Floor, both: bool) -> None:
    code, _ = device_code_make(kind="display", place_id=floor.jackpot.pk, name="Eingang", by=floor.tim)
    place = {"table": floor.table, "jackpot": floor.jackpot} if both else {}
    row = {"house": floor.house, "name": "x", "handle": "abcd", "proof": b"x" * 32, "made_by": floor.tim}
    with pytest.raises(IntegrityError, match="device_code_of_one"), transaction.atomic():
        DeviceCode.objects.create(**row, **place, expires_at=code.expires_at)


# The page about devices
def test_page_makes_a_code_and_shows_it_once(floor: Floor) -> None:
    client = people.signed_in(people.make(floor.house, "t.ech", "technician"))
    page = client.post("/devices/display/", {"jackpot": str(floor.jackpot.pk), "name": "Eingang"})
    text = page.content.decode()
    secret = text.partition('class="secret">')[2].partition("<")[0]
    assert "/display/enrol/" in text
    assert device_enrol(kind="display", code=secret)[0].name == "Eingang"
    listed = client.get("/devices/").content.decode()
    assert "Eingang" in listed
    assert secret not in listed


def test_page_tells_codes_of_tablets_their_own_address(floor: Floor) -> None:
    client = people.signed_in(people.make(floor.house, "t.ech", "technician"))
    page = client.post("/devices/code/", {"table": str(floor.table.pk), "name": "Tablet"}).content.decode()
    assert "/tablet/enrol/" in page
    assert client.post("/devices/display/", {"jackpot": str(uuid4()), "name": "x"}).status_code == 404


@world(Floor, stocked=False, displays=0)
def test_technician_has_tables_wait_for_a_display(floor: Floor, own_database: str) -> None:
    device, _ = enrolled(floor)
    feed_enrol(place_id=floor.table.pk, name="Shoe", by=floor.tim)
    technician = people.signed_in(people.make(floor.house, "t.ech", "technician"))
    boss = people.signed_in(people.make(floor.house, "p.boss", "pit_boss"))
    assert boss.post(f"/devices/{device.pk}/require/").status_code == 403
    for pk in (uuid4(), Device.objects.get(kind="feed").pk):
        assert technician.post(f"/devices/{pk}/require/").status_code == 404
    assert RequiredDisplay.objects.count() == 0
    action = f"/devices/{device.pk}/require/"
    assert action in technician.get("/devices/").content.decode()
    assert technician.post(action).status_code == 302
    required = RequiredDisplay.objects.get()
    assert (required.display_id, required.name, required.jackpot_id) == (device.pk, "Eingang", floor.jackpot.pk)
    assert action not in technician.get("/devices/").content.decode()
    technician.post(action)  # a second click says so, and changes nothing
    assert RequiredDisplay.objects.count() == 1
    device_revoke(device_id=device.pk, reason="broken", by=floor.tim)
    assert "die nicht in Betrieb ist" in technician.get("/devices/").content.decode()
