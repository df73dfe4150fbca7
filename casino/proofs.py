"""A signer proves himself: by PIN on the floor, by a code of his authenticator for what matters more."""

from collections.abc import Callable

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

    A code is taken once, so it is checked inside the command: a repeat under the same key gets the first answer without it.
    Tries are charged before (they must outlast a command that fails) and forgotten when the code was right.
    """
    if method == "pin":
        pins.pin_verify(person=person, pin=secret)
        return run_once(key, request, work)
    if not CommandKey.objects.filter(key=key).exists() and tries.charge(person.pk, "sign_in") is None:
        raise ProofRefused

    def proved() -> Json:
        device = TOTPDevice.objects.select_for_update().filter(user=person, confirmed=True).first()
        if device is None or not verify_code(device, secret):
            raise ProofRefused
        return work()

    answer = run_once(key, request, proved)
    if not answer.replayed:  # a repeat proves nothing
        tries.clear(person.pk, "sign_in")
    return answer
