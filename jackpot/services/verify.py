"""People look at claims one by one; a hit without a verified claim can only be rejected."""

from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

from jackpot.errors import (
    ChecklistIncomplete,
    ClaimState,
    ClaimUnchanged,
    ClaimUnknown,
    DealerDecides,
    HitState,
    HitUnknown,
    ReviewItemOpen,
)
from jackpot.hints import hint
from jackpot.models import Claim, Hit, ListedRound
from jackpot.models.states import LIVE
from jackpot.services.state import jackpot_lock, rules_of
from payouts.db.constraints import refusing
from payouts.models import Approval
from payouts.rules.plain import Json, check_text
from payouts.services import RESTS, approval_kill, approval_request, event_record

REJECT = "jackpot.reject"
NOTE_MOST = 200
# Asked by the floors above: how many entries of these rounds nobody has clarified yet.
UNCLARIFIED: list[Callable[[Sequence[UUID]], int]] = []


def claim_verify(
    *,
    house_id: UUID,
    claim_id: UUID,
    person_id: UUID,
    checklist: Mapping[str, str],
    reason: str = "",
) -> Claim:
    """A person has seen that the claim is true, and notes what the house wants noted; may be done
    again while the hit is looked at, with other notes or once its payment was turned down.

    Raises ClaimUnknown, ClaimState, ChecklistIncomplete, ClaimUnchanged, DealerDecides,
    PersonResting.
    """
    claim = _lock_claim(house_id, claim_id, person_id)
    asked = rules_of(claim.hit.jackpot).checklist()
    noted = dict(checklist) if isinstance(checklist, Mapping) else {}
    short = [
        item
        for item in asked
        if not isinstance(noted.get(item), str) or not 1 <= len(noted[item].strip()) <= NOTE_MOST
    ]
    if short or set(noted) - set(asked):
        raise ChecklistIncomplete(
            items=", ".join([*short, *sorted(set(map(str, noted)) - set(asked))]), most=NOTE_MOST
        )
    if (claim.state, claim.checklist) == (Claim.State.VERIFIED, noted) and _waits(claim):
        raise ClaimUnchanged
    return _decide(claim, Claim.State.VERIFIED, person_id, checklist=noted, reason=reason)


def claim_refuse(*, house_id: UUID, claim_id: UUID, person_id: UUID, reason: str) -> Claim:
    """A person has seen that the claim is not true. Raises as `claim_verify`, TextRefused."""
    check_text(reason, "reason", least=3, most=500)
    return _decide(
        _lock_claim(house_id, claim_id, person_id),
        Claim.State.REFUSED,
        person_id,
        checklist=None,
        reason=reason,
    )


def hit_reject_request(*, house_id: UUID, hit_id: UUID, person_id: UUID, reason: str) -> Approval:
    """Ask to reject a hit: no claim of it is true, the meter stays. Raises HitUnknown, HitState,
    TextRefused.
    """
    check_text(reason, "reason", least=3, most=500)
    hit = _hit(house_id, hit_id)
    if hit.state != Hit.State.VERIFYING or Claim.objects.filter(hit=hit, state__in=LIVE).exists():
        raise HitState(state=hit.state)
    return approval_request(
        house_id=house_id,
        action=REJECT,
        subject_kind="hit",
        subject_id=hit.pk,
        payload={"hit": hit.number, "refused": claims_refused(hit), "reason": reason},
        requester_id=person_id,
        excluded=dealers_of(hit),
    )


def claims_refused(hit: Hit) -> list[Json]:
    """The claims that one person has refused, who and why: others sign that too."""
    return [
        {
            "claim": claim.number,
            "table": str(claim.table_id),
            "round": str(claim.round_id),
            "box": claim.box,
            "by": str(claim.decided_by_id),
            "reason": claim.reason,
        }
        for claim in Claim.objects.filter(hit=hit, state=Claim.State.REFUSED).order_by("number")
    ]


def check_clarified(hit: Hit) -> None:
    """Raise ReviewItemOpen while a listed round has an entry that nobody has clarified."""
    listed = list(ListedRound.objects.filter(hit=hit).values_list("round_id", flat=True))
    if waiting := sum(count(listed) for count in UNCLARIFIED):
        raise ReviewItemOpen(count=waiting)


def dealers_of(hit: Hit) -> set[UUID]:
    """Who dealt a claiming round, or is an author of what it says: they sign nothing about the
    hit."""
    rows = (
        Claim.objects.filter(hit=hit)
        .exclude(state=Claim.State.DROPPED)
        .values_list("dealers", flat=True)
    )
    return {person for row in rows for person in row}


def _hit(house_id: UUID, hit_id: UUID) -> Hit:
    """The hit as it is under the exclusive lock."""
    found = Hit.objects.filter(pk=hit_id, house_id=house_id)
    jackpot_id = found.values_list("jackpot_id", flat=True).first()
    if jackpot_id is None:
        raise HitUnknown
    jackpot_lock(jackpot_id=jackpot_id)
    return found.select_related("jackpot").get()


def _lock_claim(house_id: UUID, claim_id: UUID, person_id: UUID) -> Claim:
    found = Claim.objects.filter(pk=claim_id, house_id=house_id)
    jackpot_id = found.values_list("hit__jackpot_id", flat=True).first()
    if jackpot_id is None:
        raise ClaimUnknown
    jackpot = jackpot_lock(jackpot_id=jackpot_id, house_id=house_id)
    claim = found.select_related("hit").get()
    if claim.hit.state != Hit.State.VERIFYING or claim.state in (
        Claim.State.CALLED,
        Claim.State.DROPPED,
    ):
        raise ClaimState(
            state=claim.state if claim.hit.state == Hit.State.VERIFYING else claim.hit.state
        )
    if person_id in (*claim.dealers, claim.made_by_id):
        raise DealerDecides
    claim.hit.jackpot = jackpot
    return claim


def _waits(claim: Claim) -> bool:
    """Whether people are asked about the claim's hit."""
    of_hit = {"subject_kind": "hit", "subject_id": str(claim.hit_id)}
    rows = Approval.objects.filter(house_id=claim.house_id, **of_hit)
    return rows.filter(state=Approval.State.OPEN).exists()


def _decide(
    claim: Claim, state: str, person_id: UUID, *, checklist: Mapping[str, str] | None, reason: str
) -> Claim:
    before = claim.state
    claim.state, claim.decided_by_id, claim.reason = state, person_id, reason
    claim.checklist = None if checklist is None else dict(checklist)
    with refusing({"claim_by_author": DealerDecides(), **RESTS}, Claim):
        claim.save(update_fields=["state", "decided_by", "checklist", "reason"])
    approval_kill(
        house_id=claim.house_id,
        subject_kind="hit",
        subject_id=claim.hit_id,
        reason="a claim was decided",
        actor_id=person_id,
    )
    event_record(
        f"claim.{state}",
        claim,
        actor_id=person_id,
        before={"state": before},
        after={"checklist": claim.checklist},
        reason=reason,
    )
    hint(claim.hit.jackpot_id)
    return claim
