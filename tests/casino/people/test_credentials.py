"""A credential is a right: who set the sign-in of somebody who signs is not two people a day later (`person.credential`)."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from casino.devices.models import DeviceSession
from casino.devices.signin import device_sign_in
from casino.people import services
from casino.people.events import record
from casino.people.models import Person
from casino.people.pins import pin_set, pin_verify
from casino.people.refusals import PinRefused
from casino.people.resting import ACTION, credential_request, credential_sign, resting, unseen
from casino.pit.alerts import alerts_derive
from casino.pit.models import Alert
from payouts.models import Approval, Event
from payouts.rules.approval import ApprovalChanged, PersonResting, SignerRefused
from payouts.services import approval_request, approval_sign
from tests.casino.devices.devices import PIN, enrol
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import words
from tests.clock import clock_jumps
from tests.databases import superuser
from tests.floor import Floor, done, stakes_for
from tests.worlds import world

HOUR, DAY = 3_600, 86_400


class Desk(Floor):
    """A house that has locked a round, with two managers besides the pit boss."""

    def __init__(self, suffix: str = "") -> None:
        super().__init__(linked=False, suffix=suffix)
        self.lock(stakes_for(self.open()[:1]))
        self.anna = people.make(self.house, f"anna.m{suffix}", "manager", language="en")
        self.boss = people.make(self.house, f"boris.b{suffix}", "pit_boss", language="en")

    def see(self, by: Person, approval: Approval) -> Approval:
        ids = {"approval_id": approval.pk, "house_id": self.house.pk, "payload_hash": bytes(approval.payload_hash)}
        signer = {"signer_id": by.pk, "signer_roles": by.roles, "method": approval.method}
        return done(credential_sign, **ids, **signer)

    def signs(self, by: Person, requester: Person) -> None:
        """Sign what another asks for."""
        act: dict[str, Any] = {"action": "transfer.reverse", "subject_kind": "transfer", "subject_id": uuid4()}
        approval = done(approval_request, **act, payload={}, house_id=self.house.pk, requester_id=requester.pk)
        ids = {"approval_id": approval.pk, "house_id": self.house.pk, "payload_hash": bytes(approval.payload_hash)}
        done(approval_sign, **ids, signer_id=by.pk, signer_roles=by.roles, method=approval.method)


pytestmark = world(Desk)


def enrolled(person: Person) -> None:
    """A telephone is enrolled for him."""
    with transaction.atomic():
        record("sign_in.enrolled", person=person, by=person)


def request_for(person: Person) -> Approval:
    approval = done(credential_request, person=person)
    assert approval is not None
    return approval


def acts(person: Person | None, hours: int = 8) -> None:
    """The log has an act of theirs in so many hours; of nobody's: a sign-in that failed."""
    for _hour in range(hours):
        with transaction.atomic():
            record("sign_in.done" if person else "sign_in.refused", person=person, by=person)
        clock_jumps(HOUR)


HALVES = {
    "password": lambda person, by: services.password_reset(person=person, by=by),
    "authenticator": lambda person, by: services.second_factor_reset(person=person, by=by),
}


def test_who_set_half_a_sign_in_is_not_two_people_a_day_later(floor: Desk, own_database: str) -> None:
    signers = dict(zip(HALVES, (floor.boss, floor.reto), strict=True))
    for half, signer in signers.items():
        HALVES[half](signer, floor.anna)
        enrolled(signer)
    clock_jumps(DAY + HOUR)
    acts(floor.martina)  # the log ends no rest while another manager could see it
    for signer in signers.values():
        assert resting(signer)
        with pytest.raises(PersonResting), transaction.atomic():
            floor.signs(signer, floor.martina)
        approval = request_for(signer)
        assert done(credential_request, person=signer) is None  # it waits already
        for person in (floor.anna, signer):
            with pytest.raises(SignerRefused):
                floor.see(person, approval)
        assert floor.see(floor.ines, approval).state == "used"
        assert (resting(signer), unseen(signer)) == (False, None)


