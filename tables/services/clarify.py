"""Rounds that came too late, or were refused when nobody could put them right: kept until the pit takes or dismisses them."""

from typing import Any
from uuid import UUID, uuid4

from django.db.models.functions import Now

from jackpot.services import claims_live
from payouts.constraints import require_transaction
from payouts.errors import Refused
from payouts.rules.plain import check_data, check_text, fingerprint
from payouts.services import event_record
from tables.errors import (
    ClarifyClosed,
    ClarifySessionOver,
    ClarifyUnknown,
    GuestUnknown,
    TableClosed,
    TableUnknown,
)
from tables.models import Table, ToClarify
from tables.services.lock import round_lock
from tables.services.settle import round_evaluate, round_settle, round_take_queued
from tables.services.undo import round_bury

KINDS = ("lock", "settle", "queued")


def to_clarify_record(
    *,
    house_id: UUID,
    table_id: UUID,
    round_id: UUID,
    kind: str,
    payload: object,
    refused: Refused,
    person_id: UUID | None,
) -> ToClarify:
    """Keep what was refused, as it came. The same thing sent again is kept once, another result for the same round beside it.

    Raises TableUnknown, DataRefused.
    """
    require_transaction()
    if not Table.objects.filter(pk=table_id, house_id=house_id).exists():
        raise TableUnknown
    if kind not in KINDS or not isinstance(payload, dict):
        raise ValueError("kept is a lock, a settlement or a queued round, as the object that came")
    plain = check_data(payload, "payload")
    kept, new = ToClarify.objects.get_or_create(  # waits for a second copy that is being kept at this moment
        house_id=house_id,
        round_id=round_id,
        kind=kind,
        payload_hash=fingerprint(plain),
        defaults={
            "id": uuid4(),
            "table_id": table_id,
            "payload": plain,
            "code": refused.code,
            "data": check_data(refused.data, "data"),
            "sent_by_id": person_id,
        },
    )
    if new:
        _event("clarify.recorded", kept, person_id, after={"kind": kind, "code": refused.code})
    return kept


def to_clarify_take(*, house_id: UUID, clarify_id: UUID, reason: str, actor_id: UUID) -> dict[str, Any]:
    """Book what came after all, as it came, on the pit's word; a lock alone is then settled as any other.

    A round is booked with guests of the table's present session. Raises ClarifyUnknown, ClarifyClosed, ClarifySessionOver, and why
    it still cannot be.
    """
    require_transaction()
    entry = _open(house_id, clarify_id, reason)
    try:
        answer = _book(house_id, entry, actor_id)
    except (GuestUnknown, TableClosed) as gone:
        raise ClarifySessionOver from gone
    _close(entry, "taken", actor_id, reason)
    return answer


def _book(house_id: UUID, entry: ToClarify, actor_id: UUID) -> dict[str, Any]:
    """Book an entry as what it came as."""
    if entry.kind == "settle":
        prepared = round_evaluate(house_id=house_id, round_id=entry.round_id, result=entry.payload.get("result"))
        prepared.claims = claims_live(entry.round_id).exists()  # by a call: what claims takes the jackpot's lock alone
        return round_settle(prepared=prepared, person_id=actor_id, supervisor=True)
    if entry.kind == "lock":
        return round_lock(
            house_id=house_id,
            table_id=entry.table_id,
            round_id=entry.round_id,
            stakes=entry.payload.get("stakes"),
            croupier_id=actor_id,
            supervisor=True,
            queued=True,
        )
    return round_take_queued(
        supervisor=True,
        house_id=house_id,
        table_id=entry.table_id,
        round_id=entry.round_id,
        stakes=entry.payload.get("stakes"),
        result=entry.payload.get("result"),
        person_id=actor_id,
    )


def to_clarify_dismiss(*, house_id: UUID, clarify_id: UUID, reason: str, actor_id: UUID) -> ToClarify:
    """Book nothing, and say why; the same round sent again is refused too, unless another version of it still waits.

    Raises ClarifyUnknown, ClarifyClosed, TextRefused.
    """
    require_transaction()
    entry = _open(house_id, clarify_id, reason)
    _close(entry, "dismissed", actor_id, reason)
    if not ToClarify.objects.filter(house_id=house_id, round_id=entry.round_id, state="open").exists():
        round_bury(house_id=house_id, table_id=entry.table_id, round_id=entry.round_id, person_id=actor_id)
    return entry


def _open(house_id: UUID, clarify_id: UUID, reason: str) -> ToClarify:
    check_text(reason, "reason", least=3, most=500)
    entry = ToClarify.objects.select_for_update(of=("self",)).filter(pk=clarify_id, house_id=house_id).first()
    if entry is None:
        raise ClarifyUnknown
    if entry.state != "open":
        raise ClarifyClosed
    return entry


def _close(entry: ToClarify, state: str, actor_id: UUID, reason: str) -> None:
    entry.state, entry.closed_by_id, entry.closed_at, entry.reason = state, actor_id, Now(), reason
    entry.save(update_fields=["state", "closed_by", "closed_at", "reason"])
    entry.refresh_from_db()
    _event(f"clarify.{state}", entry, actor_id, reason=reason)


def _event(name: str, entry: ToClarify, actor_id: UUID | None, *, after: object = None, reason: str = "") -> None:
    event_record(
        name=name,
        house_id=entry.house_id,
        actor_id=actor_id,
        subject_kind="to_clarify",
        subject_id=entry.pk,
        after=after,
        reason=reason,
    )
