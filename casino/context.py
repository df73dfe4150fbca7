"""What every page knows: the house, its clock, whether this is a demo."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from casino.models import Person
from casino.web_app import screen_of
from payouts.models import House
from payouts.rules.calendar import gaming_day


@dataclass(frozen=True)
class Here:
    """A house at this moment."""

    house: House
    now: datetime
    gaming_day: date

    @classmethod
    def at(cls, house: House) -> "Here":
        """The house now, by its own clock."""
        now = timezone.now().astimezone(ZoneInfo(house.time_zone))
        change = house.gaming_day_change
        return cls(house, now, gaming_day(now, ZoneInfo(house.time_zone), change.hour * 60 + change.minute))


def house_for(user: object) -> House | None:
    """The person's house; for anybody else the only house there is; None if there are several, or none yet."""
    house = user.house if isinstance(user, Person) else None
    if house is None:
        only = list(House.objects.all()[:2])
        house = only[0] if len(only) == 1 else None
    return house


def here_for(user: object) -> Here | None:
    """`house_for` the user, at this moment."""
    house = house_for(user)
    return Here.at(house) if house else None


def house(request: HttpRequest) -> dict[str, Any]:
    """Context of every template: `here` (read only if used), `demo`, `languages`, `screen` (the kind of its manifest)."""
    return {
        "here": SimpleLazyObject(lambda: here_for(getattr(request, "user", None))),
        "demo": settings.DEMO,
        "languages": settings.LANGUAGES,
        "screen": screen_of(request.path),
    }