def test_a_reset_takes_the_pin_and_the_sign_ins_on_tablets(floor: Desk, subtests: pytest.Subtests) -> None:
    tablet, _token = enrol(floor.table, floor.anna, "Office")
    for half, reset in HALVES.items():
        with subtests.test(half):
            pin_set(person=floor.boss, pin=PIN)
            session = device_sign_in(device=tablet, pin=PIN, username=floor.boss.username)
            reset(floor.boss, floor.anna)
            floor.boss.refresh_from_db()
            with pytest.raises(PinRefused):
                pin_verify(person=floor.boss, pin=PIN)
            ended = DeviceSession.objects.get(pk=session.pk)
            assert (ended.ended_as, ended.ended_by_id) == ("barred", floor.anna.pk)


def test_first_enrolment_of_a_new_signer_is_seen_by_another(floor: Desk, own_database: str) -> None:
    names = {"username": "nora.n", "full_name": "Nora Neu", "role_codes": ["pit_boss"]}
    made, _password = services.person_create(**names, house=floor.house, by=floor.anna)
    enrolled(floor.boss)  # by himself, as far as the log knows
    clock_jumps(DAY + HOUR)
    for signer in (made, floor.boss):
        assert resting(signer)
        floor.see(floor.ines, request_for(signer))
        assert not resting(signer)


def test_who_signs_in_with_what_another_set_has_it_looked_at(floor: Desk) -> None:
    enrolled(floor.boss)
    assert people.sign_in(Client(), floor.boss).status_code == 302
    assert Approval.objects.get(action=ACTION).subject_id == str(floor.boss.pk)


def test_nothing_is_to_be_seen_from_before_the_matrix_had_the_line(floor: Desk, own_database: str) -> None:
    services.password_reset(person=floor.boss, by=floor.anna)
    with superuser(own_database) as link:
        link.execute("ALTER TABLE payouts_approvalrule DISABLE TRIGGER USER")
        link.execute("DELETE FROM payouts_approvalrule WHERE action = 'person.credential'")
        link.execute("ALTER TABLE payouts_approvalrule ENABLE TRIGGER USER")
        link.execute("SELECT matrix_line_add_v1('person.credential', 1, '{manager}', 'totp', 86400)")
    clock_jumps(DAY + HOUR)
    assert not resting(floor.boss)
    services.password_reset(person=floor.boss, by=floor.anna)
    clock_jumps(DAY + HOUR)
    assert resting(floor.boss)


def test_where_nobody_else_could_see_it_the_log_has_to_turn_as_well(floor: Desk, own_database: str) -> None:
    """A clock that is set on ends no rest, nor do acts of its setter or its owner, or failed sign-ins."""
    services.active_set(person=floor.ines, active=False, by=floor.anna)
    clock_jumps(DAY + HOUR)  # who was barred could see it for a day
    services.second_factor_reset(person=floor.boss, by=floor.anna)
    acts(floor.martina)
    assert unseen(floor.boss)  # eight hours are no day; and who was set by another rests for a day anyway
    services.second_factor_reset(person=floor.boss, by=floor.anna)
    clock_jumps(DAY + HOUR)
    for person in (None, floor.anna, floor.boss):
        acts(person)
        assert resting(floor.boss), person
    acts(floor.martina, hours=7)
    assert resting(floor.boss)
    acts(floor.martina, hours=1)
    assert not resting(floor.boss)


def test_a_clock_that_ran_ahead_delays_no_rest_and_ends_none(floor: Desk, own_database: str) -> None:
    services.active_set(person=floor.ines, active=False, by=floor.anna)
    clock_jumps(DAY + HOUR)
    services.second_factor_reset(person=floor.boss, by=floor.anna)
    clock_jumps(61 * DAY)
    acts(floor.martina, hours=1)
    clock_jumps(-61 * DAY)
    acts(floor.martina)
    clock_jumps(15 * HOUR)
    assert resting(floor.boss)
    acts(floor.martina, hours=1)
    assert not resting(floor.boss)


