"""Chips come into service and go out by pieces: asked for by one, signed by another, carried out
with the last signature (CHP-4).
"""

from collections.abc import Iterable, Mapping
from datetime import date
from uuid import UUID

from django.db import connection

from payouts.db.constraints import require_transaction
from payouts.errors import mark
from payouts.models import Approval, ChipMove
from payouts.models.chips import ChipMoveKind, ChipPlace
from payouts.rules.approval import ApprovalUnknown
from payouts.rules.chips import (
    ChipsTooFew,
    Pieces,
    VaultTooLow,
    check_of_set,
    check_pieces,
    lines_of,
    pieces_of,
    worth,
)
from payouts.rules.ledger import recipes
from payouts.rules.ledger.postings import AccountOverdrawn, check_house
from payouts.rules.plain import DataRefused, Json, check_text
from payouts.selectors import chip_values, chips_issued, gaming_day_at
from payouts.services.approval import approval_request, approval_sign, approval_signed, approval_use
from payouts.services.event import event_record
from payouts.services.ledger import recipe_post

ISSUE = "chips.issue"
SUBJECT = "chips"
_HOLD = "SELECT pg_advisory_xact_lock(hashtextextended('chips of ' || %s, 0))"
KINDS = (ChipMoveKind.ISSUE.value, ChipMoveKind.WITHDRAW.value)


def chips_request(
    *,
    house_id: UUID,
    kind: str,
    pieces: Mapping[int, object],
    reason: str,
    requester_id: UUID,
) -> Approval:
    """Ask to put pieces into service (`kind`: issue) or to take them out of it (withdraw); `pieces`
    by value in minor units.

    Raises NoPieces, PiecesRefused, NotOfSet, ChipsTooFew, TextRefused, and as the request.
    """
    require_transaction()
    check_house(house_id)
    check_text(reason, "reason", least=3, most=500)
    if kind not in KINDS:
        raise DataRefused(field="kind", why=mark("unknown"))
    checked = check_pieces(pieces)
    _check_there(house_id, kind, checked)
    return approval_request(
        house_id=house_id,
        action=ISSUE,
        subject_kind=SUBJECT,
        subject_id=kind,
        payload=_payload(kind, checked),
        requester_id=requester_id,
        reason=reason,
    )


def chips_sign(
    *,
    approval_id: UUID,
    house_id: UUID,
    payload_hash: bytes,
    signer_id: UUID,
    signer_roles: Iterable[str],
    method: str,
) -> Approval:
    """Sign it; with the last signature the pieces are in service, or out of it, and their value is
    booked.

    Raises ApprovalUnknown (also of another action), as `chips_request`, `approval_sign` and
    `approval_use`, VaultTooLow.
    """
    require_transaction()
    approval = approval_sign(
        approval_id=approval_id,
        house_id=house_id,
        payload_hash=payload_hash,
        signer_id=signer_id,
        signer_roles=signer_roles,
        method=method,
    )
    if approval.action != ISSUE:
        raise ApprovalUnknown
    if approval_signed(approval) < approval.signers:
        return approval
    kind = approval.payload["kind"]
    pieces = pieces_of(approval.payload["lines"])
    chips_hold(house_id)
    _check_there(house_id, kind, pieces)
    used = approval_use(
        approval_id=approval_id,
        house_id=house_id,
        action=ISSUE,
        subject_kind=SUBJECT,
        subject_id=kind,
        payload=_payload(kind, pieces),
        actor_id=signer_id,
    )
    _carry_out(used, kind, pieces, signer_id)
    return used


def chips_hold(house_id: UUID) -> None:
    """Hold the chips of a house until the transaction ends: nothing is issued or withdrawn
    meanwhile.
    """
    with connection.cursor() as cursor:
        cursor.execute(_HOLD, [str(house_id)])


def chip_moves_write(
    *,
    house_id: UUID,
    gaming_day: date,
    kind: str,
    pieces: Mapping[int, int],
    transfer_id: int | None,
    approval_id: UUID | None = None,
) -> None:
    """Write pieces that come in from outside the house; fewer than none go back. What is there is
    the caller's matter, who holds the chips.
    """
    stock, vault = ChipPlace.STOCK.value, ChipPlace.VAULT.value
    ChipMove.objects.bulk_create(
        ChipMove(
            house_id=house_id,
            gaming_day=gaming_day,
            kind=kind,
            value_minor=value,
            pieces=abs(count),
            from_place=stock if count > 0 else vault,
            to_place=vault if count > 0 else stock,
            transfer_id=transfer_id,
            approval_id=approval_id,
        )
        for value, count in pieces.items()
        if count
    )


def _check_there(house_id: UUID, kind: str, pieces: Pieces) -> None:
    """An issue is of denominations in force; what goes out once came in, also by another set.
    Raises NotOfSet, ChipsTooFew.
    """
    if kind == ChipMoveKind.ISSUE:
        check_of_set(pieces, chip_values(house_id=house_id))
        return
    issued = chips_issued(house_id=house_id)
    check_of_set(pieces, {*issued, *chip_values(house_id=house_id)})
    for value, wanted in pieces.items():
        if wanted > issued.get(value, 0):
            raise ChipsTooFew(value_minor=value, pieces=wanted, there=issued.get(value, 0))


def _payload(kind: str, pieces: Pieces) -> dict[str, Json]:
    return {"kind": kind, "lines": lines_of(pieces), "amount_minor": worth(pieces)}


def _carry_out(approval: Approval, kind: str, pieces: Pieces, actor_id: UUID) -> None:
    day = gaming_day_at(house_id=approval.house_id)
    issued = kind == ChipMoveKind.ISSUE
    recipe = recipes.chips_in_service if issued else recipes.chips_withdrawn
    try:
        transfer_id = recipe_post(
            house_id=approval.house_id,
            gaming_day=day,
            key=f"chips:{approval.pk}",
            kind="chips_in_service" if issued else "chips_withdrawn",
            lines=recipe(worth(pieces)),
            owners={"house": approval.house_id},
            actor_id=actor_id,
            subject_kind="approval",
            subject_id=approval.pk,
        )
    except AccountOverdrawn as refused:
        raise VaultTooLow(amount_minor=worth(pieces)) from refused
    chip_moves_write(
        house_id=approval.house_id,
        gaming_day=day,
        kind=kind,
        pieces=pieces if issued else {value: -count for value, count in pieces.items()},
        transfer_id=transfer_id,
        approval_id=approval.pk,
    )
    event_record(
        "chips.issued" if issued else "chips.withdrawn",
        approval,
        actor_id=actor_id,
        after={"lines": lines_of(pieces), "transfer_id": transfer_id},
    )
