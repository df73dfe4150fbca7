"""Signing what is asked about a jackpot: its lock first, then the signature; the last one carries
the act out with it.

The payment or rejection of a hit is carried out by `jackpot_advance`, which looks whether it is
signed.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

from jackpot.hints import hint
from jackpot.models import Hit, WaitingPrize
from jackpot.services.creation import CREATE, NAMED, jackpot_create
from jackpot.services.gate import ADD, OUT, display_out, display_require
from jackpot.services.prizes import PRIZE, prize_pay
from jackpot.services.slips import CANCEL, LATE, award_cancel, award_late
from jackpot.services.standing import (
    ADJUST,
    RESUME,
    RETIRE,
    SUSPEND,
    heir_of,
    jackpot_adjust,
    jackpot_resume,
    jackpot_retire,
    jackpot_suspend,
)
from jackpot.services.state import jackpot_lock
from jackpot.services.verify import check_clarified
from payouts.models import Approval
from payouts.rules.approval import ApprovalUnknown
from payouts.services import approval_sign, approval_signed

Act = Callable[[Approval, UUID], object]


def jackpot_sign(
    *,
    house_id: UUID,
    approval_id: UUID,
    payload_hash: bytes,
    signer_id: UUID,
    signer_roles: Sequence[str],
    method: str,
) -> Approval:
    """Sign an approval about a hit or a jackpot; with the last signature what was asked is done in
    the same transaction.

    Raises as `approval_sign`, ReviewItemOpen, and what the act raises.
    """
    asked = Approval.objects.filter(pk=approval_id, house_id=house_id).first()
    if asked is None:
        raise ApprovalUnknown
    if asked.subject_kind == "hit":
        hit = Hit.objects.get(pk=asked.subject_id, house_id=house_id)
        jackpot_lock(jackpot_id=hit.jackpot_id)
        check_clarified(hit)
        hint(hit.jackpot_id)
    elif asked.subject_kind == "prize":
        prize = WaitingPrize.objects.get(pk=asked.subject_id, house_id=house_id)
        jackpot_lock(jackpot_id=prize.jackpot_id)
    else:
        for jackpot_id in _jackpots(asked):
            jackpot_lock(jackpot_id=jackpot_id, house_id=house_id)
    approval = approval_sign(
        approval_id=approval_id,
        house_id=house_id,
        payload_hash=payload_hash,
        signer_id=signer_id,
        signer_roles=signer_roles,
        method=method,
    )
    act = ACTS.get(approval.action)
    if act is not None and approval_signed(approval) >= approval.signers:
        act(approval, signer_id)
        approval.refresh_from_db()
    return approval


def _jackpots(asked: Approval) -> list[UUID]:
    """Whose locks the act will take, in the order in which they are taken everywhere."""
    if asked.action == CREATE:
        return []
    about = {UUID(asked.payload["jackpot"])}
    if asked.action == RETIRE:
        about.add(UUID(asked.payload["to"]))
    last = UUID(asked.payload["jackpot"])
    while asked.action == CANCEL and (heir := heir_of(last)):  # its share goes there
        about.add(last := heir)
    return sorted(about)


def _act(do: Callable[..., object], *names: str, **ids: str) -> Act:
    """Call a service with what was signed: fields as they stand in the payload (`names`), ids by
    their field there.
    """

    def act(approval: Approval, signer_id: UUID) -> object:
        signed: Mapping[str, Any] = approval.payload
        values = {name: signed[name] for name in names} | {
            name: UUID(signed[field]) for name, field in ids.items()
        }
        return do(house_id=approval.house_id, approval_id=approval.pk, actor_id=signer_id, **values)

    return act


def _of_jackpot(do: Callable[..., object], *names: str, **ids: str) -> Act:
    def act(approval: Approval, signer_id: UUID) -> object:
        return _act(
            lambda **values: do(jackpot_id=UUID(approval.payload["jackpot"]), **values),
            *names,
            **ids,
        )(approval, signer_id)

    return act


def _display_out(*, text: str, **values: Any) -> None:
    display_out(reason=text, **values)


def _display_add(*, text: str, **values: Any) -> None:
    display_require(name=text, **values)


def _late(approval: Approval, signer_id: UUID) -> object:
    signed: Mapping[str, Any] = approval.payload
    return award_late(
        house_id=approval.house_id,
        jackpot_id=UUID(signed["jackpot"]),
        hit_id=UUID(signed["hit"]) if signed["hit"] else None,
        round_id=UUID(signed["round"]),
        table_id=UUID(signed["table"]),
        box=signed["box"],
        guest_id=UUID(signed["guest"]),
        amount_minor=signed["amount_minor"],
        reason=signed["reason"],
        approval_id=approval.pk,
        actor_id=signer_id,
    )


ACTS: dict[str, Act] = {
    CREATE: _act(jackpot_create, *NAMED),
    OUT: _of_jackpot(_display_out, "text", display_id="display"),
    ADD: _of_jackpot(_display_add, "text", display_id="display"),
    SUSPEND: _of_jackpot(jackpot_suspend, "reason"),
    RESUME: _of_jackpot(jackpot_resume, "reason"),
    ADJUST: _of_jackpot(jackpot_adjust, "amount_minor", "reason"),
    RETIRE: _of_jackpot(jackpot_retire, "reason", to="to"),
    CANCEL: _act(award_cancel, "how", "reason", slip_id="slip"),
    LATE: _late,
    PRIZE: prize_pay,
}
HIT_ACTIONS = ("jackpot.award", "jackpot.reject")
ACTIONS = (*ACTS, *HIT_ACTIONS)

__all__ = ["ACTIONS", "jackpot_sign"]
