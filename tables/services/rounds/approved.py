"""What is signed about a round: a correction, or a first result that the feed contradicts."""

from uuid import UUID

from payouts.rules.plain import Json, check_data
from payouts.services import approval_use
from tables.models import Override
from tables.selectors.rounds import CORRECTION
from tables.services.rounds.evaluate import Prepared


def payload_of(prepared: Prepared, reason: str) -> dict[str, Json]:
    """What signers sign: the round as it stands, the new result, what becomes of each stake by it,
    and what management has paid besides, which stays paid (BJ-12).
    """
    if prepared.ended is None:
        raise RuntimeError("a correction without a result")
    lines: list[Json] = [
        [line.box, line.kind, line.stake_minor, line.paid_minor] for line in prepared.ended.lines
    ]
    payload: dict[str, Json] = {
        "round": prepared.record["id"],
        "revision": prepared.record["revision"],
        "result": prepared.ended.result,
        "lines": lines,
        "reason": reason,
    }
    if prepared.placed is not None:
        payload["placed"] = check_data(prepared.placed, "placed")
    rows = Override.objects.filter(round=prepared.record["id"]).order_by("pk")
    if overridden := list(rows.values_list("box", "guest_id", "amount_minor")):
        payload["overridden"] = [[box, str(guest), amount] for box, guest, amount in overridden]
    return payload


def result_approved(prepared: Prepared, approval_id: UUID, person_id: UUID, reason: str) -> None:
    """Use the approval of just this result up. Raises as `approval_use`."""
    record = prepared.record
    approval_use(
        approval_id=approval_id,
        house_id=UUID(record["house_id"]),
        action=CORRECTION,
        subject_kind="round",
        subject_id=record["id"],
        payload=payload_of(prepared, reason),
        revision=record["revision"],
        actor_id=person_id,
    )
