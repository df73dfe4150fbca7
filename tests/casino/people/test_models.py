"""What the database itself refuses about people."""

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.db.models.functions import Now

from casino.people.models import Person
from casino.people.refusals import DemoRefused
from payouts.db.constraints import constraint_of
from payouts.models import House
from tests.turns import each


def refused_by(constraint: str, **fields: object) -> None:
    values = {"username": "x.y", "full_name": "X", "roles": ["manager"]} | fields
    with pytest.raises(IntegrityError) as caught, transaction.atomic():
        Person.objects.create(**values)
    assert constraint_of(caught.value) == constraint


@each(
    "username",
    ["", "a", "1a", ".ab", "A.muster", "a muster", "a\nb", "äb", "a@b", "ab\n"],
)
def test_username_is_plain(db: None, username: str) -> None:
    refused_by("person_username_plain", username=username)


@each("roles", [[], ["god"], ["manager", "god"], ["MANAGER"]])
def test_roles_are_known_and_not_empty(house: House, roles: list[str]) -> None:
    refused_by("person_roles_known", roles=roles, house=house)


def test_only_a_manager_has_no_house(house: House) -> None:
    refused_by("person_house_or_manager", roles=["auditor"])
    assert Person.objects.create(username="ab", full_name="A", roles=["auditor", "manager"]).house is None


def test_language_is_one_of_ours(db: None) -> None:
    refused_by("person_language_known", language="xx")


def test_username_is_unique_however_it_is_typed(person: Person) -> None:
    assert Person.normalize_username("  A.Muster ") == person.username
    assert Person.objects.get_by_natural_key(" A.MUSTER") == person
    refused_by("casino_person_username_key", username=person.username)


def test_nobody_is_deleted(person: Person) -> None:
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        Person.objects.filter(pk=person.pk).delete()


def test_demo_person_is_not_saved_outside_demo_mode(settings, house: House) -> None:
    demo = Person(username="d.emo", full_name="D", roles=["croupier"], house=house, is_demo=True)
    with pytest.raises(DemoRefused):
        demo.save()
    settings.DEMO = True
    demo.save()
    assert Person.objects.filter(is_demo=True).annotate(now=Now()).get() == demo


def test_session_hash_moves_with_password_and_with_void(person: Person) -> None:
    first = person.get_session_auth_hash()
    person.sessions_void += 1
    second = person.get_session_auth_hash()
    person.set_password("something else entirely")
    assert len({first, second, person.get_session_auth_hash()}) == 3


def test_people_are_called_by_their_full_name(person: Person) -> None:
    assert {str(person), person.get_full_name(), person.get_short_name()} == {person.full_name}
