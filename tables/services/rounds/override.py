"""Management decides about a round against what the rules say, and its decision is final (BJ-12):
asked for with a reason, signed by another person, paid from the tray beside the round's result.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any
from uuid import UUID

from payouts.db.constraints import require_transaction
from payouts.models import Approval
from payouts.models.approval import WAITING
from payouts.rules.approval import ApprovalUnknown
from payouts.rules.ledger import recipes
from payouts.rules.ledger.postings import whole_amount
from payouts.rules.plain import Json, check_text
from payouts.services import (
    Subject,
    approval_request,
    approval_sign,
    approval_signed,
    approval_use,
    event_record,
    recipe_post,
)
from tables.errors import OverrideStakeless, RoundRequestWaits, RoundState, RoundUnknown
from tables.models import Override, Round, RoundLine
from tables.selectors.rounds import CORRECTION, OVERRIDE, round_record
from tables.services.floor.frozen import check_tray_uncounted, hold_tray_of
from tables.services.parts import dealt_by


def override_request(
    *,
    house_id: UUID,
    round_id: UUID,
    box: int,
    guest_id: UUID,
    amount_minor: int,
    reason: str,
    person_id: UUID,
) -> Approval:
    """Ask to pay a guest, for a box of a settled round, so much more than the rules give; who dealt
    or settled it may not sign.

    Raises RoundUnknown, RoundState, OverrideStakeless, RoundRequestWaits, AmountRefused,
    TextRefused, ApprovalRuleMissing.
    """
    require_transaction()
    check_text(reason, "reason", least=3, most=500)
    whole_amount(amount_minor)
    record = _held(house_id, round_id)
    asked = Approval.objects.filter(
        WAITING,
        house_id=house_id,
        action__in=(CORRECTION, OVERRIDE),
        subject_kind="round",
        subject_id=str(round_id),
    )
    if asked.exists():
        raise RoundRequestWaits
    return approval_request(
        house_id=house_id,
        action=OVERRIDE,
        subject_kind="round",
        subject_id=round_id,
        payload=_payload(record, box, guest_id, amount_minor, reason),
        revision=record["revision"],
        requester_id=person_id,
        excluded=dealt_by(record) | {UUID(record["ended_by_id"])},
    )


def override_sign(
    *,
    approval_id: UUID,
    house_id: UUID,
    payload_hash: bytes,
    signer_id: UUID,
    signer_roles: Iterable[str],
    method: str,
) -> Approval:
    """Sign an override; the last signature pays and records it in the same transaction.

    Raises ApprovalUnknown (also of another action), RoundState, OverrideStakeless,
    TableBeingCounted, and as `approval_sign` and `approval_use`: ApprovalChanged also if the round
    was corrected since.
    """
    require_transaction()
    asked = Approval.objects.filter(pk=approval_id, house_id=house_id, action=OVERRIDE).first()
    if asked is None:
        raise ApprovalUnknown
    hold_tray_of(UUID(asked.subject_id))
    record = _held(house_id, UUID(asked.subject_id))  # before the approval, as corrections do
    approval = approval_sign(
        approval_id=approval_id,
        house_id=house_id,
        payload_hash=payload_hash,
        signer_id=signer_id,
        signer_roles=signer_roles,
        method=method,
    )
    if approval_signed(approval) < approval.signers:
        return approval
    return _carry_out(record, approval, signer_id)


def _carry_out(record: Mapping[str, Any], approval: Approval, signer_id: UUID) -> Approval:
    house_id, round_id = UUID(record["house_id"]), UUID(record["id"])
    if approval.requester_id is None:  # the system asks for none
        raise ApprovalUnknown
    check_tray_uncounted(UUID(record["table_id"]))
    said: Mapping[str, Any] = approval.payload
    box, guest_id, amount, reason = (
        said["box"],
        UUID(said["guest"]),
        said["amount_minor"],
        said["reason"],
    )
    payload = _payload(record, box, guest_id, amount, reason)
    used = approval_use(
        approval_id=approval.pk,
        house_id=house_id,
        action=OVERRIDE,
        subject_kind="round",
        subject_id=round_id,
        payload=payload,
        revision=record["revision"],
        actor_id=signer_id,
    )
    transfer_id = recipe_post(
        house_id=house_id,
        gaming_day=date.fromisoformat(record["gaming_day"]),
        key=f"override:{approval.pk}",
        kind="override",
        lines=recipes.override(amount),
        owners={"house": house_id, "table": UUID(record["table_id"])},
        actor_id=signer_id,
        reason=reason,
        subject_kind="override",
        subject_id=round_id,
    )
    Override.objects.create(
        house_id=house_id,
        round_id=round_id,
        revision=record["revision"],
        box=box,
        guest_id=guest_id,
        rules_minor=said["rules_minor"],
        amount_minor=amount,
        reason=reason,
        requested_by_id=approval.requester_id,
        approval_id=approval.pk,
        transfer_id=transfer_id,
    )
    event_record(
        "round.overridden",
        Subject("round", round_id),
        house_id=house_id,
        actor_id=signer_id,
        after={name: said[name] for name in ("box", "guest", "rules_minor", "amount_minor")},
        reason=reason,
    )
    return used


def _held(house_id: UUID, round_id: UUID) -> dict[str, Any]:
    """A settled round, its row held. Raises RoundUnknown, RoundState."""
    held = Round.objects.select_for_update(no_key=True).filter(pk=round_id, house_id=house_id)
    if not held.values_list("pk").first():
        raise RoundUnknown
    record = round_record(house_id=house_id, round_id=round_id)
    if record["state"] != Round.State.SETTLED:
        raise RoundState(state=record["state"])
    return record


def _payload(
    record: Mapping[str, Any], box: int, guest_id: UUID, amount_minor: int, reason: str
) -> dict[str, Json]:
    """What signers sign: the round as it stands, what the guest has for the box by the rules, what
    is paid besides. Raises OverrideStakeless.
    """
    lines = RoundLine.objects.filter(
        round_id=record["id"], revision=record["revision"], box=box, guest_id=guest_id
    )
    had = [one.returned_minor + one.won_minor + one.prize_minor for one in lines]
    if not had:
        raise OverrideStakeless(box=box, guest=str(guest_id))
    return {
        "round": record["id"],
        "revision": record["revision"],
        "box": box,
        "guest": str(guest_id),
        "rules_minor": sum(had),
        "amount_minor": amount_minor,
        "reason": reason,
    }
