"""Prizes that are owed though nobody is asked any more: the system asks anew when time ran out,
people when somebody said no.

What a running hit lists goes with the hit, and is asked for with it.
"""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from jackpot.errors import PrizeNotToAsk, PrizeUnknown
from jackpot.hints import hint
from jackpot.models import Award, ListedRound, WaitingPrize
from jackpot.models.states import RUNNING, PrizeState
from jackpot.services.prizes import PRIZE, prize_request, prize_taken_back
from jackpot.services.state import jackpot_lock
from payouts.models import Approval
from payouts.rules.plain import check_text
from payouts.selectors import requests_in_order
from payouts.services import event_record


def prizes_unasked() -> list[UUID]:
    """Prizes that wait though nobody is asked any more: the request's time is over. What people
    turned down is left to them, and what a running hit lists goes with the hit.
    """
    waiting = _alone().filter(state=PrizeState.WAITING)
    return [prize.pk for prize, newest in _with_newest(waiting) if _ran_out(newest)]


def prize_ask_again(prize_id: UUID) -> bool:
    """Ask for a prize of `prizes_unasked` anew, in a transaction of its own; whether there was need
    to.

    Where a person had asked for it, their reason stands, and they do not sign now either.
    """
    with transaction.atomic(durable=True):
        jackpot_lock(
            jackpot_id=WaitingPrize.objects.values_list("jackpot_id", flat=True).get(pk=prize_id)
        )
        if prize_id not in prizes_unasked():  # somebody else did, or it is paid or dropped by now
            return False
        [(prize, newest)] = _with_newest(WaitingPrize.objects.filter(pk=prize_id))
        if newest is None:
            prize_request(prize)
        else:
            asked_by = [newest.requester_id] if newest.requester_id else []
            prize_request(
                prize,
                reason=newest.payload.get("reason", ""),
                excluded=[*newest.excluded, *asked_by],
            )
        return True


def prizes_left(jackpot_id: UUID) -> list[tuple[WaitingPrize, str]]:
    """What is owed at a jackpot and left to people, oldest first: `rejected`, they turned it down;
    `cancelled`, its slip was.

    A fixed number of statements however many there are.
    """
    found = []
    for prize, newest in _with_newest(
        _alone().filter(jackpot_id=jackpot_id).exclude(state=PrizeState.DROPPED)
    ):
        if (
            prize.state == PrizeState.WAITING
            and newest is not None
            and newest.state == Approval.State.REJECTED
        ):
            found.append((prize, "rejected"))
        elif prize.state == PrizeState.AWARDED and not prize.paid:
            found.append((prize, "cancelled"))
    return found


def prize_request_again(
    *, house_id: UUID, prize_id: UUID, person_id: UUID, reason: str
) -> Approval:
    """Ask for a prize anew that people turned down, or whose slip was cancelled unpaid; whoever
    asks does not sign.

    Raises PrizeUnknown, PrizeNotToAsk (paid, asked for, owed no more, or it goes with a hit),
    TextRefused and what a request raises.
    """
    check_text(reason, "reason", least=3, most=500)
    own = WaitingPrize.objects.filter(pk=prize_id, house_id=house_id)
    jackpot_id = own.values_list("jackpot_id", flat=True).first()
    if jackpot_id is None:
        raise PrizeUnknown
    jackpot_lock(jackpot_id=jackpot_id)
    left = {prize.pk: (prize, why) for prize, why in prizes_left(jackpot_id)}
    if prize_id not in left or prize_taken_back(left[prize_id][0]):
        raise PrizeNotToAsk
    prize, why = left[prize_id]
    if prize.state != PrizeState.WAITING:
        prize.state = PrizeState.WAITING
        prize.save(update_fields=["state"])
    event_record(
        "prize.asked_again",
        prize,
        actor_id=person_id,
        before={"state": why},
        after={"amount_minor": prize.amount_minor, "round": str(prize.round_id), "box": prize.box},
        reason=reason,
    )
    hint(jackpot_id)
    return prize_request(prize, reason=reason, requester_id=person_id)


def _alone() -> QuerySet[Any]:
    """Prizes that go with no running hit; `paid`: an award of theirs stands, or was paid before it
    was cancelled.
    """
    listed = ListedRound.objects.filter(round_id=OuterRef("round_id"), hit__state__in=RUNNING)
    paid = Award.objects.filter(prize=OuterRef("pk")).exclude(slip__cancelled_as="unpaid")
    return (
        WaitingPrize.objects.filter(~Exists(listed))
        .annotate(paid=Exists(paid))
        .order_by("at", "pk")
    )


def _with_newest(prizes: Iterable[Any]) -> list[tuple[Any, Any]]:
    """Each with its newest request, or None; `over`: its time is. Two statements."""
    found = list(prizes)
    if not found:
        return []
    asked = Approval.objects.filter(
        action=PRIZE, subject_kind="prize", subject_id__in=[str(one.pk) for one in found]
    )
    asked = asked.annotate(over=ExpressionWrapper(Q(expires_at__lte=Now()), BooleanField()))
    newest = {one.subject_id: one for one in requests_in_order(asked)}  # the last of each stays
    return [(one, newest.get(str(one.pk))) for one in found]


def _ran_out(newest: Any) -> bool:
    if newest is None or newest.state not in (Approval.State.OPEN, Approval.State.REJECTED):
        return True
    return newest.state == Approval.State.OPEN and bool(newest.over)
