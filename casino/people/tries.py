"""Wrong tries in a row: counted so that parallel guesses cannot exceed the limit, and that no
stranger locks anybody out.

A try is charged *before* the secret is checked, in a transaction of its own that locks the person's
row. So however many guesses arrive at once, at most `SIGN_IN_TRIES` of them are ever checked, and
no connection waits while Argon2 computes. A right one clears the count. A process killed in between
has used up a try: that is the safe side.

They are counted by name *and* place, so whoever guesses under somebody's name locks that name for
themselves: a sign-in by the address that it comes from, a PIN by its tablet, a code or password
within a session by that session's person alone. A PIN has six digits only: wrong ones at
`EVERYWHERE` tablets lock it at all of them. The only manager, whom nobody could let in, is slowed
down and never locked out.

Where the table's own croupier is signed in on a tablet in use, a guest who types PINs for fun
locks nobody out: they are slowed down there (`slow`), counted by sign-in name and tablet apart from
all the above, and the pit is alerted. What that gives to who guesses: after the fifth wrong one the
waits are 30 s, 1, 2, 4 and 8 min, then 15 min each; so 104 tries of a name in the first day and 96
in each further one, beside a croupier and with the pit on its way. That is one in 9 600 for a PIN
out of a million, at each such tablet; forty of them, all day long, make it one in 240. Whoever has
signed in there with their own PIN gives five free tries anew, for their name alone.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address
from typing import Literal
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Max, Q
from django.db.models.functions import Now
from django.http import HttpRequest

from casino.people.models import Person
from casino.people.refusals import PinSlowed
from casino.people.tries_model import SlowedPin, Tries

# a stranger at the sign-in; a code or password in a proved session; a PIN
Kind = Literal["sign_in", "code", "pin"]
SESSION = "session"  # the place of what is typed in a proved session
EVERYWHERE = 3
ONLY_MANAGER_S = 30  # between two tries of the only manager, once they have used up their free ones
KEPT = timedelta(days=1)  # what is no lock any more
SLOWED_S, SLOWED_MOST_S = 30, 900  # the wait after the last free wrong PIN; it doubles up to
RECORDED = 20  # refusals in an hour of which each has its event
_REFUSED = """
    INSERT INTO casino_refusals AS r (what, count, since) VALUES (%s, 1, now())
        ON CONFLICT (what) DO UPDATE SET
        count = CASE WHEN r.since > now() - interval '1 hour' THEN r.count + 1 ELSE 1 END,
        since = CASE WHEN r.since > now() - interval '1 hour' THEN r.since ELSE now() END
    RETURNING count
"""
# One statement: of parallel tries the second finds what the first one has charged, and reads the
# clock when it has the row.
_SLOWED = """
    INSERT INTO casino_slowedpin AS s (place, name, failures, until, at)
        VALUES (%(place)s, %(name)s, 1, clock_timestamp(), clock_timestamp())
        ON CONFLICT (place, name) DO UPDATE SET failures = least(s.failures + 1, 30000),
            at = clock_timestamp(), until = clock_timestamp() + CASE
                WHEN s.failures + 1 < %(free)s THEN interval '0' ELSE interval '1 second'
                    * least(%(first)s * 2 ^ least(s.failures + 1 - %(free)s, 20), %(most)s) END
        WHERE s.until <= clock_timestamp()
    RETURNING extract(epoch FROM until - at)::int
"""
_WAITS = """
    SELECT greatest(ceil(extract(epoch FROM until - clock_timestamp())), 1)::int
        FROM casino_slowedpin WHERE place = %(place)s AND name = %(name)s