def test_who_the_log_has_freed_stays_so_and_sees_no_sign_in(floor: Desk, own_database: str) -> None:
    """A house with one manager, who makes a second; it was closed for some days meanwhile."""
    services.active_set(person=floor.ines, active=False, by=floor.anna)
    clock_jumps(DAY + HOUR)
    services.password_reset(person=floor.boss, by=floor.anna)
    clock_jumps(10 * DAY)
    acts(floor.martina)
    manager = {"full_name": "Nora", "house": floor.house, "role_codes": ["manager"], "language": ""}
    for give in (
        lambda: services.active_set(person=floor.ines, active=True, by=floor.anna),
        lambda: services.particulars_set(person=floor.nora, **manager, by=floor.anna),
    ):
        with transaction.atomic():
            assert (give(), resting(floor.boss)) == (None, False)
            transaction.set_rollback(True)
    names = {"username": "max.n", "full_name": "Max Neu", "role_codes": ["manager"]}
    second, _password = services.person_create(**names, house=floor.house, by=floor.anna)
    assert (resting(floor.boss), resting(second)) == (False, True)
    clock_jumps(DAY + HOUR)
    acts(floor.martina)
    assert not resting(second)
    services.password_reset(person=floor.reto, by=floor.anna)
    with pytest.raises(PersonResting), transaction.atomic():
        floor.see(second, request_for(floor.reto))
    floor.signs(second, floor.martina)


ALONE = {
    "resets": lambda desk: services.password_reset(person=desk.ines, by=desk.anna),
    "bars": lambda desk: services.active_set(person=desk.ines, active=False, by=desk.anna),
    "degrades": lambda desk: services.particulars_set(
        person=desk.ines, full_name="Ines", house=desk.house, role_codes=["croupier"], language="", by=desk.anna
    ),
}


@world(None)
def test_nobody_makes_themselves_the_only_one_who_could_see_it(own_database: str, subtests: pytest.Subtests) -> None:
    desks = {act: Desk(f".{number}") for number, act in enumerate(ALONE)}
    for act, desk in desks.items():
        services.password_reset(person=desk.boss, by=desk.anna)
        ALONE[act](desk)
    clock_jumps(DAY + HOUR)
    acts(desks["resets"].martina)
    for act, desk in desks.items():
        with subtests.test(act):
            assert resting(desk.boss)
    alone = desks["resets"]
    assert resting(alone.ines)  # a manager whom the only other one has set: a third one sees it
    with superuser(own_database) as link:
        link.execute(f"ALTER DATABASE {own_database} SET saalchef.signing_roles_alone = 'on'")
    assert (resting(alone.ines), resting(alone.boss)) == (False, False)


def test_whose_setting_was_set_again_by_another_could_see_it(floor: Desk, own_database: str) -> None:
    """A manager who set half of it before is no accomplice of the one who takes it over."""
    services.password_reset(person=floor.boss, by=floor.ines)
    clock_jumps(DAY)
    services.second_factor_reset(person=floor.boss, by=floor.anna)
    assert unseen_setters(floor.boss) == {floor.anna.pk, floor.ines.pk}
    services.password_reset(person=floor.boss, by=floor.anna)
    assert unseen_setters(floor.boss) == {floor.anna.pk}
    clock_jumps(DAY + HOUR)
    acts(floor.martina)
    assert resting(floor.boss)
    floor.see(floor.ines, request_for(floor.boss))
    assert not resting(floor.boss)


def unseen_setters(person: Person) -> set[UUID]:
    setting = unseen(person)
    return set(setting.setters) if setting else set()


def test_who_set_a_sign_in_that_nobody_has_seen_signs_nothing_for_its_owner(floor: Desk, own_database: str) -> None:
    """Who does not sign rests for a day, and is seen by nobody."""
    services.password_reset(person=floor.nora, by=floor.anna)
    clock_jumps(DAY + HOUR)
    acts(floor.martina)
    assert (resting(floor.nora), unseen(floor.nora)) == (False, None)
    with pytest.raises(SignerRefused, match="set the sign-in"), transaction.atomic():
        floor.signs(floor.anna, floor.nora)
    floor.signs(floor.ines, floor.nora)


