"""Wrong tries in a row: counted so that parallel guesses cannot exceed the limit.

A try is charged *before* the secret is checked, in a transaction of its own that locks the person's row. So however many guesses
arrive at once, at most `SIGN_IN_TRIES` of them are ever checked, and no connection waits while Argon2 computes. A right one clears
the count. A process killed in between has used up a try: that is the safe side.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from casino.models import Person

Kind = Literal["sign_in", "pin"]


@dataclass(frozen=True)
class _Count:
    failures: int
    locked_until: datetime | None
    locked_at: datetime | None
    now: datetime


def charge(person_id: UUID, kind: Kind) -> int | None:
    """Charge one try and give its number, 1 to `SIGN_IN_TRIES`; None if locked. Commits, so never inside another transaction.

    The try that reaches the limit locks at once; it is still checked, and being right opens the lock again (`clear`).
    """
    with transaction.atomic(durable=True):
        count = _count(person_id, kind)
        if kind == "sign_in" and count.locked_until and count.locked_until <= count.now:
            count = _Count(0, None, None, count.now)  # the time of the lock is over: a new row of tries
        if count.failures >= settings.SIGN_IN_TRIES:
            return None
        number = count.failures + 1
        last = number >= settings.SIGN_IN_TRIES
        values: dict[str, object] = {f"{kind}_failures": number}
        if kind == "sign_in":
            values["sign_in_locked_until"] = count.now + timedelta(seconds=settings.SIGN_IN_LOCK_S) if last else None
        else:
            values["pin_locked_at"] = count.now if last else None
        Person.objects.filter(pk=person_id).update(**values)
        return number


def clear(person_id: UUID, kind: Kind) -> None:
    """Forget the wrong tries and open the lock."""
    lock = "sign_in_locked_until" if kind == "sign_in" else "pin_locked_at"
    Person.objects.filter(pk=person_id).update(**{f"{kind}_failures": 0, lock: None})


def _count(person_id: UUID, kind: Kind) -> _Count:
    """Read the count under the row's lock, with the database's clock: several web servers share one time."""
    person = Person.objects.select_for_update(of=("self",)).annotate(now=Now()).get(pk=person_id)
    failures: int = person.sign_in_failures if kind == "sign_in" else person.pin_failures
    return _Count(failures, person.sign_in_locked_until, person.pin_locked_at, person.now)
