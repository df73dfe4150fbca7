"""A signer proves themselves: by PIN on the floor, by a code of their authenticator for what
matters more.
"""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial

from django.db import OperationalError, connection, transaction

from casino.database import plain_connection
from casino.people import pins, tries
from casino.people.authenticators import Authenticator
from casino.people.credentials import credentials_stand
from casino.people.models import Person
from casino.people.refusals import CredentialsChanged, ProofRefused
from casino.people.resting import resting
from casino.people.signin import verify_code
from payouts.attest import proved_by
from payouts.commands import WAIT_MS, Answer, InFlight, run_once
from payouts.models import CommandKey
from payouts.rules.approval import PersonResting
from payouts.rules.plain import Json


def run_signed(
    key: str,
    request: bytes,
    *,
    person: Person,
    method: str,
    secret: str,
    work: Callable[[], Json],
    place: str = tries.SESSION,
    slowly: bool = False,
) -> Answer:
    """`run_once` for a command that the person signs with their PIN or a code. `place`, `slowly`:
    as `pin_verify` has them.

    Raises ProofRefused, PinRefused, PinLocked, PinSlowed, CredentialsChanged, PersonResting too.

    A code is taken once, and that outlasts a command that is refused: so it is checked before, in a
    transaction of its own, and a right one clears the count of wrong tries whatever becomes of the
    command. A repeat under the same key (a double click, a lost answer) has no fresh code to show
    and gets the first answer without it: a command that is not proved runs as a refusal, which
    `run_once` never reaches where the key has an answer. A repeat that comes between the first
    one's code and its command would be refused though that command is carried out after all: so it
    waits until the first one has come to its end.
    """
    if resting(person):
        return run_once(key, request, _refuse_resting)
    if method == "pin":
        return run_by_pin(
            key, request, person=person, secret=secret, work=work, place=place, slowly=slowly
        )
    with _alone_with(key):
        answered = CommandKey.objects.filter(key=key).exists()
        step = None if answered else _code_step(person, secret)
        proved = _refuse if step is None else partial(_proved, person, step, work)
        return run_once(key, request, proved)


def run_by_pin(
    key: str,
    request: bytes,
    *,
    person: Person,
    secret: str,
    work: Callable[[], Json],
    place: str = tries.SESSION,
    slowly: bool = False,
) -> Answer:
    """As `run_signed` by PIN, also by somebody who rests: what they say is no approval."""
    pins.pin_verify(person=person, pin=secret, place=place, slowly=slowly)
    _check_stands(person)
    return run_once(key, request, work)


def run_proved(key: str, request: bytes, *, person: Person, work: Callable[[], Json]) -> Answer:
    """As `run_signed`, by who has proved themselves by their PIN just now."""
    if resting(person):
        return run_once(key, request, _refuse_resting)
    _check_stands(person)
    return run_once(key, request, work)


def _check_stands(person: Person) -> None:
    """Raise CredentialsChanged where the PIN that was proved is not the person's any more."""
    as_proved = Person.objects.filter(pk=person.pk, pin=person.pin)
    if not (credentials_stand(person) and as_proved.exists()):
        raise CredentialsChanged


def _proved(person: Person, step: int, work: Callable[[], Json]) -> Json:
    """Each try of the command counts the code's signatures anew."""
    with proved_by(person.pk, step):
        return work()


@contextmanager
def _alone_with(key: str) -> Iterator[None]:
    """Hold a key over the two transactions of its proof and its command, on a connection of its
    own: whoever dies lets it go, and no pool hands it to another. Raises InFlight after 2 s,
    OperationalError where the database is away.
    """
    with connection.wrap_database_errors:
        link = plain_connection(f"-c lock_timeout={WAIT_MS}ms")
    with closing(link):
        try:
            with connection.wrap_database_errors:
                link.execute("SELECT pg_advisory_lock(hashtextextended('proof:' || %s, 0))", [key])
        except OperationalError as error:
            if getattr(error.__cause__, "sqlstate", None) != "55P03":
                raise
            raise InFlight(retry_after_s=1) from error
        yield


def _code_step(person: Person, code: str) -> int | None:
    """Charge a try, take the code if it is right, and forget the tries then; the code's time step.
    Commits before the command begins. Raises CredentialsChanged.
    """
    if tries.charge(person.pk, "code") is None:
        return None
    with transaction.atomic():
        device = (
            Authenticator.objects.select_for_update().filter(user=person, confirmed=True).first()
        )
        if device is None or not verify_code(device, code):
            return None
        stand = credentials_stand(person)  # while nobody changes the row of the authenticator
    tries.clear(person.pk, "code")
    if not stand:
        raise CredentialsChanged
    return int(device.last_t)


def _refuse() -> Json:
    raise ProofRefused


def _refuse_resting() -> Json:
    raise PersonResting
