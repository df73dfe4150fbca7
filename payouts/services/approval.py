"""Approvals: ask, sign, reject, use. The database refuses again what is refused here
(`payouts/sql/approval_v1.sql`), and who rests (`casino/sql/person_v2.sql`): the floor that knows
people lays that on these tables, and it comes back by `RESTS`.
"""

from collections.abc import Iterable, Mapping
from uuid import UUID, uuid4

from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from payouts.attest import SignatureContent, attestation, is_attested, next_step
from payouts.db.constraints import refusing, require_transaction
from payouts.errors import mark
from payouts.models import Approval, ApprovalRule, ApprovalSignature
from payouts.rules.approval import (
    ApprovalChanged,
    ApprovalClosed,
    ApprovalExpired,
    ApprovalRaced,
    ApprovalRuleMissing,
    ApprovalUnknown,
    ApprovalUnsigned,
    CodeSpent,
    PersonResting,
    ProofRefused,
    SignedTwice,
    SignerRefused,
    role_fits,
)
from payouts.rules.ledger.postings import check_actor, check_house, check_person
from payouts.rules.plain import DataRefused, check_data, check_text, check_whole, fingerprint
from payouts.services.approval_lists import lists_keep
from payouts.services.event import event_record

# for whoever writes what a person asks for, signs, decides or pays
RESTS = {"person_rests": PersonResting()}


def approval_request(
    *,
    house_id: UUID,
    action: str,
    subject_kind: str,
    subject_id: object,
    payload: object,
    revision: int = 1,
    requester_id: UUID | None = None,
    excluded: Iterable[UUID] = (),
    lists: Mapping[str, str] | None = None,
    reason: str = "",
) -> Approval:
    """Ask for approval of exactly this payload; `requester_id` none is the system, `excluded` may
    not sign (who dealt the round).
    `lists`: of the system's, what stands beside the payload (`approval_lists.listed`). `reason`:
    why, where the payload has no place for it; the event keeps it.

    Open approvals of the same action and subject are killed: only the newest revision can be
    signed. Raises ApprovalRuleMissing, ActorUnknown, PersonResting, DataRefused, TextRefused.
    """
    require_transaction()
    check_house(house_id)
    check_actor(requester_id)
    check_whole(revision, "revision")
    check_text(action, "action", least=1, most=40)
    _check_subject(subject_kind, subject_id)
    data = check_data(payload, "payload")
    if data is None:
        raise DataRefused(field="payload", why=mark("empty"))
    rule = (
        ApprovalRule.objects.filter(house_id=house_id, action=action).order_by("-version").first()
    )
    if rule is None:
        raise ApprovalRuleMissing(action=action)
    subject = {"action": action, "subject_kind": subject_kind, "subject_id": str(subject_id)}
    _kill(Approval.objects.filter(house_id=house_id, **subject))
    with refusing({"approval_one_open": ApprovalRaced(), **RESTS}, Approval):
        approval = Approval.objects.create(
            id=uuid4(),
            house_id=house_id,
            rule=rule,
            **subject,
            revision=revision,
            payload=data,
            payload_hash=_hash(house_id, action, subject_kind, subject_id, revision, data),
            requester_id=requester_id,
            excluded=sorted(excluded),
            signers=rule.signers,
            roles=rule.roles,
            method=rule.method,
            expires_at=Now(),  # set by the database from the rule (approval_begin)
        )
    if lists:
        lists_keep(approval, lists)
    approval.refresh_from_db()
    barred = [str(person) for person in approval.excluded]
    asked = {"action": action, "revision": revision, "excluded": barred}
    event_record("approval.requested", approval, actor_id=requester_id, after=asked, reason=reason)
    return approval


