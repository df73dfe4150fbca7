"""What people do to a jackpot as a whole: two of them suspend, resume, put a fault right, retire;
one closes and reopens.
"""

from collections.abc import Mapping
from uuid import UUID

from jackpot.errors import JackpotPhase, MeterOwes, RoundsRunning
from jackpot.hints import hint
from jackpot.models import EpochEnd, Gate, Jackpot, RunningRound
from jackpot.models.states import IN_PLAY, Phase
from jackpot.rules.meter import meter
from jackpot.selectors.jackpots import meter_read
from jackpot.services.gate import gate_make
from jackpot.services.state import enter, jackpot_lock, log, phase_of
from payouts.models import Account, Approval
from payouts.rules.ledger import recipes
from payouts.rules.ledger.postings import AccountOverdrawn, whole_amount
from payouts.rules.ledger.recipes import Line
from payouts.rules.plain import Json, check_text
from payouts.rules.rulesets.funding import FundingSchedule
from payouts.selectors import gaming_day_at
from payouts.services import approval_kill, approval_request, approval_use, recipe_post

SUSPEND, RESUME, ADJUST, RETIRE = (
    "jackpot.suspend",
    "jackpot.resume",
    "jackpot.adjust",
    "jackpot.retire",
)
MOVED_ON = "the jackpot has moved on"


def jackpot_request(
    *, house_id: UUID, jackpot_id: UUID, action: str, payload: Mapping[str, Json], person_id: UUID
) -> Approval:
    """Ask for one of the acts below; `payload` is what it will be called with, and what was looked
    at is signed with it.

    Raises JackpotUnknown, JackpotPhase (it could not be done now), AmountRefused, AccountOverdrawn
    (a meter would fall below nothing), TextRefused.
    """
    check_text(payload.get("reason"), "reason", least=3, most=500)
    jackpot = jackpot_lock(jackpot_id=jackpot_id, house_id=house_id)
    _check_phase(jackpot, action)
    return approval_request(
        house_id=house_id,
        action=action,
        subject_kind="jackpot",
        subject_id=jackpot.pk,
        payload={"jackpot": str(jackpot_id), **payload, **_seen(jackpot, action, payload)},
        requester_id=person_id,
    )


def _check_phase(jackpot: Jackpot, action: str) -> None:
    """Raise JackpotPhase where the act is none for the phase: a suspension is ended once it has
    begun, and not before.
    """
    inner = phase_of(jackpot)
    fits = {
        SUSPEND: jackpot.phase not in (Phase.SUSPENDED, Phase.RETIRED),
        RESUME: jackpot.phase == Phase.SUSPENDED,
        ADJUST: inner not in (Phase.DRAINING, Phase.RETIRED),
        RETIRE: jackpot.phase == Phase.CLOSED,
    }
    if not fits[action]:
        raise JackpotPhase(state=jackpot.phase if action != ADJUST else inner)


def _seen(jackpot: Jackpot, action: str, payload: Mapping[str, Json]) -> dict[str, Json]:
    """What the act is about as it stands now (PRG-12): asked for and used alike, so that anything
    else is refused as changed.

    A suspension is about the epoch, whatever happens in it. The others are about this phase, since
    when it holds, and an adjustment or a retirement about the meter to the Rappen: where coins fall
    meanwhile, it is suspended before.
    """
    if jackpot.epoch is None:
        raise RuntimeError("a jackpot without an epoch")
    seen: dict[str, Json] = {"epoch": jackpot.epoch.number}
    if action == SUSPEND:
        return seen
    seen |= {
        "phase": jackpot.phase,
        "kept_phase": jackpot.kept_phase,
        "since": jackpot.phase_at.isoformat(),
    }
    seen |= {"phase_number": jackpot.phase_number}
    if action == RESUME:
        return seen
    reading = meter_read(jackpot_id=jackpot.pk)
    seen |= {"version": reading.version, "before_minor": reading.sum_minor}
    if action == RETIRE:
        return seen
    moves = _moves(payload["amount_minor"])
    after = reading.sum_minor + moves
    if moves < 0 and after < 0:  # a meter is lowered to nothing at most
        raise AccountOverdrawn
    shown = meter(FundingSchedule.from_data(jackpot.epoch.funding.data), max(after, 0)).shown_minor
    return seen | {
        "after_minor": after,
        "shown_before_minor": reading.shown_minor,
        "shown_after_minor": shown,
    }


def _moves(amount_minor: object) -> int:
    """By how much an adjustment moves the meter. Raises AmountRefused for what is no whole amount,
    or nothing.
    """
    if isinstance(amount_minor, int) and amount_minor < 0:
        return -whole_amount(-amount_minor)
    return whole_amount(amount_minor)


def requests_outdate(jackpot: Jackpot) -> None:
    """Close what is asked about a jackpot that is not any more what was looked at: another epoch,
    another phase.
    """
    approval_kill(
        house_id=jackpot.house_id, subject_kind="jackpot", subject_id=jackpot.pk, reason=MOVED_ON
    )


