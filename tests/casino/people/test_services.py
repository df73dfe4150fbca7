"""Managing people: who may do what to whom."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.hashers import get_hasher
from django.test import Client
from django.utils import timezone

from casino.people import services
from casino.people.authenticators import Authenticator
from casino.people.models import Person
from casino.people.refusals import NotAllowed, NotYourself, PersonRefused, PresentPasswordRefused
from payouts.errors import Refused
from payouts.models import Event, House
from payouts.rules.plain import TextRefused
from tests.casino.people import people
from tests.cast import make_house
from tests.turns import each


def create(by: Person, house: House | None, **changes: object) -> tuple[Person, str]:
    values = {"username": "n.eu", "full_name": "Noëlle Neu-Đorđević", "house": house, "role_codes": ["cage"]} | changes
    return services.person_create(by=by, **values)


def snapshot() -> list[object]:
    return [*Person.objects.order_by("pk").values(), Event.objects.count(), Authenticator.objects.count()]


# Making
def test_new_person_gets_a_one_time_password_and_an_event(manager: Person, house: House) -> None:
    person, password = create(manager, house, role_codes=["pit_boss", "croupier", "croupier"], language="it")
    person.refresh_from_db()
    assert re.fullmatch(r"([a-z2-9]{4}-){3}[a-z2-9]{4}", password)
    assert person.check_password(password)
    assert person.roles == ["croupier", "pit_boss"]
    left = person.initial_password_until - timezone.now()
    assert timedelta(days=2, hours=23) < left <= timedelta(days=3)
    event = Event.objects.get(name="person.created")
    assert (event.actor_id, event.subject_id, event.house_id) == (manager.pk, str(person.pk), house.pk)
    assert event.after["roles"] == ["croupier", "pit_boss"]
    assert password not in str(event.after)


@each(
    ("changes", "refusal"),
    [
        ({"username": "ä"}, PersonRefused),
        ({"username": "a b"}, PersonRefused),
        ({"username": "x" * 31}, PersonRefused),
        ({"username": "a\0b"}, PersonRefused),
        ({"username": "M.LEITUNG"}, PersonRefused),
        ({"role_codes": []}, PersonRefused),
        ({"role_codes": ["god"]}, PersonRefused),
        ({"language": "xx"}, PersonRefused),
        ({"full_name": ""}, TextRefused),
        ({"full_name": " x "}, TextRefused),
        ({"full_name": "x" * 81}, TextRefused),
        ({"full_name": "Evil\0Name"}, TextRefused),
        ({"full_name": "Evil\u202eemaN"}, TextRefused),
        ({"house": None}, PersonRefused),
    ],
)
def test_senseless_particulars_are_refused(chief: Person, manager: Person, house: House, changes, refusal) -> None:
    before = snapshot()
    with pytest.raises(refusal) as caught:
        create(chief, **({"house": house} | changes))
    assert caught.value.text()
    assert snapshot() == before


def test_only_a_manager_makes_people_and_only_within_his_house(house: House, manager: Person, chief: Person) -> None:
    other = make_house("Casino Wiesbaden", "EUR")
    for role in ("croupier", "pit_boss", "cage", "auditor", "surveillance", "technician"):
        with pytest.raises(NotAllowed):
            create(people.make(house, f"x.{role}", role), house)
    with pytest.raises(NotAllowed):
        create(manager, other)
    with pytest.raises(NotAllowed):
        create(manager, None, role_codes=["manager"])
    assert create(chief, other)[0].house == other


# Changing
def change(by: Person, person: Person, **changes: object) -> None:
    values = {
        "full_name": person.full_name,
        "house": person.house,
        "role_codes": person.roles,
        "language": person.language,
    }
    services.particulars_set(person=person, by=by, **values | changes)


def test_change_of_roles_works_at_once_and_is_written_down(manager: Person, person: Person) -> None:
    client = people.signed_in(person)
    assert client.get("/home/cage/").status_code == 403
    change(manager, person, role_codes=["cage"])
    assert client.get("/home/cage/").status_code == 200
    assert client.get("/home/croupier/").status_code == 403
    event = Event.objects.get(name="person.changed")
    assert (event.before["roles"], event.after["roles"]) == (["croupier"], ["cage"])


def test_change_of_nothing_writes_nothing(manager: Person, person: Person) -> None:
    change(manager, person)
    assert not Event.objects.exists() or not Event.objects.filter(name="person.changed").exists()


def test_nobody_changes_his_own_roles_or_house(chief: Person, manager: Person, house: House) -> None:
    with pytest.raises(NotYourself):
        change(manager, manager, role_codes=["manager", "cage"])
    with pytest.raises(NotYourself):
        change(chief, chief, house=house)
    change(manager, manager, full_name="Maria Leitung")
    manager.refresh_from_db()
    assert manager.full_name == "Maria Leitung"


def test_manager_of_one_house_reaches_nobody_else(manager: Person, chief: Person, house: House) -> None:
    stranger = people.make(make_house("Casino Wiesbaden", "EUR"), "s.tranger")
    for other in (stranger, chief):
        with pytest.raises(NotAllowed):
            change(manager, other, full_name="Neuer Name")
        stolen = Person.objects.get(pk=other.pk)
        stolen.house = house  # as a form does that has already put the new house into the object
        with pytest.raises(NotAllowed):
            change(manager, stolen)
    with pytest.raises(NotAllowed):
        change(manager, people.make(house, "e.igen"), house=stranger.house)


ACTS = {
    "deactivate": lambda person, by: services.active_set(person=person, active=False, by=by),
    "unlock": lambda person, by: services.sign_in_unlock(person=person, by=by),
    "second factor": lambda person, by: services.second_factor_reset(person=person, by=by),
    "password": lambda person, by: services.password_reset(person=person, by=by),
}


@each("act", ACTS)
def test_acts_are_a_managers_within_reach_and_never_on_himself(
    manager: Person, chief: Person, house: House, act: str
) -> None:
    person, auditor = people.make(house, "o.pfer"), people.make(house, "a.udit", "auditor")
    stranger = people.make(make_house("Casino Wiesbaden", "EUR"), "s.tranger")
    before = snapshot()
    for by, on, refusal in (
        (auditor, person, NotAllowed),
        (person, person, NotAllowed),
        (manager, stranger, NotAllowed),
        (manager, chief, NotAllowed),
        (manager, manager, NotYourself),
    ):
        with pytest.raises(refusal):
            ACTS[act](on, by)
    assert snapshot() == before
    ACTS[act](person, manager)
    assert Event.objects.latest("pk").actor_id == manager.pk


def test_deactivated_and_activated_again(manager: Person, person: Person) -> None:
    services.active_set(person=person, active=False, by=manager)
    services.active_set(person=person, active=False, by=manager)
    assert people.sign_in(Client(), person).status_code == 200
    services.active_set(person=person, active=True, by=manager)
    assert people.sign_in(Client(), person).status_code == 302
    names = list(Event.objects.filter(name__startswith="person.").values_list("name", flat=True).order_by("pk"))
    assert names == ["person.deactivated", "person.activated"]


def test_forgotten_authenticator_ends_sessions_and_is_enrolled_anew(manager: Person, person: Person) -> None:
    client = people.signed_in(person)
    services.second_factor_reset(person=person, by=manager)
    assert client.get("/home/croupier/").status_code == 302
    assert not Authenticator.objects.filter(user=person).exists()
    assert people.sign_in(Client(), person, code_given="")["Location"] == "/sign-in/authenticator/"


def test_new_one_time_password_ends_sessions_and_replaces_the_old(manager: Person, person: Person) -> None:
    client = people.signed_in(person)
    password = services.password_reset(person=person, by=manager)
    assert client.get("/home/croupier/").status_code == 302
    assert people.sign_in(Client(), person).status_code == 200
    assert people.sign_in(Client(), person, password=password)["Location"] == "/sign-in/password/"


# Oneself
def test_own_password_is_changed_behind_the_present_one(person: Person) -> None:
    client = people.signed_in(person)
    form = {"present": people.PASSWORD, "password": "drei ganze Worte", "again": "drei ganze Worte"}
    wrong = client.post("/password/", form | {"present": "falsch"})
    assert wrong.context["refused"]["code"] == "password.present_wrong"
    assert client.post("/password/", form)["Location"] == "/"
    assert client.get("/home/croupier/").status_code == 200  # this session stays
    names = list(Event.objects.filter(name__startswith="password").values_list("name", flat=True).order_by("pk"))
    assert names == ["password.refused", "password.changed"]


def test_guessing_the_present_password_locks(person: Person) -> None:
    for _ in range(5):
        with pytest.raises(PresentPasswordRefused):
            services.password_change(person=person, present="falsch", password="drei ganze Worte")
    with pytest.raises(PresentPasswordRefused):
        services.password_change(person=person, present=people.PASSWORD, password="drei ganze Worte")


def test_other_sessions_end_with_a_new_password(person: Person) -> None:
    elsewhere, client = people.signed_in(person), people.signed_in(person)
    client.post("/password/", {"present": people.PASSWORD, "password": "drei ganze Worte", "again": "drei ganze Worte"})
    assert elsewhere.get("/home/croupier/").status_code == 302


def test_passwords_are_hashed_by_argon2id_with_djangos_strength(settings) -> None:
    settings.PASSWORD_HASHERS = ["casino.people.hashers.Argon2"]
    encoded = get_hasher().encode("geheim", "salzsalz")
    assert encoded.startswith("argon2$argon2id$v=19$m=102400,t=2,p=8$")


def test_every_refusal_has_words(db: None) -> None:
    data = {
        "tries": 5,
        "minutes": 15,
        "hours": 24,
        "retry_after_s": 2,
        "why": "x",
        "field": "x",
        "username": "x",
        "place": "x",
    }
    for refusal in Refused.__subclasses__():
        if refusal.__module__ in ("casino.people.refusals", "casino.devices.refusals"):
            assert refusal(**data).text()
            assert refusal.remedy % data