"""


@dataclass(frozen=True)
class _Count:
    person: Person
    row: Tries
    now: datetime


def place_of(request: HttpRequest | None) -> str:
    """Where a request comes from: its address, of version 6 the part that one subscriber has;
    nothing if none is known.
    """
    if request is None:
        return ""
    told = request.META.get("REMOTE_ADDR", "")
    if settings.TRUST_PROXY:  # the last one is who spoke to our own proxy
        told = request.META.get("HTTP_X_FORWARDED_FOR", told).rpartition(",")[2].strip()
    try:
        address = ip_address(told)
    except ValueError:
        return ""
    if isinstance(address, IPv6Address):
        return f"{IPv6Address(int(address) >> 64 << 64)}/64"
    return str(address)


def charge(person_id: UUID, kind: Kind, place: str = SESSION) -> int | None:
    """Charge one try and give its number, 1 to `SIGN_IN_TRIES`; None if locked. Commits, so never
    inside another transaction.

    The try that reaches the limit locks at once; it is still checked, and being right opens the
    lock again (`clear`).
    """
    most = settings.SIGN_IN_TRIES
    with transaction.atomic(durable=True):
        count = _count(person_id, kind, place)
        person, row, lock_s = count.person, count.row, settings.SIGN_IN_LOCK_S
        if kind != "pin" and row.failures >= most and _only_manager(person):
            lock_s, row.failures = (
                ONLY_MANAGER_S,
                (row.failures if _locked(row, count.now) else most - 1),
            )
        elif kind != "pin" and row.failures >= most and not _locked(row, count.now):
            row.failures = 0  # the time of the lock is over: a new row of tries
        if row.failures >= most or (kind == "pin" and person.pin_failures >= most * EVERYWHERE):
            return None
        row.failures += 1
        last = row.failures >= most
        if last and kind != "pin" and _only_manager(person):
            lock_s = ONLY_MANAGER_S
        row.locked_until = count.now + timedelta(seconds=lock_s) if last and kind != "pin" else None
        row.at = count.now
        _keep(row)
        _tell(person, kind, row, count.now)
        return row.failures


def clear(person_id: UUID, kind: Kind, place: str | None = SESSION) -> None:
    """Forget the wrong tries from a place and open its lock; from everywhere if the place is
    None."""
    with transaction.atomic():
        # first, as `charge` does
        person = Person.objects.select_for_update(of=("self",)).get(pk=person_id)
        rows = Tries.objects.filter(person_id=person_id, kind=kind)
        (rows if place is None else rows.filter(place=place)).delete()
        if kind == "sign_in":
            until = rows.aggregate(until=Max("locked_until"))["until"]
            Person.objects.filter(pk=person_id).update(
                sign_in_failures=0, sign_in_locked_until=until
            )
        elif kind == "pin" and not rows.filter(failures__gte=settings.SIGN_IN_TRIES).exists():
            Person.objects.filter(pk=person_id).update(pin_failures=0, pin_locked_at=None)
        if kind == "pin":
            slowed = SlowedPin.objects.filter(name=person.username)
            (slowed if place is None else slowed.filter(place=place)).delete()


def is_pin_locked(person_id: UUID, place: str) -> bool:
    """Whether wrong tries have locked the person's PIN at a place, or everywhere."""
    most = settings.SIGN_IN_TRIES
    rows = Tries.objects.filter(person_id=person_id, kind="pin")
    everywhere = Person.objects.filter(pk=person_id, pin_failures__gte=most * EVERYWHERE)
    return rows.filter(place=place, failures__gte=most).exists() or everywhere.exists()


def slow(place: str, name: str) -> int:
    """Charge a PIN for a sign-in name at a tablet that its croupier attends, and give how many
    seconds the next one has to wait. Raises PinSlowed, and charges nothing, while this one has to.

    A day after the last one the count begins anew. Commits, so never inside another transaction.
    """
    free, waits_s = settings.SIGN_IN_TRIES, {"first": SLOWED_S, "most": SLOWED_MOST_S}
    values: dict[str, str | int] = {"place": place, "name": name, "free": free, **waits_s}
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        SlowedPin.objects.filter(place=place, at__lt=Now() - KEPT).delete()
        cursor.execute(_SLOWED, values)
        charged = cursor.fetchone()
        if charged:
            return int(charged[0])
        cursor.execute(_WAITS, values)
        waits = cursor.fetchone()
    raise PinSlowed(retry_after_s=waits[0] if waits else 1)


def refusals(what: str) -> int:
    """Count one more refused sign-in; how many there were in the hour that began with the first."""
    with connection.cursor() as cursor:
        cursor.execute(_REFUSED, [what])
        return int(cursor.fetchone()[0])


def is_recorded(count: int) -> bool:
    """Whether a refusal is recorded by itself: the first twenty of an hour, then whenever they have
    doubled.
    """
    return count <= RECORDED or count & (count - 1) == 0


def _count(person_id: UUID, kind: Kind, place: str) -> _Count:
    """Read the count under the lock of the person's row, with the database's clock: several web
    servers share one time.
    """
    person = Person.objects.select_for_update(of=("self",)).annotate(now=Now()).get(pk=person_id)
    row = Tries.objects.filter(person_id=person_id, kind=kind, place=place).first()
    return _Count(person, row or Tries(person_id=person_id, kind=kind, place=place), person.now)


def _locked(row: Tries, now: datetime) -> bool:
    return row.locked_until is not None and row.locked_until > now


def _only_manager(person: Person) -> bool:
    """Whether nobody else is there who could open the lock."""
    if "manager" not in person.roles:
        return False
    others = Person.objects.filter(
        Q(house_id=None) | Q(house_id=person.house_id), roles__contains=["manager"]
    )
    return not others.filter(is_active=True).exclude(pk=person.pk).exists()


def _keep(row: Tries) -> None:
    """Write the row; what nobody has to know any more of the person's goes, so that no flood of
    addresses fills the table.
    """
    row.pk = None  # whichever of two comes second finds the first one's
    unique, said = ["person", "kind", "place"], ["failures", "locked_until", "at"]
    Tries.objects.bulk_create(
        [row], update_conflicts=True, unique_fields=unique, update_fields=said
    )
    Tries.objects.filter(person_id=row.person_id, at__lt=row.at - KEPT).exclude(kind="pin").delete()


def _tell(person: Person, kind: Kind, row: Tries, now: datetime) -> None:
    """Keep at the person what their page and the list of people show: tries since they were right,
    and the newest lock.
    """
    last, values = row.failures >= settings.SIGN_IN_TRIES, dict[str, object]()
    if kind == "sign_in":
        values["sign_in_failures"] = min(person.sign_in_failures + 1, 30_000)
        if last:
            values["sign_in_locked_until"] = row.locked_until
    elif kind == "pin":
        values["pin_failures"] = person.pin_failures + 1
        if last or person.pin_failures + 1 >= settings.SIGN_IN_TRIES * EVERYWHERE:
            values["pin_locked_at"] = now
    if values:
        Person.objects.filter(pk=person.pk).update(**values)
