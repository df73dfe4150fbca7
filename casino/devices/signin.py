"""Signing in on a tablet: its token says what it is, the PIN who one is. The sign-in lives on the
device, not in the browser.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from casino.devices.models import TABLET, Device, DeviceSession
from casino.devices.names import may_use, named
from casino.devices.open import open_session
from casino.devices.refusals import DeviceSignInRefused, DeviceUnknown, NotEnrolled
from casino.devices.services import devices_of, token_hash
from casino.devices.stored import TabletReport
from casino.people import hashers, pins, tries
from casino.people.credentials import password_fits
from casino.people.events import request_id
from casino.people.models import USERNAME, Person
from casino.people.permissions import ENROL_DEVICE, USE_TABLET
from casino.people.refusals import (
    NotAllowed,
    PinLocked,
    PinRefused,
    PinSlowed,
    PresentPasswordRefused,
)
from payouts.services import event_record

SEEN_S = 5  # how often at most it is written down that a device was seen


@dataclass(frozen=True, slots=True)
class Seat:
    """A device in service, and the sign-in that is open on it, if any."""

    device: Device
    session: DeviceSession | None

    @property
    def person(self) -> Person | None:
        """Who is signed in."""
        return self.session.person if self.session else None

    @property
    def is_idle(self) -> bool:
        """Whether the tablet was left alone and waits for the PIN of who is signed in."""
        return self.session is not None and self.session.idle_at is not None


def seat_of(
    *,
    device_id: UUID | None,
    token: str,
    kind: str = TABLET,
    report: TabletReport | None = None,
) -> Seat:
    """The device of this token, with who is signed in on it: one statement, two while nobody is on
    a tablet. Raises NotEnrolled.

    A sign-in counts only while its time is not over and its person may still use a tablet of this
    house: who is deactivated, or loses the role, is out with the next request.
    """
    hashed = token_hash(token)
    session, over = (open_session(hashed) if kind == TABLET else None) or (None, True)
    device = session.device if session else _device(hashed)
    if device is None or device.kind != kind or device_id not in (None, device.pk):
        raise NotEnrolled
    note_seen(device, report)
    if session and not over and may_use(device, session.person):
        return Seat(device, session)
    return Seat(device, None)


def _device(hashed: bytes) -> Device | None:
    return (
        Device.objects.select_related("table", "jackpot", "house")
        .filter(token_hash=hashed, revoked_at=None)
        .first()
    )


def note_seen(device: Device, report: TabletReport | None = None) -> None:
    """Write down that a device was there, at most every 5 s, with what a tablet reports; what is
    new in that, at once.
    """
    now = timezone.now()
    is_news = report is not None and report != (device.page_stored, device.unsent)
    seen_at = device.last_seen_at
    if is_news or seen_at is None or abs((now - seen_at).total_seconds()) >= SEEN_S:
        values = report._asdict() if report else {}
        Device.objects.filter(pk=device.pk, revoked_at=None).update(last_seen_at=Now(), **values)


def device_sign_in(
    *, device: Device, pin: str, person_id: UUID | None = None, username: str = ""
) -> DeviceSession:
    """Sign a person in on a tablet: one of those whom it offers by name, or by their sign-in name.
    Whoever was in is out.

    Raises PinRefused, PinLocked (for who is offered), DeviceSignInRefused (else: tells nobody which
    names exist), PinSlowed, NotEnrolled (the device was revoked meanwhile), SignInBusy. Commits the
    count of tries, so it runs in no transaction of the caller.
    """
    with hashers.TABLETS.turn():
        person = _proved(device, pin, person_id, username)
    with transaction.atomic():
        return _begin(device, person)


def device_prove(
    *, device: Device, pin: str, person_id: UUID | None = None, username: str = "", right: str
) -> Person:
    """Who proves themselves on a tablet by their PIN beside who is signed in on it, who stays so:
    as `device_sign_in`, by name also whoever of the house has this right.
    """
    with hashers.TABLETS.turn():
        return _proved(device, pin, person_id, username, right)


def _proved(
    device: Device, pin: str, person_id: UUID | None, username: str, right: str = USE_TABLET
) -> Person:
    known = named(device, person_id) if person_id else None
    person = known or _by_name(device, username, right)
    place = str(device.pk)
    slowly = is_attended(device)
    if person is None:
        wait_s = tries.slow(place, _plain(username)) if slowly else 0
        make_password(pin)  # as long as checking one takes
        with transaction.atomic():
            _record("device.sign_in_refused", device, reason="unknown name")
        if wait_s:
            raise PinSlowed(retry_after_s=wait_s)
        raise DeviceSignInRefused(tries=settings.SIGN_IN_TRIES)
    try:
        pins.pin_verify(person=person, pin=pin, place=place, slowly=slowly)
    except (PinRefused, PinLocked, PinSlowed) as refused:
        with transaction.atomic():
            _record(
                "device.sign_in_refused",
                device,
                after={"person": str(person.pk)},
                reason=refused.code,
            )
        if known or isinstance(refused, PinSlowed):
            raise
        raise DeviceSignInRefused(tries=settings.SIGN_IN_TRIES) from refused
    return person


def is_attended(device: Device) -> bool:
    """Whether the croupier of the device's table is signed in on it, and it is in use."""
    sessions = DeviceSession.objects.select_related("person").filter(
        device=device,
        ended_at=None,
        idle_at=None,
        expires_at__gt=Now(),
        person=F("device__table__session__croupier"),
    )
    session = sessions.first()
    return session is not None and may_use(device, session.person)


