"""Nobody makes himself a second person: who was made anew by another asks, signs, decides and pays nothing for a day."""

from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone

from casino.people import services
from casino.people.authenticators import Authenticator
from casino.people.models import Person
from casino.people.proofs import run_signed
from casino.people.resting import NOTICES, resting
from casino.people.signing_roles import LOST_ROLE
from jackpot import services as jackpots
from jackpot.models import Claim, Jackpot, Slip
from jackpot.services.slips import cash_amount
from jackpot.services.standing import ADJUST, jackpot_request
from payouts.audit import run_notices
from payouts.errors import Refused
from payouts.models import Approval, ApprovalSignature, Event
from payouts.rules.approval import PersonResting
from payouts.services import approval_reject, approval_request, approval_sign, approval_use
from tables.services import round_void, round_withdraw
from tests.casino.people import people
from tests.cast import make_house
from tests.databases import superuser
from tests.floor import Floor, done, stakes_for
from tests.jackpot.linked import CHECKLIST, Linked, royal
from tests.poker import PokerRoom, deal
from tests.turns import each
from tests.worlds import world

ACTS = {
    "password": lambda person, by: services.password_reset(person=person, by=by),
    "authenticator": lambda person, by: services.second_factor_reset(person=person, by=by),
    "roles": lambda person, by: change(person, by, role_codes=["auditor", "technician"]),
    "house": lambda person, by: change(person, by, house=make_house("Casino Rapperswil")),
    "let in again": lambda person, by: [
        services.active_set(person=person, active=active, by=by) for active in (False, True)
    ],
}
ASKED = {"action": "transfer.reverse", "subject_kind": "transfer", "subject_id": 7, "payload": {"transfer": 7}}


def locked_once() -> Floor:
    """A house that has locked a round: from then on people rest."""
    floor = Floor(linked=False)
    lock(floor)
    return floor


pytestmark = world(locked_once)


def lock(floor: Floor) -> None:
    floor.lock(stakes_for(floor.open()[:1]))


def change(person, by, **changes: object) -> None:
    values = {"full_name": person.full_name, "house": person.house, "role_codes": person.roles, "language": ""}
    services.particulars_set(person=person, by=by, **(values | changes))


def anew(person: Person, by: Person) -> None:
    """Another gives the person a password."""
    services.password_reset(person=person, by=by)


def request(floor: Floor, person: Person, **changes: object) -> Approval:
    return done(approval_request, **(ASKED | {"house_id": floor.house.pk, "requester_id": person.pk} | changes))


def sign(approval: Approval, person: Person) -> Approval:
    signer = {"signer_id": person.pk, "signer_roles": person.roles, "method": approval.method}
    ids = {"approval_id": approval.pk, "house_id": approval.house_id, "payload_hash": approval.payload_hash}
    return done(approval_sign, **ids, **signer)


def told(work: object) -> tuple[str, str]:
    """The code of a refusal and its sentence; what it wrote is taken back."""
    with pytest.raises(Refused) as refused, transaction.atomic():
        work()
    return refused.value.code, refused.value.text()


RESTING = PersonResting()
RESTS = (RESTING.code, RESTING.text())


# Who rests
@each("act", ACTS)
def test_who_was_made_anew_by_another_signs_nothing(floor, chief, act):
    signer = people.make(floor.house, "anna.muster", "auditor")
    assert not resting(signer)
    ACTS[act](signer, chief)
    house, signer.house = signer.house, floor.house
    assert resting(signer), f"{act} in {house}"
    done = []
    for method in ("pin", "totp"):
        key = f"a-key-for-{method}"
        work = {"person": signer, "method": method, "secret": "1", "work": lambda: done.append(1)}
        with pytest.raises(PersonResting):
            run_signed(key, b"x" * 32, **work)
    signer.refresh_from_db()
    assert (done, signer.sign_in_failures, "24" in RESTING.text()) == ([], 0, True)


def test_new_person_rests_and_his_own_changes_do_not_matter(floor):
    made, _password = services.person_create(
        username="neu.muster", full_name="Neu Muster", house=floor.house, role_codes=["auditor"], by=floor.ines
    )
    assert resting(made)
    assert not resting(floor.ines)
    services.password_own(person=floor.ines, password="Lampe Keller Wiese 7")
    change(floor.ines, floor.ines, language="fr")
    assert not resting(floor.ines)


