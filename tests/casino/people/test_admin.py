"""The admin: people made, changed and helped; nothing deleted; strange questions answered, never broken by."""

import re

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.test import Client

from casino.people.authenticators import Authenticator
from casino.people.models import Person
from payouts.models import Event, House
from tests.casino.people import people
from tests.cast import make_house, stock_house
from tests.turns import each

LIST = "/admin/casino/person/"
NEW = {"username": "n.eu", "full_name": "Nora Neu", "roles": ["cage"], "language": "fr"}


@pytest.fixture
def desk(manager: Person) -> Client:
    """The manager's browser."""
    return people.signed_in(manager)


def act(client: Client, name: str, *on: Person):
    return client.post(LIST, {"action": name, "_selected_action": [str(person.pk) for person in on]}, follow=True)


def said(response) -> list[str]:
    return [str(message) for message in response.context["messages"]]


def test_only_our_own_models_are_there() -> None:
    assert {model._meta.app_label for model in admin.site._registry} <= {"casino", "tables", "jackpot", "payouts"}
    assert not admin.site.is_registered(Authenticator)


def test_new_person_and_the_password_shown_once(desk: Client, manager: Person, house: House) -> None:
    page = desk.post(f"{LIST}add/", NEW | {"house": str(house.pk)})
    password = re.search(r'class="secret">([^<]+)<', page.content.decode())[1]
    person = Person.objects.get(username="n.eu")
    assert person.check_password(password)
    assert (person.full_name, person.roles, person.language, person.house) == ("Nora Neu", ["cage"], "fr", house)
    assert password not in desk.get(LIST).content.decode()
    assert people.sign_in(Client(), person, password=password, code_given="")["Location"] == "/sign-in/password/"
    assert Event.objects.get(name="person.created").actor_id == manager.pk
    entry = LogEntry.objects.get()
    assert (entry.user_id, entry.object_id) == (manager.pk, str(person.pk))


@each(
    ("changes", "field"),
    [
        ({"username": "Ä"}, None),
        ({"username": "m.leitung"}, "username"),
        ({"username": " M.Leitung"}, "username"),
        ({"username": ""}, "username"),
        ({"roles": []}, "roles"),
        ({"roles": ["god"]}, "roles"),
        ({"full_name": "x" * 81}, "full_name"),
        ({"full_name": "a\0b"}, "full_name"),
        ({"full_name": "a\u202eb"}, None),
        ({"language": "xx"}, "language"),
        ({"house": ""}, None),
        ({"house": "no uuid"}, "house"),
    ],
)
def test_senseless_particulars_come_back_with_the_reason(
    desk: Client, house: House, changes, field: str | None
) -> None:
    before = Person.objects.count()
    page = desk.post(f"{LIST}add/", NEW | {"house": str(house.pk)} | changes, follow=True)
    assert page.status_code == 200
    assert Person.objects.count() == before
    if "adminform" in page.context:
        assert page.context["adminform"].form.errors["__all__" if field is None else field]
    else:
        assert said(page)


def test_change_goes_through_the_service(desk: Client, manager: Person, person: Person) -> None:
    data = {"full_name": "Anna Muster", "house": str(person.house_id), "roles": ["pit_boss"], "language": ""}
    assert desk.post(f"{LIST}{person.pk}/change/", data)["Location"] == LIST
    person.refresh_from_db()
    assert (person.full_name, person.roles) == ("Anna Muster", ["pit_boss"])
    event = Event.objects.get(name="person.changed")
    assert (event.actor_id, event.before["roles"], event.after["roles"]) == (manager.pk, ["croupier"], ["pit_boss"])


def test_manager_cannot_change_his_own_roles_or_house(desk: Client, manager: Person) -> None:
    form = desk.get(f"{LIST}{manager.pk}/change/").context["adminform"].form
    assert set(form.fields) == {"full_name", "language"}
    desk.post(
        f"{LIST}{manager.pk}/change/",
        {"full_name": "Maria L.", "language": "", "roles": ["manager", "cage"], "house": ""},
    )
    manager.refresh_from_db()
    assert (manager.full_name, manager.roles, manager.house is None) == ("Maria L.", ["manager"], False)


