"""A signer proves himself: by PIN on the floor, by a code of his authenticator for what matters more."""

from collections.abc import Callable

from django.db import transaction
from django_otp.plugins.otp_totp.models import TOTPDevice

from casino import pins, tries
from casino.models import Person
from casino.refusals import ProofRefused
from casino.signin import verify_code
from payouts.idempotency import Answer, run_once
from payouts.models import CommandKey
from payouts.rules.plain import Json


def run_signed(
    key: str, request: bytes, *, person: Person, method: str, secret: str, work: Callable[[], Json]
) -> Answer:
    """`run_once` for a command that the person signs with his PIN or a code. Raises ProofRefused, PinRefused, PinLocked too.

    A code is taken once, and that outlasts a command that is refused: so it is checked before, in a transaction of its own, and a
    right one clears the count of wrong tries whatever becomes of the command. A repeat under the same key (a double click, a lost
    answer) has no fresh code to show and gets the first answer without it: a command that is not proved runs as a refusal, which
    `run_once` never reaches where the key has an answer, or waits for one that is on its way.
    """
    if method == "pin":
        pins.pin_verify(person=person, pin=secret)
        return run_once(key, request, work)
    proved = not CommandKey.objects.filter(key=key).exists() and _code_taken(person, secret)
    return run_once(key, request, work if proved else _refuse)


def _code_taken(person: Person, code: str) -> bool:
    """Charge a try, take the code if it is right, and forget the tries then. Commits before the command begins."""
    if tries.charge(person.pk, "sign_in") is None:
        return False
    with transaction.atomic():
        device = TOTPDevice.objects.select_for_update().filter(user=person, confirmed=True).first()
        right = device is not None and verify_code(device, code)
    if right:
        tries.clear(person.pk, "sign_in")
    return right


def _refuse() -> Json:
    raise ProofRefused
