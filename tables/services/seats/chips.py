"""Chips that a guest adds between two hands, and tips (POK-2, HSE-3)."""

from uuid import UUID

from payouts.db.constraints import require_transaction
from payouts.rules.ledger import recipes, stacks
from payouts.services import event_record
from tables.errors import ChipsRefused
from tables.games.poker.buying import check_chips, check_top_up, check_unbooked
from tables.models import StayChips
from tables.models.stays import BOUGHT
from tables.services.floor.frozen import check_uncounted
from tables.services.seats.between import check_between
from tables.services.seats.parts import (
    booked_minor,
    check_day,
    chips_move,
    moves_stacks,
    stack_source,
    stay_locked,
)
from tables.services.seats.stays import STACKS
from tables.services.seats.time_charge import check_given

EVENTS = {StayChips.Kind.TOP_UP: "chips.bought", StayChips.Kind.TIP: "chips.tipped"}


def stay_chips(
    *,
    house_id: UUID,
    stay_id: UUID,
    kind: str,
    amount_minor: int,
    means: str,
    actor_id: UUID,
    croupier_id: UUID | None = None,
) -> StayChips:
    """A guest tops up (`kind` `top_up`, `means` `cash` or `chips` that they hold) or tips (`tip`;
    `stack`, chips on the table, or `chips` from the pocket). What lies before them is not known at
    *rake only*, so the amount alone is looked at.

    Raises StayGone, TableClosed, CroupierWrong, DayOver, TableBeingCounted, ChipsRefused, OffChip,
    BuyInAbove; where hands are booked MidHand, TopUpBelow, AboveStack.
    """
    require_transaction()
    stay, at = stay_locked(house_id, stay_id, croupier_id)
    check_day(at.session)
    check_uncounted(at.session)
    check_between(at.session, [stay_id], actor_id)
    if kind == StayChips.Kind.TIP:
        check_given(at, kind, means)
        amount_minor = check_chips(at.posted.game, amount_minor)
        if means == "stack":
            lines = stacks.tip_stack(amount_minor, source=stack_source(at, stay, amount_minor))
        else:
            lines = recipes.tip(amount_minor)
    elif kind == StayChips.Kind.TOP_UP and means in BOUGHT:
        if moves_stacks(at.session):
            amount_minor = check_top_up(at.posted.game, booked_minor(at, stay), amount_minor)
        else:
            amount_minor = check_unbooked(at.posted.game, amount_minor)
        lines = STACKS[means](amount_minor)
    else:
        raise ChipsRefused(chips=str(kind)[:20], means=str(means)[:20])
    row = chips_move(
        at,
        stay,
        lines,
        kind=kind,
        amount_minor=amount_minor,
        means=means,
        actor_id=actor_id,
    )
    after = {"amount_minor": amount_minor, "means": means}
    event_record(EVENTS[StayChips.Kind(kind)], stay, actor_id=actor_id, after=after)
    return row
