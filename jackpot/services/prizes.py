"""Prizes from the house's threshold up: they wait for people, with a hit that lists their round or
by an approval of their own.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django.db import connection
from django.db.models import QuerySet

from jackpot.errors import PrizeAwarded
from jackpot.models import (
    Award,
    Claim,
    EpochEnd,
    Hit,
    ListedRound,
    RunningRound,
    Slip,
    WaitingPrize,
)
from jackpot.models.meter import TAKEN_BACK
from jackpot.models.states import LIVE, RUNNING, PrizeState
from jackpot.services.award import award_write
from payouts.models import Approval, Entry, Transfer
from payouts.rules.ledger import recipes
from payouts.rules.ledger.recipes import Line
from payouts.rules.plain import Json
from payouts.selectors import gaming_day_at
from payouts.services import (
    Subject,
    approval_kill,
    approval_request,
    approval_use,
    event_record,
    recipe_post,
    transfer_reverse,
)

PRIZE = "jackpot.prize"
CORRECTED = "the result was corrected"
_RAN_WITH = """
    SELECT last.round_id FROM jackpot_runninground own
    CROSS JOIN (SELECT DISTINCT a.owner_id FROM jackpot_epoch e
                JOIN payouts_account a ON a.house_id = e.house_id AND a.detail_id = e.id
                WHERE e.jackpot_id = %(jackpot)s AND a.kind = 'sub_meter') place
    CROSS JOIN LATERAL (
        SELECT r.round_id, r.jackpot_id, r.ended_turn FROM jackpot_runninground r
        WHERE r.table_id = place.owner_id AND r.begun_turn < own.ended_turn
            ORDER BY r.begun_turn DESC LIMIT 1) last
    WHERE own.round_id = %(round)s AND last.jackpot_id = %(jackpot)s
        AND (last.ended_turn IS NULL OR last.ended_turn > own.ended_turn)
