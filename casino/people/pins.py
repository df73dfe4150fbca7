"""The personal PIN of six digits: the second factor on an enrolled tablet, and a signer's proof.
Never a sign-in by itself.
"""

import re
from collections.abc import Iterator

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.utils.crypto import salted_hmac

from casino.people import tries
from casino.people.context import in_scope
from casino.people.credentials import credentials_stand, digest_over
from casino.people.events import record
from casino.people.models import Person
from casino.people.permissions import UNLOCK_PIN
from casino.people.refusals import (
    NotAllowed,
    NotYourself,
    PinLocked,
    PinRefused,
    PinSlowed,
    PinWeak,
)

_ROWS = ("0123456789", "9876543210")


def pin_set(*, person: Person, pin: str) -> None:
    """Set the person's own PIN. Raises PinWeak, PinLocked (a new PIN is no way round the lock)."""
    if not re.fullmatch(r"[0-9]{6}", pin) or len(set(pin)) == 1 or any(pin in row for row in _ROWS):
        raise PinWeak
    hashed = make_password(_peppered(pin, settings.SECRET_KEY))
    with transaction.atomic():
        stood = credentials_stand(person)
        if not Person.objects.filter(pk=person.pk, pin_locked_at=None).update(
            pin=hashed, pin_failures=0
        ):
            raise PinLocked
        record("pin.set", person=person, by=person, after=digest_over(person, stood=stood))
    person.pin = hashed


def pin_verify(
    *, person: Person, pin: str, place: str = tries.SESSION, slowly: bool = False
) -> None:
    """Check a PIN; returns if it is right. `place`: the tablet on which it was typed; `slowly`: its
    croupier attends it. Raises PinRefused, from the last free wrong try on PinLocked or PinSlowed.

    Commits the count of tries, so call it before the command's transaction, not inside.
    """
    wait_s = tries.slow(place, person.username) if slowly else 0
    if slowly:
        number = None if tries.is_pin_locked(person.pk, place) else 0
    else:
        number = tries.charge(person.pk, "pin", place)
    if number is None:
        raise PinLocked
    if person.may_sign_in and matches(person, pin):
        tries.clear(person.pk, "pin", place)
        return
    with transaction.atomic():
        record("pin.refused", person=person)
        if number == settings.SIGN_IN_TRIES:
            record("pin.locked", person=person)
    if wait_s:
        raise PinSlowed(retry_after_s=wait_s)
    raise (
        PinLocked if number == settings.SIGN_IN_TRIES else PinRefused(tries=settings.SIGN_IN_TRIES)
    )


def pin_unlock(*, person: Person, by: Person) -> None:
    """Open a locked PIN; the tries start anew. Raises NotAllowed, NotYourself."""
    if not by.has_perm(UNLOCK_PIN) or not in_scope(by, person):
        raise NotAllowed
    if by.pk == person.pk:
        raise NotYourself
    with transaction.atomic():
        tries.clear(person.pk, "pin", None)
        record("pin.unlocked", person=person, by=by)


def matches(person: Person, pin: str) -> bool:
    """Whether this is the person's PIN. Counts no try: only for checks that nobody can repeat at
    will.
    """
    return bool(person.pin) and any(
        check_password(_peppered(pin, secret), person.pin) for secret in _secrets()
    )


def _secrets() -> Iterator[str]:
    yield settings.SECRET_KEY
    yield from settings.SECRET_KEY_FALLBACKS


def _peppered(pin: str, secret: str) -> str:
    """A million PINs are hashed in hours; keyed with a secret outside the database, a stolen table
    gives none of them away.
    """
    return salted_hmac("casino.pins", pin, secret=secret, algorithm="sha256").hexdigest()