def approval_sign(
    *,
    approval_id: UUID,
    house_id: UUID,
    payload_hash: bytes,
    signer_id: UUID,
    signer_roles: Iterable[str],
    method: str,
) -> Approval:
    """Sign what was seen: `payload_hash` is the hash of the payload that the signer had before
    them.

    Who the signer is, and that they proved it by `method` (pin or totp), was checked by the caller.
    Raises ApprovalUnknown, ApprovalClosed, ApprovalExpired, ApprovalChanged, ActorUnknown,
    SignerRefused, PersonResting, SignedTwice, CodeSpent, ProofRefused.
    """
    require_transaction()
    check_person(signer_id)
    approval = _locked(approval_id, house_id)
    _refuse_not_open(approval)
    if not isinstance(payload_hash, bytes | memoryview) or bytes(approval.payload_hash) != bytes(
        payload_hash
    ):
        raise ApprovalChanged
    if signer_id == approval.requester_id:
        raise SignerRefused(why=mark("you asked for it"))
    if signer_id in approval.excluded:
        raise SignerRefused(why=mark("you took part in it"))
    if not get_user_model().objects.filter(pk=signer_id, house_id=house_id).exists():
        raise SignerRefused(why=mark("you are not of this house"))
    if not role_fits(signer_roles, approval.roles):
        raise SignerRefused(why=mark("it needs another role"))
    if method != approval.method:
        raise ProofRefused(method=approval.method)
    names = {
        "signer_once": SignedTwice(),
        "code_signs_once": CodeSpent(),
        "approval_is_open": ApprovalExpired(),  # its last second passed since we looked
        "signer_made_requester": SignerRefused(
            why=mark("you set the sign-in or the roles of who asked for it")
        ),
        **RESTS,
    }
    step, ordinal = next_step(signer_id) if method == "totp" else (None, None)
    signature = ApprovalSignature(
        approval=approval,
        signer_id=signer_id,
        payload_hash=bytes(payload_hash),
        method=method,
        step=step,
        ordinal=ordinal,
    )
    signature.mac = attestation(_content(signature))
    with refusing(names, ApprovalSignature):
        signature.save(force_insert=True)
    event_record("approval.signed", approval, actor_id=signer_id)
    return approval


def approval_reject(
    *, approval_id: UUID, house_id: UUID, person_id: UUID, person_roles: Iterable[str], reason: str
) -> Approval:
    """Refuse what was asked for, with a reason; whoever may sign, and the requester, may do so.
    Raises as `approval_sign`.
    """
    require_transaction()
    check_person(person_id)
    check_text(reason, "reason", least=3, most=500)
    approval = _locked(approval_id, house_id)
    _refuse_not_open(approval)
    if person_id != approval.requester_id and not role_fits(person_roles, approval.roles):
        raise SignerRefused(why=mark("it needs another role"))
    _close(approval, Approval.State.REJECTED)
    with refusing(RESTS):
        event_record("approval.rejected", approval, actor_id=person_id, reason=reason)
    return approval


def approval_kill(
    *,
    house_id: UUID,
    subject_kind: str,
    subject_id: object,
    reason: str,
    actor_id: UUID | None = None,
) -> int:
    """Close every open approval of a subject because what it was for has changed; give their
    number. `actor_id`: who decided so; twice in a row alarms the pit like two rejections.

    Raises HouseUnknown, ActorUnknown, TextRefused.
    """
    require_transaction()
    check_house(house_id)
    check_actor(actor_id)
    _check_subject(subject_kind, subject_id)
    check_text(reason, "reason", most=500)
    subject = Approval.objects.filter(
        house_id=house_id, subject_kind=subject_kind, subject_id=str(subject_id)
    )
    return _kill(subject, reason=reason, actor_id=actor_id)


def approval_kill_of_person(*, person_id: UUID, roles_left: Iterable[str], reason: str) -> int:
    """Close every open approval that a person asked for, or signed in a role that they no longer
    have more; give their number.

    `roles_left`: none for who is barred or of another house now. What the system asked for, it asks
    for again. Raises TextRefused.
    """
    require_transaction()
    check_person(person_id)
    check_text(reason, "reason", most=500)
    signed = ApprovalSignature.objects.filter(approval=OuterRef("pk"), signer_id=person_id)
    gone = Q(requester_id=person_id) | Q(Exists(signed)) & ~Q(roles__overlap=list(roles_left))
    return _kill(Approval.objects.filter(gone), reason=reason)