"""


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
    """Keep what a result owes until people approve it; without a hit that lists the round, ask at
    once. The lock is held.

    One statement for all prizes; each is then asked for by itself, because each has its own slip.
    """
    hit = Hit.objects.filter(
        jackpot_id=jackpot_id, state__in=RUNNING, listed__round_id=round_id
    ).first()
    ids = {"house_id": house_id, "jackpot_id": jackpot_id, "round_id": round_id}
    of_round: dict[str, Any] = ids | {"source_id": round_id, "hit": hit, "table_id": table_id}
    of_round |= {"revision": revision, "dealers": sorted(set(dealers))}
    prizes = WaitingPrize.objects.bulk_create(
        [WaitingPrize(id=uuid4(), **of_round, **one._asdict()) for one in owed]
    )
    for prize in prizes if hit is None else ():
        prize_request(prize)


def envy_of_link(
    *,
    jackpot_id: UUID,
    source_id: UUID,
    revision: int,
    royals: int,
    amount_minor: int,
    of_meter: bool,
    dealers: Iterable[UUID],
    actor_id: UUID,
) -> None:
    """Envy for the coins of other linked tables, where the house posts it (PRG-6): of the rounds
    that run at the same time.

    Those are the list of the newest hit that the round is on, running or over, else all that ran
    when it ended, also if it is corrected long after. The lock is held alone. It waits for an
    approval, for the chips lie at tables that know nothing of it.
    `of_meter`: the meter bears it, unless that of the other round's epoch was paid out since.
    """
    lists = (
        Hit.objects.filter(jackpot_id=jackpot_id, listed__round_id=source_id)
        .order_by("-number")
        .first()
    )
    hit = lists if lists is not None and lists.state in RUNNING else None
    rounds = RunningRound.objects.filter(jackpot_id=jackpot_id).exclude(round_id=source_id)
    listed = () if lists is None else lists.listed.values_list("round_id", flat=True)
    at_once = _ran_with(jackpot_id, source_id) if lists is None else list(listed)
    for other in (
        rounds.filter(round_id__in=at_once).exclude(ended_as__in=TAKEN_BACK).order_by("table_id")
    ):
        for box, guest in sorted(other.coins.items(), key=lambda coin: int(coin[0])):
            prize = WaitingPrize.objects.create(
                id=uuid4(),
                house_id=other.house_id,
                jackpot_id=jackpot_id,
                hit=hit,
                source_id=source_id,
                round_id=other.round_id,
                revision=revision,
                place=int(box),
                table_id=other.table_id,
                box=int(box),
                guest_id=UUID(guest),
                kind="envy",
                amount_minor=royals * amount_minor,
                dealers=sorted(set(dealers)),
            )
            bears = of_meter and not epoch_ended(other.epoch_id)
            _post(
                prize,
                recipes.prize_waits(prize.amount_minor, of_meter=bears),
                other.epoch_id,
                actor_id,
            )
            if hit is None:
                prize_request(prize)


def _ran_with(jackpot_id: UUID, round_id: UUID) -> list[UUID]:
    """The rounds with coins that ran at linked tables when a round ended: of each table at most the
    last one begun before.

    A table whose coins ever fed the jackpot has an account for it, so nobody reads through the
    rounds of years.
    """
    with connection.cursor() as cursor:
        cursor.execute(_RAN_WITH, {"jackpot": jackpot_id, "round": round_id})
        return [pk for (pk,) in cursor.fetchall()]


def _post(prize: WaitingPrize, lines: Sequence[Line], epoch_id: UUID, actor_id: UUID) -> None:
    recipe_post(
        house_id=prize.house_id,
        gaming_day=gaming_day_at(house_id=prize.house_id),
        key=f"envy:{prize.pk}",
        kind="envy",
        lines=lines,
        owners={"house": prize.house_id, "table": prize.table_id, "epoch": epoch_id},
        actor_id=actor_id,
        subject_kind="prize",
        subject_id=prize.pk,
    )


def prizes_drop(*, round_id: UUID, revision: int, actor_id: UUID) -> None:
    """The result was corrected: what it owed is owed no more. Raises PrizeAwarded (its slip has to
    be cancelled first).
    """
    own = WaitingPrize.objects.filter(source_id=round_id, revision=revision)
    for prize in own.exclude(state=PrizeState.DROPPED):
        if _awarded(prize):
            raise PrizeAwarded
        # it waits, or its cancelled slip left it to what is owed at the table
        _drop(prize, actor_id, CORRECTED)


def prizes_void(*, round_id: UUID, actor_id: UUID, reason: str) -> None:
    """The round is void, its coins go back: Envy for them because of another table is owed no more
    (PRG-6).

    What was awarded of it is in doubt: its slip is not paid, and cancelled it is owed no more
    either.
    """
    for prize in WaitingPrize.objects.filter(round_id=round_id).exclude(state=PrizeState.DROPPED):
        if not _awarded(prize):
            _drop(prize, actor_id, reason)
        else:
            event_record(
                "jackpot.award_doubted",
                Subject("round", round_id),
                house_id=prize.house_id,
                actor_id=actor_id,
                after={"boxes": [prize.box]},
                reason=reason,
            )


def coin_went_back(award: Award) -> bool:
    """Whether an award is Envy of a round that is void, so that its box had no coin after all
    (PRG-6).
    """
    back = RunningRound.objects.filter(round_id=award.round_id, ended_as__in=TAKEN_BACK)
    return award.kind == "prize" and back.exists()


def prize_cancelled(award: Award, *, actor_id: UUID | None, reason: str) -> None:
    """The slip of a prize is cancelled: it waits at its table until its round is corrected, but
    where the coin went back.
    """
    if award.prize is not None and coin_went_back(award):
        _drop(award.prize, actor_id, reason)


def owes_elsewhere(round_id: UUID) -> bool:
    """Whether a round's result owes Envy to coins of other linked tables: whoever puts it right
    holds the lock alone.
    """
    return WaitingPrize.objects.filter(source_id=round_id).exclude(round_id=round_id).exists()


def _awarded(prize: WaitingPrize) -> bool:
    """Whether an award of it stands: it has its slip, to be paid or paid."""
    return prize.awards.exclude(slip__state=Slip.State.CANCELLED).exists()


def prize_taken_back(prize: WaitingPrize) -> bool:
    """Whether what owed it was taken back in the books."""
    own = prize.source_id == prize.round_id
    key = f"round:{prize.round_id}:settle:{prize.revision}" if own else f"envy:{prize.pk}"
    return Transfer.objects.filter(
        house_id=prize.house_id, key=key, reversals__isnull=False
    ).exists()


def _drop(prize: WaitingPrize, actor_id: UUID | None, reason: str) -> None:
    prize.state = PrizeState.DROPPED
    prize.save(update_fields=["state"])
    approval_kill(house_id=prize.house_id, subject_kind="prize", subject_id=prize.pk, reason=reason)
    _take_back(prize, actor_id, reason)


def _take_back(prize: WaitingPrize, actor_id: UUID | None, reason: str) -> None:
    """Reverse what was posted for Envy of a linked table; a round's own prizes are taken back with
    its settlement.
    """
    for transfer in Transfer.objects.filter(
        house_id=prize.house_id, key=f"envy:{prize.pk}", reversals=None
    ):
        prize_take_over(transfer, reason=reason, actor_id=actor_id)
        transfer_reverse(
            house_id=prize.house_id,
            transfer_id=transfer.pk,
            gaming_day=transfer.gaming_day,
            reason=reason,
            actor_id=actor_id,
        )


def epoch_ended(epoch_id: UUID | None) -> bool:
    """Whether an epoch's meter was paid out, or handed over; under the jackpot's lock, of either
    kind, it stays so.
    """
    return epoch_id is not None and EpochEnd.objects.filter(epoch_id=epoch_id).exists()


def prize_take_over(transfer: Transfer, *, reason: str, actor_id: UUID | None) -> None:
    """Before a transfer is reversed: what it took from meters that were paid out since falls to the
    house (PRG-5).

    An ended epoch holds nothing and takes nothing back; what the running meter should have of it,
    people decide (`adjust`).
    """
    took = Entry.objects.filter(transfer=transfer, account__kind="meter_prizes").select_related(
        "account"
    )
    for entry in took:
        epoch_id = entry.account.detail_id
        if epoch_id is not None and epoch_ended(epoch_id):
            recipe_post(
                house_id=transfer.house_id,
                gaming_day=transfer.gaming_day,
                key=f"takeover:{transfer.pk}",
                kind="prize_taken_over",
                lines=recipes.prize_taken_over(entry.amount_minor),
                owners={"table": entry.account.owner_id, "epoch": epoch_id},
                actor_id=actor_id,
                reason=reason,
            )


def prizes_listed(hit: Hit) -> QuerySet[WaitingPrize]:
    """What waits of the hit's listed rounds."""
    listed = ListedRound.objects.filter(hit=hit).values("round_id")
    return WaitingPrize.objects.filter(round_id__in=listed, state=PrizeState.WAITING).order_by(
        "at", "round_id", "place"
    )


