"""What the API lets people sign is carried out: one registry of acts (`casino/people/acts.py`), whole over the matrix."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone

from casino.api.docs import _schema as described
from casino.people.acts import ACTS
from casino.people.models import Person
from casino.people.pins import pin_set
from jackpot.models import RequiredDisplay
from jackpot.services import display_add_request, display_out_request
from jackpot.services.standing import ADJUST, RESUME, SUSPEND, jackpot_request
from payouts.models import Approval, ApprovalRule, PostedTable, Transfer
from payouts.rules.approval import DEFAULT_MATRIX, ApprovalNeed
from payouts.rules.ledger import recipes
from payouts.rules.rulesets.kinds import ACTION as RELEASE
from payouts.services import (
    approval_rule_request,
    approval_sign,
    posted_table_draft,
    posted_table_request,
    transfer_correction_request,
)
from tables.kinds import KINDS
from tests.casino.api.callers import Callers
from tests.casino.api.ground import FUNDED
from tests.casino.people import people
from tests.cast import post, stock_house
from tests.floor import done, stakes_for

PIN = "270415"


def person(role: str) -> Person:
    """Who is signed in at the office with a role."""
    return Person.objects.get(username=f"o.{role.replace('_', '')}")


def test_every_line_of_the_matrix_is_carried_out(subtests: pytest.Subtests) -> None:
    assert set(ACTS) == set(DEFAULT_MATRIX)
    for action, act in ACTS.items():
        with subtests.test(action):
            assert (act.sign is approval_sign) == bool(act.then)
            if act.then:
                body = described()["paths"][f"/api/{act.then}"]["post"]["requestBody"]
                assert "approval" in body["content"]["application/json"]["schema"]["properties"]


def signed(callers: Callers, role: str, approval: Approval, secret: str) -> str:
    """The state of what a role has signed by the API."""
    body = {"payload_hash": bytes(approval.payload_hash).hex(), "secret": secret}
    status, answer = callers.offices[role].post(f"approvals/{approval.pk}/sign/", body)
    assert status == 200, answer
    return str(answer["answer"]["state"])


def test_a_transfer_is_reversed_by_the_last_signature(callers: Callers) -> None:
    stock_house(callers.house)
    twice = post(callers.house, "capital_in", recipes.capital_in(1_234_500))
    about = {"house_id": callers.house.pk, "transfer_id": twice, "reason": "entered twice"}
    approval = done(transfer_correction_request, **about, requester_id=callers.floor.ines.pk)
    boss = person("pit_boss")
    pin_set(person=boss, pin=PIN)
    assert signed(callers, "pit_boss", approval, PIN) == "used"
    assert Transfer.objects.get(reverses_id=twice).actor_id == boss.pk


def test_a_line_of_the_matrix_changes_by_the_last_signature(callers: Callers) -> None:
    line = {"action": "round.correct", "rule": ApprovalNeed(2, ("manager",)), "reason": "agreed"}
    approval = done(approval_rule_request, house_id=callers.house.pk, **line, requester_id=callers.floor.ines.pk)
    states = []
    for role in ("manager", "auditor"):
        signer = person(role)
        states.append(signed(callers, role, approval, people.code(signer)))
    newest = ApprovalRule.objects.filter(house=callers.house, action="round.correct").latest("version")
    assert (states, newest.version, newest.signers) == (["open", "used"], 2, 2)
    proofs = approval.signatures.order_by("pk").values_list("ordinal", "step", "signer__totpdevice__last_t")
    assert [(ordinal, step == device) for ordinal, step, device in proofs] == [(0, True)] * 2


def test_who_opens_no_page_of_posted_tables_releases_none_by_the_api(callers: Callers) -> None:
    """Though the matrix names them."""
    line = {"action": RELEASE, "rule": ApprovalNeed(1, ("pit_boss",), "totp"), "reason": "agreed"}
    rule = done(approval_rule_request, house_id=callers.house.pk, **line, requester_id=callers.floor.ines.pk)
    for role in ("manager", "auditor"):
        signed(callers, role, rule, people.code(person(role)))
    table = PostedTable.objects.get(house=callers.house, kind="funding")
    kind, about = KINDS[table.kind], {"name": table.name, "data": table.data}
    draft = done(posted_table_draft, house_id=callers.house.pk, kind=kind, **about, actor_id=callers.floor.ines.pk)
    done(posted_table_request, table_id=draft.pk, kind=kind, in_force_from=None, reason="agreed")
    approval = Approval.objects.get(action=RELEASE, subject_id=str(draft.pk))
    boss = person("pit_boss")
    secret = people.code(boss)
    bodies = {"sign": {"payload_hash": bytes(approval.payload_hash).hex()}, "reject": {"reason": "a misread line"}}
    for command, body in bodies.items():
        status, refused = callers.boss.post(f"approvals/{approval.pk}/{command}/", body | {"secret": secret})
        assert (status, refused["code"]) == (403, "person.not_allowed"), command
    assert PostedTable.objects.get(pk=draft.pk).state == "requested"


def test_a_jackpot_is_made_by_the_last_signature(callers: Callers) -> None:
    callers.floor.lock(stakes_for(callers.floor.open()[:1]))
    technician, names = callers.technician, {"name": "Second"} | FUNDED
    status, refused = technician.post("jackpots/", names)
    assert (status, refused["code"]) == (409, "jackpot.needs_two")
    status, answer = technician.post("jackpots/create-request/", names)
    assert status == 200, answer
    approval = Approval.objects.get(pk=answer["answer"]["id"])
    assert approval.payload | names == approval.payload
    assert signed(callers, "manager", approval, people.code(person("manager"))) == "used"
    made = callers.auditor.get(f"jackpots/{approval.subject_id}/")[1]
    assert (made["name"], made["phase"], made["shown_minor"]) == ("Second", "open", 1_000_000)


def test_what_is_asked_about_a_jackpot_is_done_by_the_last_signature(callers: Callers) -> None:
    floor, jackpot = callers.floor, callers.floor.jackpot
    ids: dict[str, Any] = {"house_id": callers.house.pk, "jackpot_id": jackpot.pk, "person_id": floor.ines.pk}
    display = uuid4()
    fault = {"reason": "a fault"}
    requests: tuple[tuple[Any, dict[str, Any]], ...] = (
        (jackpot_request, {"action": ADJUST, "payload": {"amount_minor": 100} | fault}),
        (display_add_request, {"display_id": display, "name": "Third"}),
        (jackpot_request, {"action": SUSPEND, "payload": fault}),
        (jackpot_request, {"action": RESUME, "payload": fault}),
        (display_out_request, {"display_id": display} | fault),
    )
    states = []
    begun = timezone.now()
    for number, (request, values) in enumerate(requests):
        approval = done(request, **ids, **values)
        with time_machine.travel(begun + number * timedelta(seconds=30), tick=False):  # a code for each signature
            assert signed(callers, "manager", approval, people.code(person("manager"))) == "used"
        read = callers.auditor.get(f"jackpots/{jackpot.pk}/")[1]
        required = RequiredDisplay.objects.filter(jackpot=jackpot, ended_at=None).count()
        states.append((read["phase"], read["shown_minor"], required))
    meter = 1_000_100
    assert states == [
        ("open", meter, 1),
        ("open", meter, 2),
        ("suspended", meter, 2),
        ("showing", meter, 2),
        ("showing", meter, 1),
    ]


def test_who_opens_no_page_to_sign_it_signs_it_by_no_address(callers: Callers) -> None:
    stock_house(callers.house)
    twice = post(callers.house, "capital_in", recipes.capital_in(1_234_500))
    about = {"house_id": callers.house.pk, "transfer_id": twice, "reason": "entered twice"}
    approval = done(transfer_correction_request, **about, requester_id=callers.floor.ines.pk)
    body = {"payload_hash": bytes(approval.payload_hash).hex(), "secret": PIN}
    status, refused = callers.auditor.post(f"approvals/{approval.pk}/sign/", body)
    assert (status, refused["code"]) == (403, "person.not_allowed")
