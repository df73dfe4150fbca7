"""`jackpot_advance`: looks at the phase under the exclusive lock and does the one step that is due;
again, until none is.

Anyone may call it, anywhere, twice or killed in the middle: what is due is found by looking, so the
result is the same.
"""

from uuid import UUID

from django.db import OperationalError, connection, transaction
from django.db.models import Max

from jackpot.errors import ReviewItemOpen
from jackpot.hints import hint
from jackpot.models import (
    Claim,
    Gate,
    GateDisplay,
    Hit,
    Jackpot,
    RequiredDisplay,
    RunningRound,
    Split,
)
from jackpot.models.states import FROZEN, UNDECIDED, Phase
from jackpot.selectors.jackpots import meter_read
from jackpot.services.gate import gate_make
from jackpot.services.prizes import prize_request, prizes_listed
from jackpot.services.split import (
    Plan,
    award_payload,
    award_request,
    pay,
    split_is,
    split_make,
    split_newest,
    split_now,
)
from jackpot.services.state import enter, jackpot_lock, phase_of
from jackpot.services.verify import REJECT, check_clarified
from payouts.db.constraints import RETRIED
from payouts.models import Approval, Event
from payouts.selectors import requests_in_order
from payouts.services import approval_signed, approval_use

STEPS_MOST = 20  # of one call; a hit has five


def jackpots_due() -> list[UUID]:
    """The jackpots that may have a step to do: a hit or a gate is at hand."""
    moving = Jackpot.objects.filter(phase__in=FROZEN) | Jackpot.objects.filter(
        kept_phase__in=FROZEN
    )
    return list(moving.values_list("pk", flat=True))


def jackpot_advance(*, jackpot_id: UUID) -> bool:
    """Do every step that is due, each in a transaction of its own; say whether there was one. Not
    inside a transaction.

    A lost race for a lock is no failure: whoever won it does the step, and the next call looks
    again.
    """
    if not jackpots_moving(jackpot_id):
        return False
    done = False
    for _ in range(STEPS_MOST):
        try:
            with transaction.atomic(durable=True):
                if not _step(jackpot_lock(jackpot_id=jackpot_id)):
                    break
                hint(jackpot_id)
        except OperationalError as error:
            if getattr(error.__cause__, "sqlstate", None) not in RETRIED:
                raise
            break
        done = True
    return done


def jackpots_moving(jackpot_id: UUID) -> bool:
    """Whether there may be a step to do: asked without the lock, so that an open jackpot's tables
    are not held up.
    """
    found = Jackpot.objects.filter(pk=jackpot_id).values_list("phase", "kept_phase").first()
    return found is not None and (found[1] or found[0]) in FROZEN


def _step(jackpot: Jackpot) -> bool:
    phase = phase_of(jackpot)
    if phase == Phase.DRAINING:
        return _drained(jackpot)
    if phase == Phase.VERIFYING:
        return _verified(jackpot)
    return phase == Phase.SHOWING and _displays_confirmed(jackpot)


def _drained(jackpot: Jackpot) -> bool:
    """Every listed round has ended: its winners are known (PRG-8)."""
    hit = _hit(jackpot)
    listed = hit.listed.values("round_id")
    if RunningRound.objects.filter(round_id__in=listed, ended_at=None).exists():
        return False
    hit.state = Hit.State.VERIFYING
    hit.save(update_fields=["state"])
    enter(jackpot, Phase.VERIFYING, hit=hit.number)
    return True


def _verified(jackpot: Jackpot) -> bool:
    """All claims are decided: split, ask, and pay what was approved; or end what was rejected."""
    hit = _hit(jackpot)
    if Claim.objects.filter(hit=hit, state__in=UNDECIDED).exists():
        return False
    if not Claim.objects.filter(hit=hit, state=Claim.State.VERIFIED).exists():
        return _rejected(jackpot, hit)
    # it paid more prizes than it held: people put that right first
    if meter_read(jackpot_id=jackpot.pk).sum_minor < 0:
        return False
    plan = split_now(jackpot, hit)
    split = split_newest(hit)
    if split is None or not split_is(split, plan.closing):
        award_request(hit, split_make(jackpot, hit, plan.closing), plan)
        return True
    asked = Approval.objects.filter(
        house_id=hit.house_id, action="jackpot.award", subject_id=str(hit.pk)
    )
    newest = requests_in_order(asked.filter(revision=split.revision)).last()
    if newest is None or _to_ask_again(newest, hit, split, plan):
        award_request(hit, split, plan)
        return True
    if newest.state != Approval.State.OPEN or approval_signed(newest) < newest.signers:
        # turned down: people look at a claim again, correct a round, or reject the hit
        return False
    try:
        check_clarified(hit)
    except ReviewItemOpen:
        return False
    pay(jackpot, hit, split, plan, newest)
    return True


