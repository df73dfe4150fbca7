"""Hypothesis over approvals, events, houses, posted tables: whatever is asked is done or refused, and a refusal writes nothing."""

from collections.abc import Callable, Iterator

import pytest
from django.apps import apps
from django.db import connection, transaction
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoDbBlocker

from casino.people.models import Person
from payouts import services
from payouts.errors import Refused
from payouts.models import Approval, PostedTable, Transfer
from payouts.rules.approval import ApprovalNeed
from payouts.rules.rulesets.paytable import UTH_TRIPS
from payouts.selectors import gaming_day_at
from tables.kinds import KINDS
from tests.cast import DAY, make_house, make_person, stock_house
from tests.databases import stand
from tests.payouts.spoiled import anything, spoiled
from tests.turns import each

TRIPS = KINDS["trips"]
NEED = ApprovalNeed(1, ("pit_boss",), "pin", 600)
# What no caller outside the code can say: it comes from the signed-in person, or is a part of the program.
OURS = {"kind", "signer_roles", "person_roles", "roles_left", "excluded", "rule", "subject"}


class Desk:
    """A house with open and signed approvals, and a posted version in each state that is worked on; in one transaction."""

    def __init__(self) -> None:
        self.house = make_house()
        self.nora, self.emil = make_person("nora", "croupier"), make_person("emil", "pit_boss", "manager")
        self.second = make_person("second", "manager")
        stock_house(self.house)
        chips = KINDS["chip_set"]
        services.posted_tables_seed(house_id=self.house.pk, tables=[(chips, "Chips", chips.start)])
        self.transfer = Transfer.objects.filter(kind="buy_in").get().pk
        self.correction = {"house_id": self.house.pk, "transfer_id": self.transfer, "reason": "counted twice"}
        self.signed = services.transfer_correction_request(**self.correction, requester_id=self.nora.pk)
        self._sign(self.signed, self.emil)
        self.asked = {
            "house_id": self.house.pk,
            "action": "round.correct",
            "subject_kind": "round",
            "subject_id": 7,
            "payload": {"round": 7},
        }
        self.open = services.approval_request(**self.asked, requester_id=self.nora.pk)
        self.line = {"house_id": self.house.pk, "action": "round.correct", "rule": NEED}
        self.change = services.approval_rule_request(**self.line, reason="agreed", requester_id=self.nora.pk)
        further = self.line | {"action": "round.void_claimed", "reason": "agreed"}
        self.further = services.approval_rule_request(**further, requester_id=self.nora.pk)
        self._sign(self.change, self.emil)
        self._sign(self.change, self.second)
        draft = {"house_id": self.house.pk, "kind": TRIPS, "data": UTH_TRIPS.to_data(), "actor_id": self.nora.pk}
        self.draft = services.posted_table_draft(**draft, name="Draft").pk
        self.requested = services.posted_table_draft(**draft, name="Requested").pk
        delivery = {"kind": "issue", "pieces": {500: 20}, "reason": "delivered", "requester_id": self.nora.pk}
        self.delivered = services.chips_request(house_id=self.house.pk, **delivery)
        self.today = gaming_day_at(house_id=self.house.pk)
        services.posted_table_request(
            table_id=self.requested, kind=TRIPS, in_force_from=self.today, actor_id=self.nora.pk
        )
        self.payload_hash = bytes(PostedTable.objects.get(pk=self.requested).approval.payload_hash)

    def _sign(self, approval: Approval, person: Person) -> None:
        services.approval_sign(
            approval_id=approval.pk,
            house_id=self.house.pk,
            payload_hash=approval.payload_hash,
            signer_id=person.pk,
            signer_roles=person.roles,
            method=approval.method,
        )

    def written(self) -> list[object]:
        rows = [model._default_manager.count() for model in apps.get_app_config("payouts").get_models()]
        tables = PostedTable.objects.order_by("pk").values_list("pk", "state", "data_hash", "in_force_from")
        return [rows, list(Approval.objects.order_by("pk").values_list("pk", "state")), list(tables)]


@pytest.fixture(scope="module")
def desk(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Desk]:
    """Made once: every example works in a savepoint of its own on top of it."""
    stand(None)  # a test before it may have stood in a world
    with django_db_blocker.unblock(), transaction.atomic():
        yield Desk()
        transaction.set_rollback(True)


class _Undone(Exception):
    """Takes a successful example back."""


def done(desk: Desk, command: Callable[..., object], values: dict[str, object]) -> str:
    """Carry the command out and take it back; the code if it was refused in words, with nothing written. Nothing else happens."""
    before = desk.written()
    try:
        with transaction.atomic():
            command(**values)
            with connection.cursor() as cursor:  # what would speak at commit
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
            raise _Undone
    except Refused as refused:
        assert refused.text()
        assert refused.remedy % refused.data
        return refused.code
    except _Undone:
        return ""
    finally:
        assert desk.written() == before