def jackpot_suspend(
    *,
    house_id: UUID,
    jackpot_id: UUID,
    reason: str,
    approval_id: UUID,
    actor_id: UUID | None = None,
) -> Jackpot:
    """No lock from now on; settlements, voids and claims go on inside. Raises JackpotPhase and what
    using an approval raises.
    """
    jackpot = _allowed(house_id, jackpot_id, SUSPEND, {"reason": reason}, approval_id, actor_id)
    if jackpot.phase in (Phase.SUSPENDED, Phase.RETIRED):
        raise JackpotPhase(state=jackpot.phase)
    jackpot.kept_phase, jackpot.phase = jackpot.phase, Phase.SUSPENDED
    jackpot.save(update_fields=["phase", "kept_phase"])
    log(
        jackpot,
        "jackpot.suspended",
        actor_id=actor_id,
        before={"phase": jackpot.kept_phase},
        reason=reason,
    )
    requests_outdate(jackpot)
    hint(jackpot_id)
    return jackpot


def jackpot_resume(
    *,
    house_id: UUID,
    jackpot_id: UUID,
    reason: str,
    approval_id: UUID,
    actor_id: UUID | None = None,
) -> Jackpot:
    """Back to the phase that was kept; where that was OPEN, by the displays. Raises as
    `jackpot_suspend`.
    """
    jackpot = _allowed(house_id, jackpot_id, RESUME, {"reason": reason}, approval_id, actor_id)
    if jackpot.phase != Phase.SUSPENDED:
        raise JackpotPhase(state=jackpot.phase)
    kept = jackpot.kept_phase
    jackpot.phase, jackpot.kept_phase = (Phase.SHOWING if kept == Phase.OPEN else kept), ""
    jackpot.save(update_fields=["phase", "kept_phase"])
    log(
        jackpot, "jackpot.resumed", actor_id=actor_id, after={"phase": jackpot.phase}, reason=reason
    )
    requests_outdate(jackpot)
    if jackpot.phase == Phase.SHOWING:
        gate_make(jackpot)
    hint(jackpot_id)
    return jackpot


def jackpot_adjust(
    *,
    house_id: UUID,
    jackpot_id: UUID,
    amount_minor: int,
    reason: str,
    approval_id: UUID,
    actor_id: UUID | None = None,
) -> Jackpot:
    """Put a fault of the meter right at the house's cost: positive raises it. While it shows,
    displays confirm anew.

    Raises JackpotPhase, AmountRefused, AmountWrong, AccountOverdrawn and what using an approval
    raises.
    """
    payload: dict[str, Json] = {"amount_minor": amount_minor, "reason": reason}
    jackpot = _allowed(house_id, jackpot_id, ADJUST, payload, approval_id, actor_id)
    if phase_of(jackpot) in (Phase.DRAINING, Phase.RETIRED):
        raise JackpotPhase(state=phase_of(jackpot))
    moves = _moves(amount_minor)
    recipe_post(
        house_id=house_id,
        gaming_day=gaming_day_at(house_id=house_id),
        key=f"adjust:{approval_id}",
        kind="adjust",
        lines=recipes.meter_raised(moves) if moves > 0 else recipes.meter_lowered(-moves),
        owners=_owners(jackpot),
        actor_id=actor_id,
        reason=reason,
        subject_kind="jackpot",
        subject_id=jackpot.pk,
    )
    meter_read(jackpot_id=jackpot.pk)  # more than a meter can show is refused
    log(
        jackpot,
        "jackpot.adjusted",
        actor_id=actor_id,
        after={"amount_minor": amount_minor},
        reason=reason,
    )
    hint(jackpot_id)
    return jackpot


def jackpot_close(*, house_id: UUID, jackpot_id: UUID, reason: str, actor_id: UUID) -> Jackpot:
    """Close an open jackpot: no stake at its tables. Raises JackpotPhase, RoundsRunning (a round is
    locked), TextRefused.
    """
    check_text(reason, "reason", least=3, most=500)
    jackpot = jackpot_lock(jackpot_id=jackpot_id, house_id=house_id)
    if jackpot.phase not in IN_PLAY:
        raise JackpotPhase(state=jackpot.phase)
    if RunningRound.objects.filter(jackpot=jackpot, ended_at=None).exists():
        raise RoundsRunning
    if jackpot.gate is not None and jackpot.gate.state == Gate.State.OPEN:
        jackpot.gate.state = Gate.State.LAPSED
        jackpot.gate.save(update_fields=["state"])
    jackpot.gate = None
    enter(jackpot, Phase.CLOSED, actor_id=actor_id, reason=reason)
    requests_outdate(jackpot)
    hint(jackpot_id)
    return jackpot


def jackpot_reopen(*, house_id: UUID, jackpot_id: UUID, actor_id: UUID) -> Jackpot:
    """Open a closed jackpot by its displays. Raises JackpotPhase."""
    jackpot = jackpot_lock(jackpot_id=jackpot_id, house_id=house_id)
    if jackpot.phase != Phase.CLOSED:
        raise JackpotPhase(state=jackpot.phase)
    enter(jackpot, Phase.SHOWING, actor_id=actor_id)
    requests_outdate(jackpot)
    gate_make(jackpot)
    hint(jackpot_id)
    return jackpot


