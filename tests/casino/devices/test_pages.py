"""Pages about devices and PINs at the office."""

import re
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client

from casino.devices.models import Device, DeviceCode, DeviceSession
from casino.devices.refusals import DeviceSignInRefused
from casino.devices.services import device_enrol, device_revoke
from casino.devices.signin import device_sign_in, seat_of
from casino.people.models import Person
from payouts.models import Event, House
from tables.models import Table
from tests.casino.devices.devices import PIN, dealer, enrol, feed, make_table
from tests.casino.people import people
from tests.cast import make_house
from tests.turns import each


@pytest.fixture
def desk(boss: Person) -> Client:
    return people.signed_in(boss)


def said(response) -> list[str]:
    return [str(message) for message in response.context["messages"]]


def secret(response) -> str:
    return re.search(r'class="secret[^"]*">([^<]+)<', response.content.decode())[1]


# Devices
def test_list_tells_of_every_device(desk: Client, table: Table, boss: Person) -> None:
    tablet, token = enrol(table, boss)
    feed(table, boss)
    lost, _ = enrol(table, boss, "Lost one")
    device_revoke(device_id=lost.pk, reason="fell down", by=boss)
    seat_of(device_id=tablet.pk, token=token)
    device_sign_in(device=tablet, username=dealer(table.house).username, pin=PIN)
    response = desk.get("/devices/")
    rows = response.context["rows"]
    assert [(at, [(d.name, s and s.person.username) for d, s, *_ in devices]) for at, devices in rows] == [
        (table, [("Shoe", None), ("Tablet", "m.frei")])
    ]
    page = response.content.decode()
    assert "Name m.frei" in page
    assert "fell down" in page


def test_list_of_a_house_without_tables(desk: Client) -> None:
    page = desk.get("/devices/").content.decode()
    assert "Es gibt noch keine Tische." in page
    assert "<select" not in page


def test_no_house_sees_another_s_devices(desk: Client, boss: Person, chief: Person) -> None:
    other = make_house("Casino Wiesbaden", "EUR")
    far = make_table(other, "BJ 9")
    device, _ = enrol(far, people.make(other, "f.remd", "pit_boss"))
    assert "BJ 9" not in desk.get("/devices/").content.decode()
    for page, data in (
        ("code/", {"table": str(far.pk), "name": "Tablet"}),
        ("feed/", {"table": str(far.pk), "name": "Shoe"}),
        (f"{device.pk}/revoke/", {"reason": "not ours"}),
        (f"{device.pk}/free/", {}),
    ):
        assert desk.post(f"/devices/{page}", data).status_code == 404
    device.refresh_from_db()
    assert (device.revoked_at, Device.objects.count()) == (None, 1)
    assert "Casino Wiesbaden" in people.signed_in(chief).get("/devices/").content.decode()


def test_code_is_shown_once_and_enrols(desk: Client, table: Table) -> None:
    response = desk.post("/devices/code/", {"table": str(table.pk), "name": "Tablet"})
    text = secret(response)
    assert re.fullmatch(r"[a-z2-9]{4}-[a-z2-9]{4}", text)
    assert "no-store" in response["Cache-Control"]
    assert text not in desk.get("/devices/").content.decode()
    assert device_enrol(kind="tablet", code=text)[0].table == table


def test_token_of_a_feed_is_shown_once_and_works(desk: Client, table: Table) -> None:
    response = desk.post("/devices/feed/", {"table": str(table.pk), "name": "Shoe"})
    token = secret(response)
    device = seat_of(device_id=None, token=token, kind="feed").device
    assert (device.table, device.kind, device.code) == (table, "feed", None)
    assert token not in desk.get("/devices/").content.decode()


@each("page", ["code", "feed"])
def test_what_makes_no_sense_is_refused(desk: Client, table: Table, page: str) -> None:
    for bad in ("", "nonsense", "\0", str(uuid4())):
        assert desk.post(f"/devices/{page}/", {"table": bad, "name": "Tablet"}).status_code == 404
    for name in ("", "x" * 41, "a\0b"):
        response = desk.post(f"/devices/{page}/", {"table": str(table.pk), "name": name}, follow=True)
        assert said(response)[0].startswith("Name: ")
    assert not Device.objects.exists()
    assert not DeviceCode.objects.exists()


def test_revoking_with_a_reason(desk: Client, table: Table, boss: Person) -> None:
    device, _ = enrol(table, boss)
    response = desk.post(f"/devices/{device.pk}/revoke/", {"reason": ""}, follow=True)
    assert said(response)[0].startswith("Grund: ")
    assert said(desk.post(f"/devices/{device.pk}/revoke/", {"reason": "lost"}, follow=True)) == ["Erledigt."]
    device.refresh_from_db()
    assert (device.revoked_by, device.revoked_reason) == (boss, "lost")
    response = desk.post(f"/devices/{device.pk}/revoke/", {"reason": "lost"}, follow=True)
    assert said(response)[0].startswith("Dieses Gerät wurde schon gesperrt.")


