"""Commands that use an approval up: a line of the matrix changes, a transfer is corrected.

Each has its request beside it, which fixes what is signed; the command does exactly that or
nothing. Who may ask is the caller's matter, who may sign is the matrix's. `act_sign` carries either
out with the last signature.
"""

from collections.abc import Iterable
from datetime import date
from uuid import UUID

from django.db.models import Max

from payouts.db.constraints import refusing, require_transaction
from payouts.models import Approval, ApprovalRule, Transfer
from payouts.rules.approval import (
    DEFAULT_MATRIX,
    ApprovalNeed,
    ApprovalRaced,
    ApprovalRuleSame,
    ApprovalUnknown,
)
from payouts.rules.ledger.postings import (
    TransferBound,
    TransferReversed,
    TransferUnknown,
    check_actor,
    check_house,
    check_transfer,
)
from payouts.rules.plain import Json, check_text
from payouts.selectors import gaming_day_at, transfer_is_free
from payouts.services.approval import approval_request, approval_sign, approval_signed, approval_use
from payouts.services.event import event_of, event_record, events_record
from payouts.services.ledger import transfer_reverse

RULE_CHANGE, REVERSE = "approval_rule.change", "transfer.reverse"


def approval_rule_add(
    *,
    house_id: UUID,
    action: str,
    rule: ApprovalNeed,
    approval_id: UUID | None = None,
    actor_id: UUID | None = None,
) -> ApprovalRule:
    """Add a version of one line of a house's matrix; it is in force at once.

    Without an approval only while the house is being created: the database refuses it afterwards.
    Raises ApprovalRuleRefused, ApprovalRaced, ApprovalUnknown (none stands behind it), TextRefused.
    """
    require_transaction()
    check_actor(actor_id)
    if approval_id is not None and not isinstance(approval_id, UUID):
        raise ApprovalUnknown
    version = _next_version(house_id, action, rule)
    before = ApprovalRule.objects.filter(
        house_id=house_id, action=action, version=version - 1
    ).first()
    return _rule_write(house_id, action, rule, version, before, approval_id, actor_id)


def approval_rules_begin(*, house_id: UUID, actor_id: UUID | None = None) -> None:
    """Write the matrix that every house starts from; there is none before it, so none is looked
    for.
    """
    with refusing({}, ApprovalRule):
        rules = ApprovalRule.objects.bulk_create(
            _rule(house_id, action, rule, version=1) for action, rule in DEFAULT_MATRIX.items()
        )
    events_record(
        event_of(
            "approval_rule.added",
            rule,
            actor_id=actor_id,
            after=_line(rule.action, rule.version, DEFAULT_MATRIX[rule.action]),
        )
        for rule in rules
    )


def _rule(
    house_id: UUID,
    action: str,
    need: ApprovalNeed,
    *,
    version: int,
    approval_id: UUID | None = None,
) -> ApprovalRule:
    return ApprovalRule(
        house_id=house_id,
        action=action,
        version=version,
        signers=need.signers,
        roles=list(need.roles),
        method=need.method,
        lifetime_s=need.lifetime_s,
        approval_id=approval_id,
    )


def _rule_write(
    house_id: UUID,
    action: str,
    rule: ApprovalNeed,
    version: int,
    before: ApprovalRule | None,
    approval_id: UUID | None,
    actor_id: UUID | None,
) -> ApprovalRule:
    names = {"approval_rule_version": ApprovalRaced(), "approval_rule_approved": ApprovalUnknown()}
    with refusing(names, ApprovalRule):
        added = _rule(house_id, action, rule, version=version, approval_id=approval_id)
        added.save(force_insert=True)
    event_record(
        "approval_rule.added",
        added,
        actor_id=actor_id,
        before=_line(before.action, before.version, need_of(before)) if before else None,
        after=_line(action, version, rule),
    )
    return added


def approval_rule_request(
    *,
    house_id: UUID,
    action: str,
    rule: ApprovalNeed,
    reason: str,
    requester_id: UUID | None = None,
) -> Approval:
    """Ask for another line of the matrix, approved as the present matrix says
    (`approval_rule.change`).

    Raises ApprovalRuleRefused, ApprovalRuleSame, and as the request.
    """
    require_transaction()
    version = _next_version(house_id, action, rule)
    check_text(reason, "reason", least=3, most=500)
    before = ApprovalRule.objects.filter(
        house_id=house_id, action=action, version=version - 1
    ).first()
    if before and need_of(before) == rule:
        raise ApprovalRuleSame
    return approval_request(
        house_id=house_id,
        action=RULE_CHANGE,
        subject_kind="approval_rule",
        subject_id=action,
        payload=_line(action, version, rule),
        requester_id=requester_id,
        reason=reason,
    )


