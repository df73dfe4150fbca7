"""Prizes from the house's threshold up: they wait for people, with a hit that lists their round or by an approval of their own."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple
from uuid import UUID, uuid4

from jackpot.errors import PrizeAwarded
from jackpot.models import Award, Hit, ListedRound, WaitingPrize
from jackpot.models.hit import RUNNING
from jackpot.services.award import award_write
from payouts.models import Approval
from payouts.rules import recipes
from payouts.rules.plain import Json
from payouts.services import approval_kill, approval_request, approval_use

PRIZE = "jackpot.prize"


class Owed(NamedTuple):
    """One line of a result that waits: its place, box, guest, kind, and amount in minor units."""

    place: int
    box: int
    guest_id: UUID
    kind: str
    amount_minor: int


def prizes_wait(
    *,
    house_id: UUID,
    jackpot_id: UUID,
    round_id: UUID,
    table_id: UUID,
    revision: int,
    owed: Sequence[Owed],
    dealers: Iterable[UUID],
) -> None:
    """Keep what a result owes until people approve it; without a hit that lists the round, ask at once. The lock is held."""
    hit = Hit.objects.filter(jackpot_id=jackpot_id, state__in=RUNNING, listed__round_id=round_id).first()
    for one in owed:
        prize = WaitingPrize.objects.create(
            id=uuid4(),
            house_id=house_id,
            jackpot_id=jackpot_id,
            hit=hit,
            round_id=round_id,
            revision=revision,
            table_id=table_id,
            dealers=sorted(set(dealers)),
            **one._asdict(),
        )
        if hit is None:
            prize_request(prize)


def prizes_drop(*, round_id: UUID, revision: int) -> None:
    """The result was corrected: what it owed is owed no more. Raises PrizeAwarded (its slip has to be cancelled first)."""
    for prize in WaitingPrize.objects.filter(round_id=round_id, revision=revision).exclude(state="dropped"):
        if prize.state == "awarded":
            if prize.award.slip.state != "cancelled":
                raise PrizeAwarded
            continue
        prize.state = "dropped"
        prize.save(update_fields=["state"])
        approval_kill(
            house_id=prize.house_id, subject_kind="prize", subject_id=prize.pk, reason="the result was corrected"
        )


def prizes_of(hit: Hit) -> list[WaitingPrize]:
    """What waits to be approved with a hit: whatever its listed rounds owe by now."""
    listed = ListedRound.objects.filter(hit=hit).values("round_id")
    return list(WaitingPrize.objects.filter(round_id__in=listed, state="waiting").order_by("at", "round_id", "place"))


def prize_request(prize: WaitingPrize) -> Approval:
    """Ask for the payment of one prize, in the system's name; who dealt the round may not sign."""
    return approval_request(
        house_id=prize.house_id,
        action=PRIZE,
        subject_kind="prize",
        subject_id=prize.pk,
        payload=prize_payload(prize),
        excluded=prize.dealers,
    )


def prize_payload(prize: WaitingPrize) -> dict[str, Json]:
    """What is signed about one prize."""
    return {
        "round": str(prize.round_id),
        "revision": prize.revision,
        "table": str(prize.table_id),
        "box": prize.box,
        "kind": prize.kind,
        "amount_minor": prize.amount_minor,
    }


def prize_pay(approval: Approval, signer_id: UUID) -> Award:
    """Carry out what was signed about one prize. Raises what using an approval raises."""
    prize = WaitingPrize.objects.get(pk=approval.subject_id, house_id=approval.house_id)
    approval_use(
        approval_id=approval.pk,
        house_id=approval.house_id,
        action=PRIZE,
        subject_kind="prize",
        subject_id=prize.pk,
        payload=prize_payload(prize),
        actor_id=signer_id,
    )
    return prize_award(prize, approval.pk, signer_id)


def prize_award(prize: WaitingPrize, approval_id: UUID, actor_id: UUID | None = None) -> Award:
    """Award a prize whose approval was used up: from what waits to what the cage pays by a slip."""
    award = award_write(
        Award(
            id=uuid4(),
            house_id=prize.house_id,
            jackpot_id=prize.jackpot_id,
            hit_id=prize.hit_id,
            prize=prize,
            kind="prize",
            amount_minor=prize.amount_minor,
            round_id=prize.round_id,
            table_id=prize.table_id,
            box=prize.box,
            guest_id=prize.guest_id,
            approval_id=approval_id,
        ),
        recipes.prize_awarded(prize.amount_minor),
        actor_id=actor_id,
    )
    prize.state = "awarded"
    prize.save(update_fields=["state"])
    return award
