"""What a hand that is put right may still move. A pot that was pushed to another seat than it
belongs to is carried there until it lies in the winner's stack, which is when the next hand has
ended (POK-9); stacks that were fixed since do not move (POK-2).
"""

from uuid import UUID

from tables.errors import (
    AwardGone,
    ClaimLate,
    CorrectionUnknown,
    CountStands,
    LevelOther,
    StackLost,
)
from tables.models import Guest, Hand, HandSeat
from tables.models.hands import AWARD_MOVED, HAND_CORRECTIONS
from tables.services.hands.counted import check_rolled, counted_since, nets_of
from tables.services.hands.entry import HandFigures
from tables.services.hands.pots import stacks_of
from tables.services.seats.parts import PokerTable


def check_correction(at: PokerTable, hand: Hand, figures: HandFigures, correction: str) -> None:
    """Refuse a kind of correction that there is not; what would move stacks that were fixed since;
    and where chips are carried, once they cannot be. Raises CorrectionUnknown, LevelOther,
    StacksRolled, CountStands, ClaimLate, AwardGone, StackLost.
    """
    if correction not in HAND_CORRECTIONS:
        raise CorrectionUnknown(correction=str(correction)[:20])
    if figures.played is None:
        if correction == AWARD_MOVED:
            raise LevelOther(level=hand.entry_level)
        return
    after = figures.nets
    rows = HandSeat.objects.filter(hand=hand, revision=hand.revision)
    before = dict(rows.values_list("stay", "booked_minor"))
    if counted_since(hand):
        taken_out = any(before[stay] for stay in before.keys() - after.keys())
        if correction == AWARD_MOVED or taken_out:
            raise CountStands(number=hand.number)
        return
    check_rolled(at, nets_of(hand), after)
    if correction != AWARD_MOVED:
        return
    if Hand.objects.filter(session=hand.session, number__gt=hand.number).exists():
        raise ClaimLate(number=hand.number)
    _check_borne(at, {stay: before.get(stay, 0) - after.get(stay, 0) for stay in before | after})


def check_void(at: PokerTable, hand: Hand) -> None:
    """Refuse stakes that would go back to stacks which go on in another gaming day. Raises
    StacksRolled.
    """
    if not counted_since(hand):
        check_rolled(at, nets_of(hand), {})


def _check_borne(at: PokerTable, back: dict[UUID, int]) -> None:
    """Refuse what each stack is to give back (minor units) where it does not bear it."""
    stacks = stacks_of(at, [*back])
    guests = Guest.objects.filter(pk__in=back).select_related("stay").order_by("box")
    for guest in guests:
        if guest.stay.left_at is not None:
            raise AwardGone(seat=guest.box)
        if back[guest.pk] > (stack_minor := stacks.get(guest.pk, 0)):
            raise StackLost(seat=guest.box, amount_minor=back[guest.pk], stack_minor=stack_minor)
