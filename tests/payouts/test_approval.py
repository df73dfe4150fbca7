"""Approvals: distinct signers, none the requester, bound to the payload, in time, used once."""

import threading
from uuid import uuid4

import pytest
from django.db import connection, transaction

from casino.people.models import Person
from payouts.errors import Refused
from payouts.models import Account, Approval, ApprovalRule, ApprovalSignature, Event, Transfer
from payouts.rules.approval import ApprovalNeed, ApprovalUnknown
from payouts.rules.ledger import recipes
from payouts.selectors import gaming_day_at
from payouts.services import (
    act_sign,
    approval_kill,
    approval_reject,
    approval_request,
    approval_rule_add,
    approval_rule_change,
    approval_rule_request,
    approval_sign,
    approval_use,
    transfer_correct,
    transfer_correction_request,
)
from tests.cast import DAY, make_house, make_person, post, stock_house
from tests.databases import superuser
from tests.turns import each

ACTION = "transfer.reverse"
PAYLOAD = {"transfer": 7, "amount_minor": -6000}


class Cast:
    """A house, a requester and people who may or may not sign."""

    def __init__(self) -> None:
        self.house = make_house()
        self.nora, self.emil = make_person("nora", "croupier"), make_person("emil", "pit_boss")
        self.ines, self.beat = make_person("ines", "manager"), make_person("beat", "auditor")

    def request(self, **changes: object) -> Approval:
        values = {
            "house_id": self.house.pk,
            "action": ACTION,
            "subject_kind": "transfer",
            "subject_id": 7,
            "payload": PAYLOAD,
        }
        with transaction.atomic():
            return approval_request(**(values | {"requester_id": self.nora.pk} | changes))

    def sign(self, approval: Approval, person: object, **changes: object) -> Approval:
        values = {"payload_hash": approval.payload_hash, "signer_roles": person.roles, "method": approval.method}
        with transaction.atomic():
            return approval_sign(
                **({"approval_id": approval.pk, "house_id": self.house.pk, "signer_id": person.pk} | values | changes)
            )

    def use(self, approval: Approval, **changes: object) -> Approval:
        values = {
            "house_id": self.house.pk,
            "action": ACTION,
            "subject_kind": "transfer",
            "subject_id": 7,
            "payload": PAYLOAD,
        }
        values |= {"revision": 1}
        with transaction.atomic():
            return approval_use(approval_id=approval.pk, **(values | changes))

    def change_rule(self, rule: ApprovalNeed, /, **changes: object) -> ApprovalRule:
        """A manager asks for another line of the matrix, another manager and the auditor sign."""
        values = {"house_id": self.house.pk, "action": ACTION, "rule": rule}
        other = Person.objects.filter(username="other").first() or make_person("other", "manager")
        with transaction.atomic():
            approval = approval_rule_request(**values, reason="agreed", requester_id=other.pk)
        self.sign(approval, self.ines)
        self.sign(approval, self.beat)
        with transaction.atomic():
            return approval_rule_change(**(values | changes), approval_id=approval.pk, actor_id=other.pk)


@pytest.fixture
def cast(request: pytest.FixtureRequest) -> Cast:
    if "own_database" not in request.fixturenames:
        request.getfixturevalue("db")
    return Cast()


def code_of(work: object) -> str:
    with pytest.raises(Refused) as refused:
        work()
    assert refused.value.text()
    return refused.value.code


def unchanged(approval: Approval, signatures: int = 0) -> None:
    approval.refresh_from_db()
    assert (approval.state, ApprovalSignature.objects.count()) == ("open", signatures)


def test_approval_is_signed_and_used_once(cast):
    approval = cast.request()
    assert (approval.signers, approval.method, sorted(approval.roles)) == (1, "pin", ["manager", "pit_boss"])
    assert code_of(lambda: cast.use(approval)) == "approval.unsigned"
    cast.sign(approval, cast.emil)
    cast.use(approval, actor_id=cast.nora.pk)
    approval.refresh_from_db()
    assert (approval.state, approval.closed_at is None) == ("used", False)
    assert code_of(lambda: cast.use(approval)) == "approval.closed"
    assert list(
        Event.objects.filter(subject_kind="approval").order_by("id").values_list("name", "actor__username")
    ) == [
        ("approval.requested", "nora"),
        ("approval.signed", "emil"),
        ("approval.used", "nora"),
    ]


def test_requester_cannot_sign(cast):
    approval = cast.request(requester_id=cast.emil.pk)
    assert code_of(lambda: cast.sign(approval, cast.emil)) == "approval.signer_refused"
    unchanged(approval)


def test_who_took_part_cannot_sign(cast):
    approval = cast.request(excluded=[cast.emil.pk])
    assert code_of(lambda: cast.sign(approval, cast.emil)) == "approval.signer_refused"
    unchanged(approval)