def test_new_name_gives_nobody_a_signature(floor):
    signer = people.make(floor.house, "anna.muster", "auditor")
    change(signer, floor.ines, full_name="Anna Meier-Muster")
    assert Event.objects.filter(name="person.changed").count() == 1
    assert not resting(signer)


@world(Floor, linked=False)
def test_rest_ends_after_a_day(floor: Floor, own_database):
    """But of a person who signs, and whose sign-in was set: `test_credentials.py`."""
    lock(floor)
    change(floor.reto, floor.ines, role_codes=["pit_boss", "technician"])
    assert resting(floor.reto)
    with superuser(own_database) as link:  # the log cannot be changed otherwise
        link.execute("ALTER TABLE payouts_event DISABLE TRIGGER append_only_row")
        link.execute("UPDATE payouts_event SET at = at - interval '24 hours'")
    assert not resting(floor.reto)
    assert Event.objects.latest("id").at < timezone.now()


# What he may not do
def test_who_rests_asks_for_nothing_and_signs_nothing(floor):
    waits = request(floor, floor.martina)
    anew(floor.reto, floor.ines)
    assert told(lambda: request(floor, floor.reto, subject_id=8)) == RESTS
    assert told(lambda: sign(waits, floor.reto)) == RESTS
    assert (list(Approval.objects.values_list("subject_id", "state")), ApprovalSignature.objects.count()) == (
        [("7", "open")],
        0,
    )
    assert sign(waits, floor.ines).signatures.count() == 1


def test_who_rests_says_no_to_nothing_and_takes_back_what_he_asked_for(floor):
    """A "no" is a decision."""
    waits = request(floor, floor.martina)
    own = request(floor, floor.reto, subject_id=8)
    anew(floor.reto, floor.ines)

    def reject(approval: Approval) -> Approval:
        by = {"person_id": floor.reto.pk, "person_roles": floor.reto.roles, "reason": "nobody has seen it"}
        return done(approval_reject, approval_id=approval.pk, house_id=floor.house.pk, **by)

    assert told(lambda: reject(waits)) == RESTS
    assert (reject(own).state, states(waits)) == ("rejected", ["open"])


@world(Linked, count=2)
def test_who_rests_decides_no_claim_and_pays_no_slip(floor: Linked, own_database):
    rounds = {table: floor.start(table) for table in (0, 1)}
    for table, round_id in rounds.items():
        floor.end(table, round_id, royal("hd"[table]))
    floor.advance()
    chief = people.make(None, "chief", "manager")
    boss = people.make(floor.house, "new.boss", "pit_boss")
    for person in (boss, floor.cage):
        anew(person, chief)
    of = [{"house_id": floor.house.pk, "claim_id": one.pk, "person_id": boss.pk} for one in Claim.objects.all()]
    assert told(lambda: jackpots.claim_verify(**of[0], checklist=CHECKLIST)) == RESTS
    assert told(lambda: jackpots.claim_refuse(**of[0], reason="a misread card")) == RESTS
    assert set(Claim.objects.values_list("state", "decided_by")) == {("open", None)}
    floor.verify_all()
    floor.approve()
    slip = Slip.objects.filter(state="open").select_related("award").earliest("number")
    cash = cash_amount(slip.award.amount_minor, "CHF")
    pay = {"house_id": floor.house.pk, "slip_id": slip.pk, "cash_minor": cash}
    assert told(lambda: jackpots.slip_pay(**pay, actor_id=floor.cage.pk)) == RESTS
    slip.refresh_from_db()
    assert (slip.state, slip.paid_by) == ("open", None)
    assert done(jackpots.slip_pay, **pay, actor_id=floor.ines.pk).state == "paid"


@world(Linked, count=2)
def test_what_was_decided_stays_when_its_decider_rests(floor: Linked, own_database):
    """His claim may still be touched by others: he is asked about only when he decides."""
    round_id = floor.start(0)
    floor.end(0, round_id, royal("h"))
    floor.advance()
    floor.verify_all()
    anew(floor.reto, floor.ines)
    claim = Claim.objects.get()
    claim.dealers = [*claim.dealers, floor.tim.pk]
    claim.save(update_fields=["dealers"])
    assert Claim.objects.get().dealers[-1] == floor.tim.pk


