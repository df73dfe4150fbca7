"""The demo house and its people: only where SAALCHEF_DEMO=1 says that nothing here is real."""

import time
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django_otp.oath import hotp

from casino.demo.display import demo_displays_load
from casino.demo.floor import demo_floor_load
from casino.demo.rulesets import demo_posted_load
from casino.people import pins, tries
from casino.people.authenticators import Authenticator
from casino.people.models import Person
from casino.people.refusals import DemoRefused
from casino.people.services import person_new
from payouts.models import House
from payouts.services import house_create

HOUSE = "Casino Bad Ragaz"
PASSWORD = "Saalchef-Demo-7310"  # noqa: S105  (no secret: it is shown on the sign-in page)
SALT = "nothing-is-secret-in-the-demo"
PEOPLE = (  # sign-in name, full name, roles, PIN
    ("m.frei", "Martina Frei", ["croupier"], "270415"),
    ("n.egli", "Nora Egli", ["croupier"], "947582"),
    ("l.moretti", "Luca Moretti", ["croupier"], "158693"),
    ("p.gerber", "Pia Gerber", ["croupier"], "269704"),
    ("d.kunz", "Dario Kunz", ["croupier"], "615038"),
    ("v.roth", "Vera Roth", ["croupier"], "826193"),
    ("r.caduff", "Reto Caduff", ["pit_boss"], "381926"),
    (
        "e.hunziker",
        "Eva Hunziker",
        ["pit_boss"],
        "719348",
    ),  # whoever has dealt, entered or signed a result decides nothing about it
    ("l.bianchi", "Laura Bianchi", ["cage"], "492037"),
    ("s.keller", "Simone Keller", ["auditor"], "503148"),
    ("j.rochat", "Julien Rochat", ["surveillance"], "614259"),
    ("a.gantenbein", "Andri Gantenbein", ["technician"], "725360"),
    ("b.zumstein", "Beatrice Zumstein", ["manager"], "836471"),
)


@dataclass(frozen=True)
class DemoSignIn:
    """What a demo person types: shown on the sign-in page and by `manage.py demo --show`."""

    username: str
    full_name: str
    role: str
    password: str
    code: str
    seconds_left: int


def demo_load() -> House:
    """Make the demo house and its people, or bring them back to what they should be. Raises
    DemoRefused outside demo mode.
    """
    if not settings.DEMO or Person.objects.filter(is_demo=False).exists():
        raise DemoRefused  # demo people have a public password: never beside real ones
    with transaction.atomic():
        house = House.objects.filter(name=HOUSE).first() or house_create(
            name=HOUSE, currency="CHF", locale="de-CH", time_zone=settings.DEMO_TIME_ZONE
        )
        # One slow hash for all, and at every later start only one to compare with.
        password = make_password(PASSWORD, SALT)
        for username, full_name, role_codes, pin in PEOPLE:
            _load_person(house, username, full_name, role_codes, pin, password)
        demo_posted_load(house)
        demo_floor_load(house)
        demo_displays_load()
    return house


def _load_person(
    house: House, username: str, full_name: str, role_codes: list[str], pin: str, password: str
) -> None:
    person = Person.objects.filter(username=username).first()
    if person and not person.is_demo:
        raise DemoRefused  # a real person bears this name: this is no demo database
    new = person_new(username=username, full_name=full_name, house=house, role_codes=role_codes)
    person = person or new
    person.is_demo, person.is_active, person.roles, person.house = True, True, new.roles, house
    if person.password != password:
        person.password = password
    person.initial_password_until = None
    person.sign_in_failures, person.sign_in_locked_until = 0, None
    person.pin_failures, person.pin_locked_at = 0, None
    person.save()
    for kind in ("sign_in", "code", "pin"):
        tries.clear(person.pk, kind, None)
    if not person.pin:
        pins.pin_set(person=person, pin=pin)
    devices = Authenticator.objects.filter(user=person, confirmed=True)
    if not all(device.is_readable for device in devices):  # SECRET_KEY is another
        devices.delete()
    if not devices.exists():
        Authenticator.objects.create(user=person, name="authenticator", confirmed=True)


def demo_sign_ins() -> list[DemoSignIn]:
    """The demo people with a code each that will be taken now; empty outside demo mode."""
    if not settings.DEMO:
        return []
    order = [username for username, *_rest in PEOPLE]
    devices = {
        device.user_id: device
        for device in Authenticator.objects.filter(
            user__is_demo=True, user__is_active=True, confirmed=True
        )
    }
    people = Person.objects.filter(pk__in=devices, username__in=order)
    return [
        DemoSignIn(
            username=person.username,
            full_name=person.full_name,
            role=person.known_roles()[0],
            password=PASSWORD,
            code=code_now(devices[person.pk]),
            seconds_left=30 - int(time.time()) % 30,
        )
        for person in sorted(people, key=lambda person: order.index(person.username))
    ]


def code_now(device: Authenticator) -> str:
    """The code that the device takes next. Each is taken once, so after a sign-in within 30 s it is
    the following one.

    The earliest one within the tolerance is given: then the drift that early codes make is taken
    back by itself.
    """
    now = (int(time.time()) - device.t0) // device.step
    step = max(now, now + device.drift - device.tolerance, device.last_t + 1)
    return f"{hotp(device.bin_key, step, device.digits):0{device.digits}d}"
