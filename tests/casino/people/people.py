"""People for these tests, as they are after a finished first sign-in."""

import time
from functools import cache
from typing import Any

from django.contrib.auth.hashers import BasePasswordHasher, get_hasher, make_password
from django.test import Client
from django_otp.oath import totp

from casino.demo.people import code_now
from casino.people.authenticators import Authenticator
from casino.people.models import Person
from payouts.models import House

PASSWORD = "korrekt Pferd Batterie"


@cache
def _hashed(_hasher: type[BasePasswordHasher]) -> str:
    """The password's hash, computed once for each hasher: tests make people by the hundred."""
    return make_password(PASSWORD)


def make(house: House | None, username: str = "a.muster", *roles: str, enrolled: bool = True, **fields: Any) -> Person:
    """A person with the password above and, if `enrolled`, a confirmed authenticator."""
    person = Person(
        username=username, full_name=f"Name {username}", house=house, roles=list(roles) or ["croupier"], **fields
    )
    person.password = _hashed(get_hasher().__class__)
    person.save()
    if enrolled:
        Authenticator.objects.create(user=person, name="authenticator", confirmed=True)
    return person


def code(person: Person, *, steps: int = 0) -> str:
    """The code that the person's app shows, `steps` times 30 s from now."""
    device = Authenticator.objects.filter(user=person).latest("pk")
    return f"{totp(device.bin_key, t0=-30 * steps):06d}"


def next_code(person: Person) -> str:
    """The code that the person's device takes next: also where one was taken at the turn of a step, from which it drifts."""
    return code_now(Authenticator.objects.filter(user=person).latest("pk"))


def wrong(person: Person) -> str:
    """A code that the person's device takes in none of the steps around now."""
    near = {code(person, steps=steps) for steps in range(-3, 4)}
    return next(text for text in (f"{number:06d}" for number in range(9)) if text not in near)


def sign_in(client: Client, person: Person, password: str = PASSWORD, code_given: str | None = None) -> Any:
    """Send the sign-in form; with a right code unless another is given."""
    given = code(person) if code_given is None else code_given
    return client.post("/sign-in/", {"username": person.username, "password": password, "code": given})


def signed_in(person: Person) -> Client:
    """A client whose session is through the whole sign-in."""
    client = Client()
    device = Authenticator.objects.get(user=person, confirmed=True)
    client.force_login(person)
    session = client.session
    session["otp_device_id"] = device.persistent_id
    session.save()
    return client


def step_now() -> int:
    """The present time step of every authenticator."""
    return int(time.time()) // 30