def test_who_made_the_requester_anew_does_not_sign(floor):
    """Who was made by the requester rests anyway."""
    waits = request(floor, floor.martina)
    anew(floor.martina, floor.ines)
    words = "You may not sign this: you set the sign-in or the roles of who asked for it."
    assert told(lambda: sign(waits, floor.ines)) == ("approval.signer_refused", words)
    assert sign(waits, floor.reto).signatures.count() == 1


# The first evening
FIRST = {"action": "person.sign_role", "subject_kind": "person", "payload": {"person": "new"}}  # a role that signs


@world(None)
def test_first_people_of_a_house_ask_and_sign_until_its_first_lock(db):
    floor, elsewhere = Floor(linked=False), Floor(linked=False, suffix=".e")
    lock(elsewhere)
    guests = floor.open()
    values = {"house_id": floor.house.pk, "table_id": floor.table.pk, "round_id": uuid4()}
    done(round_withdraw, **values, person_id=floor.martina.pk)  # its lock never came
    for person in (floor.martina, floor.reto):
        anew(person, floor.ines)
    assert (noticed(), resting(floor.reto)) == ([floor.house.name], False)
    sentence = (
        f"{floor.house.name} has not locked a round yet: until its first lock people whose sign-in or roles another person"
        " set may ask for posted tables and for roles that sign, and sign them, at once. From everything else they rest for 24"
        " hours, as all do afterwards."
    )
    assert listed(floor.ines) == [sentence]
    boss = people.make(floor.house, "second.m", "manager")
    anew(boss, floor.ines)
    assert sign(request(floor, floor.martina, **FIRST), floor.ines).signatures.count() == 1
    waits = sign(request(floor, floor.martina, **FIRST, subject_id=8), boss)
    locked = floor.lock(stakes_for(guests[:1]))
    assert (told(lambda: request(floor, floor.martina, **FIRST)), noticed(), resting(floor.reto)) == (RESTS, [], True)
    assert listed(floor.ines) == []
    assert use(floor, waits, **FIRST).state == "used"  # what was signed in time stands
    done(
        round_void,
        house_id=floor.house.pk,
        round_id=UUID(locked["id"]),
        person_id=floor.ines.pk,
        reason="misdeal",
    )
    assert told(lambda: request(floor, floor.martina, **FIRST)) == RESTS


@world(PokerRoom)
def test_a_first_hand_ends_what_a_first_lock_ends(floor: PokerRoom):
    """In a house of poker no round is ever locked."""
    anew(floor.martina, floor.ines)
    stays = [floor.sit(seat) for seat in (1, 2)]
    assert (noticed(), resting(floor.martina)) == ([floor.house.name], False)
    deal(floor, *stays)
    assert (told(lambda: request(floor, floor.martina, **FIRST)), noticed(), resting(floor.martina)) == (
        RESTS,
        [],
        True,
    )


@world(Floor)
def test_no_act_on_a_fresh_meter_is_asked_or_signed_by_who_was_made_within_the_rest(floor: Floor):
    """A manager and their puppet lower a meter that no coin has fed yet: the first lock does not matter for money."""
    puppet, _password = services.person_create(
        username="pia.p", full_name="Pia Puppe", house=floor.house, role_codes=["pit_boss"], by=floor.ines
    )
    honest = people.make(floor.house, "hans.h", "pit_boss")
    lower = {"house_id": floor.house.pk, "jackpot_id": floor.jackpot.pk, "action": ADJUST}
    lower |= {"payload": {"amount_minor": -999_995, "reason": "a fault"}}

    def ask(person: Person) -> Approval:
        return done(jackpot_request, **lower, person_id=person.pk)

    assert told(lambda: ask(puppet)) == RESTS
    assert told(lambda: sign(ask(floor.ines), puppet)) == RESTS
    waits = ask(honest)
    anew(honest, floor.ines)
    assert told(lambda: sign(waits, floor.ines))[0] == "approval.signer_refused"
    assert Jackpot.objects.get().epoch.seed_minor == 1_000_000
    assert not ApprovalSignature.objects.exists()


