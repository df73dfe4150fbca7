"""Sign-in: name, password and code on one page; what is missing at the first sign-in is asked for
before anything else opens.
"""

import re
import time
from typing import Any, Literal
from uuid import UUID

import structlog
from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.backends import BaseBackend
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django_otp import login as remember_device
from django_otp.oath import hotp

from casino.people import hashers, tries
from casino.people.authenticators import Authenticator
from casino.people.credentials import credentials_stand, digest_over, password_fits
from casino.people.events import record
from casino.people.models import USERNAME, Person
from casino.people.refusals import CodeRefused, EnrolmentOver
from casino.people.resting import credential_request

log = structlog.get_logger(__name__)
Step = Literal["own-password", "enrolment"]
# session key: the password was right in this very session, the rest is being asked for
HALF = "sign_in_begun"
HALF_AGE_S = 900
# A browser in which a person has signed in; the proxy looks for its name (deploy/Caddyfile).
KNOWN_COOKIE = f"saalchef-known-{settings.INSTANCE}"
KNOWN_S = 30 * 24 * 3600


class PersonBackend(BaseBackend):
    """The only way in. Names that do not exist cost the same work as names that do, and end the
    same.
    """

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str = "",
        password: str = "",
        code: str = "",
        **_rest: Any,
    ) -> Person | None:
        """The person, if everything they have to prove was right; `otp_device` is None while they
        have none yet. Raises SignInBusy.
        """
        queue, source = queue_of(request)
        username = Person.normalize_username(username)
        if queue is hashers.KNOWN and not _knows(source, username):
            queue = hashers.STRANGERS
            source = tries.place_of(request)
        # before a try is charged: who is not checked has tried nothing
        with queue.turn(source):
            return self._checked(tries.place_of(request), username, password, code)

    def _checked(self, place: str, username: str, password: str, code: str) -> Person | None:
        person = _person(username)
        number = tries.charge(person.pk, "sign_in", place) if person else None
        if person is None or number is None:
            make_password(password)  # as long as checking one takes
            _refused(person, "locked" if person else "unknown name", number)
            return None
        why_not = _why_not(person, password, code)
        if why_not:
            _refused(person, why_not, number)
            return None
        tries.clear(person.pk, "sign_in", place)
        return person

    def get_user(self, user_id: UUID) -> Person | None:
        """The person of a session; None ends it: for who was deactivated, and for demo people
        outside demo mode.
        """
        person = Person.objects.select_related("house").filter(pk=user_id).first()
        return person if person and person.may_sign_in else None


def queue_of(request: HttpRequest | None) -> tuple[hashers.Queue, str]:
    """In which queue a browser waits to sign in, and as which source: a known one as its cookie
    says, which nobody has compared with the name yet, any other as its address.
    """
    person = request and request.get_signed_cookie(
        KNOWN_COOKIE, "", salt=KNOWN_COOKIE, max_age=KNOWN_S
    )
    return (hashers.KNOWN, person) if person else (hashers.STRANGERS, tries.place_of(request))


