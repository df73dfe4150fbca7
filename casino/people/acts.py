"""What people sign, by action of the approval matrix: the one way in which a page and the API have
it signed, carried out and refused.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple
from uuid import UUID

from casino.people import resting, signing_roles
from casino.people.permissions import (
    REVERSE_TRANSFER,
    VIEW_APPROVAL,
    VIEW_CHIPS,
    VIEW_COUNT,
    VIEW_POSTED_TABLE,
    VIEW_TABLE,
)
from jackpot.services import continuation, jackpot_sign
from jackpot.services.approved import ACTIONS as OF_JACKPOTS
from payouts.models import Approval
from payouts.rules.approval import ApprovalUnknown
from payouts.rules.rulesets.kinds import ACTION as RELEASE
from payouts.services import (
    act_sign,
    approval_reject,
    approval_sign,
    chips_sign,
    posted_table_reject,
    posted_table_sign,
)
from payouts.services.approved import REVERSE, RULE_CHANGE
from payouts.services.chips import ISSUE
from tables.kinds import KINDS
from tables.selectors import hands
from tables.selectors.rounds import CORRECTION, OVERRIDE, VOID_CLAIMED
from tables.services import (
    difference_explain_sign,
    hand_override_sign,
    inventory_sign,
    override_sign,
    table_change_sign,
)
from tables.services.counts.differences import EXPLAIN
from tables.services.floor.changes import CHANGE as TABLE_CHANGE
from tables.services.inventory.take import FIRST


class SignedAct(NamedTuple):
    """One action. `sign`: the last signature carries it out, but where the API has an address
    (`then`) that does so by the approval; a page does both in one command. `needs`: the permission.
    """

    sign: Callable[..., Approval]
    reject: Callable[..., Approval] = approval_reject
    needs: str = VIEW_APPROVAL
    then: str = ""


def act_of(approval: Approval) -> SignedAct:
    """How what is asked for is signed. Raises ApprovalUnknown."""
    if approval.action not in ACTS:
        raise ApprovalUnknown
    return ACTS[approval.action]


def _release_sign(
    *,
    approval_id: UUID,
    house_id: UUID,
    payload_hash: bytes,
    signer_id: UUID,
    signer_roles: Iterable[str],
    method: str,
) -> Approval:
    approval = _release(approval_id, house_id)
    posted_table_sign(
        table_id=UUID(approval.subject_id),
        kind=KINDS[approval.payload["kind"]],
        payload_hash=payload_hash,
        signer_id=signer_id,
        signer_roles=signer_roles,
        method=method,
    )
    approval.refresh_from_db()
    return approval


def _release_reject(
    *, approval_id: UUID, house_id: UUID, person_id: UUID, person_roles: Iterable[str], reason: str
) -> Approval:
    approval = _release(approval_id, house_id)
    posted_table_reject(
        table_id=UUID(approval.subject_id),
        kind=KINDS[approval.payload["kind"]],
        person_id=person_id,
        person_roles=person_roles,
        reason=reason,
    )
    approval.refresh_from_db()
    return approval


def _release(approval_id: UUID, house_id: UUID) -> Approval:
    rows = Approval.objects.filter(pk=approval_id, house_id=house_id, action=RELEASE)
    approval = rows.first()
    if approval is None:
        raise ApprovalUnknown
    return approval


ACTS: dict[str, SignedAct] = {
    RULE_CHANGE: SignedAct(act_sign),
    REVERSE: SignedAct(act_sign, needs=REVERSE_TRANSFER),
    RELEASE: SignedAct(_release_sign, _release_reject, VIEW_POSTED_TABLE),
    signing_roles.ACTION: SignedAct(signing_roles.sign_role_sign),
    resting.ACTION: SignedAct(resting.credential_sign),
    continuation.ACTION: SignedAct(continuation.continue_sign),
    OVERRIDE: SignedAct(override_sign),
    CORRECTION: SignedAct(approval_sign, then="rounds/{round_id}/correct/"),
    VOID_CLAIMED: SignedAct(approval_sign, then="rounds/{round_id}/void/"),
    ISSUE: SignedAct(chips_sign, needs=VIEW_CHIPS),
    EXPLAIN: SignedAct(difference_explain_sign, needs=VIEW_COUNT),
    FIRST: SignedAct(inventory_sign, needs=VIEW_CHIPS),
    TABLE_CHANGE: SignedAct(table_change_sign, needs=VIEW_TABLE),
    hands.OVERRIDE: SignedAct(hand_override_sign),
    hands.CORRECTION: SignedAct(approval_sign, then="hands/{hand_id}/correct/"),
    hands.VOID: SignedAct(approval_sign, then="hands/{hand_id}/void/"),
    **dict.fromkeys(OF_JACKPOTS, SignedAct(jackpot_sign)),
}