def test_freeing_a_tablet(desk: Client, table: Table, boss: Person) -> None:
    device, _ = enrol(table, boss)
    device_sign_in(device=device, username=dealer(table.house).username, pin=PIN)
    desk.post(f"/devices/{device.pk}/free/")
    assert DeviceSession.objects.get().ended_as == "freed"


# PINs
def test_pit_boss_opens_a_locked_pin(desk: Client, table: Table, boss: Person, house: House) -> None:
    device, _ = enrol(table, boss)
    martina = dealer(house)
    assert "Keine PIN ist gesperrt." in desk.get("/pins/").content.decode()
    for _ in range(settings.SIGN_IN_TRIES):
        with pytest.raises(DeviceSignInRefused):
            device_sign_in(device=device, username="m.frei", pin="000001")
    assert list(desk.get("/pins/").context["people"]) == [martina]
    assert said(desk.post(f"/pins/{martina.pk}/unlock/", follow=True)) == ["Erledigt."]
    assert device_sign_in(device=device, username="m.frei", pin=PIN).person == martina
    assert Event.objects.get(name="pin.unlocked").actor_id == boss.pk


def test_nobody_opens_his_own_pin_or_another_house_s(desk: Client, boss: Person) -> None:
    stranger = dealer(make_house("Casino Wiesbaden", "EUR"), "f.remd")
    Person.objects.filter(pk__in=[boss.pk, stranger.pk]).update(pin_locked_at="2026-11-21T12:00Z", pin_failures=5)
    page = desk.get("/pins/")
    assert list(page.context["people"]) == [boss]
    assert "unlock" not in page.content.decode()
    assert said(desk.post(f"/pins/{boss.pk}/unlock/", follow=True))[0].startswith(
        "Das können Sie nicht für sich selbst tun."
    )
    assert desk.post(f"/pins/{stranger.pk}/unlock/").status_code == 404
    assert desk.post(f"/pins/{uuid4()}/unlock/").status_code == 404
    assert Person.objects.filter(pin_locked_at=None).count() == 0


def test_setting_one_s_own_pin(house: House) -> None:
    person = people.make(house, "n.eu")
    client = people.signed_in(person)
    assert "nicht gesetzt" in client.get("/home/croupier/").content.decode()
    data = {"present": people.PASSWORD, "pin": "381926", "again": "381926"}
    assert said(client.post("/pin/", data, follow=True).client.get("/home/croupier/")) == []
    person.refresh_from_db()
    assert person.pin
    assert "nicht gesetzt" not in client.get("/home/croupier/").content.decode()


@each(
    ("change", "code"),
    [
        ({"present": "geraten"}, "password.present_wrong"),
        ({"pin": "123456", "again": "123456"}, "pin.weak"),
        ({"pin": "12345", "again": "12345"}, "pin.weak"),
        ({"again": "381927"}, None),
        ({"pin": "", "again": ""}, None),
        ({"pin": "3" * 5000, "again": "3" * 5000}, None),
    ],
)
def test_pin_is_not_set(house: House, change: dict[str, str], code: str | None) -> None:
    client = people.signed_in(people.make(house, "n.eu"))
    response = client.post("/pin/", {"present": people.PASSWORD, "pin": "381926", "again": "381926"} | change)
    assert response.status_code == 200
    refused = response.context.get("refused")
    assert (refused["code"] if refused else None) == code
    assert code or response.context["form"].errors
    assert not Person.objects.get(username="n.eu").pin
    assert "381926" not in response.content.decode()


# In the admin
@each("name", ["device", "devicecode", "devicesession"])
def test_auditor_reads_everything_but_what_proves_a_device(table: Table, boss: Person, house: House, name: str) -> None:
    device, _ = enrol(table, boss)
    device_sign_in(device=device, username=dealer(house).username, pin=PIN)
    row = {"device": device, "devicecode": device.code, "devicesession": device.sessions.get()}[name]
    auditor = people.signed_in(people.make(house, "x.auditor", "auditor"))
    list_page = auditor.get(f"/admin/casino/{name}/").content.decode()
    page = auditor.get(f"/admin/casino/{name}/{row.pk}/change/").content.decode()
    for secret_of in (device.token_hash, device.code.proof):
        for shown in (bytes(secret_of).hex(), str(bytes(secret_of))):
            assert shown not in page + list_page
    assert "UTH 1" in page + list_page or "Name m.frei" in page + list_page
    assert 'name="_save"' not in page
    stranger = people.signed_in(people.make(make_house("Casino Wiesbaden", "EUR"), "f.auditor", "auditor"))
    assert str(row.pk) not in stranger.get(f"/admin/casino/{name}/").content.decode()
    assert stranger.get(f"/admin/casino/{name}/{row.pk}/change/").status_code == 302  # to the index: no such row
