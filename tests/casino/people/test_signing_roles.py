"""A role that signs is given by two, once the house has two managers besides (`person.sign_role`)."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.urls import reverse

from casino.people import services, signing_roles
from casino.people.models import Person
from casino.people.resting import resting
from payouts.models import Approval, Event, House
from payouts.rules.approval import ApprovalChanged, SignerRefused
from payouts.services import Subject, event_record
from tests.casino.people import people
from tests.casino.pit.differences import signed_lines
from tests.cast import make_house
from tests.databases import superuser
from tests.floor import done
from tests.turns import each
from tests.worlds import world


class Desk:
    """A house with two managers, Anna and Bruno, and a croupier."""

    def __init__(self, suffix: str = "") -> None:
        self.house: House = make_house(f"Casino Davos{suffix}")
        self.anna = people.make(self.house, f"anna.m{suffix}", "manager", language="en")
        self.bruno = people.make(self.house, f"bruno.m{suffix}", "manager", language="en")
        self.dealer = people.make(self.house, f"dora.d{suffix}", "croupier")

    def create(self, *roles: str, by: Person | None = None) -> Person:
        name = {"username": f"new.{uuid4().hex[:6]}", "full_name": "Nora Neu"}
        made, _password = services.person_create(**name, house=self.house, role_codes=roles, by=by or self.anna)
        return made

    def change(self, person: Person, *roles: str, **changes: Any) -> Approval | None:
        values = {"full_name": person.full_name, "house": self.house, "role_codes": roles, "language": ""}
        return services.particulars_set(person=person, by=self.anna, **(values | changes))

    def asked(self) -> Approval:
        return Approval.objects.get(action=signing_roles.ACTION, state="open")

    def sign(self, by: Person, approval: Approval | None = None) -> Approval:
        asked = approval or self.asked()
        ids = {"approval_id": asked.pk, "house_id": self.house.pk, "payload_hash": bytes(asked.payload_hash)}
        signer = {"signer_id": by.pk, "signer_roles": by.roles, "method": asked.method}
        return done(signing_roles.sign_role_sign, **ids, **signer)


pytestmark = world(Desk)


def stands(person: Person) -> tuple[list[str], bool]:
    found = Person.objects.get(pk=person.pk)
    return found.roles, found.is_active


def logged(person: Person) -> list[tuple[str, Any]]:
    return list(Event.objects.filter(subject_id=str(person.pk)).order_by("pk").values_list("name", "actor"))


# Who is made, changed, let in again
def test_new_signer_comes_in_when_another_manager_has_signed(desk: Desk) -> None:
    made = desk.create("croupier", "pit_boss")
    assert stands(made) == (["croupier", "pit_boss"], False)
    with pytest.raises(SignerRefused):
        desk.sign(desk.anna)
    with pytest.raises(SignerRefused):
        desk.sign(people.make(desk.house, "vera.a", "auditor"))
    assert desk.sign(desk.bruno).state == "used"
    assert stands(made) == (["croupier", "pit_boss"], True)
    assert logged(made) == [("person.created", desk.anna.pk), ("person.activated", desk.bruno.pk)]


def test_who_pays_slips_comes_in_as_who_signs_does(desk: Desk) -> None:
    """No line of the matrix names the cage: a slip is money all the same."""
    made = desk.create("cage")
    assert stands(made) == (["cage"], False)
    desk.sign(desk.bruno)
    assert stands(made) == (["cage"], True)


def test_role_that_signs_waits_and_the_rest_does_not(desk: Desk) -> None:
    asked = desk.change(desk.dealer, "croupier", "auditor", full_name="Dora Dürst")
    assert asked == desk.asked()
    assert stands(desk.dealer) == (["croupier"], True)
    assert Person.objects.get(pk=desk.dealer.pk).full_name == "Dora Dürst"
    desk.sign(desk.bruno)
    assert stands(desk.dealer) == (["croupier", "auditor"], True)
    assert logged(desk.dealer) == [("person.changed", desk.anna.pk), ("person.changed", desk.bruno.pk)]


def test_barred_signer_is_let_in_again_by_two(desk: Desk) -> None:
    boss = people.make(desk.house, "reto.b", "pit_boss")
    services.active_set(person=boss, active=False, by=desk.anna)
    assert services.active_set(person=boss, active=True, by=desk.anna) == desk.asked()
    assert stands(boss) == (["pit_boss"], False)
    desk.sign(desk.bruno)
    assert stands(boss) == (["pit_boss"], True)


def test_signer_of_another_house_comes_over_by_two(desk: Desk) -> None:
    chief = people.make(None, "chief", "manager")
    boss = people.make(make_house("Casino Arosa"), "reto.b", "pit_boss")
    values = {"full_name": boss.full_name, "house": desk.house, "role_codes": ["pit_boss"], "language": ""}
    services.particulars_set(person=boss, by=chief, **values)
    assert Person.objects.get(pk=boss.pk).house_id == boss.house_id
    desk.sign(desk.bruno)
    assert Person.objects.get(pk=boss.pk).house_id == desk.house.pk


NOBODY_ASKS: dict[str, Callable[[Desk], Person]] = {
    "no role that signs": lambda desk: desk.create("croupier", "surveillance"),
    "one manager besides": lambda desk: only(desk).create("pit_boss"),
    "the second manager": lambda desk: only(desk).create("manager"),
}


def only(desk: Desk) -> Desk:
    """Bruno has left long ago."""
    Person.objects.filter(pk=desk.bruno.pk).update(is_active=False)
    return desk


@each("case", NOBODY_ASKS)
def test_nothing_is_asked_where_one_may_do_it(desk: Desk, case: str) -> None:
    made = NOBODY_ASKS[case](desk)
    assert stands(made)[1]
    assert not Approval.objects.exists()


def test_who_could_sign_counts_for_a_day_after_he_was_barred_or_lost_the_role(own_database: str) -> None:
    """Or a manager would bar the other one, make a signer alone, and let the other one in again."""
    elsewhere, chief = make_house("Casino Arosa"), people.make(None, "chief", "manager")
    moved = {"full_name": "Bruno", "house": elsewhere, "role_codes": ["manager"], "language": ""}
    gone: tuple[Callable[[Desk], object], ...] = (
        lambda desk: services.active_set(person=desk.bruno, active=False, by=desk.anna),
        lambda desk: desk.change(desk.bruno, "croupier"),
        lambda desk: services.particulars_set(person=desk.bruno, by=chief, **moved),
    )
    desks = []
    for number, go in enumerate(gone):
        desks.append(desk := Desk(f".{number}"))
        go(desk)
        assert not stands(desk.create("pit_boss"))[1], number
    with superuser(own_database) as link:  # the log cannot be changed otherwise
        link.execute("ALTER TABLE payouts_event DISABLE TRIGGER append_only_row")
        link.execute("UPDATE payouts_event SET at = at - interval '24 hours'")
    for desk in desks:
        assert stands(desk.create("pit_boss"))[1]


def test_only_a_superuser_lets_one_do_it_alone(desk: Desk, own_database: str) -> None:
    """No session gives itself that leave."""
    with connection.cursor() as cursor:
        cursor.execute("SET saalchef.signing_roles_alone = 'on'")
    assert not stands(desk.create("pit_boss"))[1]
    with superuser(own_database) as link:
        link.execute(f"ALTER DATABASE {own_database} SET saalchef.signing_roles_alone = 'on'")
    assert stands(desk.create("pit_boss"))[1]


def test_role_that_a_signer_has_already_and_one_that_is_taken_away_wait_for_nobody(desk: Desk) -> None:
    boss = people.make(desk.house, "reto.b", "pit_boss", "technician")
    assert desk.change(boss, "croupier", "pit_boss") is None
    assert stands(boss) == (["croupier", "pit_boss"], True)


def test_what_was_changed_meanwhile_is_not_given(desk: Desk) -> None:
    desk.change(desk.dealer, "croupier", "auditor")
    desk.change(desk.dealer, "surveillance")
    with pytest.raises(ApprovalChanged):
        desk.sign(desk.bruno)
    assert stands(desk.dealer) == (["surveillance"], True)


# The database
ACTS = ("person.created", "person.changed", "person.activated")


def test_the_log_takes_no_second_first_manager(desk: Desk) -> None:
    """What makes the first manager of an installation needs no approval, and lets nobody rest."""
    boss = people.make(desk.house, "reto.b", "pit_boss")
    with pytest.raises(IntegrityError, match="is not approved"), transaction.atomic():
        event_record("person.bootstrapped", Subject("person", boss.pk))


@each("act", ACTS)
def test_the_log_takes_no_such_act_without_its_approval(desk: Desk, act: str) -> None:
    boss = people.make(desk.house, "reto.b", "pit_boss")
    said = {"house": str(desk.house.pk), "roles": ["croupier"]}
    values = {"actor_id": desk.anna.pk, "before": said}
    with pytest.raises(IntegrityError, match="is not approved"), transaction.atomic():
        event_record(act, boss, **values)
    Person.objects.filter(pk=desk.bruno.pk).update(is_active=False)  # nobody is left who could sign
    event_record(act, boss, **values)


HARMS = {
    "roles": lambda: {"roles": ["pit_boss"]},
    "is_active": lambda: {"is_active": False},
    "house": lambda: {"house": make_house("Casino Arosa")},
}


@each("harm", HARMS)
def test_audit_finds_who_was_changed_beside_the_log(desk: Desk, harm: str) -> None:
    made = desk.create("croupier")
    waits = desk.create("pit_boss")
    assert breached() == []
    Person.objects.filter(pk=made.pk).update(**HARMS[harm]())
    assert breached() == [str(made.pk)]
    desk.sign(desk.bruno)
    Person.objects.filter(pk=waits.pk).update(is_active=False)
    assert sorted(breached()) == sorted([str(made.pk), str(waits.pk)])


def breached() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(signing_roles.AUDITS["people_stand_as_the_log_says"])
        return [row[0] for row in cursor.fetchall()]


# The page
def page(pk: object, step: str = "") -> str:
    return reverse(f"person-asked{step}", args=[pk])


def test_page_shows_what_is_asked_and_takes_one_signature(desk: Desk) -> None:
    asked = desk.change(desk.dealer, "croupier", "auditor")
    client = people.signed_in(desk.bruno)
    home = client.get("/home/manager/").content.decode()
    assert page(asked.pk) in home
    shown = client.get(page(asked.pk), headers={"accept-language": "en"}).content.decode()
    assert "May Name dora.d sign?" in shown
    assert signed_lines(shown) == ["Roles: Croupier → Croupier, Auditor"]
    form = {"key": str(uuid4()), "seen": bytes(asked.payload_hash).hex(), "secret": people.wrong(desk.bruno)}
    assert client.post(page(asked.pk, "-sign"), form).status_code == 422
    right = form | {"key": str(uuid4()), "secret": people.code(desk.bruno)}
    assert [client.post(page(asked.pk, "-sign"), right).status_code for _ in range(2)] == [302, 302]
    assert stands(desk.dealer) == (["croupier", "auditor"], True)
    assert resting(Person.objects.get(pk=desk.dealer.pk)) is False  # the house has locked nothing yet
    own = people.signed_in(desk.anna).get(page(asked.pk)).content.decode()
    assert "-sign" not in own


def test_turned_down_nothing_is_given_and_a_reason_is_wanted(desk: Desk) -> None:
    made = desk.create("pit_boss")
    asked, client = desk.asked(), people.signed_in(desk.bruno)
    form = {"key": str(uuid4()), "reason": "nobody knows him"}
    assert client.post(page(asked.pk, "-reject"), form).status_code == 422
    form |= {"key": str(uuid4()), "secret": people.code(desk.bruno)}
    assert client.post(page(asked.pk, "-reject"), form | {"reason": "?"}).status_code == 400
    again = form | {"key": str(uuid4()), "secret": people.next_code(desk.bruno)}
    assert client.post(page(asked.pk, "-reject"), again, follow=True).status_code == 200
    assert (stands(made)[1], Approval.objects.get().state) == (False, "rejected")


def test_admin_says_that_it_is_asked_for(desk: Desk) -> None:
    client = people.signed_in(desk.anna)
    form = {
        "username": "nora.n",
        "full_name": "Nora Neu",
        "house": desk.house.pk,
        "roles": ["pit_boss"],
        "language": "",
    }
    shown = client.post(reverse("admin:casino_person_add"), form, headers={"accept-language": "en"})
    assert "Nora Neu is to sign: that is asked for" in shown.content.decode()
    assert not Person.objects.get(username="nora.n").is_active


def test_page_of_another_house_is_not_there(desk: Desk) -> None:
    desk.create("pit_boss")
    other = people.make(make_house("Casino Arosa"), "carla.m", "manager")
    assert people.signed_in(other).get(page(desk.asked().pk)).status_code == 404
