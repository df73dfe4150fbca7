"""Slips are paid by the cage; the late truth: a royal overlooked, an award that was wrong. Other
shares stand.
"""

from collections.abc import Callable
from uuid import UUID, uuid4

from django.db import connection

from jackpot.errors import (
    AwardExists,
    JackpotPhase,
    LateAwardTooMuch,
    SlipCashWrong,
    SlipDoubted,
    SlipNotYours,
    SlipPartPays,
    SlipSignerPays,
    SlipState,
    SlipTakeBackOver,
    SlipUnknown,
)
from jackpot.hints import hint
from jackpot.models import Award, Hit, Jackpot, Slip, TakenBack
from jackpot.models.states import RUNNING
from jackpot.services.award import award_write
from jackpot.services.prizes import coin_went_back, prize_cancelled
from jackpot.services.standing import heir_of
from jackpot.services.state import jackpot_lock, phase_of
from payouts.db.constraints import refusing, require_transaction
from payouts.models import Approval, ApprovalSignature, House, Transfer
from payouts.rules.ledger import recipes
from payouts.rules.ledger.recipes import Line
from payouts.rules.plain import Json, check_text
from payouts.selectors import gaming_day_at
from payouts.services import (
    RESTS,
    approval_request,
    approval_use,
    event_record,
    recipe_post,
    transfer_reverse,
)

LATE, CANCEL = "jackpot.award_late", "jackpot.award_cancel"
# Asked by the floors above: whether the result that an award stands on still says so.
STANDS: list[Callable[[Award], bool]] = []
CANCELLED_AS: dict[str, tuple[str, ...]] = {
    Slip.State.OPEN: ("unpaid",),
    Slip.State.PAID: ("receivable", "loss"),
}
# the smallest coin in minor units; of other currencies the minor unit itself
CASH_UNIT = {"CHF": 5}


