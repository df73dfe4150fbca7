"""Seals go on from the last one that was signed here, and from no other.

The signer remembers it beside its key (`payouts.seal_keys`), where whoever has the database cannot
reach. Books that do not lead there were set back or written anew. After a restore people say so:
two of each house sign from which seal it goes on (`docs/SEALS.md`).
"""

from collections.abc import Iterable, Mapping
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.conf import settings
from django.db import transaction
from django.db.models import Q

from jackpot.models import Incarnation
from payouts import seal_keys
from payouts.errors import Kind, Refused, mark
from payouts.models import Approval, House, Seal
from payouts.models.approval import WAITING
from payouts.rules.approval import ApprovalChanged, ApprovalUnknown
from payouts.rules.plain import Json
from payouts.rules.seal import Statement
from payouts.seal_keys import LastSigned
from payouts.services import approval_request, approval_sign, approval_signed, approval_use
from payouts.services.approval import attested_signers

ACTION = "seals.continue"
SIGNERS_LEAST = 2  # whatever the matrix of a house says


class SealsAstray(Refused):
    """The newest seal of the books does not follow the last one that was signed here."""

    code = "seal.astray"
    kind = Kind.CONFLICT
    sentence = mark("Seal %(seal)s, the last that was signed here, is not in these books.")
    remedy = mark(
        "If a backup was restored, run `manage.py restored`; two people of each house sign that the"
        " seals go on. Otherwise the books were changed: keep the server as it is."
    )


def check(newest: Statement | None) -> None:
    """Refuse to seal behind a newest seal that does not lead on from the last one that was signed
    here. Raises SealsAstray, SealKeyRefused.
    """
    signed = seal_keys.last_signed(settings.SEAL_KEY_PATH)
    if signed is None or _leads_on(signed):
        return
    if not _is_signed(_payload(signed, newest)):
        raise SealsAstray(seal=signed.seal)


def ask() -> None:
    """Have two people of each house sign from where seals go on, where `manage.py restored` has
    said that a backup was; once for the same. What somebody has rejected is asked for again when it
    is said once more.
    """
    signed = seal_keys.last_signed(settings.SEAL_KEY_PATH)
    begun = Incarnation.objects.order_by("-pk").first()
    if signed is None or begun is None or begun.how != "restored":
        return
    payload = _payload(signed, _newest())
    requested = Approval.objects.filter(action=ACTION, payload=payload).filter(
        WAITING
        | Q(state=Approval.State.USED)
        | Q(state=Approval.State.REJECTED, subject_id=str(begun.number))
    )
    for house_id in House.objects.exclude(pk__in=requested.values("house")).values_list(
        "pk", flat=True
    ):
        with transaction.atomic():
            approval_request(
                house_id=house_id,
                action=ACTION,
                subject_kind="incarnation",
                subject_id=begun.number,
                payload=payload,
            )


def continue_sign(
    *,
    approval_id: UUID,
    house_id: UUID,
    payload_hash: bytes,
    signer_id: UUID,
    signer_roles: Iterable[str],
    method: str,
) -> Approval:
    """Sign from which seal it goes on; the worker does so after the last signature.

    Raises ApprovalUnknown, as `approval_sign`, and ApprovalChanged where that is not the newest
    seal.
    """
    approval = approval_sign(
        approval_id=approval_id,
        house_id=house_id,
        payload_hash=payload_hash,
        signer_id=signer_id,
        signer_roles=signer_roles,
        method=method,
    )
    if approval.action != ACTION:
        raise ApprovalUnknown
    newest = _newest()
    if approval.payload["head"] != (newest.head() if newest else ""):
        raise ApprovalChanged
    if approval_signed(approval) < approval.signers:
        return approval
    approval_use(
        approval_id=approval.pk,
        house_id=house_id,
        action=ACTION,
        subject_kind="incarnation",
        subject_id=approval.subject_id,
        payload=approval.payload,
        actor_id=signer_id,
    )
    approval.refresh_from_db()
    return approval


def seals_lost() -> set[int]:
    """The numbers of seals that restores have lost, as two people of each house that was asked have
    signed.
    """
    requested = Approval.objects.filter(action=ACTION)
    numbers: set[int] = set()
    for payload in requested.order_by("payload").values_list("payload", flat=True).distinct():
        houses = set(requested.filter(payload=payload).values_list("house", flat=True))
        if _houses_signed(payload) == houses:
            numbers |= set(range(payload["seal"] + 1, payload["lost_seal"] + 1))
    return numbers


def _leads_on(signed: LastSigned) -> bool:
    """Whether the seal is in the books, and each one after it follows and was signed by a key of
    ours.
    """
    keys = seal_keys.public_keys(settings.SEAL_KEY_PATH.parent)
    head = ""
    for seal in Seal.objects.filter(number__gte=signed.seal).order_by("number").iterator(500):
        statement = Statement.read(seal.statement, seal.number)
        if head and not _follows(seal, statement, head, keys):
            return False
        if not head and (seal.number, statement.head()) != signed:
            return False
        head = statement.head()
    return bool(head)


def _follows(
    seal: Seal, statement: Statement, head: str, keys: Mapping[str, Ed25519PublicKey]
) -> bool:
    """Whether the seal names the head before it and was signed by one of the keys."""
    key = keys.get(statement.key)
    signature = bytes(seal.signature)
    return (
        statement.previous == head
        and key is not None
        and seal_keys.verifies(key, seal.statement, signature)
    )


def _newest() -> Statement | None:
    seal = Seal.objects.order_by("-number").first()
    return Statement.read(seal.statement, seal.number) if seal else None


def _payload(lost: LastSigned, newest: Statement | None) -> dict[str, Json]:
    """What is signed: the seal that is lost, and the one from which it goes on."""
    return {
        "lost_seal": lost.seal,
        "lost_head": lost.head,
        "seal": newest.number if newest else 0,
        "head": newest.head() if newest else "",
        "taken_at": newest.taken_at if newest else "",
    }


def _is_signed(payload: dict[str, Json]) -> bool:
    """Whether two people of each house have signed it."""
    houses = _houses_signed(payload)
    return bool(houses) and houses == set(House.objects.values_list("pk", flat=True))


def _houses_signed(payload: dict[str, Json]) -> set[UUID]:
    """The houses of which two people have signed it."""
    rows = Approval.objects.filter(action=ACTION, state=Approval.State.USED, payload=payload)
    return {
        approval.house_id
        for approval in rows.prefetch_related("signatures")
        if len(attested_signers(approval)) >= SIGNERS_LEAST
    }
