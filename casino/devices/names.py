"""Whom a tablet offers by name to who signs in: nobody types there what they can choose."""

from datetime import timedelta
from itertools import pairwise
from typing import NamedTuple
from uuid import UUID

from django.db.models import Max
from django.db.models.functions import Now

from casino.devices.models import TABLET, Device, DeviceSession
from casino.people.models import Person
from casino.people.permissions import USE_TABLET

RECENT = 5  # people who signed in on this tablet last
KEYS = 8  # names that stand there at once; with "Somebody else" three rows of three
SHIFT = timedelta(hours=14)


class Key(NamedTuple):
    """A name: whether it stands there at once, and in the how many-th range it is found, 0 if there
    are none.
    """

    person: Person
    is_first: bool
    range: int


class Names(NamedTuple):
    """The keys, how the ranges are called in which further names are found, and who it most likely
    is.
    """

    keys: list[Key]
    ranges: list[str]
    chosen: Person | None


def may_use(device: Device, person: Person) -> bool:
    """Whether the person may sign in on the device: of its house, with a role that works at
    tables."""
    return person.house_id == device.house_id and person.has_perm(USE_TABLET)


def names(device: Device) -> Names:
    """The croupier on duty and who was here last, then who is at work now, then everybody else who
    deals in the house.
    """
    here, dealers = offered(device), _dealers(device)
    known = {person.pk: person for person in dealers}
    at_work = [known[pk] for pk in _at_work(device) if pk in known]
    first = list(dict.fromkeys([*here, *at_work, *dealers]))
    ranges = _ranges(dealers) if len(first) > KEYS else []
    found_in = {person.pk: number for number, people in enumerate(ranges, 1) for person in people}
    keys = [
        Key(person, place < KEYS, found_in.get(person.pk, 0)) for place, person in enumerate(first)
    ]
    labels = [f"{_short(people[0])} – {_short(people[-1])}" for people in ranges]
    return Names(keys, labels, here[0] if here else None)


def named(device: Device, person_id: UUID | None) -> Person | None:
    """The person of this id, if the tablet offers them."""
    return next((one for one in [*offered(device), *_dealers(device)] if one.pk == person_id), None)


def offered(device: Device) -> list[Person]:
    """The croupier of the table's session, then the last five who signed in on this tablet."""
    sessions = (
        DeviceSession.objects.filter(device=device).values("person").annotate(last=Max("began_at"))
    )
    # Twice as many, since some of them may not work here any more.
    recent = list(sessions.order_by("-last").values_list("person", flat=True)[: 2 * RECENT])
    session = device.own_table.session
    duty = session.croupier_id if session else None
    people = Person.objects.in_bulk([*recent, duty] if duty else recent)
    there = [people[pk] for pk in recent if pk != duty and may_use(device, people[pk])][:RECENT]
    return [people[duty], *there] if duty and may_use(device, people[duty]) else there


def _dealers(device: Device) -> list[Person]:
    """Who is a croupier and nothing else, and has a PIN, by name: whose PIN may sign is not offered
    to every finger.
    """
    people = Person.objects.filter(house_id=device.house_id, is_active=True, roles=["croupier"])
    return list(people.exclude(pin="").order_by("full_name", "pk"))


def _at_work(device: Device) -> list[UUID]:
    """Who signed in on a tablet of the house within a shift's time, the last one first."""
    tablets = Device.objects.filter(house_id=device.house_id, kind=TABLET, revoked_at=None)
    sessions = DeviceSession.objects.filter(device__in=tablets, began_at__gte=Now() - SHIFT)
    found = sessions.values("person").annotate(last=Max("began_at"))
    return list(found.order_by("-last").values_list("person", flat=True))


def _ranges(people: list[Person]) -> list[list[Person]]:
    """People in the order of their names in as few even parts as fit on the keys."""
    parts = -(-len(people) // KEYS)
    ends = [len(people) * part // parts for part in range(parts + 1)]
    return [people[low:high] for low, high in pairwise(ends)]


def _short(person: Person) -> str:
    return person.full_name.split()[0]