def browser_keep(response: HttpResponse, person: Person) -> None:
    """Have the browser know for a month that this person has signed in there."""
    response.set_signed_cookie(
        KNOWN_COOKIE,
        _known_as(person),
        salt=KNOWN_COOKIE,
        max_age=KNOWN_S,
        path=resolve_url("sign-in"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )


def _knows(source: str, username: str) -> bool:
    person = _person(username)
    return person is not None and constant_time_compare(source, _known_as(person))


def _known_as(person: Person) -> str:
    """Tells no name, and is another as soon as password or authenticator are set anew."""
    state = f"{person.pk}:{person.get_session_auth_hash()}"
    return salted_hmac("casino.known_browser", state, algorithm="sha256").hexdigest()


def _person(username: str) -> Person | None:
    if not re.fullmatch(USERNAME, username):
        return None
    return Person.objects.filter(username=username).first()


def _why_not(person: Person, password: str, code: str) -> str:
    """Why the person does not get in, for the event; empty if they do. The password is always
    checked, so all cost the same.
    """
    right = password_fits(person, password)
    expired = (
        person.initial_password_until is not None
        and person.initial_password_until <= timezone.now()
    )
    if not right:
        return "password"
    if not person.may_sign_in:
        return "inactive"
    if expired:
        return "initial password expired"
    with transaction.atomic():
        device = (
            Authenticator.objects.select_for_update().filter(user=person, confirmed=True).first()
        )
        if device and not (_demo_code(person, device, code) or verify_code(device, code)):
            return "code"
    person.otp_device = device
    return ""


def verify_code(device: Authenticator, code: str) -> bool:
    """Whether the code is one of the device's, not used before. The row of the device must be
    locked.

    Only six plain digits reach the library: it would also take " 1_2345" for a number.
    """
    if not device.is_readable:
        log.error(
            "authenticator_unreadable", person=str(device.user_id)
        )  # SECRET_KEY is another, and its fallback is not set
        return False
    # with no digits any code would fit; these are of every authenticator, whatever its row says
    device.step, device.t0, device.digits, device.tolerance = 30, 0, 6, 1
    return bool(re.fullmatch(r"[0-9]{6}", code)) and bool(device.verify_token(code))


def _demo_code(person: Person, device: Authenticator, code: str) -> bool:
    """In demo mode, whether a demo person's code was used a moment ago: several sign in as one, by
    the code shown to them all.
    """
    if not (settings.DEMO and person.is_demo and device.is_readable):
        return False
    now = (int(time.time()) - device.t0) // device.step
    # one that was shown at the end of the step before counts too
    used = range(now - 1, device.last_t + 1)
    return code in {
        f"{hotp(device.bin_key, step, device.digits):0{device.digits}d}" for step in used
    }


def _refused(person: Person | None, why: str, number: int | None) -> None:
    with transaction.atomic():
        count = tries.refusals(f"{person.pk if person else ''} {why}")
        if tries.is_recorded(count):  # a stranger who floods writes no book
            after = {"within_an_hour": count} if count > tries.RECORDED else None
            record("sign_in.refused", person=person, reason=why, after=after)
        if number == settings.SIGN_IN_TRIES:
            record("sign_in.locked", person=person, after={"seconds": settings.SIGN_IN_LOCK_S})


def session_open(request: HttpRequest, person: Person) -> None:
    """Begin a session under a new key for a person whom `PersonBackend` has just let in."""
    request.session.flush()  # nothing of whoever used this browser before, also not the key
    login(request, person, backend="casino.people.signin.PersonBackend")
    # as read before this try: what others may have tried
    request.session["wrong_tries"] = person.sign_in_failures
    if person.language:
        request.session["language"] = person.language
    if step_missing(person):
        request.session[HALF] = True
        request.session.set_expiry(HALF_AGE_S)
        with transaction.atomic():
            record("sign_in.begun", person=person, by=person)
    else:
        session_complete(request, person)


def session_complete(request: HttpRequest, person: Person) -> None:
    """Both factors are proved and the password is their own: the session may go everywhere. Its key
    changes again.
    """
    previous = person.signed_in_at
    request.session["previous_sign_in"] = previous.isoformat() if previous else None
    request.session.pop(HALF, None)
    request.session.set_expiry(None)
    request.session.cycle_key()
    with transaction.atomic():
        Person.objects.filter(pk=person.pk).update(signed_in_at=Now())
        record("sign_in.done", person=person, by=person)
        credential_request(person)


def step_missing(person: Person) -> Step | None:
    """What a person still has to do before the house opens to them."""
    if person.initial_password_until is not None:
        return "own-password"
    return None if person.otp_device else "enrolment"


def signed_out(person: Person) -> None:
    """Write down that the person signed out."""
    with transaction.atomic():
        record("sign_out.done", person=person, by=person)


def enrolment_begin(person: Person) -> Authenticator:
    """A new secret, not confirmed yet. Any other open one is dropped: somebody may have seen it.
    Raises EnrolmentOver.
    """
    with transaction.atomic():
        _lock_without_device(person)
        Authenticator.objects.filter(user=person, confirmed=False).delete()
        return Authenticator.objects.create(user=person, name="authenticator", confirmed=False)


def enrolment_open(person: Person, device_id: object) -> Authenticator | None:
    """The open enrolment of this id, if it is still the person's."""
    if not isinstance(device_id, int):
        return None
    return Authenticator.objects.filter(pk=device_id, user=person, confirmed=False).first()


def enrolment_confirm(
    *, request: HttpRequest, person: Person, device_id: object, code: str
) -> None:
    """Confirm the authenticator by one of its codes; from then on it is asked for. Raises
    CodeRefused, EnrolmentOver.
    """
    with transaction.atomic():
        _lock_without_device(person)
        device = enrolment_open(person, device_id)
        if device is None:
            raise EnrolmentOver
        if not verify_code(device, code):
            raise CodeRefused
        stood = credentials_stand(person)
        device.confirmed = True
        device.save(update_fields=["confirmed"])
        record("sign_in.enrolled", person=person, by=person, after=digest_over(person, stood=stood))
    remember_device(request, device)


def _lock_without_device(person: Person) -> None:
    """Lock the person's row, so that two enrolments cannot both end. Raises EnrolmentOver if one
    has.
    """
    Person.objects.select_for_update(of=("self",)).get(pk=person.pk)
    if Authenticator.objects.filter(user=person, confirmed=True).exists():
        raise EnrolmentOver
