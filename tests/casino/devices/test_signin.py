"""Signing in on a tablet: device and PIN, who may, who is out and when, and what nobody learns."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings
from django.db import connection

from casino.devices.models import Device, DeviceSession
from casino.devices.refusals import DeviceSignInRefused, DeviceUnknown, NotEnrolled
from casino.devices.services import device_revoke
from casino.devices.signin import Seat, device_free, device_sign_in, device_sign_out, pin_change, seat_of
from casino.people.models import Person
from casino.people.pins import pin_unlock
from casino.people.refusals import NotAllowed, PinLocked, PinRefused, PinWeak, PresentPasswordRefused
from casino.people.roles import CODES
from payouts.models import Event, House
from tests.casino.devices.devices import PIN, dealer, enrol, make_table
from tests.casino.people import people
from tests.cast import make_house
from tests.turns import each

WRONG = "000001"


def seat(tablet: tuple[Device, str]) -> Seat:
    return seat_of(device_id=tablet[0].pk, token=tablet[1])


def names() -> list[str]:
    kept = Event.objects.filter(name__regex=r"^(device|pin)\.")
    kept = kept.exclude(name__in=["pin.set", "device.code_made", "device.enrolled"])
    return list(kept.order_by("pk").values_list("name", flat=True))


# In
def test_name_and_pin_sign_in(tablet, device: Device, martina: Person, django_assert_num_queries) -> None:
    assert seat(tablet).person is None
    session = device_sign_in(device=device, username=" M.Frei ", pin=PIN)
    with django_assert_num_queries(1):
        assert seat(tablet).person == martina
    assert seat(tablet).session == session
    event = Event.objects.get(name="device.signed_in")
    assert (event.actor_id, event.subject_id, event.before) == (martina.pk, str(device.pk), None)
    assert event.after == {"session": str(session.pk)}


def test_sign_in_is_read_as_it_stands(tablet, device: Device, martina: Person) -> None:
    """By a prepared statement, and all the same as Django would read it; only what proves somebody is not read."""
    device_sign_in(device=device, username="m.frei", pin=PIN)
    seat(tablet)  # writes down that the device was seen
    found = seat(tablet).session
    assert found is not None
    parts = {found: (), found.device: ("token_hash",), found.person: ("password", "pin"), found.device.house: ()}
    for part, unread in {**parts, found.device.own_table: ()}.items():
        assert part.get_deferred_fields() == set(unread)
        stored = type(part)._default_manager.get(pk=part.pk)
        for column in part._meta.concrete_fields:
            assert getattr(part, column.attname) == getattr(stored, column.attname), column
    assert found.person.house is found.device.house


def test_whoever_signs_in_next_replaces(tablet, device: Device, martina: Person, boss: Person) -> None:
    first = device_sign_in(device=device, username="m.frei", pin=PIN)
    device_sign_in(device=device, username="p.boss", pin=PIN)
    assert seat(tablet).person == boss
    first.refresh_from_db()
    assert (first.ended_as, first.ended_by) == ("replaced", boss)
    assert Event.objects.filter(name="device.signed_in").latest("pk").before == {"person": str(martina.pk)}


def test_devices_of_two_tables_know_nothing_of_each_other(
    tablet, device: Device, house: House, martina: Person, boss: Person
) -> None:
    other = enrol(make_table(house, "UTH 2"), boss)
    device_sign_in(device=device, username="m.frei", pin=PIN)
    assert (seat(tablet).person, seat(other).person) == (martina, None)
    device_sign_in(device=other[0], username="p.boss", pin=PIN)
    assert (seat(tablet).person, seat(other).person) == (martina, boss)


# Refused
@each("role", CODES)
def test_only_who_works_at_tables_signs_in(device: Device, house: House, role: str) -> None:
    person = dealer(house, "x.y", role)
    if role in ("croupier", "pit_boss"):
        assert device_sign_in(device=device, username="x.y", pin=PIN).person == person
        return
    with pytest.raises(DeviceSignInRefused):
        device_sign_in(device=device, username="x.y", pin=PIN)
    assert names() == ["device.sign_in_refused"]


def test_nobody_else_s_pin_is_tried_or_locked_here(device: Device, house: House) -> None:
    """Otherwise whoever holds a tablet locks the PINs that managers sign with."""
    dealer(house, "x.y", "manager")
    for _ in range(settings.SIGN_IN_TRIES):
        with pytest.raises(DeviceSignInRefused):
            device_sign_in(device=device, username="x.y", pin=WRONG)
    manager = Person.objects.get(username="x.y")
    assert (manager.pin_failures, manager.pin_locked_at) == (0, None)


@each("house_of", ["another", "none"])
def test_person_of_another_house_does_not_sign_in(device: Device, house_of: str) -> None:
    house = make_house("Casino Wiesbaden", "EUR") if house_of == "another" else None
    dealer(house, "x.y", "croupier", "manager")
    with pytest.raises(DeviceSignInRefused):
        device_sign_in(device=device, username="x.y", pin=PIN)


def test_inactive_person_does_not_sign_in(device: Device, martina: Person) -> None:
    Person.objects.filter(pk=martina.pk).update(is_active=False)
    with pytest.raises(DeviceSignInRefused):
        device_sign_in(device=device, username="m.frei", pin=PIN)


def test_without_a_pin_nobody_signs_in(device: Device, house: House) -> None:
    people.make(house, "o.hne")
    for pin in ("", WRONG):
        with pytest.raises(DeviceSignInRefused):
            device_sign_in(device=device, username="o.hne", pin=pin)


@each("username", ["", "n.iemand", "\0", "a\0b", "x" * 100_000, "m.frei' OR 1=1", "\udcff"])
def test_name_that_there_is_not(device: Device, martina: Person, username: str) -> None:
    with pytest.raises(DeviceSignInRefused):
        device_sign_in(device=device, username=username, pin=PIN)


def test_typed_name_tells_nothing_of_who_there_is(device: Device, martina: Person) -> None:
    """An unknown name, a wrong PIN, a locked one: the same answer, after the same work."""
    told = set()
    for username in ["n.iemand"] + ["m.frei"] * (settings.SIGN_IN_TRIES + 1):
        with pytest.raises(DeviceSignInRefused) as caught:
            device_sign_in(device=device, username=username, pin=WRONG)
        told.add((caught.value.code, caught.value.text(), str(caught.value.data)))
    assert len(told) == 1
    martina.refresh_from_db()
    assert martina.pin_locked_at is not None
    reasons = Event.objects.filter(name="device.sign_in_refused").order_by("pk").values_list("reason", flat=True)
    assert list(reasons) == [
        "unknown name",
        *["pin.refused"] * (settings.SIGN_IN_TRIES - 1),
        "pin.locked",
        "pin.locked",
    ]


def test_who_is_offered_by_name_is_told_that_his_pin_is_locked(device: Device, martina: Person, boss: Person) -> None:
    device_sign_in(device=device, username="m.frei", pin=PIN)
    for _ in range(settings.SIGN_IN_TRIES - 1):
        with pytest.raises(PinRefused):
            device_sign_in(device=device, person_id=martina.pk, pin=WRONG)
    for pin in (WRONG, PIN):  # from the last try on, and the right one no more than any other
        with pytest.raises(PinLocked):
            device_sign_in(device=device, person_id=martina.pk, pin=pin)
    martina.refresh_from_db()
    pin_unlock(person=martina, by=boss)
    assert device_sign_in(device=device, person_id=martina.pk, pin=PIN).person == martina


def test_id_of_who_is_not_offered_is_nobody(device: Device, boss: Person) -> None:
    """His PIN may sign: a tablet that he never used does not know him by a finger's tap."""
    with pytest.raises(DeviceSignInRefused):
        device_sign_in(device=device, person_id=boss.pk, pin=PIN)
    boss.refresh_from_db()
    assert boss.pin_failures == 0


