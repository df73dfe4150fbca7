"""Demo mode only: the code or PIN that a form asks for, for the demo person who is signed in. There
is nothing of it outside.
"""

from functools import lru_cache

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.http import require_GET

from casino.demo.people import PEOPLE, code_now, demo_sign_ins
from casino.people import pins
from casino.people.authenticators import Authenticator
from casino.people.models import Person

_PINS = {username: pin for username, _name, _roles, pin in PEOPLE}


def demo_secret(person: object, method: str) -> str:
    """What this person types now where a form asks for their PIN, or for a code of their
    authenticator (also of one that they are setting up); empty for anybody who is no demo person,
    and for a PIN that they have chosen themselves.
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
    """Whether the demo's PIN is the person's: asked once for each that they have, for it takes as
    long as a sign-in.
    """
    return pins.matches(Person(pin=hashed), pin)


@login_not_required
@require_GET
def demo_codes(request: HttpRequest) -> JsonResponse:
    """The codes that the demo people's apps would show now, `own` of who is signed in. There is no
    such page outside the demo.
    """
    if not settings.DEMO:
        raise Http404
    people = demo_sign_ins()
    codes = {person.username: person.code for person in people}
    own = demo_secret(request.user, "totp")
    return JsonResponse(
        {"codes": codes, "seconds_left": people[0].seconds_left if people else 30, "own": own}
    )