def approval_signed(approval: Approval) -> int:
    """How many of its signatures count: signed by this program, of people who are active, of the
    house, and hold one of its roles still.
    """
    rows = approval.signatures.filter(
        signer__is_active=True,
        signer__house_id=approval.house_id,
        signer__roles__overlap=approval.roles,
    )
    return sum(row.mac is None or is_attested(_content(row), bytes(row.mac)) for row in rows)


def attested_signers(approval: Approval) -> set[UUID]:
    """Whose signatures under it the program has made, whatever stands in the database."""
    return {
        row.signer_id
        for row in approval.signatures.all()
        if row.mac is not None and is_attested(_content(row), bytes(row.mac))
    }


def approval_use(
    *,
    approval_id: UUID,
    house_id: UUID,
    action: str,
    subject_kind: str,
    subject_id: object,
    payload: object,
    revision: int = 1,
    actor_id: UUID | None = None,
) -> Approval:
    """Use an approval up, in the transaction that does what it allows: exactly once, for exactly
    what was signed.

    Raises ApprovalUnknown, ApprovalClosed (replayed), ApprovalExpired, ApprovalChanged,
    ApprovalUnsigned.
    """
    require_transaction()
    approval = _locked(approval_id, house_id)
    _refuse_not_open(approval)
    if (approval.action, approval.revision) != (action, revision):
        raise ApprovalChanged
    if (subject_kind, str(subject_id)) != (approval.subject_kind, approval.subject_id):
        raise ApprovalChanged
    if bytes(approval.payload_hash) != _hash(
        house_id, action, subject_kind, subject_id, revision, payload
    ):
        raise ApprovalChanged
    signed = approval_signed(approval)
    if signed < approval.signers:
        raise ApprovalUnsigned(signed=signed, needed=approval.signers)
    # since we counted
    barred = ApprovalUnsigned(signed=approval.signers - 1, needed=approval.signers)
    with refusing({"approval_in_time": ApprovalExpired(), "signers_stand": barred}):
        _close(approval, Approval.State.USED)
    event_record("approval.used", approval, actor_id=actor_id)
    return approval


def _content(row: ApprovalSignature) -> SignatureContent:
    return SignatureContent(
        approval_id=row.approval_id,
        signer_id=row.signer_id,
        payload_hash=bytes(row.payload_hash),
        method=row.method,
        step=row.step,
        ordinal=row.ordinal,
    )


def _check_subject(subject_kind: str, subject_id: object) -> None:
    check_text(subject_kind, "subject_kind", least=1, most=20)
    check_text(str(subject_id), "subject_id", least=1, most=64)


def _hash(
    house_id: UUID,
    action: str,
    subject_kind: str,
    subject_id: object,
    revision: int,
    payload: object,
) -> bytes:
    subject = [str(house_id), action, subject_kind, str(subject_id)]
    return fingerprint([*subject, revision, check_data(payload, "payload")])


def _locked(approval_id: UUID, house_id: UUID) -> Approval:
    if not (isinstance(approval_id, UUID) and isinstance(house_id, UUID)):
        raise ApprovalUnknown
    approval = (
        Approval.objects.select_for_update(no_key=True)
        .filter(pk=approval_id, house_id=house_id)
        .first()
    )
    if approval is None:
        raise ApprovalUnknown
    return approval


def _refuse_not_open(approval: Approval) -> None:
    if approval.state != Approval.State.OPEN:
        raise ApprovalClosed(state=approval.state)
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp() >= %s", [approval.expires_at])
        if cursor.fetchone()[0]:
            raise ApprovalExpired


def _close(approval: Approval, state: str) -> None:
    approval.state = state
    approval.save(update_fields=["state"])


def _kill(approvals: QuerySet[Approval], reason: str = "", actor_id: UUID | None = None) -> int:
    count = 0
    for approval in (
        approvals.filter(state=Approval.State.OPEN).select_for_update(no_key=True).order_by("pk")
    ):
        _close(approval, Approval.State.KILLED)
        event_record("approval.killed", approval, actor_id=actor_id, reason=reason)
        count += 1
    return count