def prizes_of(hit: Hit) -> list[WaitingPrize]:
    """What waits to be approved with a hit: whatever its listed rounds owe by now.

    But for Envy of a royal flush that people have refused to believe: that is asked for by itself,
    once the hit is over.
    """
    claims = Claim.objects.filter(hit=hit)
    live = claims.filter(state__in=LIVE).values("round_id")
    refused = claims.filter(state=Claim.State.REFUSED).exclude(round_id__in=live)
    return list(prizes_listed(hit).exclude(kind="envy", source_id__in=refused.values("round_id")))


def prize_request(
    prize: WaitingPrize,
    *,
    reason: str = "",
    requester_id: UUID | None = None,
    excluded: Iterable[UUID] = (),
) -> Approval:
    """Ask for the payment of one prize, in the system's name or, with a reason, a person's; who
    dealt the round may not sign, nor whoever is `excluded` besides.
    """
    return approval_request(
        house_id=prize.house_id,
        action=PRIZE,
        subject_kind="prize",
        subject_id=prize.pk,
        payload=prize_payload(prize, reason),
        requester_id=requester_id,
        excluded={*prize.dealers, *excluded},
    )


def prize_payload(prize: WaitingPrize, reason: str = "") -> dict[str, Json]:
    """What is signed about one prize; `reason`: why it is asked for again."""
    return {
        "round": str(prize.round_id),
        "revision": prize.revision,
        "table": str(prize.table_id),
        "box": prize.box,
        "guest": str(prize.guest_id),
        "kind": prize.kind,
        "amount_minor": prize.amount_minor,
        **({"reason": reason} if reason else {}),
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
        payload=prize_payload(prize, approval.payload.get("reason", "")),
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
    prize.state = PrizeState.AWARDED
    prize.save(update_fields=["state"])
    return award
