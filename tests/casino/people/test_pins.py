"""PINs: the second factor on a tablet, and a signer's proof."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings
from django.contrib.auth.hashers import check_password
from django.db import connection

from casino.people.models import Person
from casino.people.pins import pin_set, pin_unlock, pin_verify
from casino.people.refusals import NotAllowed, NotYourself, PinLocked, PinRefused, PinWeak
from payouts.models import Event, House
from tests.casino.people import people
from tests.cast import make_house
from tests.turns import each

PIN = "270415"
TRIES = 5


@pytest.fixture
def with_pin(person: Person) -> Person:
    pin_set(person=person, pin=PIN)
    return person


@pytest.fixture
def pit_boss(house: House) -> Person:
    return people.make(house, "p.boss", "pit_boss")


def names() -> list[str]:
    return list(Event.objects.filter(name__startswith="pin").order_by("pk").values_list("name", flat=True))


def fail(person: Person, times: int) -> None:
    for number in range(1, times + 1):
        with pytest.raises(PinLocked if number == TRIES else PinRefused):
            pin_verify(person=person, pin="000001")


def test_right_pin_passes_and_is_written_down_when_set(with_pin: Person) -> None:
    pin_verify(person=with_pin, pin=PIN)
    assert names() == ["pin.set"]


@each("pin", ["", "12345", "1234567", "12345a", "１２３４５６", "111111", "123456", "987654", "012345", "543210"])
def test_weak_pin_is_refused(person: Person, pin: str) -> None:
    with pytest.raises(PinWeak):
        pin_set(person=person, pin=pin)
    person.refresh_from_db()
    assert person.pin == ""


@each("pin", ["", "270416", "2704150", "\0", "x" * 10_000])
def test_wrong_pin_is_refused(with_pin: Person, pin: str) -> None:
    with pytest.raises(PinRefused):
        pin_verify(person=with_pin, pin=pin)
    assert names() == ["pin.set", "pin.refused"]


def test_nobody_passes_who_has_set_none(person: Person) -> None:
    with pytest.raises(PinRefused):
        pin_verify(person=person, pin="")


def test_nobody_passes_who_may_not_be_here(with_pin: Person) -> None:
    with_pin.is_active = False
    with pytest.raises(PinRefused):
        pin_verify(person=with_pin, pin=PIN)


def test_fifth_wrong_try_locks_until_a_person_opens(with_pin: Person, pit_boss: Person) -> None:
    fail(with_pin, TRIES)
    with pytest.raises(PinLocked):
        pin_verify(person=with_pin, pin=PIN)
    with_pin.refresh_from_db()
    with pytest.raises(PinLocked):  # a new PIN is no way round
        pin_set(person=with_pin, pin="381926")
    pin_unlock(person=with_pin, by=pit_boss)
    pin_verify(person=with_pin, pin=PIN)
    assert names() == ["pin.set"] + ["pin.refused"] * TRIES + ["pin.locked", "pin.unlocked"]


def test_right_pin_starts_the_count_anew(with_pin: Person) -> None:
    fail(with_pin, TRIES - 1)
    pin_verify(person=with_pin, pin=PIN)
    fail(with_pin, TRIES - 1)
    pin_verify(person=with_pin, pin=PIN)


def test_pin_and_sign_in_are_counted_apart(with_pin: Person) -> None:
    fail(with_pin, TRIES)
    with_pin.refresh_from_db()
    assert with_pin.pin_locked_at is not None
    assert (with_pin.sign_in_failures, with_pin.sign_in_locked_until) == (0, None)


def test_only_who_holds_the_right_opens_and_never_his_own(house: House, with_pin: Person, pit_boss: Person) -> None:
    fail(with_pin, TRIES)
    with pytest.raises(NotAllowed):
        pin_unlock(person=with_pin, by=people.make(house, "c.ollege"))
    with pytest.raises(NotAllowed):
        pin_unlock(person=with_pin, by=people.make(make_house("Casino Wiesbaden", "EUR"), "f.remd", "pit_boss"))
    pin_set(person=pit_boss, pin=PIN)
    with pytest.raises(NotYourself):
        pin_unlock(person=pit_boss, by=pit_boss)
    with pytest.raises(PinLocked):
        pin_verify(person=with_pin, pin=PIN)


def test_stored_pin_is_useless_without_the_secret_key(with_pin: Person, settings) -> None:
    """A million PINs are soon tried against a stolen table, but not without the key."""
    assert not check_password(PIN, with_pin.pin)
    settings.SECRET_KEY = "another " * 8
    with pytest.raises(PinRefused):
        pin_verify(person=with_pin, pin=PIN)


def test_pin_outlives_a_change_of_the_secret_key(with_pin: Person, settings) -> None:
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another " * 8
    pin_verify(person=with_pin, pin=PIN)


def test_parallel_guesses_are_checked_five_times_at_most(own_database: str) -> None:
    person = people.make(make_house())
    pin_set(person=person, pin=PIN)
    start = threading.Barrier(12)

    def guess(number: int) -> type[Exception]:
        try:
            start.wait()
            pin_verify(person=person, pin=f"10000{number % 10}")
        except (PinRefused, PinLocked) as refused:
            return type(refused)
        finally:
            connection.close()
        raise AssertionError("a wrong PIN passed")

    with ThreadPoolExecutor(12) as threads:
        outcomes = list(threads.map(guess, range(12)))
    assert (outcomes.count(PinRefused), outcomes.count(PinLocked)) == (settings.SIGN_IN_TRIES - 1, 13 - TRIES)