def test_revoked_device_takes_nobody(device: Device, martina: Person, boss: Person) -> None:
    device_revoke(device_id=device.pk, reason="lost", by=boss)
    with pytest.raises(NotEnrolled):
        device_sign_in(device=device, username="m.frei", pin=PIN)
    assert not DeviceSession.objects.exists()


def test_resting_signers_deal_all_the_same(device: Device, house: House, chief: Person) -> None:
    """Resting is about signatures; who was made a croupier a minute ago works."""
    new = dealer(house, "n.eu")
    Event.objects.create(name="person.created", actor=chief, subject_kind="person", subject_id=str(new.pk))
    assert device_sign_in(device=device, username="n.eu", pin=PIN).person == new


# Out
def test_signing_out(tablet, device: Device, martina: Person) -> None:
    session = device_sign_in(device=device, username="m.frei", pin=PIN)
    device_sign_out(session=session)
    device_sign_out(session=session)
    assert seat(tablet).person is None
    session.refresh_from_db()
    assert (session.ended_as, session.ended_by) == ("signed_out", martina)
    assert names() == ["device.signed_in", "device.signed_out"]


def test_freed_by_the_floor(tablet, device: Device, martina: Person, boss: Person) -> None:
    session = device_sign_in(device=device, username="m.frei", pin=PIN)
    stranger = people.make(make_house("Casino Wiesbaden", "EUR"), "f.remd", "pit_boss")
    with pytest.raises(DeviceUnknown):
        device_free(device_id=device.pk, by=stranger)
    with pytest.raises(NotAllowed):
        device_free(device_id=device.pk, by=martina)
    device_free(device_id=device.pk, by=boss)
    device_free(device_id=device.pk, by=boss)  # nobody is there any more
    assert seat(tablet).person is None
    session.refresh_from_db()
    assert (session.ended_as, session.ended_by) == ("freed", boss)
    assert names() == ["device.signed_in", "device.freed"]


