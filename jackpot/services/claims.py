"""Claims: by a settlement, by the *Royal!* call, by a correction. The first one begins a hit and
freezes all linked tables.

The caller holds the jackpot's exclusive lock. No clock is compared: what ran when the first claim
was written ran at the same time (PRG-8), and that list decides who may win.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple
from uuid import UUID, uuid4

from django.db.models import Max, QuerySet

from jackpot.errors import (
    CallNotRunning,
    CallWithoutCoin,
    EpochOver,
    JackpotPhase,
    NotListed,
    SecondCall,
)
from jackpot.hints import hint
from jackpot.models import Claim, Gate, Hit, Jackpot, ListedRound, RunningRound
from jackpot.models.states import IN_PLAY, LIVE, RUNNING, Phase
from jackpot.selectors.jackpots import meter_read
from jackpot.services.state import enter, jackpot_lock, jackpot_read, phase_of
from payouts.services import approval_kill, event_record

DROPPED = "the round's result does not claim"


class Winner(NamedTuple):
    """A box that holds the royal flush with a hole card and a coin, and whose box it is."""

    box: int
    guest_id: UUID


def hit_call(
    *,
    house_id: UUID,
    jackpot_id: UUID,
    round_id: UUID,
    person_id: UUID,
    dealers: Iterable[UUID] = (),
) -> Claim:
    """The *Royal!* call: a running round claims before its cards are entered (PRG-3). Its
    settlement fixes the box, or drops it.

    Raises JackpotUnknown, CallNotRunning, CallWithoutCoin, SecondCall, JackpotPhase, NotListed.
    """
    jackpot = jackpot_lock(jackpot_id=jackpot_id, house_id=house_id)
    running = RunningRound.objects.filter(
        round_id=round_id, jackpot_id=jackpot_id, ended_at=None
    ).first()
    if running is None:
        raise CallNotRunning
    if not running.coins:
        raise CallWithoutCoin
    if claims_live(round_id).exists():
        raise SecondCall
    hit = _joined(jackpot, running.epoch_id, round_id, running.table_id, person_id)
    claim = _add(hit, round_id, running.table_id, None, Claim.State.CALLED, dealers, person_id)
    hint(jackpot_id)
    return claim


def claims_set(
    *,
    jackpot_id: UUID,
    epoch_id: UUID,
    round_id: UUID,
    table_id: UUID,
    winners: Sequence[Winner],
    dealers: Iterable[UUID],
    origin: str,
    person_id: UUID,
    reason: str = DROPPED,
) -> None:
    """Have the claims of a round say what its result says: none, or one box (PRG-7; the rules
    refuse a second one before).

    `dealers`, and whoever says it here (`person_id`), may not sign the payment. Raises NotListed
    (the round did not run when the hit began), EpochOver (its meter was paid), JackpotPhase (no hit
    can begin now).
    """
    jackpot = jackpot_read(jackpot_id)
    there = claims_live(round_id).first()
    won = winners[0] if winners else None
    if there is not None:
        if won is not None and there.box in (None, won.box):
            _fix(there, won, {*dealers, person_id})
        else:
            _drop(there, person_id, reason)
    if won is not None and (there is None or there.box not in (None, won.box)):
        hit = _joined(jackpot, epoch_id, round_id, table_id, person_id)
        _add(hit, round_id, table_id, won, origin, dealers, person_id)
    if there is not None or won is not None:
        _outdate(jackpot.house_id, jackpot_id)
        hint(jackpot_id)


def claims_live(round_id: UUID) -> QuerySet[Claim]:
    """The claims of a round in a running hit that are not refused or dropped."""
    return Claim.objects.filter(round_id=round_id, state__in=LIVE, hit__state__in=RUNNING)


def _joined(
    jackpot: Jackpot, epoch_id: UUID, round_id: UUID, table_id: UUID, person_id: UUID
) -> Hit:
    """The running hit that the round belongs to, or a new one."""
    if jackpot.epoch_id != epoch_id:
        raise EpochOver
    if jackpot.hit is not None:
        if not ListedRound.objects.filter(hit=jackpot.hit, round_id=round_id).exists():
            raise NotListed
        return jackpot.hit
    if phase_of(jackpot) not in IN_PLAY:
        raise JackpotPhase(state=phase_of(jackpot))
    return _begin(jackpot, round_id, table_id, person_id)


def _begin(jackpot: Jackpot, round_id: UUID, table_id: UUID, person_id: UUID) -> Hit:
    if jackpot.epoch is None:
        raise RuntimeError("a jackpot without an epoch")
    last = Hit.objects.filter(jackpot=jackpot).aggregate(last=Max("number"))["last"] or 0
    shown = meter_read(jackpot_id=jackpot.pk).shown_minor
    hit = Hit.objects.create(
        id=uuid4(),
        house_id=jackpot.house_id,
        jackpot=jackpot,
        epoch=jackpot.epoch,
        number=last + 1,
        shown_minor=shown,
    )
    running = RunningRound.objects.filter(jackpot=jackpot, ended_at=None).values_list(
        "round_id", "table_id"
    )
    listed = dict(running) | {
        round_id: table_id
    }  # also a claiming round that has ended: by its settlement, or long ago
    ListedRound.objects.bulk_create(
        ListedRound(house_id=jackpot.house_id, hit=hit, round_id=one, table_id=table)
        for one, table in listed.items()
    )
    # showing the old amount after a rejection: that is not to be confirmed any more
    if jackpot.gate is not None:
        Gate.objects.filter(pk=jackpot.gate.pk, state=Gate.State.OPEN).update(
            state=Gate.State.LAPSED
        )
        jackpot.gate = None
    jackpot.hit = hit
    enter(
        jackpot,
        Phase.DRAINING,
        actor_id=person_id,
        hit=hit.number,
        listed=len(listed),
        shown_minor=shown,
    )
    return hit


def _add(
    hit: Hit,
    round_id: UUID,
    table_id: UUID,
    won: Winner | None,
    origin: str,
    dealers: Iterable[UUID],
    person_id: UUID,
) -> Claim:
    last = Claim.objects.filter(hit=hit).aggregate(last=Max("number"))["last"] or 0
    claim = Claim.objects.create(
        id=uuid4(),
        house_id=hit.house_id,
        hit=hit,
        number=last + 1,
        round_id=round_id,
        table_id=table_id,
        box=won.box if won else None,
        guest_id=won.guest_id if won else None,
        origin=origin,
        state=Claim.State.OPEN if won else Claim.State.CALLED,
        dealers=sorted({*dealers, person_id}),
        made_by_id=person_id,
    )
    event_record(
        "claim.made",
        claim,
        actor_id=person_id,
        after={"hit": hit.number, "origin": origin, "box": claim.box},
    )
    return claim


def _fix(claim: Claim, won: Winner, dealers: Iterable[UUID]) -> None:
    """The result says which box; whoever had verified it before has to look again."""
    claim.box, claim.guest_id, claim.state = won.box, won.guest_id, Claim.State.OPEN
    claim.dealers = sorted({*claim.dealers, *dealers})
    claim.decided_by, claim.checklist, claim.reason = None, None, ""
    claim.save(
        update_fields=["box", "guest_id", "state", "dealers", "decided_by", "checklist", "reason"]
    )
    event_record("claim.fixed", claim, after={"box": won.box})


def _drop(claim: Claim, person_id: UUID, reason: str) -> None:
    claim.state, claim.reason = Claim.State.DROPPED, reason
    claim.save(update_fields=["state", "reason"])
    event_record("claim.dropped", claim, actor_id=person_id, reason=reason)


def _outdate(house_id: UUID, jackpot_id: UUID) -> None:
    """What was asked for, or signed, was about other claims."""
    for hit_id in Hit.objects.filter(jackpot_id=jackpot_id, state=Hit.State.VERIFYING).values_list(
        "pk", flat=True
    ):
        approval_kill(
            house_id=house_id,
            subject_kind="hit",
            subject_id=hit_id,
            reason="the claims have changed",
        )