def test_person_without_the_role_cannot_sign_or_reject(cast):
    approval = cast.request()
    assert code_of(lambda: cast.sign(approval, cast.beat)) == "approval.signer_refused"
    reject = {
        "approval_id": approval.pk,
        "house_id": cast.house.pk,
        "person_id": cast.beat.pk,
        "person_roles": cast.beat.roles,
    }
    assert code_of(lambda: approval_reject(**reject, reason="not mine")) == "approval.signer_refused"
    unchanged(approval)


def test_person_signs_once(cast):
    approval = cast.request()
    cast.sign(approval, cast.emil)
    assert code_of(lambda: cast.sign(approval, cast.emil)) == "approval.signed_twice"
    unchanged(approval, signatures=1)


def test_two_signers_are_two_people(cast):
    cast.change_rule(ApprovalNeed(2, ("pit_boss", "manager"), "pin"))
    approval = cast.request()
    cast.sign(approval, cast.emil)
    assert code_of(lambda: cast.use(approval)) == "approval.unsigned"
    cast.sign(approval, cast.ines)
    assert cast.use(approval).state == "used"


def test_wrong_kind_of_proof_is_refused(cast):
    approval = cast.request()
    assert code_of(lambda: cast.sign(approval, cast.emil, method="totp")) == "approval.proof_refused"
    unchanged(approval)


def test_signature_is_for_what_was_seen(cast):
    approval = cast.request()
    assert code_of(lambda: cast.sign(approval, cast.emil, payload_hash=b"\0" * 32)) == "approval.changed"
    unchanged(approval)


@each(
    "changes",
    [
        {"payload": {"transfer": 7, "amount_minor": -6001}},
        {"payload": {}},
        {"action": "other"},
        {"revision": 2},
        {"subject_id": 8},
    ],
)
def test_only_what_was_signed_is_done(cast, changes):
    approval = cast.request()
    cast.sign(approval, cast.emil)
    assert code_of(lambda: cast.use(approval, **changes)) == "approval.changed"
    unchanged(approval, signatures=1)


def test_order_of_keys_in_the_payload_does_not_matter(cast):
    approval = cast.request()
    cast.sign(approval, cast.emil)
    assert cast.use(approval, payload=dict(reversed(PAYLOAD.items()))).state == "used"


def test_newer_request_kills_the_older(cast):
    first = cast.request()
    cast.sign(first, cast.emil)
    second = cast.request(revision=2, payload={"transfer": 7, "amount_minor": -5000})
    first.refresh_from_db()
    assert first.state == "killed"
    assert code_of(lambda: cast.use(first)) == "approval.closed"
    assert code_of(lambda: cast.sign(first, cast.ines)) == "approval.closed"
    assert code_of(lambda: cast.use(second, revision=2, payload=second.payload)) == "approval.unsigned"


def test_killed_with_its_subject(cast):
    approval, other = cast.request(), cast.request(subject_id=8)
    assert approval_kill(house_id=cast.house.pk, subject_kind="transfer", subject_id=7, reason="round corrected") == 1
    approval.refresh_from_db()
    other.refresh_from_db()
    assert (approval.state, other.state) == ("killed", "open")
    assert Event.objects.get(name="approval.killed").reason == "round corrected"


def test_rejected_with_a_reason(cast):
    approval = cast.request()
    reject = {
        "approval_id": approval.pk,
        "house_id": cast.house.pk,
        "person_id": cast.emil.pk,
        "person_roles": cast.emil.roles,
    }
    assert code_of(lambda: approval_reject(**reject, reason="")) == "text.refused"
    assert approval_reject(**reject, reason="cards not seen").state == "rejected"
    assert code_of(lambda: cast.sign(approval, cast.ines)) == "approval.closed"
    assert Event.objects.get(name="approval.rejected").reason == "cards not seen"


def test_requester_may_take_his_request_back(cast):
    approval = cast.request()
    person = {"person_id": cast.nora.pk, "person_roles": cast.nora.roles}
    taken = approval_reject(approval_id=approval.pk, house_id=cast.house.pk, **person, reason="mistyped")
    assert taken.state == "rejected"


def test_unknown_approval_is_refused(cast):
    approval = Approval(id=uuid4(), payload_hash=b"", method="pin")
    assert code_of(lambda: cast.use(approval)) == "approval.unknown"
    assert code_of(lambda: cast.sign(approval, cast.emil)) == "approval.unknown"


def test_action_without_a_rule_is_refused(cast):
    assert code_of(lambda: cast.request(action="meter.lower")) == "approval.rule_missing"
    assert Approval.objects.count() == 0


