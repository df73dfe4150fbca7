"""Wrong PINs at a tablet that its croupier attends: slower and slower, told to the pit, and nobody is locked out."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from casino.api.who import AccessScope
from casino.devices.models import Device
from casino.devices.refusals import DeviceSignInRefused
from casino.devices.signin import device_idle, device_sign_in
from casino.people.models import Person
from casino.people.pins import pin_unlock, pin_verify
from casino.people.proofs import run_signed
from casino.people.refusals import PinLocked, PinRefused, PinSlowed
from casino.people.tries_model import SlowedPin, Tries
from payouts.models import House
from tests.casino.devices import devices
from tests.casino.devices.devices import PIN
from tests.casino.people import people
from tests.cast import make_house
from tests.turns import each

TRIES, GUESS = settings.SIGN_IN_TRIES, "000001"
WAITS = [0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900]  # seconds after each wrong PIN


def attended(house: House, number: int, by: Person) -> tuple[Device, str]:
    """A tablet at which the croupier of its open table is signed in."""
    table = devices.make_table(house, f"UTH {number}")
    croupier = devices.dealer(house, f"d.{number}")
    devices.open_table(table, croupier)
    device, token = devices.enrol(table, by)
    device_sign_in(device=device, pin=PIN, username=croupier.username)
    return device, token


def typed(device: Device, username: str, pin: str = GUESS) -> Any:
    """What a PIN under a typed name comes to: the refusal's code and its wait, or the person."""
    try:
        return device_sign_in(device=device, pin=pin, username=username).person
    except (DeviceSignInRefused, PinSlowed) as refused:
        return refused.code, refused.data.get("retry_after_s", 0)


def later() -> None:
    """As if the wait were over."""
    SlowedPin.objects.update(until=timezone.now() - timedelta(hours=1))


def test_a_guest_who_types_pins_for_fun_at_three_tables_locks_nobody_out(house: House, boss: Person) -> None:
    tablets = [attended(house, number, boss)[0] for number in range(4)]
    for device in tablets[:3]:
        refused = [("device.sign_in_refused", 0)] * (TRIES - 1) + [("pin.slowed", WAITS[TRIES - 1])]
        assert [typed(device, boss.username) for _ in range(TRIES)] == refused
        code, wait_s = typed(device, boss.username, PIN)  # not looked at
        assert (code, 0 < wait_s <= WAITS[TRIES - 1]) == ("pin.slowed", True)
    boss.refresh_from_db()
    assert (boss.pin_failures, boss.pin_locked_at, Tries.objects.count()) == (0, None, 0)
    own = {"person": boss, "method": "pin", "secret": PIN, "work": lambda: "done"}
    assert run_signed("a-key-of-the-test-1", b"x" * 32, **own).body == "done"
    assert typed(tablets[3], boss.username, PIN) == boss
    at_tablet = AccessScope(boss, tablets[0], house.pk).proof_place
    with pytest.raises(PinSlowed):
        run_signed("a-key-of-the-test-2", b"x" * 32, **own, **at_tablet)
    later()
    assert run_signed("a-key-of-the-test-3", b"x" * 32, **own, **at_tablet).body == "done"
    assert typed(tablets[0], boss.username) == ("device.sign_in_refused", 0)  # a right one ends the count


def test_each_wrong_pin_waits_longer_up_to_a_quarter_of_an_hour_and_whatever_name_is_typed(
    house: House, boss: Person
) -> None:
    device, _token = attended(house, 1, boss)
    for name in (boss.username, "n.obody", "d.1", "No name\0"):
        waits = []
        for _ in WAITS:
            waits.append(typed(device, name)[1])
            later()
        assert waits == WAITS, name
    SlowedPin.objects.update(at="2026-01-01T00:00:00Z")
    assert typed(device, boss.username)[1] == 0  # a day later it begins anew


def test_an_idle_tablet_and_one_of_another_person_lock_as_before(house: House, boss: Person) -> None:
    device, _token = attended(house, 1, boss)
    other = devices.enrol(devices.make_table(house, "UTH 2"), boss)[0]
    devices.open_table(other.own_table, devices.dealer(house, "d.2"))
    device_sign_in(device=other, pin=PIN, username="d.1")
    device_idle(session=device.sessions.get())
    for number, tablet in enumerate((device, other), 1):
        for _ in range(TRIES):
            assert typed(tablet, boss.username)[0] == "device.sign_in_refused"
        with pytest.raises(PinLocked):
            pin_verify(person=boss, pin=PIN, place=str(tablet.pk), slowly=True)
        assert Tries.objects.filter(person=boss, failures=TRIES).count() == number
    pin_unlock(person=boss, by=people.make(house, "e.boss", "pit_boss"))
    assert (typed(device, boss.username, PIN), SlowedPin.objects.exists()) == (boss, False)


@each(
    ("language", "sentence", "remedy"),
    [
        ("en", "Too many wrong PINs for this name on this tablet", "Try again in 30 s; the pit has been alerted."),
        ("de", "Zu viele falsche PINs", "in 30 s"),
        ("fr", "Trop de PIN erronés", "dans 30 s"),
        ("it", "Troppi PIN errati", "fra 30 s"),
    ],
)
def test_who_is_slowed_down_reads_for_how_long(
    house: House, boss: Person, language: str, sentence: str, remedy: str
) -> None:
    device, token = attended(house, 1, boss)
    Person.objects.filter(username="d.1").update(language=language)
    browser = devices.browser_of(device, token)
    form = {"person": "other", "username": boss.username, "pin": GUESS}
    answers = [browser.post(devices.address(device, "sign-in/"), form) for _ in range(TRIES)]
    assert [answer.status_code for answer in answers] == [200] * (TRIES - 1) + [429]
    page = answers[-1].content.decode()
    assert (answers[-1]["Retry-After"], sentence in page, remedy in page) == ("30", True, True)


def test_parallel_guesses_are_checked_five_times_at_most(own_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    house = make_house()
    boss = devices.dealer(house, "p.boss", "pit_boss")
    device, _token = attended(house, 1, boss)
    checked: list[str] = []

    def note(_person: Person, pin: str) -> bool:
        checked.append(pin)
        return False

    monkeypatch.setattr("casino.people.pins.matches", note)
    outcomes = parallel(12, lambda: pin_verify(person=boss, pin=GUESS, place=str(device.pk), slowly=True))
    assert (outcomes.count(PinRefused), outcomes.count(PinSlowed), len(checked)) == (TRIES - 1, 13 - TRIES, TRIES)


def parallel(number: int, act: Callable[[], None]) -> list[type[Exception]]:
    start = threading.Barrier(number)

    def refused(_number: int) -> type[Exception]:
        try:
            start.wait(60)
            act()
        except (PinRefused, PinSlowed, PinLocked) as error:
            return type(error)
        finally:
            connection.close()
        raise AssertionError("a wrong PIN passed")

    with ThreadPoolExecutor(number) as threads:
        return list(threads.map(refused, range(number)))