def noticed() -> list[str]:
    """The houses of which the audit says that nobody rests in them yet."""
    return [row["house"] for one in run_notices() if one.name in NOTICES for row in one.breaches]


def listed(by: Person) -> list[str]:
    """What the list of people says above the people."""
    if not Authenticator.objects.filter(user=by).exists():
        Authenticator.objects.create(user=by, name="authenticator", confirmed=True)
    page = people.signed_in(by).get("/admin/casino/person/", headers={"accept-language": "en"})
    return [str(message) for message in page.context["messages"]]


def test_resting_is_read_by_indexes(floor):
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")  # a few rows are read faster as a whole
        for function, index in {
            "person_made_anew_v1": "event_subject",
            "house_has_locked_v1": "round_of_table",
        }.items():
            cursor.execute("SELECT prosrc FROM pg_proc WHERE proname = %s", [function])
            body = cursor.fetchone()[0]
            for name, value in (("p_person", floor.reto.pk), ("p_by", None), ("p_house", floor.house.pk)):
                body = body.replace(name, f"'{value}'::uuid" if value else "NULL::uuid")
            cursor.execute(f"EXPLAIN {body}")
            plan = "\n".join(line for (line,) in cursor.fetchall())
            assert (index in plan, "payouts_event e  (" in plan.replace(f"using {index} on payouts_event e", "")) == (
                True,
                False,
            ), plan


# Signatures that count
def use(floor: Floor, approval: Approval, **changes: object) -> Approval:
    ids = {"approval_id": approval.pk, "house_id": floor.house.pk}
    return done(approval_use, **(ASKED | {"subject_id": approval.subject_id} | ids | changes))


GONE = {
    "barred": {"is_active": False},
    "without the role": {"roles": ["croupier"]},
    "of another house": {},
}


@each("gone", GONE)
def test_signature_counts_while_its_signer_may_sign(floor, gone):
    """Whatever became of him without our services: nobody was asked, and the approval is still open."""
    approval = sign(request(floor, floor.martina), floor.reto)
    changes = GONE[gone] or {"house": make_house("Casino Rapperswil")}
    Person.objects.filter(pk=floor.reto.pk).update(**changes)
    assert told(lambda: use(floor, approval)) == ("approval.unsigned", "0 of 1 signatures are there.")
    sign(approval, floor.ines)
    assert use(floor, approval).state == "used"


def test_who_is_barred_or_loses_the_role_takes_his_open_requests_with_him(floor):
    bea = people.make(floor.house, "bea", "manager", "pit_boss")
    signed, asked = sign(request(floor, floor.martina), bea), request(floor, bea, subject_id=8)
    others, used = request(floor, floor.martina, subject_id=9), sign(request(floor, bea, subject_id=10), floor.reto)
    use(floor, used)
    change(bea, floor.ines, role_codes=["manager"])  # a role less, and one that signs is left
    assert states(signed, asked, others, used) == ["open", "killed", "open", "used"]
    change(bea, floor.ines, role_codes=["croupier"])
    assert states(signed, asked, others, used) == ["killed", "killed", "open", "used"]
    again = request(floor, floor.martina)
    sign(again, floor.reto)
    services.active_set(person=floor.reto, active=False, by=floor.ines)
    assert states(again, others, used) == ["killed", "open", "used"]
    killed = Event.objects.filter(name="approval.killed").order_by("id").values_list("subject_id", "reason")
    assert list(killed) == [
        (str(asked.pk), LOST_ROLE),
        (str(signed.pk), LOST_ROLE),
        (str(again.pk), services.BARRED),
    ]


def states(*approvals: Approval) -> list[str]:
    return [Approval.objects.get(pk=one.pk).state for one in approvals]


@world(Linked, count=2)
def test_hit_is_asked_for_again_when_who_signed_it_is_barred(floor: Linked, own_database):
    round_id = floor.start(0)
    floor.end(0, round_id, royal("h"))
    floor.advance()
    floor.verify_all()
    first = floor.asked()
    floor.sign(first, floor.bea)
    services.active_set(person=floor.bea, active=False, by=floor.ines)
    floor.advance()
    floor.sign(floor.asked(), floor.reto, floor.ines)
    assert (states(first), floor.advance()) == (["killed"], "showing")
