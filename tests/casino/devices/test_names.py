"""Whom a tablet offers by name to who signs in, in which order, and where names are found for which there is no place."""

from casino.devices.models import Device
from casino.devices.names import KEYS, names, offered
from casino.devices.signin import device_sign_in
from casino.people.models import Person
from payouts.models import House
from tests.casino.devices.devices import PIN, dealer, enrol, make_table, open_table
from tests.casino.people import people
from tests.cast import make_house
from tests.turns import each


def first(device: Device) -> list[str]:
    return [key.person.username for key in names(device).keys if key.is_first]


def test_new_tablet_offers_who_deals_and_presumes_nobody(device: Device, house: House, martina: Person) -> None:
    people.make(house, "o.hne")  # has no PIN
    dealer(make_house("Casino Wiesbaden", "EUR"), "f.remd")
    dealer(house, "b.oth", "croupier", "manager")  # a PIN that may sign is not offered to every finger
    dealer(house, "p.it", "pit_boss")
    dealer(house, "b.arred", is_active=False)
    dealer(house, "a.lt")
    assert first(device) == ["a.lt", "m.frei"]
    assert (names(device).chosen, names(device).ranges) == (None, [])


def test_offers_the_croupier_on_duty_first_then_the_last_five(house: House, device: Device, martina: Person) -> None:
    dealers = [dealer(house, f"d.{letter}") for letter in "abcdefg"]
    for person in dealers:
        device_sign_in(device=device, username=person.username, pin=PIN)
    assert offered(device) == dealers[:1:-1]
    device_sign_in(device=device, username="d.c", pin=PIN)
    assert [person.username for person in offered(device)] == ["d.c", "d.g", "d.f", "d.e", "d.d"]
    open_table(device.table, martina)
    device.table.refresh_from_db()
    assert [person.username for person in offered(device)] == ["m.frei", "d.c", "d.g", "d.f", "d.e", "d.d"]
    assert names(device).chosen == martina


@each("change", [{"is_active": False}, {"roles": ["cage"]}, {"house": "another"}])
def test_offers_nobody_who_may_not_any_more(device: Device, martina: Person, change: dict[str, object]) -> None:
    device_sign_in(device=device, username="m.frei", pin=PIN)
    assert first(device) == ["m.frei"]
    if "house" in change:
        change = {"house": make_house("Casino Wiesbaden", "EUR")}
    Person.objects.filter(pk=martina.pk).update(**change)
    assert first(device) == []


def test_who_is_at_work_stands_before_the_others_and_all_are_found(house: House, device: Device, boss: Person) -> None:
    """Of 26: the relief who was at another table just now stands there at once; anybody else is two taps away."""
    every = [dealer(house, f"d.{number:02}") for number in range(1, 27)]
    for number, person in enumerate(every):
        Person.objects.filter(pk=person.pk).update(full_name=f"{chr(65 + number)}na")
    other, _ = enrol(make_table(house, "UTH 2"), boss)
    for person in (every[20], every[25]):
        device_sign_in(device=other, username=person.username, pin=PIN)
    found = names(device)
    assert first(device)[:3] == ["d.26", "d.21", "d.01"]
    assert len(first(device)) == KEYS
    assert found.ranges == ["Ana – Fna", "Gna – Mna", "Nna – Sna", "Tna – Zna"]
    parts = [every[:6], every[6:13], every[13:19], every[19:]]
    for number, people_there in enumerate(parts, 1):
        assert {key.person for key in found.keys if key.range == number} == set(people_there)
    late = every[12]
    assert device_sign_in(device=device, person_id=late.pk, pin=PIN).person == late
