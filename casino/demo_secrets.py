"""Demo mode only: the code or PIN that a form asks for, for the demo person who is signed in. There is nothing of it outside."""

from functools import lru_cache

from django.conf import settings

from casino import pins
from casino.demo import PEOPLE, code_now
from casino.models import Person
from casino.models_authenticators import Authenticator

_PINS = {username: pin for username, _name, _roles, pin in PEOPLE}


def demo_secret(person: object, method: str) -> str:
    """What this person types now where a form asks for his PIN, or for a code of his authenticator (also of one that he is setting
    up); empty for anybody who is no demo person, and for a PIN that he has chosen himself.
    """
    if not settings.DEMO or not isinstance(person, Person) or not person.is_demo:
        return ""
    if method == "pin":
        pin = _PINS.get(person.username, "")
        return pin if pin and _is_still(person.pin, pin) else ""
    device = Authenticator.objects.filter(user=person).order_by("-confirmed").first()
    return code_now(device) if device and device.is_readable else ""


@lru_cache(maxsize=100)
def _is_still(hashed: str, pin: str) -> bool:
    """Whether the demo's PIN is the person's: asked once for each that he has, for it takes as long as a sign-in."""
    return pins.matches(Person(pin=hashed), pin)
