"""What people do in the browser, by the words that they see."""

import itertools
import os

from django.conf import settings
from playwright.sync_api import Page

from casino.people.models import Person
from payouts.models import House
from tests.browser.conftest import address_of
from tests.casino.people import people

WORDS = {
    "de": ("Anmelden", "Name", "Passwort", "Abmelden"),
    "en": ("Sign in", "Name", "Password", "Sign out"),
    "fr": ("Se connecter", "Nom", "Mot de passe", "Se déconnecter"),
    "it": ("Accedere", "Nome", "Password", "Uscire"),
}
# What looks at every state does so in the house's language and in the one with the next longest words; who keeps the pictures
# (`make screens`) looks in all four.
LOOKED_AT = tuple(WORDS) if os.environ.get("SHOTS") else ("de", "fr")
_numbers = itertools.count(1)


def somebody(house: House | None, *roles: str, **fields: object) -> Person:
    """A new person with a name that no other test uses."""
    return people.make(house, f"p{next(_numbers)}.muster", *roles, **fields)


def fill(page: Page, person: Person, password: str = people.PASSWORD, code: str | None = None) -> None:
    """Fill the sign-in form and send it."""
    page.locator("[name=username]").fill(person.username)
    page.locator("[name=password]").fill(password)
    page.locator("[name=code]").fill(people.code(person) if code is None else code)
    page.locator("form.sign-in button[type=submit]").click()


def be(page: Page, person: Person) -> None:
    """Be signed in as this person without the form: for tests that look at what lies behind."""
    cookie = people.signed_in(person).cookies[settings.SESSION_COOKIE_NAME]
    page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": address_of(page)}])
    page.goto("/")


def enter(page: Page, person: Person) -> None:
    """Sign in, up to the person's home."""
    page.goto("/sign-in/")
    fill(page, person)
    page.wait_for_url(lambda url: "/sign-in/" not in url)
