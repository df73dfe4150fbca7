"""Pages of people: homes, languages, and what to say when something goes wrong."""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.decorators import login_not_required
from django.test import Client, RequestFactory
from django.urls import path
from django.utils import timezone

from casino import urls as project
from casino.ops import error_pages
from casino.people.models import Person
from casino.people.roles import CODES
from payouts.models import House
from tests.casino.people import people
from tests.cast import make_house
from tests.turns import each


def test_start_page_is_the_home_of_the_first_role(house: House) -> None:
    client = people.signed_in(people.make(house, "z.wei", "auditor", "cage"))
    assert client.get("/")["Location"] == "/home/cage/"


def test_switcher_offers_each_role_of_who_has_several(house: House) -> None:
    page = people.signed_in(people.make(house, "z.wei", "manager", "cage")).get("/home/manager/").content.decode()
    assert '<a href="/home/cage/">Kasse</a>' in page
    assert '<a href="/home/manager/" aria-current="page">Leitung</a>' in page
    assert "/home/auditor/" not in page


def test_who_has_one_role_sees_no_switcher(person: Person) -> None:
    assert 'aria-label="Rollen"' not in people.signed_in(person).get("/home/croupier/").content.decode()


@each("role", CODES)
def test_home_opens_to_its_role_only(house: House, role: str) -> None:
    client = people.signed_in(people.make(house, "x.y", role))
    assert {other for other in CODES if client.get(f"/home/{other}/").status_code == 200} == {role}


def test_home_tells_the_gaming_day_not_the_calendar_day(person: Person, time_machine) -> None:
    time_machine.move_to(datetime(2026, 11, 22, 3, 30, tzinfo=ZoneInfo(person.house.time_zone)))
    client = people.signed_in(person)
    page = client.get("/home/croupier/")
    assert str(page.context["here"].gaming_day) == "2026-11-21"
    assert "03:30" in page.content.decode()
    assert "Guten Abend" in page.content.decode()


def test_manager_of_the_installation_sees_the_only_house_but_none_of_several(chief: Person, house: House) -> None:
    client = people.signed_in(chief)
    assert "Alle Häuser" in client.get("/home/manager/").content.decode()
    assert client.get("/home/manager/").context["here"].house == house
    make_house("Casino Wiesbaden", "EUR")
    page = client.get("/home/manager/")
    assert not page.context["here"]
    assert "Willkommen, " in page.content.decode()


