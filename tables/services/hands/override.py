"""A pot went to another seat than it belongs to, and lies in the winner's stack: only management
pays who should have had it (POK-9). Asked for with a reason, signed by another person, paid from
the tray beside the hand's result.
"""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import F, Sum

from payouts.db.constraints import require_transaction
from payouts.models import Approval
from payouts.models.approval import WAITING
from payouts.rules.approval import ApprovalUnknown
from payouts.rules.ledger.stacks import pay_for_fault
from payouts.rules.plain import Json, check_text
from payouts.services import approval_sign, approval_signed, event_record, recipe_post
from tables.errors import HandPotsUnknown, HandRequestWaits, HandStakeless, OverrideAbove
from tables.games.poker.buying import check_chips
from tables.models import Hand, HandOverride, HandPot, HandSeat
from tables.selectors.hands import OVERRIDE, REQUESTS
from tables.services.counts.back import Came, session_follow
from tables.services.floor.frozen import check_uncounted
from tables.services.hands.correct import hand_locked, request_about, use_about
from tables.services.seats.parts import PokerTable


def hand_override_request(
    *,
    house_id: UUID,
    hand_id: UUID,
    revision: int,
    stay_id: UUID,
    amount_minor: int,
    reason: str,
    person_id: UUID,
) -> Approval:
    """Ask to pay a guest of a hand, `revision` being its last, so much more than it gave them; who
    dealt or entered it may not sign.

    Raises HandMissing, HandVoided, HandChanged, HandPotsUnknown, HandStakeless, OverrideAbove,
    ChipsAmountRefused, OffChip, HandRequestWaits, TextRefused, ApprovalRuleMissing.
    """
    require_transaction()
    check_text(reason, "reason", least=3, most=500)
    hand, at = hand_locked(house_id, hand_id, revision)
    payload = _payload(at, hand, stay_id, amount_minor, reason)
    requested = Approval.objects.filter(
        WAITING,
        house_id=house_id,
        action__in=REQUESTS,
        subject_kind="hand",
        subject_id=str(hand_id),
    )
    if requested.exists():
        raise HandRequestWaits(number=hand.number)
    return request_about(hand, OVERRIDE, payload, person_id)


def hand_override_sign(
    *,
    approval_id: UUID,
    house_id: UUID,
    payload_hash: bytes,
    signer_id: UUID,
    signer_roles: Iterable[str],
    method: str,
) -> Approval:
    """Sign an override; the last signature pays and records it in the same transaction.

    Raises ApprovalUnknown (also of another action), HandMissing, HandVoided, HandChanged, and as
    `approval_sign` and `approval_use`.
    """
    require_transaction()
    requested = Approval.objects.filter(pk=approval_id, house_id=house_id, action=OVERRIDE).first()
    if requested is None:
        raise ApprovalUnknown
    # before the approval, as corrections do
    revision = requested.payload["revision"]
    hand, at = hand_locked(house_id, UUID(requested.subject_id), revision)
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
    return _carry_out(at, hand, approval, signer_id)


def _carry_out(at: PokerTable, hand: Hand, approval: Approval, signer_id: UUID) -> Approval:
    if approval.requester_id is None:  # the system asks for none
        raise ApprovalUnknown
    check_uncounted(at.session)
    data: Any = approval.payload
    stay_id = UUID(data["stay"])
    amount_minor: int = data["amount_minor"]
    reason: str = data["reason"]
    payload = _payload(at, hand, stay_id, amount_minor, reason)
    used = use_about(hand, OVERRIDE, approval.pk, payload, signer_id)
    transfer_id = recipe_post(
        house_id=hand.house_id,
        gaming_day=at.session.gaming_day,
        key=f"fault:{approval.pk}",
        kind="pay_for_fault",
        lines=pay_for_fault(amount_minor),
        owners={"house": hand.house_id, "table": hand.table_id},
        actor_id=signer_id,
        reason=reason,
        subject_kind="hand",
        subject_id=hand.pk,
    )
    HandOverride.objects.create(
        house_id=hand.house_id,
        hand=hand,
        revision=hand.revision,
        stay_id=stay_id,
        seat=data["seat"],
        won_minor=data["won_minor"],
        amount_minor=amount_minor,
        reason=reason,
        requested_by_id=approval.requester_id,
        approval_id=approval.pk,
        transfer_id=transfer_id,
    )
    session_follow(at.session, Came("hand", hand.pk), actor_id=signer_id)
    event_record(
        "hand.overridden",
        hand,
        actor_id=signer_id,
        after={name: data[name] for name in ("seat", "stay", "won_minor", "amount_minor")},
        reason=reason,
    )
    return used


def _payload(
    at: PokerTable, hand: Hand, stay_id: UUID, amount_minor: int, reason: str
) -> dict[str, Json]:
    """What signers sign: the hand as it stands, what it gave the guest, what is paid besides.
    Raises HandPotsUnknown, HandStakeless, ChipsAmountRefused, OffChip, OverrideAbove.
    """
    result = {"hand": hand, "revision": hand.revision}
    pots = HandPot.objects.filter(**result)
    if not pots.exists():
        raise HandPotsUnknown(number=hand.number)
    played = HandSeat.objects.filter(**result, stay=stay_id).first()
    if played is None:
        raise HandStakeless(number=hand.number)
    check_chips(at.posted.game, amount_minor)
    winnable = pots.filter(seats__contains=[played.seat])
    minor = winnable.aggregate(minor=Sum(F("amount_minor") - F("rake_minor"), default=0))["minor"]
    paid = HandOverride.objects.filter(hand=hand, stay=stay_id)
    paid_minor = paid.aggregate(minor=Sum("amount_minor", default=0))["minor"]
    most_minor = int(minor - played.won_minor - paid_minor)
    if amount_minor > most_minor:
        raise OverrideAbove(
            seat=played.seat, most_minor=max(most_minor, 0), amount_minor=amount_minor
        )
    return {
        "hand": str(hand.pk),
        "number": hand.number,
        "revision": hand.revision,
        "seat": played.seat,
        "stay": str(stay_id),
        "won_minor": played.won_minor,
        "amount_minor": amount_minor,
        "reason": reason,
    }