def test_manager_of_one_house_neither_sees_nor_places_others(desk: Client, chief: Person, house: House) -> None:
    other = make_house("Casino Wiesbaden", "EUR")
    stranger = people.make(other, "s.tranger")
    page = desk.get(LIST).content.decode()
    assert "s.tranger" not in page
    assert other.name not in page
    assert chief.username not in page
    assert desk.get(f"{LIST}{stranger.pk}/change/").status_code == 302
    assert "house" in desk.post(f"{LIST}add/", NEW | {"house": str(other.pk)}).context["adminform"].form.errors
    page = people.signed_in(chief).get(LIST).content.decode()
    assert "s.tranger" in page
    assert other.name in page


def test_reader_sees_people_and_changes_nothing(house: House, person: Person) -> None:
    client = people.signed_in(people.make(house, "a.udit", "auditor"))
    assert client.get(f"{LIST}{person.pk}/change/").status_code == 200
    assert client.post(f"{LIST}{person.pk}/change/", {"full_name": "Neu"}).status_code == 403
    assert client.post(f"{LIST}add/", NEW).status_code == 403
    assert act(client, "deactivate", person).status_code in (200, 403)
    person.refresh_from_db()
    assert person.is_active
    assert not Event.objects.filter(subject_id=str(person.pk)).exists()


def test_nobody_deletes(desk: Client, person: Person) -> None:
    assert desk.post(f"{LIST}{person.pk}/delete/", {"post": "yes"}).status_code == 403
    act(desk, "delete_selected", person)
    assert Person.objects.filter(pk=person.pk).exists()


def test_acts_on_others_are_done_and_on_oneself_refused(desk: Client, manager: Person, person: Person) -> None:
    Person.objects.update(sign_in_failures=5)
    answers = said(act(desk, "unlock_sign_in", person, manager))
    assert f"{person.full_name}: erledigt." in answers
    assert any(
        answer.startswith(f"{manager.full_name}: Das können Sie nicht für sich selbst tun.") for answer in answers
    )
    person.refresh_from_db()
    manager.refresh_from_db()
    assert (person.sign_in_failures, manager.sign_in_failures) == (0, 5)


@each(
    ("action", "event"),
    [
        ("unlock_sign_in", "sign_in.unlocked"),
        ("unlock_pin", "pin.unlocked"),
        ("reset_second_factor", "sign_in.second_factor_reset"),
        ("deactivate", "person.deactivated"),
    ],
)
def test_each_act_writes_its_event(desk: Client, manager: Person, person: Person, action: str, event: str) -> None:
    act(desk, action, person)
    assert Event.objects.get(name=event).actor_id == manager.pk


def test_deactivated_person_is_activated_again(desk: Client, person: Person) -> None:
    act(desk, "deactivate", person)
    assert "deaktiviert" in desk.get(LIST).content.decode()
    act(desk, "activate", person)
    person.refresh_from_db()
    assert person.is_active


def test_new_one_time_password_is_shown_once(desk: Client, person: Person) -> None:
    page = act(desk, "new_password", person).content.decode()
    password = re.search(r'class="secret">([^<]+)<', page)[1]
    person.refresh_from_db()
    assert person.check_password(password)
    assert "Einmalpasswort ausgegeben" in desk.get(LIST).content.decode()


@each(
    "question",
    [
        "q=%00",
        "q=abc",
        "q=%27%3B--",
        "q=1",
        "q=" + "9" * 40,
        "q=" + "x" * 2000,
        "p=-1",
        "p=abc",
        "p=99999999999999999999",
        "o=99.x",
        "id__exact=zz",
        "house__id__exact=zz",
        "house=%00",
        "kind=%00",
        "kind__exact=%00",
        "name=%00",
        "gaming_day__gte=zz",
        "password__startswith=a",
        "_to_field=id",
        "_popup=1",
        "all=",
        "e=1",
    ],
)
def test_strange_questions_are_answered(chief: Person, house: House, question: str) -> None:
    stock_house(house)
    client = people.signed_in(chief)
    client.raise_request_exception = False
    for model in admin.site._registry:
        address = f"/admin/{model._meta.app_label}/{model._meta.model_name}/?{question}"
        assert client.get(address).status_code in (200, 302, 400), address


@each("identity", ["zz", "%00", "0", "-1", "9" * 40, "..%2F..%2Fetc", "%F0%9F%82%A1", "x" * 500])
def test_strange_ids_find_nothing(chief: Person, identity: str) -> None:
    client = people.signed_in(chief)
    client.raise_request_exception = False
    for model in admin.site._registry:
        for page in ("change", "history", "delete"):
            address = f"/admin/{model._meta.app_label}/{model._meta.model_name}/{identity}/{page}/"
            assert client.get(address).status_code in (302, 400, 403, 404), address
