"""What SQL as the app role cannot invent: a signature, and a second one by a code that has signed."""

import json
import secrets
from io import StringIO
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.core.management import call_command
from psycopg.errors import CheckViolation

from casino.people.models import Person
from casino.people.pins import pin_set
from casino.people.proofs import run_signed
from payouts.commands import start_again
from payouts.models import Approval, ApprovalSignature
from payouts.rules.approval import ApprovalUnsigned, CodeSpent
from payouts.rules.plain import Json
from payouts.services import approval_request, approval_sign, approval_signed, approval_use
from payouts.unattested import NAME, TABLE, UNPROVED
from tests.casino.people import people
from tests.cast import make_house
from tests.floor import done
from tests.servers import servers

PIN = "270415"
TWO, BY_PIN = "approval_rule.change", "round.correct"  # two signers by code; one by PIN
SIGN = f"""
    INSERT INTO {TABLE} (approval_id, signer_id, payload_hash, method, signed_at, step, ordinal, mac)
    VALUES (%(approval_id)s, %(signer_id)s, %(payload_hash)s, %(method)s, now(), %(step)s, %(ordinal)s, %(mac)s)
"""


class Desk:
    """Somebody who asks, and two who sign."""

    def __init__(self, database: str) -> None:
        self.house = make_house()
        self.requester = people.make(self.house, "ines.a", "manager")
        self.first, self.second = (people.make(self.house, name, "manager") for name in ("anna.b", "bruno.c"))
        self.database, self._subjects = database, 0

    def request(self, action: str = TWO) -> Approval:
        self._subjects += 1
        approval = done(approval_request, **self.about(action, self._subjects), requester_id=self.requester.pk)
        assert isinstance(approval, Approval)
        return approval

    def about(self, action: str, subject: object) -> dict[str, Any]:
        of = {"house_id": self.house.pk, "action": action, "subject_kind": "trial", "subject_id": subject}
        return of | {"payload": {"agreed": True}}

    def sign(self, approval: Approval, secret: str, *, again: bool = False) -> ApprovalSignature:
        """The first one signs; `again`: in a second try of the command."""
        tries = [again]

        def work() -> Json:
            approval_sign(
                approval_id=approval.pk,
                house_id=self.house.pk,
                payload_hash=bytes(approval.payload_hash),
                signer_id=self.first.pk,
                signer_roles=self.first.roles,
                method=approval.method,
            )
            if tries.pop() if tries else False:
                start_again()
            return None

        how: dict[str, Any] = {"person": self.first, "method": approval.method, "secret": secret, "work": work}
        run_signed(secrets.token_hex(8), secrets.token_bytes(32), **how)
        return ApprovalSignature.objects.get(approval=approval, signer=self.first)

    def by_sql(self, text: str, values: dict[str, Any] | None = None) -> None:
        """As somebody does who has the app role's password."""
        with psycopg.connect(servers.app_url, dbname=self.database) as link:
            assert link.execute(text, values).rowcount

    def findings(self) -> list[dict[str, Json]]:
        """What `manage.py verify` says of signatures."""
        output = StringIO()
        try:
            call_command("verify", json=True, stdout=output, stderr=StringIO())
        except SystemExit as end:
            assert end.code == 1
        [check] = [check for check in json.loads(output.getvalue())["checks"] if check["name"] == NAME]
        assert check["looked_at"] == ApprovalSignature.objects.count()
        assert isinstance(check["breaches"], list)
        return check["breaches"]


@pytest.fixture
def desk(own_database: str) -> Desk:
    return Desk(own_database)


def forged(signature: ApprovalSignature, **other: object) -> dict[str, Any]:
    """What there is to copy of a signature, with something else in it."""
    names = ("approval_id", "signer_id", "payload_hash", "method", "step", "ordinal", "mac")
    return {name: getattr(signature, name) for name in names} | other


def breach(desk: Desk, approval: UUID, signer: Person) -> dict[str, Json]:
    row = ApprovalSignature.objects.get(approval=approval, signer=signer)
    ids = {"house_id": desk.house.pk, "approval_id": approval, "signer_id": signer.pk}
    return {"table": TABLE, "key": str(row.pk), "what": UNPROVED} | {name: str(pk) for name, pk in ids.items()}


def test_what_sql_signs_is_refused_or_does_not_count_and_is_named(desk: Desk) -> None:
    approval = desk.request()
    other = desk.request()
    signature = desk.sign(approval, people.code(desk.first))
    assert desk.findings() == []
    for mac in (None, b"", secrets.token_bytes(31)):
        with pytest.raises(CheckViolation) as refused:
            desk.by_sql(SIGN, forged(signature, signer_id=desk.second.pk, mac=mac))
        assert refused.value.diag.constraint_name == "signature_is_attested"

    desk.by_sql(SIGN, forged(signature, signer_id=desk.second.pk))
    of_other = {"approval_id": other.pk, "payload_hash": other.payload_hash, "ordinal": 1}
    desk.by_sql(SIGN, forged(signature, **of_other))
    desk.by_sql(SIGN, forged(signature, **of_other, signer_id=desk.second.pk, mac=secrets.token_bytes(32), step=None))
    assert (approval_signed(approval), approval_signed(other)) == (1, 0)
    with pytest.raises(ApprovalUnsigned):
        done(approval_use, approval_id=approval.pk, **desk.about(TWO, approval.subject_id))
    forgeries = [(approval.pk, desk.second), (other.pk, desk.first), (other.pk, desk.second)]
    assert desk.findings() == [breach(desk, *forgery) for forgery in forgeries]


def test_a_code_signs_for_one_command_whatever_became_of_its_authenticator(desk: Desk) -> None:
    code = people.code(desk.first)
    signature = desk.sign(desk.request(), code, again=True)
    assert (signature.step in range(people.step_now() - 2, people.step_now() + 1), signature.ordinal) == (True, 0)
    desk.by_sql("UPDATE otp_totp_totpdevice SET last_t = -1")
    with pytest.raises(CodeSpent):
        desk.sign(desk.request(), code)
    assert ApprovalSignature.objects.count() == 1


def test_a_signature_by_pin_has_no_step_and_is_attested_too(desk: Desk) -> None:
    pin_set(person=desk.first, pin=PIN)
    signature = desk.sign(desk.request(BY_PIN), PIN)
    assert (signature.step, signature.ordinal, desk.findings()) == (None, None, [])


def test_what_a_former_key_signed_is_verified_as_long_as_the_key_is_there(desk: Desk, settings: Any) -> None:
    approval = desk.request()
    desk.sign(approval, people.code(desk.first))
    settings.SIGNATURE_KEY_FALLBACKS = [settings.SIGNATURE_KEY]
    settings.SIGNATURE_KEY = secrets.token_hex(32)
    assert desk.findings() == []
    settings.SIGNATURE_KEY_FALLBACKS = []
    assert desk.findings() == [breach(desk, approval.pk, desk.first)]
