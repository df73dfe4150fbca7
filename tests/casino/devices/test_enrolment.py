"""The first sign-in: own password, authenticator, and nothing else before that."""

from datetime import timedelta

import pytest
from django.contrib.auth import get_user
from django.test import Client
from django.utils import timezone

from casino.people import signin
from casino.people.authenticators import Authenticator
from casino.people.models import Person
from casino.people.refusals import EnrolmentOver
from payouts.models import Event, House
from tests.casino.people import people
from tests.turns import each

INSIDE = ("/", "/home/croupier/", "/password/", "/admin/")
NEW = {"password": "drei ganze Worte", "again": "drei ganze Worte"}


@pytest.fixture
def newcomer(house: House) -> Person:
    """Made by a manager: a password that is not his own yet, no authenticator."""
    return people.make(house, "n.eu", enrolled=False, initial_password_until=timezone.now() + timedelta(days=1))


def names() -> list[str]:
    return list(Event.objects.filter(subject_kind="person").order_by("pk").values_list("name", flat=True))


def test_newcomer_goes_through_both_steps_and_no_other_page(client: Client, newcomer: Person) -> None:
    assert people.sign_in(client, newcomer, code_given="")["Location"] == "/sign-in/password/"
    for address in (*INSIDE, "/sign-in/authenticator/"):
        assert client.get(address)["Location"] == "/sign-in/password/", address
    assert client.get("/home/croupier/", headers={"Accept": "application/json"}).status_code == 401

    assert client.post("/sign-in/password/", NEW)["Location"] == "/sign-in/authenticator/"
    for address in (*INSIDE, "/sign-in/password/"):
        assert client.get(address)["Location"] == "/sign-in/authenticator/", address

    page = client.get("/sign-in/authenticator/")
    device = Authenticator.objects.get(user=newcomer)
    assert not device.confirmed
    assert page.context["secret"].replace(" ", "") in device.config_url
    assert b"<svg" in page.content
    key = client.session.session_key
    assert client.post("/sign-in/authenticator/", {"code": people.code(newcomer)})["Location"] == "/"
    assert client.session.session_key != key
    assert client.get("/home/croupier/").status_code == 200
    assert names() == ["sign_in.begun", "password.changed", "sign_in.enrolled", "sign_in.done"]


def test_next_sign_in_asks_for_the_code(client: Client, newcomer: Person) -> None:
    people.sign_in(client, newcomer, code_given="")
    client.post("/sign-in/password/", NEW)
    client.get("/sign-in/authenticator/")
    client.post("/sign-in/authenticator/", {"code": people.code(newcomer)})
    assert people.sign_in(Client(), newcomer, password=NEW["password"], code_given="").status_code == 200
    again = people.sign_in(Client(), newcomer, password=NEW["password"], code_given=people.next_code(newcomer))
    assert again["Location"] == "/"


def test_one_time_password_works_once(client: Client, newcomer: Person) -> None:
    people.sign_in(client, newcomer, code_given="")
    client.post("/sign-in/password/", NEW)
    assert people.sign_in(Client(), newcomer, code_given="").status_code == 200


@each(
    ("given", "field"),
    [
        ({"password": "kurz", "again": "kurz"}, None),
        ({"password": "123456789012", "again": "123456789012"}, None),
        ({"password": "qwerty123456", "again": "qwerty123456"}, None),
        ({"password": "Name n.eu", "again": "Name n.eu"}, None),
        ({"password": "drei ganze Worte", "again": "drei ganze Wörter"}, "again"),
        ({"password": "x" * 129, "again": "x" * 129}, "password"),
        ({"password": "drei ganze\0Worte", "again": "drei ganze\0Worte"}, "password"),
        ({"password": "", "again": ""}, "password"),
    ],
)
def test_weak_or_differing_password_is_refused(client: Client, newcomer: Person, given, field: str | None) -> None:
    people.sign_in(client, newcomer, code_given="")
    page = client.post("/sign-in/password/", given)
    assert page.status_code == 200
    if field:
        assert page.context["form"].errors[field]
    else:
        assert page.context["refused"]["code"] == "password.refused"
    newcomer.refresh_from_db()
    assert newcomer.initial_password_until is not None


def test_wrong_code_confirms_nothing_and_keeps_the_secret(client: Client, person: Person) -> None:
    Authenticator.objects.filter(user=person).delete()
    people.sign_in(client, person, code_given="")
    secret = client.get("/sign-in/authenticator/").context["secret"]
    page = client.post("/sign-in/authenticator/", {"code": people.wrong(person)})
    assert page.context["refused"]["code"] == "sign_in.code_refused"
    assert page.context["secret"] == secret
    assert client.get("/home/croupier/")["Location"] == "/sign-in/authenticator/"


def test_another_session_gets_another_secret_and_ends_the_first(client: Client, person: Person) -> None:
    """Somebody may have seen the first secret; who begins anew must not share it."""
    Authenticator.objects.filter(user=person).delete()
    people.sign_in(client, person, code_given="")
    first = client.get("/sign-in/authenticator/").context["secret"]
    code = people.code(person)
    other = Client()
    people.sign_in(other, person, code_given="")
    assert other.get("/sign-in/authenticator/").context["secret"] != first
    refused = client.post("/sign-in/authenticator/", {"code": code})
    assert refused["Location"] == "/sign-in/"
    assert not get_user(client).is_authenticated
    assert other.post("/sign-in/authenticator/", {"code": people.code(person)})["Location"] == "/"


def test_enrolment_is_over_once_a_device_is_confirmed(client: Client, person: Person) -> None:
    open_one = Authenticator.objects.create(user=person, name="late", confirmed=False)
    with pytest.raises(EnrolmentOver):
        signin.enrolment_begin(person)
    with pytest.raises(EnrolmentOver):
        signin.enrolment_confirm(request=None, person=person, device_id=open_one.pk, code=people.code(person))


def test_half_session_ends_after_a_quarter_of_an_hour(client: Client, newcomer: Person) -> None:
    people.sign_in(client, newcomer, code_given="")
    assert client.session.get_expiry_age() == 900
    client.post("/sign-in/password/", NEW)
    client.get("/sign-in/authenticator/")
    client.post("/sign-in/authenticator/", {"code": people.code(newcomer)})
    assert client.session.get_expiry_age() == 12 * 3600


def test_half_signed_in_person_may_give_up(client: Client, newcomer: Person) -> None:
    people.sign_in(client, newcomer, code_given="")
    assert client.post("/sign-out/")["Location"] == "/sign-in/"
    assert client.get("/sign-in/password/")["Location"].startswith("/sign-in/?next=")


def test_steps_are_closed_to_who_has_taken_them(person: Person) -> None:
    client = people.signed_in(person)
    assert client.get("/sign-in/password/")["Location"] == "/"
    assert client.get("/sign-in/authenticator/")["Location"] == "/"


def test_reset_password_asks_for_an_own_one_but_not_for_a_new_device(client: Client, person: Person) -> None:
    Person.objects.filter(pk=person.pk).update(initial_password_until=timezone.now() + timedelta(days=1))
    assert people.sign_in(client, person)["Location"] == "/sign-in/password/"
    assert client.get("/home/croupier/")["Location"] == "/sign-in/password/"
    assert client.post("/sign-in/password/", NEW)["Location"] == "/"
    assert client.get("/home/croupier/").status_code == 200


@each("device_id", [None, "1", 1.5, True, [], 10**9])
def test_strange_device_id_in_a_session_finds_nothing(person: Person, device_id: object) -> None:
    assert signin.enrolment_open(person, device_id) is None
