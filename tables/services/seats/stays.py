"""A guest sits down at a poker table, pauses, and leaves with the chips that are counted
(POK-2).
"""

from typing import NamedTuple
from uuid import UUID

from django.db.models.functions import Now

from payouts.db.constraints import require_transaction
from payouts.rules.ledger import stacks
from payouts.rules.plain import check_text
from payouts.services import event_record
from tables.errors import ChipsRefused
from tables.games.poker.buying import check_buy_in, check_chips
from tables.models import PokerStay, StayChips
from tables.models.stays import BOUGHT
from tables.services.floor.frozen import check_uncounted
from tables.services.seats.between import check_between
from tables.services.seats.parts import (
    booked_minor,
    check_day,
    chips_move,
    empty_if_last,
    guest_seated,
    poker_table,
    stay_locked,
)
from tables.services.seats.time_charge import MEANS, time_due, time_take

STACKS = {"cash": stacks.stack_cash, "chips": stacks.stack_chips}


class Leaving(NamedTuple):
    """What a guest leaves with, what hands moved before them, and what was due for time, in minor
    units.
    """

    counted_minor: int
    difference_minor: int
    time_minor: int


def stay_begin(
    *,
    house_id: UUID,
    table_id: UUID,
    seat: int,
    amount_minor: int,
    means: str,
    actor_id: UUID,
    croupier_id: UUID | None = None,
) -> PokerStay:
    """A guest sits down and buys in. `means`: `cash`, or `chips` that they hold.

    `croupier_id`: who must have the table for this; None asks nobody (the pit). Raises
    TableUnknown, TableClosed, CroupierWrong, NoStacks, DayOver, TableBeingCounted, ChipsRefused,
    OffChip, BuyInOutside, SeatOutside, SeatOccupied.
    """
    require_transaction()
    at = poker_table(house_id, table_id, croupier_id=croupier_id)
    check_day(at.session)
    check_uncounted(at.session)
    if means not in BOUGHT:
        raise ChipsRefused(chips=StayChips.Kind.BUY_IN.value, means=str(means)[:20])
    amount_minor = check_buy_in(at.posted.game, amount_minor)
    guest = guest_seated(at, seat)
    stay = PokerStay.objects.create(guest=guest, house_id=house_id)
    chips_move(
        at,
        stay,
        STACKS[means](amount_minor),
        kind=StayChips.Kind.BUY_IN,
        amount_minor=amount_minor,
        means=means,
        actor_id=actor_id,
    )
    after = {"table": str(table_id), "number": guest.number, "seat": seat}
    after |= {"amount_minor": amount_minor, "means": means}
    event_record("stay.began", stay, actor_id=actor_id, after=after)
    return stay


def stay_away(
    *, house_id: UUID, stay_id: UUID, actor_id: UUID, croupier_id: UUID | None = None
) -> PokerStay:
    """A guest pauses and keeps the seat; the same again is nothing new. Raises StayGone,
    TableClosed, CroupierWrong.
    """
    require_transaction()
    stay, _at = stay_locked(house_id, stay_id, croupier_id)
    if stay.away_since is None:
        pause(stay, actor_id=actor_id)
    return stay


def pause(stay: PokerStay, *, actor_id: UUID) -> None:
    """A guest is away from the seat from now on."""
    stay.away_since = Now()
    stay.save(update_fields=["away_since"])
    stay.refresh_from_db(fields=["away_since"])
    event_record("stay.away", stay, actor_id=actor_id)


def stay_back(
    *, house_id: UUID, stay_id: UUID, actor_id: UUID, croupier_id: UUID | None = None
) -> PokerStay:
    """A guest plays on; the same again is nothing new. Raises as `stay_away`."""
    require_transaction()
    stay, _at = stay_locked(house_id, stay_id, croupier_id)
    if stay.away_since is not None:
        stay.away_since = None
        stay.save(update_fields=["away_since"])
        event_record("stay.back", stay, actor_id=actor_id)
    return stay


def stay_leave(
    *,
    house_id: UUID,
    stay_id: UUID,
    counted_minor: int,
    waived: str = "",
    actor_id: UUID,
    croupier_id: UUID | None = None,
) -> Leaving:
    """A guest leaves with the chips that are counted before them; half hours that are due are paid
    (RAK-2). `waived`: why they are not.

    With the last guest the table is cleared of what hands left unbooked. Raises StayGone,
    TableClosed, CroupierWrong, MidHand, TableBeingCounted (for the half hours), OffChip,
    TextRefused.
    """
    require_transaction()
    stay, at = stay_locked(house_id, stay_id, croupier_id)
    check_between(at.session, [stay_id], actor_id)
    check_chips(at.posted.game, counted_minor, least=0)
    due = time_due(at, stay)
    if waived:
        check_text(waived, "reason", least=3, most=500)
    elif due.half_hours:
        means = MEANS[at.posted.house.time_from]
        time_take(at, stay, due, means=means, actor_id=actor_id)
    booked = booked_minor(at, stay)
    chips_move(
        at,
        stay,
        stacks.stack_out(booked, counted=counted_minor) if booked or counted_minor else [],
        kind=StayChips.Kind.OUT,
        amount_minor=counted_minor,
        actor_id=actor_id,
    )
    leaving = Leaving(
        counted_minor=counted_minor,
        difference_minor=counted_minor - booked,
        time_minor=due.amount_minor,
    )
    stay_end(stay)
    after = {"table": str(at.table.pk), **leaving._asdict()}
    event_record("stay.left", stay, actor_id=actor_id, after=after, reason=waived)
    empty_if_last(at, stay, actor_id=actor_id)
    return leaving


def stay_end(stay: PokerStay) -> None:
    """A guest is not at this table any more."""
    stay.left_at = stay.guest.left_at = Now()
    stay.save(update_fields=["left_at"])
    stay.guest.save(update_fields=["left_at"])
    stay.refresh_from_db()