def jackpot_retire(
    *,
    house_id: UUID,
    jackpot_id: UUID,
    to: UUID,
    reason: str,
    approval_id: UUID,
    actor_id: UUID | None = None,
) -> Jackpot:
    """Retire a closed jackpot: all that it holds, reserve too, goes to another one of the house,
    which is open.

    Both are locked in the order of their ids. Raises JackpotUnknown, JackpotPhase, MeterOwes and
    what using an approval raises.
    """
    if to == jackpot_id:
        raise JackpotPhase(state=Phase.CLOSED)
    held = {
        one: jackpot_lock(jackpot_id=one, house_id=house_id) for one in sorted((jackpot_id, to))
    }
    jackpot, heir = held[jackpot_id], held[to]
    payload: dict[str, Json] = {"to": str(to), "reason": reason}
    _use(jackpot, RETIRE, payload, approval_id, actor_id)
    if jackpot.phase != Phase.CLOSED or heir.phase != Phase.OPEN:
        raise JackpotPhase(state=jackpot.phase if jackpot.phase != Phase.CLOSED else heir.phase)
    # what it owes is no debt of the heir's players
    if meter_read(jackpot_id=jackpot_id).sum_minor < 0:
        raise MeterOwes
    moved = _hand_over(jackpot, heir, actor_id, reason)
    if jackpot.epoch is None:
        raise RuntimeError("a jackpot without an epoch")
    EpochEnd.objects.create(epoch=jackpot.epoch, house_id=house_id, ended_as="retired")
    enter(jackpot, Phase.RETIRED, actor_id=actor_id, to=str(to), amount_minor=moved)
    requests_outdate(jackpot)
    for one in held:
        hint(one)
    return jackpot


def heir_of(jackpot_id: UUID) -> UUID | None:
    """Where all went that a retired jackpot held; None for one that is not retired."""
    used = Approval.objects.filter(
        action=RETIRE, state=Approval.State.USED, subject_id=str(jackpot_id)
    ).first()
    return UUID(used.payload["to"]) if used else None


def _hand_over(jackpot: Jackpot, heir: Jackpot, actor_id: UUID | None, reason: str) -> int:
    """One transfer from all accounts of the one to the other's meter and reserve; give what the
    meter held.
    """
    moved = meter_read(jackpot_id=jackpot.pk).sum_minor
    epoch = Account.objects.filter(house_id=jackpot.house_id, detail_id=jackpot.epoch_id)
    rows = list(epoch.values_list("kind", "owner_id", "balance_minor"))
    own = Account.objects.filter(house_id=jackpot.house_id, kind="reserve", owner_id=jackpot.pk)
    rows += own.values_list("kind", "owner_id", "balance_minor")
    lines = [
        Line(kind, -balance, table=str(owner), detail="old")
        for kind, owner, balance in rows
        if balance
    ]
    reserve = -sum(balance for kind, _, balance in rows if kind in ("reserve", "reserve_share"))
    lines += [
        Line(kind, -amount)
        for kind, amount in (("meter_base", moved), ("reserve", reserve))
        if amount
    ]
    if lines:
        owners = (
            {str(owner): owner for _, owner, _ in rows}
            | _owners(heir)
            | {"old": _epoch_of(jackpot)}
        )
        recipe_post(
            house_id=jackpot.house_id,
            gaming_day=gaming_day_at(house_id=jackpot.house_id),
            key=f"retire:{jackpot.pk}",
            kind="retire",
            lines=lines,
            owners=owners,
            actor_id=actor_id,
            reason=reason,
            subject_kind="jackpot",
            subject_id=jackpot.pk,
        )
    return moved


def _allowed(
    house_id: UUID,
    jackpot_id: UUID,
    action: str,
    payload: Mapping[str, Json],
    approval_id: UUID,
    actor_id: UUID | None,
) -> Jackpot:
    jackpot = jackpot_lock(jackpot_id=jackpot_id, house_id=house_id)
    _use(jackpot, action, payload, approval_id, actor_id)
    return jackpot


def _use(
    jackpot: Jackpot,
    action: str,
    payload: Mapping[str, Json],
    approval_id: UUID,
    actor_id: UUID | None,
) -> None:
    approval_use(
        approval_id=approval_id,
        house_id=jackpot.house_id,
        action=action,
        subject_kind="jackpot",
        subject_id=jackpot.pk,
        payload={"jackpot": str(jackpot.pk), **payload, **_seen(jackpot, action, payload)},
        actor_id=actor_id,
    )


def _owners(jackpot: Jackpot) -> dict[str, UUID]:
    return {"house": jackpot.house_id, "jackpot": jackpot.pk, "epoch": _epoch_of(jackpot)}


def _epoch_of(jackpot: Jackpot) -> UUID:
    if jackpot.epoch_id is None:
        raise RuntimeError("a jackpot without an epoch")
    return jackpot.epoch_id