def test_ends_with_the_shift(tablet, device: Device, martina: Person, settings) -> None:
    settings.SESSION_COOKIE_AGE = 0
    session = device_sign_in(device=device, username="m.frei", pin=PIN)
    assert seat(tablet).person is None
    settings.SESSION_COOKIE_AGE = 12 * 3600
    device_sign_in(device=device, username="m.frei", pin=PIN)
    session.refresh_from_db()
    assert session.ended_as == "expired"
    assert seat(tablet).person == martina
    lasts = seat(tablet).session.expires_at - seat(tablet).session.began_at
    assert abs(lasts.total_seconds() - 12 * 3600) < 60


@each("change", [{"is_active": False}, {"roles": ["cage"]}])
def test_who_may_not_any_more_is_out_with_the_next_request(
    tablet, device: Device, martina: Person, boss: Person, change: dict[str, object]
) -> None:
    session = device_sign_in(device=device, username="m.frei", pin=PIN)
    Person.objects.filter(pk=martina.pk).update(**change)
    assert seat(tablet).person is None
    device_sign_in(device=device, username="p.boss", pin=PIN)
    session.refresh_from_db()
    assert session.ended_as == "barred"


# One's own PIN
def test_new_pin_ends_what_was_begun_with_the_old_one(tablet, device: Device, martina: Person) -> None:
    session = device_sign_in(device=device, username="m.frei", pin=PIN)
    pin_change(person=martina, present=people.PASSWORD, pin="381926")
    assert seat(tablet).person is None
    session.refresh_from_db()
    assert session.ended_as == "barred"
    with pytest.raises(PinRefused):
        device_sign_in(device=device, person_id=martina.pk, pin=PIN)
    assert device_sign_in(device=device, person_id=martina.pk, pin="381926").person == martina


def test_weak_pin_changes_nothing(tablet, device: Device, martina: Person) -> None:
    device_sign_in(device=device, username="m.frei", pin=PIN)
    with pytest.raises(PinWeak):
        pin_change(person=martina, present=people.PASSWORD, pin="123456")
    assert seat(tablet).person == martina


def test_pin_is_set_by_who_knows_the_password_and_guesses_are_counted(martina: Person) -> None:
    for _ in range(settings.SIGN_IN_TRIES):
        with pytest.raises(PresentPasswordRefused):
            pin_change(person=martina, present="geraten", pin="381926")
    with pytest.raises(PresentPasswordRefused):
        pin_change(person=martina, present=people.PASSWORD, pin="381926")
    assert names() == ["pin.change_refused"] * (settings.SIGN_IN_TRIES + 1)


def test_locked_pin_is_not_set_anew(device: Device, martina: Person) -> None:
    for _ in range(settings.SIGN_IN_TRIES):
        with pytest.raises(DeviceSignInRefused):
            device_sign_in(device=device, username="m.frei", pin=WRONG)
    with pytest.raises(PinLocked):
        pin_change(person=martina, present=people.PASSWORD, pin="381926")


# Races
def test_two_who_sign_in_at_once_leave_one(own_database: str) -> None:
    house = make_house()
    boss = dealer(house, "p.boss", "pit_boss")
    tablet = enrol(make_table(house), boss)
    for letter in "abcd":
        dealer(house, f"d.{letter}")
    at_once([lambda one=one: device_sign_in(device=tablet[0], username=f"d.{one}", pin=PIN) for one in "abcd"])
    sessions = DeviceSession.objects.order_by("ended_as")
    assert [session.ended_as for session in sessions] == ["", "replaced", "replaced", "replaced"]
    assert seat(tablet).person == sessions[0].person


def test_sign_in_against_revocation_leaves_nobody_in(own_database: str) -> None:
    house = make_house()
    boss = dealer(house, "p.boss", "pit_boss")
    for number in range(5):
        device, _ = enrol(make_table(house, f"UTH {number}"), boss)
        at_once(
            [
                lambda device=device: device_sign_in(device=device, username="p.boss", pin=PIN),
                lambda device=device: device_revoke(device_id=device.pk, reason="lost", by=boss),
            ]
        )
    assert not DeviceSession.objects.filter(ended_at=None).exists()
    assert not Device.objects.filter(revoked_at=None).exists()


def at_once(acts: list) -> None:
    start = threading.Barrier(len(acts))

    def one(act) -> None:
        try:
            start.wait()
            act()
        except NotEnrolled:  # the revocation came first
            pass
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as threads:
        list(threads.map(one, acts))