def test_hostile_name_is_shown_as_text(house: House) -> None:
    evil = people.make(house, "e.vil")
    Person.objects.filter(pk=evil.pk).update(full_name="<script>alert('1')</script>{{ x }}")
    page = people.signed_in(evil).get("/home/croupier/").content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(&#x27;1&#x27;)&lt;/script&gt;{{ x }}" in page


# Languages
@pytest.mark.parametrize(
    ("code", "word"), [("de", "Anmelden"), ("en", "Sign in"), ("fr", "Se connecter"), ("it", "Accedere")]
)
def test_browsers_language_and_switch(client: Client, db: None, code: str, word: str) -> None:
    assert f"<h1>{word}</h1>" in client.get("/sign-in/", headers={"Accept-Language": code}).content.decode()
    response = client.post("/language/", {"language": code, "next": "/sign-in/"})
    assert response["Location"] == "/sign-in/"
    page = client.get("/sign-in/", headers={"Accept-Language": "en" if code == "de" else "de"})
    assert f"<h1>{word}</h1>" in page.content.decode()
    assert page["Content-Language"] == code


def test_unspoken_language_falls_back_to_german(client: Client, db: None) -> None:
    assert "<h1>Anmelden</h1>" in client.get("/sign-in/", headers={"Accept-Language": "ja"}).content.decode()


def test_persons_language_goes_with_him_not_with_the_browser(client: Client, person: Person) -> None:
    client.post("/language/", {"language": "it"})
    people.sign_in(client, person)
    client.post("/language/", {"language": "fr", "next": "/home/croupier/"})
    person.refresh_from_db()
    assert person.language == "fr"
    assert "Journée de jeu" in client.get("/home/croupier/").content.decode()
    client.post("/sign-out/")
    assert "<h1>Accedere</h1>" in client.get("/sign-in/").content.decode()
    people.sign_in(client, person, code_given=people.next_code(person))
    assert "Journée de jeu" in client.get("/home/croupier/").content.decode()


@each("data", [{}, {"language": "xx"}, {"language": "de\0"}, {"language": "../../etc"}])
def test_unknown_language_changes_nothing(client: Client, db: None, data: dict[str, str]) -> None:
    assert client.post("/language/", data | {"next": "//evil.example"})["Location"] == "/"
    assert "saalchef-lang-test" not in client.cookies


def test_times_are_the_only_houses_for_who_is_of_no_house(chief: Person, house: House) -> None:
    page = people.signed_in(chief).get("/home/manager/").content.decode()
    asked = re.search(r'<time[^>]*datetime="([^"]+)"[^>]*>(\d\d:\d\d:\d\d)', page)
    assert asked is not None
    there = datetime.fromisoformat(asked[1]).astimezone(ZoneInfo(house.time_zone))
    assert there.utcoffset()  # or UTC would say the same
    assert asked[2] == there.strftime("%H:%M:%S")


def test_times_are_the_houses(person: Person) -> None:
    response = people.signed_in(person).get("/home/croupier/")
    assert response.status_code == 200
    assert timezone.get_current_timezone_name() == "UTC"  # of this thread again, after the request


# Errors
def test_nothing_at_an_address_says_what_to_do(client: Client, db: None) -> None:
    response = client.get("/gibt/es/nicht/")
    assert response.status_code == 404
    assert "Unter dieser Adresse ist nichts." in response.content.decode()
    assert "Zur Startseite" in response.content.decode()


def test_forbidden_says_what_to_do(person: Person) -> None:
    response = people.signed_in(person).get("/home/manager/")
    assert response.status_code == 403
    assert "Mit Ihrer Rolle lässt sich diese Seite nicht öffnen." in response.content.decode()


def test_forged_form_says_what_to_do(db: None) -> None:
    response = Client(enforce_csrf_checks=True).post("/sign-in/", {"username": "a"})
    assert response.status_code == 403
    assert "Dieses Formular ist zu alt" in response.content.decode()


@login_not_required
def broken(request):
    raise RuntimeError("secret detail")


broken_urls = [*project.urlpatterns, path("broken/", broken), path("api/broken/", broken)]


class Broken:
    """The project's addresses and one that breaks."""

    urlpatterns = broken_urls
    handler500 = staticmethod(error_pages.server_error)


def test_broken_page_says_so_and_nothing_more(settings, db: None) -> None:
    settings.ROOT_URLCONF = Broken
    client = Client(raise_request_exception=False)
    response = client.get("/broken/", headers={"Accept-Language": "it"})
    assert response.status_code == 500
    assert "Si è verificato un errore da parte nostra." in response.content.decode()
    assert "secret detail" not in response.content.decode()
    body = client.get("/api/broken/").json()
    assert (body["status"], body["code"]) == (500, "http.500")


def test_error_page_asks_nothing_of_database_or_session() -> None:
    request = RequestFactory().get("/")  # no session, no user, and this test may not touch a database
    for view, status in (
        (error_pages.server_error, 500),
        (error_pages.not_found, 404),
        (error_pages.forbidden, 403),
        (error_pages.bad_request, 400),
    ):
        response = view(request)
        assert (response.status_code, b"<h1>" in response.content) == (status, True)


@each("address", ["/", "/sign-in/", "/home/croupier/", "/gibt/es/nicht/"])
def test_every_page_bears_the_content_policy(person: Person, address: str) -> None:
    policy = people.signed_in(person).get(address)["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
