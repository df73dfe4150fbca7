"""What SQL as the app role cannot invent: a signature, a second one by a code that has signed, somebody's credentials."""

import json
import secrets
from io import StringIO
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.test import RequestFactory
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice
from psycopg.errors import CheckViolation
from psycopg.types.json import Jsonb

from casino.people import services, signin
from casino.people.authenticators import reseal
from casino.people.credentials import NAME as CREDENTIALS
from casino.people.credentials import digest, password_fits
from casino.people.events import record
from casino.people.models import Person
from casino.people.pins import pin_set
from casino.people.proofs import run_signed
from casino.people.refusals import CredentialsChanged, ProofRefused
from payouts.audit import COMPUTED
from payouts.commands import start_again
from payouts.models import Approval, ApprovalSignature, Event
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


def test_no_row_of_an_authenticator_makes_its_codes_easier(desk: Desk) -> None:
    """Without digits any code would be right; of an hour's codes somebody may have seen one; no step divides by 0."""
    for change, code in {
        "digits = 0": "000000",
        "t0 = t0 + 3600": people.code(desk.first, steps=-120),
        "tolerance = 200": people.code(desk.first, steps=-120),
        "step = 0": "000000",
    }.items():
        desk.by_sql(f"UPDATE otp_totp_totpdevice SET {change}")
        with pytest.raises(ProofRefused):
            desk.sign(desk.request(), code)
    desk.sign(desk.request(), people.code(desk.first))


def test_who_set_credentials_by_sql_signs_nothing_by_them(desk: Desk, subtests: pytest.Subtests) -> None:
    """Also where they are set back before an audit."""
    pin_set(person=desk.first, pin=PIN)
    whose = {"id": str(desk.first.pk)}
    stored = whose | {"key": TOTPDevice.objects.get(user=desk.first).key}
    forgery = whose | {"key": "ab" * 20}
    for action, secret in ((TWO, f"{totp(bytes.fromhex('ab' * 20)):06d}"), (BY_PIN, PIN)):
        with subtests.test(action):
            desk.by_sql(AUTHENTICATOR, forgery)
            with pytest.raises(CredentialsChanged):
                desk.sign(desk.request(action), secret)
            desk.by_sql(AUTHENTICATOR, stored)
            assert named() == []
    assert ApprovalSignature.objects.count() == 0


# What takes a sign-in over without its owner.
CHANGES = {
    "password": "UPDATE casino_person SET password = 'another' WHERE id = %(id)s",
    "PIN": "UPDATE casino_person SET pin = 'another' WHERE id = %(id)s",
    "no PIN": "UPDATE casino_person SET pin = '' WHERE id = %(id)s",
    "authenticator": "UPDATE otp_totp_totpdevice SET key = repeat('ab', 20) WHERE user_id = %(id)s",
    "second authenticator": "INSERT INTO otp_totp_totpdevice (user_id, name, confirmed, key, step, t0, digits, tolerance,"
    " drift, last_t, throttling_failure_count) VALUES (%(id)s, '', true, repeat('ab', 20), 30, 0, 6, 1, 0, -1, 0)",
    "no authenticator": "DELETE FROM otp_totp_totpdevice WHERE user_id = %(id)s",
}
LOG = (
    "INSERT INTO payouts_event (name, subject_kind, subject_id, after, reason, request_id)"
    " VALUES ('pin.set', 'person', %(id)s, %(after)s, '', '')"
)


AUTHENTICATOR = "UPDATE otp_totp_totpdevice SET key = %(key)s, last_t = -1 WHERE user_id = %(id)s"


def named() -> list[Json]:
    """Whom the audit names."""
    return [breach["username"] for breach in COMPUTED[CREDENTIALS]()]


def test_the_audit_names_whose_credentials_were_changed_beside_the_log(desk: Desk, subtests: pytest.Subtests) -> None:
    for person in (desk.first, desk.second):
        pin_set(person=person, pin=PIN)
    others = Event.objects.get(subject_id=str(desk.second.pk), name="pin.set").after
    older = Event.objects.get(subject_id=str(desk.first.pk), name="pin.set").after
    invented = {"credentials": secrets.token_hex(32)}
    whose = {"id": str(desk.first.pk)}
    for change, text in CHANGES.items():
        with subtests.test(change):
            assert named() == []
            stored = Person.objects.values("password", "pin").get(pk=desk.first.pk)
            devices = list(TOTPDevice.objects.filter(user=desk.first))
            desk.by_sql(text, whose)
            for after in (None, {}, {"credentials": "none"}, invented, others):
                assert named() == ["anna.b"], after
                desk.by_sql(LOG, whose | {"after": Jsonb(after)})
            assert named() == ["anna.b"]
            Person.objects.filter(pk=desk.first.pk).update(**stored)
            desk.by_sql(LOG, whose | {"after": Jsonb(older)})
            assert named() == ["anna.b"]
            TOTPDevice.objects.filter(user=desk.first).delete()
            TOTPDevice.objects.bulk_create(devices)
            record("pin.set", person=desk.first, after=digest(desk.first))


def test_the_program_digests_nothing_that_was_laid_there_by_sql(desk: Desk, settings: Any) -> None:
    """Not with a PIN of its owner, nor where an older hash is made anew; a manager's reset ends it."""
    pin_set(person=desk.first, pin=PIN)
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher", *settings.PASSWORD_HASHERS]
    forgery = make_password("what I know myself", hasher="argon2")
    desk.by_sql(
        "UPDATE casino_person SET password = %(forgery)s WHERE id = %(id)s", {"forgery": forgery, "id": desk.first.pk}
    )
    person = Person.objects.get(pk=desk.first.pk)
    assert password_fits(person, "what I know myself")
    assert named() == ["anna.b"]
    pin_set(person=person, pin=PIN)
    assert named() == ["anna.b"]
    services.password_own(person=person, password=people.PASSWORD)
    assert named() == ["anna.b"]
    services.password_reset(person=person, by=desk.requester)
    assert named() == []


def test_what_the_services_set_is_as_the_log_has_it(desk: Desk, settings: Any, rf: RequestFactory) -> None:
    """From the first password to a stronger hash of it, also under a new SECRET_KEY and SIGNATURE_KEY."""
    manager = desk.requester
    person, password = services.person_create(
        username="nora.n", full_name="Nora Neu", house=desk.house, role_codes=["croupier"], by=manager
    )
    services.password_own(person=person, password=people.PASSWORD)
    device = signin.enrolment_begin(person)
    request = rf.get("/")
    request.session = SessionStore()
    request.user = person
    signin.enrolment_confirm(request=request, person=person, device_id=device.pk, code=people.code(person))
    pin_set(person=person, pin=PIN)
    assert named() == []
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher", *settings.PASSWORD_HASHERS]
    before = person.password
    assert password_fits(person, people.PASSWORD)
    assert (person.password != before, named()) == (True, [])
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SIGNATURE_KEY_FALLBACKS = [settings.SIGNATURE_KEY]
    settings.SECRET_KEY = secrets.token_hex(32)
    settings.SIGNATURE_KEY = secrets.token_hex(32)
    reseal()
    assert named() == []
    services.password_reset(person=person, by=manager)
    assert named() == []
    services.second_factor_reset(person=person, by=manager)
    assert named() == []
    events = Event.objects.filter(subject_id=str(person.pk), after__has_key="credentials").order_by("pk")
    assert [event.name for event in events] == [
        *("person.created", "password.changed", "sign_in.enrolled", "pin.set"),
        *("password.rehashed", "password.reset", "sign_in.second_factor_reset"),
    ]
    assert password not in str([event.after for event in events])
