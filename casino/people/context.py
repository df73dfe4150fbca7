"""What every page knows: the house, its clock, whether this is a demo; whom a person may reach."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from casino.people.models import Person
from casino.people.web_app import screen_of
from payouts.models import House
from payouts.rules.rulesets.calendar import gaming_day

HOUSE = "house"  # in the session of who is of no house: the one that they have chosen


@dataclass(frozen=True)
class HouseClock:
    """A house at this moment."""

    house: House
    now: datetime
    gaming_day: date

    @classmethod
    def at(cls, house: House) -> "HouseClock":
        """The house now, by its own clock."""
        now = timezone.now().astimezone(ZoneInfo(house.time_zone))
        change = house.gaming_day_change
        return cls(
            house, now, gaming_day(now, ZoneInfo(house.time_zone), change.hour * 60 + change.minute)
        )


def house_for(user: object) -> House | None:
    """The house that the page is about; else as `current_house`."""
    return (user.looks_at if isinstance(user, Person) else None) or current_house(user)


def current_house(user: object) -> House | None:
    """The person's house, or the one that they have chosen; for anybody else the only one; None if
    there are several, or none yet.
    """
    house = (user.house or user.chosen) if isinstance(user, Person) else None
    if house is None:
        only = list(House.objects.all()[:2])
        house = only[0] if len(only) == 1 else None
    return house


def look_at(person: Person, house: House | None) -> None:
    """From here on the page of who is of no house is about this one: its gaming day in the head,
    its zone for every time.
    """
    if person.house_id is None and house is not None:
        person.looks_at = house
        timezone.activate(ZoneInfo(house.time_zone))


def house_clock_for(user: object) -> HouseClock | None:
    """`house_for` the user, at this moment."""
    house = house_for(user)
    return HouseClock.at(house) if house else None


def files_of_mode() -> tuple[str, ...]:
    """Scripts that every page loads in the mode in which this server runs; a tablet's worker
    stores them, too.
    """
    return ("casino/js/demo-secret.js",) if settings.DEMO else ()


def house(request: HttpRequest) -> dict[str, Any]:
    """Context of every template: `here` (read only if used), `demo`, `languages`, `screen` (the
    kind of its manifest), `files_of_mode`.
    """
    user = getattr(request, "user", None)
    return {
        "here": SimpleLazyObject(lambda: house_clock_for(user)),
        "demo": settings.DEMO,
        "files_of_mode": files_of_mode(),
        "languages": settings.LANGUAGES,
        "screen": screen_of(request.path),
    }


def in_scope(by: Person, person: Person) -> bool:
    """Whether `person` is of the house of `by`; a person without house (manager of the
    installation) reaches everybody.
    """
    return by.house_id is None or by.house_id == person.house_id


def people_of(by: Person) -> QuerySet[Person]:
    """The people whom `by` may see."""
    people = Person.objects.select_related("house")
    return people if by.house_id is None else people.filter(house_id=by.house_id)


def name_for(by: Person, person: Person) -> str:
    """What `person` is called before `by`, where something is of the whole installation: people of
    other houses have no name there.
    """
    return person.full_name if in_scope(by, person) else _("not of this house")
