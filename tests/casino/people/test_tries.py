"""Wrong tries count by name and place: whoever guesses under somebody's name locks that name for himself alone."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client, RequestFactory
from django.utils import timezone

from casino.devices.refusals import DeviceSignInRefused
from casino.devices.signin import device_sign_in
from casino.people import pins, tries
from casino.people.models import Person
from casino.people.proofs import run_signed
from casino.people.refusals import PinLocked, ProofRefused
from casino.people.tries_model import Tries
from payouts.models import House
from tests.casino.devices import devices
from tests.casino.people import people
from tests.turns import each

TRIES = 5
STRANGER, OWN = Client(REMOTE_ADDR="10.0.0.66"), Client(REMOTE_ADDR="10.0.0.7")


def guess(person: Person, times: int = TRIES, client: Client = STRANGER) -> None:
    for _ in range(times):
        assert people.sign_in(client, person, password="falsch").status_code == 200


def signed(person: Person, code: str, key: str) -> object:
    return run_signed(
        f"a-key-of-the-test-{key}", b"x" * 32, person=person, method="totp", secret=code, work=lambda: "done"
    ).body


# Sign-in
def test_stranger_locks_a_name_for_himself_alone(person: Person) -> None:
    guess(person)
    assert people.sign_in(STRANGER, person).status_code == 200
    assert people.sign_in(OWN, person).status_code == 302
    person.refresh_from_db()
    assert person.sign_in_failures == 0
    assert person.sign_in_locked_until is not None  # the list of people shows that somebody guesses
    assert (
        people.sign_in(Client(REMOTE_ADDR="10.0.0.66"), person, code_given=people.next_code(person)).status_code == 200
    )


def test_stranger_takes_nobodys_signature_away(db: None, person: Person) -> None:
    guess(person)
    assert signed(person, people.code(person), "a-key") == "done"


def test_own_wrong_codes_lock_the_signature_and_nothing_else(db: None, person: Person) -> None:
    for number in range(TRIES):
        with pytest.raises(ProofRefused):
            signed(person, people.wrong(person), f"a-key-{number}")
    with pytest.raises(ProofRefused):
        signed(person, people.code(person), "another-key")
    assert people.sign_in(OWN, person).status_code == 302


def test_only_manager_is_slowed_down_and_never_locked_out(house: House) -> None:
    chief = people.make(house, "chief", "manager")
    guess(chief, client=OWN)
    until = Tries.objects.get().locked_until
    assert timedelta(seconds=20) < until - timezone.now() <= timedelta(seconds=tries.ONLY_MANAGER_S)
    assert people.sign_in(OWN, chief).status_code == 200
    later()
    guess(chief, 1, OWN)  # one try, and again half a minute
    assert Tries.objects.get().locked_until > timezone.now()
    later()
    assert people.sign_in(OWN, chief).status_code == 302
    people.make(house, "deputy", "manager")
    guess(chief, client=STRANGER)
    assert Tries.objects.get().locked_until > timezone.now() + timedelta(seconds=800)


def later() -> None:
    Tries.objects.update(locked_until=timezone.now() - timedelta(seconds=1))


# PIN
def test_wrong_pins_lock_at_their_tablet_and_from_three_on_everywhere(house: House) -> None:
    boss, dealer = people.make(house, "b.oss", "pit_boss"), devices.dealer(house)
    tablets = [devices.enrol(devices.make_table(house, f"UTH {number}"), boss)[0] for number in range(5)]

    def typed(tablet: Any, pin: str) -> bool:
        try:
            device_sign_in(device=tablet, pin=pin, username=dealer.username)
        except (DeviceSignInRefused, PinLocked):
            return False
        return True

    assert [typed(tablets[0], "111112") for _ in range(TRIES)] == [False] * TRIES
    assert [typed(one, devices.PIN) for one in tablets[:2]] == [False, True]
    for tablet in tablets[1:4]:
        assert not any(typed(tablet, "111112") for _ in range(TRIES))
    assert [typed(one, devices.PIN) for one in tablets] == [False] * 5
    pins.pin_unlock(person=dealer, by=boss)
    assert all(typed(one, devices.PIN) for one in tablets)
    assert not Tries.objects.exists()


# Where from
PLACES = [  # behind a proxy or not, address of who speaks to us, what he says, what counts
    (False, "10.0.0.7", "1.2.3.4", "10.0.0.7"),
    (True, "", "1.2.3.4, 10.0.0.7", "10.0.0.7"),
    (True, "127.0.0.1", "", "127.0.0.1"),
    (False, "2001:db8:1:2:3:4:5:6", "", "2001:db8:1:2::/64"),
    (True, "", "nonsense", ""),
]


@each(("proxy", "peer", "said", "place"), PLACES)
def test_place_is_what_cannot_be_made_up(settings: Any, proxy: bool, peer: str, said: str, place: str) -> None:
    settings.TRUST_PROXY = proxy
    meta = {"REMOTE_ADDR": peer} | ({"HTTP_X_FORWARDED_FOR": said} if said else {})
    assert tries.place_of(RequestFactory().get("/", **meta)) == place
