"""The secrets of authenticators: of no use to who reads the database, and kept through a change of SECRET_KEY."""

import pytest
from django_otp.plugins.otp_totp.models import TOTPDevice

from casino.people.authenticators import Authenticator
from casino.people.signin import verify_code
from casino.tasks import tidy
from payouts.models import House
from tests.casino.people import people

OTHER = "another-secret-key-of-these-tests-" * 2


@pytest.fixture
def device(house: House) -> Authenticator:
    return Authenticator.objects.create(
        user=people.make(house, "m.frei", "croupier"), name="authenticator", confirmed=True
    )


def stored(device: Authenticator) -> str:
    return TOTPDevice.objects.get(pk=device.pk).key


def test_the_database_has_no_secret_and_a_copy_opens_nothing(device: Authenticator, house: House) -> None:
    secret = device.bin_key
    assert secret.hex() not in stored(device)
    assert len(secret) == 20
    other = Authenticator.objects.create(
        user=people.make(house, "r.caduff", "croupier"), name="authenticator", confirmed=True
    )
    Authenticator.objects.filter(pk=other.pk).update(key=stored(device))
    other.refresh_from_db()
    assert not other.is_readable
    assert not verify_code(other, people.code(device.user))


def test_a_new_secret_key_asks_nobody_to_enrol_again(device: Authenticator, settings) -> None:
    """Under the fallback codes are still taken; the worker seals anew, also what lay there in clear; then the fallback may go."""
    secret = device.bin_key
    old = TOTPDevice.objects.create(user=device.user, name="old", confirmed=False)  # as before secrets were sealed
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], OTHER
    before = stored(device)
    assert Authenticator.objects.get(pk=device.pk).bin_key == secret
    tidy()
    settings.SECRET_KEY_FALLBACKS = []
    now = Authenticator.objects.get(pk=device.pk)
    assert (now.bin_key, stored(device) != before) == (secret, True)
    assert Authenticator.objects.get(pk=old.pk).bin_key == bytes.fromhex(old.key)
    assert stored(old).startswith("sealed:")
    again = stored(device)
    tidy()
    assert stored(device) == again  # what lies under the newest key is left alone
    old.delete()
    assert verify_code(now, people.code(device.user))