def device_sign_out(*, session: DeviceSession) -> None:
    """End a sign-in by the person's own wish. Nothing happens if it has ended already."""
    with transaction.atomic():
        if _end(session, "signed_out", session.person):
            _record("device.signed_out", session.device, by=session.person)


def device_idle(*, session: DeviceSession) -> None:
    """Nobody touches the tablet any more: until the PIN was typed it commands nothing. A second
    time changes nothing.
    """
    with transaction.atomic():
        if DeviceSession.objects.filter(pk=session.pk, ended_at=None, idle_at=None).update(
            idle_at=Now()
        ):
            _record("device.idle", session.device, by=session.person)


def signed_in_s(session: DeviceSession) -> float:
    """How long ago a person signed in."""
    return passed_s(session, since=session.began_at)


def passed_s(session: DeviceSession, *, since: datetime) -> float:
    """How long ago that was when the sign-in was read, also by a clock that was set back."""
    return abs(((session.read_at or timezone.now()) - since).total_seconds())


def device_wake(*, session: DeviceSession, pin: str) -> None:
    """Open a tablet that waits for the PIN, by that of who is signed in. Raises PinRefused,
    PinLocked, SignInBusy.

    Commits the count of tries, so it runs in no transaction of the caller.
    """
    with hashers.TABLETS.turn():
        pins.pin_verify(person=session.person, pin=pin, place=str(session.device.pk))
    with transaction.atomic():
        if DeviceSession.objects.filter(pk=session.pk, ended_at=None, idle_at__isnull=False).update(
            idle_at=None, used_at=Now()
        ):
            _record("device.woken", session.device, by=session.person)


def device_free(*, device_id: UUID, by: Person) -> None:
    """Sign out whoever forgot to, by somebody of the floor. Raises NotAllowed, DeviceUnknown."""
    if not by.has_perm(ENROL_DEVICE):
        raise NotAllowed
    with transaction.atomic():
        device = devices_of(by).filter(pk=device_id).first()
        if device is None:
            raise DeviceUnknown
        session = DeviceSession.objects.filter(device=device, ended_at=None).first()
        if session and _end(session, "freed", by):
            _record("device.freed", device, by=by, after={"person": str(session.person_id)})


def pin_change(*, person: Person, present: str, pin: str) -> None:
    """Set one's own PIN, proved by one's password; what was begun on tablets with the old one ends.

    Raises PresentPasswordRefused (counts as a wrong sign-in), PinWeak, PinLocked.
    """
    if tries.charge(person.pk, "code") is None or not password_fits(person, present):
        with transaction.atomic():
            event_record("pin.change_refused", person, actor_id=person.pk, request_id=request_id())
        raise PresentPasswordRefused
    tries.clear(person.pk, "code")
    with transaction.atomic():
        pins.pin_set(person=person, pin=pin)
        DeviceSession.objects.filter(person=person, ended_at=None).update(
            ended_at=Now(), ended_as="barred", ended_by_id=person.pk
        )


def _by_name(device: Device, username: str, right: str) -> Person | None:
    """The person of this sign-in name, if they are of the house and have the right: nobody else's
    PIN is tried, or locked, here.
    """
    people = Person.objects.filter(username=_plain(username), house_id=device.house_id)
    person = people.first()
    return person if person and person.has_perm(right) else None


def _plain(username: str) -> str:
    """A sign-in name as it is stored; empty if nobody can have it."""
    username = Person.normalize_username(username[:60])
    return username if re.fullmatch(USERNAME, username) else ""


def _begin(device: Device, person: Person) -> DeviceSession:
    # The row's lock: a sign-in and a revocation follow each other, and of two sign-ins the later
    # one stays.
    if (
        not Device.objects.select_for_update(no_key=True)
        .filter(pk=device.pk, revoked_at=None)
        .exists()
    ):
        raise NotEnrolled
    open_ones = DeviceSession.objects.select_related("person").annotate(now=Now())
    before = open_ones.filter(device=device, ended_at=None).first()
    if before:
        _end(before, _why_over(device, before), person)
    session = DeviceSession.objects.create(
        device=device,
        person=person,
        expires_at=Now() + timedelta(seconds=settings.SESSION_COOKIE_AGE),
    )
    was = {"person": str(before.person_id)} if before else None
    _record("device.signed_in", device, by=person, before=was, after={"session": str(session.pk)})
    return session


def _why_over(device: Device, session: DeviceSession) -> str:
    if not may_use(device, session.person):
        return "barred"
    return "expired" if session.expires_at <= session.now else "replaced"  # type: ignore[attr-defined]  # annotated


def _end(session: DeviceSession, how: str, by: Person) -> bool:
    ended = DeviceSession.objects.filter(pk=session.pk, ended_at=None)
    return bool(ended.update(ended_at=Now(), ended_as=how, ended_by_id=by.pk))


def _record(
    name: str,
    device: Device,
    *,
    by: Person | None = None,
    before: object = None,
    after: object = None,
    reason: str = "",
) -> None:
    event_record(
        name,
        device,
        actor_id=by.pk if by else None,
        before=before,
        after=after,
        reason=reason,
        request_id=request_id(),
    )