def cash_amount(amount_minor: int, currency: str) -> int:
    """What is paid in coins that exist, to the nearest one (HSE-6).

    >>> cash_amount(1_610_578, "CHF"), cash_amount(1_610_577, "CHF"), cash_amount(1_610_578, "EUR")
    (1610580, 1610575, 1610578)
    """
    unit = CASH_UNIT.get(currency, 1)
    return (amount_minor + unit // 2) // unit * unit


def slip_pay(*, house_id: UUID, slip_id: UUID, cash_minor: int, actor_id: UUID) -> Slip:
    """The cage pays a slip, once, with what it is in coins. Raises SlipUnknown, SlipState,
    SlipCashWrong, SlipDoubted, SlipSignerPays, SlipPartPays (`casino/sql/person_v6.sql`: who took
    part, the floors above know), PersonResting.
    """
    slip = _lock_slip(house_id, slip_id)
    if slip.state != Slip.State.OPEN:
        raise SlipState(state=slip.state)
    amount = slip.award.amount_minor
    cash = cash_amount(amount, House.objects.values_list("currency", flat=True).get(pk=house_id))
    if cash_minor != cash:
        raise SlipCashWrong(cash_minor=cash)
    if slip_doubted(slip.award):
        raise SlipDoubted
    if ApprovalSignature.objects.filter(
        approval_id=slip.award.approval_id, signer_id=actor_id
    ).exists():
        raise SlipSignerPays
    key = "slip_paid_again" if TakenBack.objects.filter(slip=slip).exists() else "slip_paid"
    _post(slip.award, "slip_paid", recipes.slip_paid(amount, cash=cash), actor_id, "", key=key)
    slip.state, slip.paid_by_id, slip.cash_minor = Slip.State.PAID, actor_id, cash
    with refusing({"payer_took_part": SlipPartPays(), **RESTS}):
        slip.save(update_fields=["state", "paid_by", "cash_minor"])
    slip.refresh_from_db()
    event_record("slip.paid", slip, actor_id=actor_id, after={"cash_minor": cash})
    return slip


def slip_doubted(award: Award) -> bool:
    """Whether the result of an award's round no longer says that its box won: its slip cannot be
    paid.
    """
    return coin_went_back(award) or not all(stands(award) for stands in STANDS)


def slip_take_back(*, house_id: UUID, slip_id: UUID, reason: str, actor_id: UUID) -> Slip:
    """Who has just paid a slip, and should not have, takes it back: the payment is reversed, and
    the slip is to be paid again.

    Once for each slip, within a minute; then two people cancel it. Raises SlipUnknown, SlipState,
    SlipNotYours, SlipTakeBackOver, TextRefused.
    """
    check_text(reason, "reason", least=3, most=500)
    slip = _lock_slip(house_id, slip_id)
    if slip.state != Slip.State.PAID:
        raise SlipState(state=slip.state)
    if slip.paid_by_id != actor_id:
        raise SlipNotYours
    if not may_take_back(slip):
        raise SlipTakeBackOver
    cash, day = slip.cash_minor, gaming_day_at(house_id=house_id)
    paid = Transfer.objects.get(house_id=house_id, key=f"award:{slip.award_id}:slip_paid")
    back = transfer_reverse(
        house_id=house_id, transfer_id=paid.pk, gaming_day=day, reason=reason, actor_id=actor_id
    )
    what = {
        "paid_at": slip.paid_at,
        "paid_by_id": actor_id,
        "cash_minor": cash,
        "transfer_id": back,
        "reason": reason,
    }
    with refusing({"taken_back": SlipTakeBackOver()}):  # the minute has ended since
        TakenBack.objects.create(house_id=house_id, slip=slip, **what)
    slip.state, slip.paid_at, slip.paid_by_id, slip.cash_minor = Slip.State.OPEN, None, None, None
    slip.save(update_fields=["state", "paid_at", "paid_by", "cash_minor"])
    event_record(
        "slip.taken_back", slip, actor_id=actor_id, after={"cash_minor": cash}, reason=reason
    )
    return slip


def may_take_back(slip: Slip) -> bool:
    """Whether the payment of a slip is its first, and made within the last minute."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT slip_fresh_v1(%s)", [slip.pk])
        return bool(cursor.fetchone()[0]) and not TakenBack.objects.filter(slip=slip).exists()


def award_cancel(
    *,
    house_id: UUID,
    slip_id: UUID,
    how: str,
    reason: str,
    approval_id: UUID,
    actor_id: UUID | None = None,
) -> Slip:
    """A wrong award: unpaid it is cancelled, paid it is asked back (`receivable`) or lost (`loss`).

    A share goes into the running meter, of a retired jackpot into its heir's: it is the players'.
    Raises SlipUnknown, SlipState, JackpotPhase and what using an approval raises.
    """
    jackpot, slip = _lock_both(house_id, slip_id)  # the running meter moves
    if how not in CANCELLED_AS.get(slip.state, ()):
        raise SlipState(state=slip.state)
    _use(slip, CANCEL, cancel_payload(slip, how, reason), approval_id, actor_id)
    moves = slip.award.kind == "share"
    while moves and (heir := heir_of(jackpot.pk)):
        jackpot = jackpot_lock(jackpot_id=heir)
    if moves and phase_of(jackpot) in RUNNING:  # the meter at hand is being split
        raise JackpotPhase(state=phase_of(jackpot))
    book = {
        "unpaid": recipes.award_cancelled,
        "receivable": recipes.award_reclaimed,
        "loss": recipes.award_lost,
    }[how]
    lines = book(slip.award.amount_minor, kind=slip.award.kind)
    if lines:
        _post(slip.award, "award_cancelled", lines, actor_id, reason, meter=jackpot)
    slip.state, slip.cancelled_as, slip.reason = Slip.State.CANCELLED, how, reason
    slip.save(update_fields=["state", "cancelled_as", "reason"])
    prize_cancelled(slip.award, actor_id=actor_id, reason=reason)
    event_record("slip.cancelled", slip, actor_id=actor_id, after={"how": how}, reason=reason)
    hint(jackpot.pk)
    return slip


def award_late(
    *,
    house_id: UUID,
    jackpot_id: UUID,
    hit_id: UUID | None,
    round_id: UUID,
    table_id: UUID,
    box: int,
    guest_id: UUID,
    amount_minor: int,
    reason: str,
    approval_id: UUID,
    actor_id: UUID | None = None,
) -> Award:
    """A royal flush overlooked until its epoch was closed: the house pays, as it was signed.
    Whether it is one, the caller knows.

    Raises AwardExists, LateAwardTooMuch and what using an approval and posting raise.
    """
    jackpot = jackpot_lock(jackpot_id=jackpot_id, house_id=house_id)
    payload = late_payload(
        jackpot_id, hit_id, round_id, table_id, box, guest_id, amount_minor, reason
    )
    approval_use(
        approval_id=approval_id,
        house_id=house_id,
        action=LATE,
        subject_kind="round",
        subject_id=round_id,
        payload=payload,
        actor_id=actor_id,
    )
    award = Award(
        id=uuid4(),
        house_id=house_id,
        jackpot=jackpot,
        hit=Hit.objects.filter(pk=hit_id, jackpot=jackpot).first() if hit_id else None,
        kind="late",
        amount_minor=amount_minor,
        round_id=round_id,
        table_id=table_id,
        box=box,
        guest_id=guest_id,
        approval_id=approval_id,
        reason=reason,
    )
    bound = LateAwardTooMuch(most_minor=late_most(round_id))
    with refusing({"award_once_a_winner": AwardExists(), "award_late_bound": bound}):
        return award_write(award, recipes.late_award(amount_minor), actor_id=actor_id)


def late_most(round_id: UUID) -> int:
    """The most that a royal flush overlooked in a round may still be paid (minor units); 0 while
    its epoch runs.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT award_late_most_v1(%s)", [round_id])
        [(most,)] = cursor.fetchall()
    return most or 0


def late_payload(
    jackpot_id: UUID,
    hit_id: UUID | None,
    round_id: UUID,
    table_id: UUID,
    box: int,
    guest_id: UUID,
    amount_minor: int,
    reason: str,
) -> dict[str, Json]:
    """What is signed about a late award. Raises TextRefused."""
    check_text(reason, "reason", least=3, most=500)
    return {
        "jackpot": str(jackpot_id),
        "hit": str(hit_id) if hit_id else None,
        "round": str(round_id),
        "table": str(table_id),
        "box": box,
        "guest": str(guest_id),
        "amount_minor": amount_minor,
        "reason": reason,
    }


def cancel_payload(slip: Slip, how: str, reason: str) -> dict[str, Json]:
    """What is signed about a cancellation. Raises TextRefused."""
    check_text(reason, "reason", least=3, most=500)
    award = slip.award
    return {
        "jackpot": str(award.jackpot_id),
        "slip": str(slip.pk),
        "number": slip.written,
        "kind": award.kind,
        "round": str(award.round_id),
        "table": str(award.table_id),
        "box": award.box,
        "guest": str(award.guest_id),
        "amount_minor": award.amount_minor,
        "paid_minor": slip.cash_minor,
        "how": how,
        "reason": reason,
    }


def award_cancel_request(
    *, house_id: UUID, slip_id: UUID, how: str, reason: str, person_id: UUID
) -> Approval:
    """Ask to cancel a wrong award: unpaid, or paid and asked back or lost. Raises SlipUnknown,
    SlipState, TextRefused.
    """
    _, slip = _lock_both(house_id, slip_id)
    if how not in CANCELLED_AS.get(slip.state, ()):
        raise SlipState(state=slip.state)
    return approval_request(
        house_id=house_id,
        action=CANCEL,
        subject_kind="slip",
        subject_id=slip.pk,
        payload=cancel_payload(slip, how, reason),
        requester_id=person_id,
    )


def _lock_both(house_id: UUID, slip_id: UUID) -> tuple[Jackpot, Slip]:
    """The award's jackpot, then the slip: in the order of who signs."""
    about = (
        Slip.objects.filter(pk=slip_id, house_id=house_id)
        .values_list("award__jackpot_id", flat=True)
        .first()
    )
    if about is None:
        raise SlipUnknown
    return jackpot_lock(jackpot_id=about), _lock_slip(house_id, slip_id)


def _lock_slip(house_id: UUID, slip_id: UUID) -> Slip:
    require_transaction()
    rows = Slip.objects.select_for_update(of=("self",)).select_related("award")
    slip = rows.filter(pk=slip_id, house_id=house_id).first()
    if slip is None:
        raise SlipUnknown
    return slip


def _use(
    slip: Slip, action: str, payload: dict[str, Json], approval_id: UUID, actor_id: UUID | None
) -> None:
    approval_use(
        approval_id=approval_id,
        house_id=slip.house_id,
        action=action,
        subject_kind="slip",
        subject_id=slip.pk,
        payload=payload,
        actor_id=actor_id,
    )


def _post(
    award: Award,
    kind: str,
    lines: list[Line],
    actor_id: UUID | None,
    reason: str,
    *,
    meter: Jackpot | None = None,
    key: str = "",
) -> None:
    owners = {"house": award.house_id, "jackpot": award.jackpot_id, "table": award.table_id}
    if meter is not None and meter.epoch_id is not None:
        owners |= {"jackpot": meter.pk, "epoch": meter.epoch_id}
    recipe_post(
        house_id=award.house_id,
        gaming_day=gaming_day_at(house_id=award.house_id),
        key=f"award:{award.pk}:{key or kind}",
        kind=kind,
        lines=lines,
        owners=owners,
        actor_id=actor_id,
        reason=reason,
        subject_kind="award",
        subject_id=award.pk,
    )