@each(
    "rule",
    [
        ApprovalNeed(0, ("manager",)),
        ApprovalNeed(6, ("manager",)),
        ApprovalNeed(True, ("manager",)),
        ApprovalNeed(1, ()),
        ApprovalNeed(1, ("manager",), "word"),
        ApprovalNeed(1, ("manager",), "pin", 29),
        ApprovalNeed(1, ("manager",), "pin", 86_401),
        ApprovalNeed(1, ("r" * 21,)),
    ],
)
def test_senseless_rule_is_refused(cast, rule):
    before = ApprovalRule.objects.count()
    assert (
        code_of(lambda: approval_rule_add(house_id=cast.house.pk, action=ACTION, rule=rule)) == "approval.rule_refused"
    )
    assert ApprovalRule.objects.count() == before


@each(
    "payload", [{"amount": 0.5}, {"a": b"x"}, {1: 2}, {"a": "\0"}, {"a": [[[[[]]]] * 2] * 3} | {"b": 2**63}, object()]
)
def test_payload_that_is_not_plain_is_refused(cast, payload):
    assert code_of(lambda: cast.request(payload=payload)) == "data.refused"
    assert Approval.objects.count() == 0


def test_expired_approval_is_neither_signed_nor_used(own_database, cast):
    """By the database's clock: the test moves the approval's own time, as a superuser with the guard off."""
    signed, unsigned = cast.request(), cast.request(subject_id=8)
    cast.sign(signed, cast.emil)
    with superuser() as link:
        link.execute("ALTER TABLE payouts_approval DISABLE TRIGGER approval_guard")
        link.execute("UPDATE payouts_approval SET expires_at = clock_timestamp() - interval '1 ms'")
        link.execute("ALTER TABLE payouts_approval ENABLE ALWAYS TRIGGER approval_guard")
    assert code_of(lambda: cast.use(signed)) == "approval.expired"
    assert code_of(lambda: cast.sign(unsigned, cast.emil)) == "approval.expired"
    unchanged(signed, signatures=1)