def commands(desk: Desk) -> dict[str, dict[str, object]]:
    """Each command with arguments that it takes."""
    house, nora, emil = desk.house.pk, desk.nora.pk, desk.emil.pk
    signer = {"signer_id": emil, "signer_roles": desk.emil.roles}
    person = {"person_id": emil, "person_roles": desk.emil.roles, "reason": "counted twice"}
    asked = {**desk.asked, "revision": 1}
    requested = {"table_id": desk.requested, "kind": TRIPS}
    return {
        "approval_request": {**asked, "requester_id": nora, "excluded": [emil]},
        "approval_sign": {
            **signer,
            "approval_id": desk.open.pk,
            "house_id": house,
            "payload_hash": bytes(desk.open.payload_hash),
            "method": "pin",
        },
        "approval_reject": {**person, "approval_id": desk.open.pk, "house_id": house},
        "approval_kill": {"house_id": house, "subject_kind": "round", "subject_id": 7, "reason": "changed"},
        "approval_kill_of_person": {"person_id": emil, "roles_left": [], "reason": "barred"},
        "approval_use": {
            "approval_id": desk.signed.pk,
            "house_id": house,
            "action": "transfer.reverse",
            "subject_kind": "transfer",
            "subject_id": desk.transfer,
            "payload": {"transfer_id": desk.transfer, "reason": "counted twice"},
            "revision": 1,
            "actor_id": nora,
        },
        "approval_rule_add": {**desk.line, "approval_id": None, "actor_id": nora},
        "approval_rule_request": {**desk.line, "reason": "agreed", "requester_id": nora},
        "approval_rule_change": {**desk.line, "approval_id": desk.change.pk, "actor_id": nora},
        "act_sign": {
            **signer,
            "approval_id": desk.further.pk,
            "house_id": house,
            "payload_hash": bytes(desk.further.payload_hash),
            "method": "totp",
        },
        "transfer_correction_request": {**desk.correction, "requester_id": nora},
        "transfer_correct": {
            **desk.correction,
            "gaming_day": DAY,
            "approval_id": desk.signed.pk,
            "actor_id": nora,
        },
        "chips_request": {
            "house_id": house,
            "kind": "issue",
            "pieces": {500: 20},
            "reason": "delivered",
            "requester_id": nora,
        },
        "chips_sign": {
            **signer,
            "approval_id": desk.delivered.pk,
            "house_id": house,
            "payload_hash": bytes(desk.delivered.payload_hash),
            "method": "totp",
        },
        "event_record": {
            "name": "test.event",
            "house_id": house,
            "actor_id": nora,
            "subject": services.Subject("test", 7),
            "before": None,
            "after": {"a": 1},
            "reason": "why",
            "request_id": "r",
        },
        "house_create": {
            "name": "Third",
            "currency": "CHF",
            "locale": "de-CH",
            "time_zone": "Europe/Zurich",
            "gaming_day_change": "06:00",
            "actor_id": nora,
        },
        "posted_table_draft": {
            "house_id": house,
            "kind": TRIPS,
            "name": "Third",
            "data": UTH_TRIPS.to_data(),
            "note": "new",
            "actor_id": nora,
        },
        "posted_table_edit": {
            "table_id": desk.draft,
            "kind": TRIPS,
            "data": UTH_TRIPS.to_data(),
            "note": "new",
            "actor_id": nora,
        },
        "posted_table_request": {
            "table_id": desk.draft,
            "kind": TRIPS,
            "in_force_from": desk.today,
            "reason": "as agreed",
            "actor_id": nora,
        },
        "posted_table_sign": {**requested, **signer, "payload_hash": desk.payload_hash, "method": "totp"},
        "posted_table_release": {**requested, "actor_id": emil},
        "posted_table_reject": {**requested, **person},
        "posted_table_withdraw": {**requested, "reason": "changed", "actor_id": nora},
    }


# These move money: `test_ledger_fuzz.py` asks them.
MOVING = {"accounts_open", "recipe_post", "recipe_posting", "transfer_post", "transfers_post"}
MOVING |= {"transfer_replace", "transfer_reverse"}
# The last two take nothing that a person says: one furnishes a new house, one is asked for by the clock.
NO_COMMANDS = {"RESTS", "AccountKey", "approval_signed", "posting_arguments", "posted_tables_seed", "seal_take"}
NO_COMMANDS |= {"Listed", "Subject", "listed", "lists_of", "whole_payload"}
NAMES = sorted(set(services.__all__) - MOVING - NO_COMMANDS)
NOT_TAKEN = {"approval_rule_add": "approval.unknown", "posted_table_release": "approval.unsigned"}


@each("name", NAMES)
def test_good_arguments_are_taken(desk: Desk, name: str) -> None:
    """Or the next test would ask nothing. Two are refused whatever is given, for what they lack."""
    assert done(desk, getattr(services, name), commands(desk)[name]) == NOT_TAKEN.get(name, "")


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_anything_is_done_or_refused(desk: Desk, name: str, data: st.DataObject) -> None:
    values = commands(desk)[name]
    ours = {field: value for field, value in values.items() if field in OURS}
    if "rule" in ours:
        needs = st.builds(ApprovalNeed, anything, anything | st.tuples(anything), anything, anything)
        ours["rule"] = data.draw(st.just(NEED) | needs)
    if "subject" in ours:
        ours["subject"] = data.draw(st.builds(services.Subject, anything, anything))
    good = {field: st.just(value) for field, value in values.items() if field not in OURS}
    done(desk, getattr(services, name), data.draw(spoiled(good)) | ours)