def _rejected(jackpot: Jackpot, hit: Hit) -> bool:
    """Two people said that it was none: the same amount is shown again, the epoch goes on."""
    own = Approval.objects.filter(house_id=hit.house_id, action=REJECT, subject_id=str(hit.pk))
    asked = own.filter(state=Approval.State.OPEN).first()
    if asked is None or _expired(asked) or approval_signed(asked) < asked.signers:
        return False
    approval_use(
        approval_id=asked.pk,
        house_id=hit.house_id,
        action=REJECT,
        subject_kind="hit",
        subject_id=hit.pk,
        payload=asked.payload,
    )
    hit.state, hit.reason = Hit.State.REJECTED, asked.payload["reason"]
    hit.save(update_fields=["state", "reason"])
    for prize in prizes_listed(hit):  # they do not hang on the hit any more
        prize_request(prize)
    jackpot.hit = None
    enter(jackpot, Phase.SHOWING, hit=hit.number, rejected=True)
    gate_make(jackpot)
    return True


def _displays_confirmed(jackpot: Jackpot) -> bool:
    """Every display has shown the value: the tables open (PRG-9). Another amount makes another
    gate.
    """
    gate = jackpot.gate
    if gate is None or gate.state != Gate.State.OPEN:
        return RequiredDisplay.objects.filter(jackpot=jackpot, ended_at=None).exists() and bool(
            gate_make(jackpot)
        )
    reading = meter_read(jackpot_id=jackpot.pk)
    if (gate.version, gate.amount_minor) != (reading.version, reading.shown_minor):
        return bool(gate_make(jackpot))
    states = set(GateDisplay.objects.filter(gate=gate).values_list("state", flat=True))
    if GateDisplay.State.WAITING in states or jackpot.phase == Phase.SUSPENDED:
        return False
    # all were taken out: the next gate asks those that are required now
    if GateDisplay.State.CONFIRMED not in states:
        return RequiredDisplay.objects.filter(jackpot=jackpot, ended_at=None).exists() and bool(
            gate_make(jackpot)
        )
    gate.state = Gate.State.PASSED
    gate.save(update_fields=["state"])
    enter(jackpot, Phase.OPEN, gate=gate.number, amount_minor=gate.amount_minor)
    return True


def _hit(jackpot: Jackpot) -> Hit:
    if jackpot.hit is None:
        raise RuntimeError("no hit at hand")
    return jackpot.hit


def _to_ask_again(newest: Approval, hit: Hit, split: Split, plan: Plan) -> bool:
    """Whether the payment is to be asked for anew: not while a request waits, nor of people who
    said no and saw nothing new.
    """
    if newest.state == Approval.State.KILLED:
        return True
    changed = bool(
        newest.payload != award_payload(hit, split, plan).payload
    )  # a checklist, or what is paid beside the shares
    if newest.state == Approval.State.OPEN:
        return changed or _expired(newest)
    return newest.state == Approval.State.REJECTED and (changed or _looked_since(newest, hit))


def _looked_since(approval: Approval, hit: Hit) -> bool:
    """Whether people have looked at a claim since the request was turned down: by the order of the
    log, for clocks are set back.
    """
    turned_down = Event.objects.filter(
        subject_kind="approval", subject_id=str(approval.pk)
    ).aggregate(last=Max("pk"))
    claims = [str(pk) for pk in Claim.objects.filter(hit=hit).values_list("pk", flat=True)]
    decided = Event.objects.filter(
        subject_kind="claim", subject_id__in=claims, pk__gt=turned_down["last"] or 0
    )
    return decided.filter(name__in=["claim.verified", "claim.refused"]).exists()


def _expired(approval: Approval) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp() >= %s", [approval.expires_at])
        return bool(cursor.fetchone()[0])


__all__ = ["jackpot_advance", "jackpots_due"]