def test_what_is_set_again_meanwhile_was_not_seen(floor: Desk) -> None:
    services.password_reset(person=floor.boss, by=floor.anna)
    approval = request_for(floor.boss)
    services.second_factor_reset(person=floor.boss, by=floor.anna)
    with pytest.raises(ApprovalChanged), transaction.atomic():
        floor.see(floor.ines, approval)
    floor.see(floor.ines, request_for(floor.boss))
    assert unseen(floor.boss) is None


def test_who_is_renamed_meanwhile_is_seen_by_the_new_name(floor: Desk) -> None:
    services.password_reset(person=floor.boss, by=floor.anna)
    before = request_for(floor.boss)
    names = {"full_name": "Boris Neu", "house": floor.house, "role_codes": floor.boss.roles, "language": "en"}
    services.particulars_set(person=floor.boss, **names, by=floor.anna)
    floor.boss.refresh_from_db()
    with pytest.raises(ApprovalChanged), transaction.atomic():
        floor.see(floor.ines, before)
    assert floor.see(floor.ines, request_for(floor.boss)).payload["full_name"] == "Boris Neu"
    assert unseen(floor.boss) is None


def test_the_database_takes_no_such_word_without_its_approval(floor: Desk) -> None:
    services.password_reset(person=floor.boss, by=floor.anna)
    with pytest.raises(IntegrityError, match="is not approved"), transaction.atomic():
        record("sign_in.seen", person=floor.boss, by=floor.ines)
    about: dict[str, Any] = {"action": ACTION, "subject_kind": "person", "subject_id": floor.boss.pk}
    with pytest.raises(IntegrityError, match="lets who set a sign-in see it"):
        done(approval_request, house_id=floor.house.pk, **about, payload={"event": 1}, excluded=[floor.boss.pk])


@world(Floor, linked=False)
def test_before_the_first_lock_nothing_is_to_be_seen(floor: Floor) -> None:
    services.password_reset(person=floor.reto, by=floor.ines)
    assert (unseen(floor.reto), resting(floor.reto)) == (None, False)


def test_start_page_pit_and_second_manager_say_so(floor: Desk) -> None:
    english = {"accept-language": "en"}
    services.second_factor_reset(person=floor.boss, by=floor.anna)
    boss = people.make(floor.house, "pia.p", "pit_boss", language="en")
    second = people.make(floor.house, "max.m", "manager", language="en")
    people.Authenticator.objects.create(user=floor.boss, name="authenticator", confirmed=True)
    floor.boss.refresh_from_db()  # its sessions are void
    own = people.signed_in(floor.boss).get("/home/pit_boss/", headers=english).content.decode()
    assert "Your sign-in was set anew by Name anna.m" in own
    alerts_derive()
    assert Alert.objects.get(kind="sign_in_anew").data["by"] == "Name anna.m"
    assert "Sign-in set anew" in people.signed_in(boss).get("/pit/", headers=english).content.decode()
    approval = request_for(floor.boss)
    pin_set(person=floor.boss, pin=PIN)
    client = people.signed_in(second)
    page = f"/people/sign-ins/{approval.pk}/"
    assert page in client.get("/home/manager/", headers=english).content.decode()
    text = words(client.get(page, headers=english).content.decode())
    assert "Authenticator taken away · Name anna.m" in text
    assert "PIN set · Name boris.b" in text
    form = {"key": str(uuid4()), "seen": bytes(approval.payload_hash).hex(), "secret": people.code(second)}
    assert client.post(f"{page}sign/", form).status_code == 302
    assert Event.objects.get(name="sign_in.seen").actor_id == second.pk
    alerts_derive()
    assert Alert.objects.get(kind="sign_in_anew").over_at is not None