def test_two_uses_at_once_are_one(own_database, cast):
    approval = cast.request()
    cast.sign(approval, cast.emil)
    start, outcomes = threading.Barrier(4), []

    def work() -> None:
        try:
            start.wait(60)
            outcomes.append(cast.use(approval).state)
        except Refused as refused:
            outcomes.append(refused.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(outcomes) == ["approval.closed"] * 3 + ["used"]
    assert Event.objects.filter(name="approval.used").count() == 1


def test_one_person_signing_twice_at_once_signs_once(own_database, cast):
    approval = cast.request()
    start, outcomes = threading.Barrier(4), []

    def work() -> None:
        try:
            start.wait(60)
            cast.sign(approval, cast.emil)
            outcomes.append("signed")
        except Refused as refused:
            outcomes.append(refused.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(outcomes) == ["approval.signed_twice"] * 3 + ["signed"]


# Commands that use an approval up
NEED = ApprovalNeed(2, ("pit_boss", "manager"), "pin", 600)


def test_matrix_changes_by_two_signatures(cast):
    added = cast.change_rule(NEED)
    assert (added.version, added.signers, added.lifetime_s, added.approval.state) == (2, 2, 600, "used")
    event = Event.objects.filter(name="approval_rule.added").latest("id")
    assert (event.before["signers"], event.after["signers"], event.actor.username) == (1, 2, "other")
    again = cast.change_rule(ApprovalNeed(1, ("manager",)))
    assert (again.version, again.method) == (3, "totp")


@each(
    "changes",
    [{"rule": ApprovalNeed(1, ("manager",))}, {"rule": ApprovalNeed(2, ("manager",), "pin", 600)}, {"action": "other"}],
)
def test_only_the_line_that_was_signed_comes_into_force(cast, changes):
    before = ApprovalRule.objects.count()
    assert code_of(lambda: cast.change_rule(NEED, **changes)) == "approval.changed"
    assert ApprovalRule.objects.count() == before


def test_line_of_the_matrix_needs_its_signatures(cast):
    values = {"house_id": cast.house.pk, "action": ACTION, "rule": NEED}
    with transaction.atomic():
        approval = approval_rule_request(**values, reason="agreed", requester_id=cast.ines.pk)
    assert code_of(lambda: cast.sign(approval, cast.ines)) == "approval.signer_refused"
    cast.sign(approval, cast.beat)

    def change():
        with transaction.atomic():
            approval_rule_change(**values, approval_id=approval.pk)

    assert code_of(change) == "approval.unsigned"
    unchanged(approval, signatures=1)


def test_matrix_is_not_changed_behind_the_approval(own_database, cast):
    """The database refuses it to the service too."""

    before = ApprovalRule.objects.count()
    for action in (ACTION, "new.action"):
        with pytest.raises(ApprovalUnknown), transaction.atomic():
            approval_rule_add(house_id=cast.house.pk, action=action, rule=NEED)
    assert ApprovalRule.objects.count() == before


class Correction:
    """A transfer of the house that somebody wants taken back."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        stock_house(cast.house)
        self.transfer = Transfer.objects.latest("id")
        self.values = {"house_id": cast.house.pk, "transfer_id": self.transfer.pk, "reason": "counted wrong"}

    def request(self, **changes: object) -> Approval:
        with transaction.atomic():
            return transfer_correction_request(**(self.values | changes), requester_id=self.cast.nora.pk)

    def correct(self, approval: Approval, **changes: object) -> int:
        with transaction.atomic():
            return transfer_correct(**(self.values | changes), gaming_day=DAY, approval_id=approval.pk)


def test_transfer_is_taken_back_by_a_signature_once(cast):
    correction = Correction(cast)
    approval = correction.request()
    balances = dict(Account.objects.values_list("pk", "balance_minor"))
    assert code_of(lambda: correction.correct(approval)) == "approval.unsigned"
    assert dict(Account.objects.values_list("pk", "balance_minor")) == balances
    cast.sign(approval, cast.emil)
    assert code_of(lambda: correction.correct(approval, reason="another reason")) == "approval.changed"
    reversal = Transfer.objects.get(pk=correction.correct(approval))
    assert (reversal.reverses_id, reversal.reason) == (correction.transfer.pk, "counted wrong")
    assert code_of(lambda: correction.correct(approval)) == "approval.closed"
    assert code_of(correction.request) == "ledger.reversed"
    assert code_of(lambda: correction.request(transfer_id=reversal.pk)) == "ledger.reversed"
    assert code_of(lambda: correction.request(transfer_id=10**9)) == "ledger.transfer_unknown"


def test_last_signature_carries_the_act_out(cast):
    """A line of the matrix and a transfer; what is signed for something else is none of it."""
    correction = Correction(cast)
    wanted = ApprovalNeed(1, ("manager",), "pin", 600)
    values = {"house_id": cast.house.pk, "action": ACTION, "rule": wanted, "reason": "as agreed"}
    with transaction.atomic():
        line = approval_rule_request(**values, requester_id=make_person("other", "manager").pk)

    def sign(approval, signer):
        who = {"signer_id": signer.pk, "signer_roles": signer.roles, "method": approval.method}
        ids = {"approval_id": approval.pk, "house_id": cast.house.pk, "payload_hash": bytes(approval.payload_hash)}
        with transaction.atomic():
            return act_sign(**ids, **who).state

    assert [sign(line, cast.ines), sign(line, cast.beat)] == ["open", "used"]
    added = ApprovalRule.objects.filter(action=ACTION).latest("version")
    assert (added.version, added.method, added.lifetime_s, added.approval_id) == (2, "pin", 600, line.pk)
    assert Event.objects.get(subject_id=str(line.pk), name="approval.requested").reason == "as agreed"
    assert code_of(lambda: approval_rule_request(**values)) == "approval.rule_same"

    asked = correction.request()
    assert sign(asked, cast.ines) == "used"
    reversal = Transfer.objects.get(reverses=correction.transfer)
    assert (reversal.reason, reversal.gaming_day) == ("counted wrong", gaming_day_at(house_id=cast.house.pk))
    other = cast.request(action="round.correct")
    assert code_of(lambda: sign(other, cast.emil)) == "approval.unknown"
    assert not other.signatures.exists()


def test_transfer_that_something_stands_on_is_not_taken_back_alone(cast):
    """A round's, and the seed of a meter; cash and chips of the house are."""
    correction = Correction(cast)
    subject = {"subject_kind": "round", "subject_id": uuid4()}
    of_round = post(cast.house, "buy_in", recipes.buy_in(100), **subject)
    seed = post(cast.house, "seed", recipes.seed(5_000))
    assert code_of(lambda: correction.request(transfer_id=of_round)) == "ledger.bound"
    assert code_of(lambda: correction.request(transfer_id=seed)) == "ledger.bound"
    assert correction.request().state == "open"


def test_approval_of_another_house_is_unknown(cast):
    approval = cast.request()
    other = make_house("Casino Rapperswil").pk
    assert code_of(lambda: cast.sign(approval, cast.emil, house_id=other)) == "approval.unknown"
    assert code_of(lambda: cast.use(approval, house_id=other)) == "approval.unknown"
    reject = {"approval_id": approval.pk, "person_id": cast.emil.pk, "person_roles": cast.emil.roles}
    assert code_of(lambda: approval_reject(**reject, house_id=other, reason="not ours")) == "approval.unknown"
    unchanged(approval)