def approval_rule_change(
    *,
    house_id: UUID,
    action: str,
    rule: ApprovalNeed,
    approval_id: UUID,
    actor_id: UUID | None = None,
) -> ApprovalRule:
    """Put the line in force that was signed. Raises as `approval_use`: ApprovalChanged also if the
    matrix has moved on.
    """
    require_transaction()
    approval_use(
        approval_id=approval_id,
        house_id=house_id,
        action=RULE_CHANGE,
        subject_kind="approval_rule",
        subject_id=action,
        payload=_line(action, _next_version(house_id, action, rule), rule),
        actor_id=actor_id,
    )
    return approval_rule_add(
        house_id=house_id, action=action, rule=rule, approval_id=approval_id, actor_id=actor_id
    )


def _next_version(house_id: UUID, action: str, rule: ApprovalNeed) -> int:
    check_house(house_id)
    check_text(action, "action", least=3, most=40)
    rule.check()
    there = ApprovalRule.objects.filter(house_id=house_id, action=action)
    return (there.aggregate(Max("version"))["version__max"] or 0) + 1


def need_of(rule: ApprovalRule) -> ApprovalNeed:
    """What a line of the matrix asks for."""
    return ApprovalNeed(rule.signers, tuple(rule.roles), rule.method, rule.lifetime_s)


def _line(action: str, version: int, rule: ApprovalNeed) -> dict[str, Json]:
    return {
        "action": action,
        "version": version,
        "signers": rule.signers,
        "roles": list(rule.roles),
        "method": rule.method,
        "lifetime_s": rule.lifetime_s,
    }


def transfer_correction_request(
    *, house_id: UUID, transfer_id: int, reason: str, requester_id: UUID | None = None
) -> Approval:
    """Ask to take a transfer back. Who posted it may not sign.

    Raises TransferUnknown, TransferReversed, TransferBound (what it is part of would not agree with
    the books), TextRefused.
    """
    require_transaction()
    check_house(house_id)
    check_transfer(transfer_id)
    transfer = Transfer.objects.filter(house_id=house_id, id=transfer_id).first()
    if transfer is None:
        raise TransferUnknown
    if (
        transfer.reverses_id is not None
        or Transfer.objects.filter(reverses_id=transfer_id).exists()
    ):
        raise TransferReversed
    if not transfer_is_free(transfer):
        raise TransferBound
    return approval_request(
        house_id=house_id,
        action=REVERSE,
        subject_kind="transfer",
        subject_id=transfer_id,
        payload=_correction(transfer_id, reason),
        requester_id=requester_id,
        excluded=[transfer.actor_id] if transfer.actor_id else [],
    )


def transfer_correct(
    *,
    house_id: UUID,
    transfer_id: int,
    gaming_day: date,
    reason: str,
    approval_id: UUID,
    actor_id: UUID | None = None,
) -> int:
    """Take a transfer back as it was signed; give the reversal's id. Raises as `approval_use` and
    `transfer_reverse`.

    The gaming day is the one on which it is done, not on which it was asked for.
    """
    require_transaction()
    approval_use(
        approval_id=approval_id,
        house_id=house_id,
        action=REVERSE,
        subject_kind="transfer",
        subject_id=transfer_id,
        payload=_correction(transfer_id, reason),
        actor_id=actor_id,
    )
    return transfer_reverse(
        house_id=house_id,
        transfer_id=transfer_id,
        gaming_day=gaming_day,
        reason=reason,
        actor_id=actor_id,
    )


def _correction(transfer_id: int, reason: str) -> dict[str, Json]:
    return {"transfer_id": transfer_id, "reason": check_text(reason, "reason", least=3, most=500)}


def act_sign(
    *,
    approval_id: UUID,
    house_id: UUID,
    payload_hash: bytes,
    signer_id: UUID,
    signer_roles: Iterable[str],
    method: str,
) -> Approval:
    """Sign a change of the matrix or a correction of a transfer; the last signature carries it out
    in the same transaction.

    Raises ApprovalUnknown (also of another action), as `approval_sign`, and as what is carried out.
    """
    approval = approval_sign(
        approval_id=approval_id,
        house_id=house_id,
        payload_hash=payload_hash,
        signer_id=signer_id,
        signer_roles=signer_roles,
        method=method,
    )
    if approval.action not in (RULE_CHANGE, REVERSE):
        raise ApprovalUnknown
    if approval_signed(approval) < approval.signers:
        return approval
    if approval.action == RULE_CHANGE:
        approval_rule_change(
            house_id=house_id,
            action=approval.subject_id,
            rule=asked_rule(approval),
            approval_id=approval_id,
            actor_id=signer_id,
        )
    else:
        transfer_correct(
            house_id=house_id,
            transfer_id=int(approval.subject_id),
            gaming_day=gaming_day_at(house_id=house_id),
            reason=approval.payload["reason"],
            approval_id=approval_id,
            actor_id=signer_id,
        )
    approval.refresh_from_db()
    return approval


def asked_rule(approval: Approval) -> ApprovalNeed:
    """The line of the matrix that is asked for."""
    line = approval.payload
    return ApprovalNeed(line["signers"], tuple(line["roles"]), line["method"], line["lifetime_s"])
