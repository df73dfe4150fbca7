"""Password, PIN and authenticator of a person, digested in the log: who changes them by SQL is
named.

Whatever sets one of them, or takes it away, writes an event with an HMAC of all three as they are
stored then, by a key that is in no table; the number of the event is in it too, so an older one is
of no use. An audit compares. What was set before a person's first such event is taken as it is.
"""

from collections import defaultdict
from uuid import UUID

from django.contrib.auth.hashers import make_password, verify_password
from django.db import connection, transaction

from casino.people.authenticators import Authenticator, SecretUnreadable
from casino.people.events import record
from casino.people.models import Person
from payouts.attest import hmac_of, is_hmac_of
from payouts.findings import Breach
from payouts.models import Event
from payouts.rules.plain import Json

NAME = "credentials_stand_as_the_log_says"
_PURPOSE = "credentials"
_NEWEST = """
    SELECT p.id, p.username, digested.mac, digested.number, p.password, p.pin FROM casino_person p
    CROSS JOIN LATERAL (
        SELECT e.after ->> 'credentials' AS mac, count(*) OVER () AS number FROM payouts_event e
        WHERE e.subject_kind = 'person' AND e.subject_id = p.id::text
            AND e.after ? 'credentials'
        ORDER BY e.id DESC LIMIT 1) digested
    WHERE NOT p.is_demo AND (%(person)s::uuid IS NULL OR p.id = %(person)s) ORDER BY p.username
"""


def digest(person: Person) -> dict[str, Json]:
    """What an event keeps of a person's credentials as they are stored now. The caller holds the
    person's row.
    """
    password, pin = Person.objects.values_list("password", "pin").get(pk=person.pk)
    return _digest(person, password, pin)


def digest_without_pin(person: Person) -> dict[str, Json]:
    """The same of a sign-in that is set anew: its event takes the PIN away
    (`casino/sql/person_v6.sql`).
    """
    password = Person.objects.values_list("password", flat=True).get(pk=person.pk)
    return _digest(person, password, "")


def password_fits(person: Person, password: str) -> bool:
    """Whether it is the person's; hashed anew where it was by an older way, which the log keeps:
    not of a hash that somebody laid there, or the log would take it for ours.
    """
    fits, outdated = verify_password(password, person.password)
    if fits and outdated and credentials_stand(person):
        hashed = make_password(password)
        stored = Person.objects.filter(pk=person.pk, password=person.password)
        with transaction.atomic():
            if stored.update(password=hashed):  # nobody has set another one meanwhile
                record("password.rehashed", person=person, after=digest(person))
                person.password = hashed
    return fits


def credentials_changed() -> list[Breach]:
    """Whose credentials are not those of the newest event that digested them."""
    return _changed(None)


def credentials_stand(person: Person) -> bool:
    """Whether a person's credentials are those that the log digested last. Who set some by SQL
    signs nothing by them, and what is set on top of them is not digested, so an audit names it.
    """
    return not _changed(person.pk)


def digest_over(person: Person, *, stood: bool) -> dict[str, Json] | None:
    """What an event keeps of credentials of which people set one themselves: nothing unless all of
    them `stood` before. A manager's reset ends that.
    """
    return digest(person) if stood else None


def _changed(person: UUID | None) -> list[Breach]:
    secrets = _secrets(**({"user_id": person} if person else {}))
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST, {"person": person})
        rows = cursor.fetchall()
    return [
        {"person_id": str(pk), "username": username}
        for pk, username, mac, *stored in rows
        if not is_hmac_of(_PURPOSE, [str(pk), *stored, [*secrets[pk]]], _bytes(mac or ""))
    ]


def _secrets(**whose: UUID) -> dict[UUID, list[str]]:
    """The secrets of confirmed authenticators, by person."""
    secrets: dict[UUID, list[str]] = defaultdict(list)
    for device in Authenticator.objects.filter(confirmed=True, **whose).order_by("pk"):
        secrets[device.user_id].append(_secret(device))
    return secrets


def _digest(person: Person, password: str, pin: str) -> dict[str, Json]:
    secrets = _secrets(user_id=person.pk)[person.pk]
    events = Event.objects.filter(subject_kind="person", subject_id=str(person.pk))
    number = events.filter(after__has_key="credentials").count() + 1
    mac = hmac_of(_PURPOSE, [str(person.pk), number, password, pin, [*secrets]])
    return {"credentials": mac.hex()}


def _secret(device: Authenticator) -> str:
    try:
        return device.bin_key.hex()
    except SecretUnreadable:
        return "unreadable"


def _bytes(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""
