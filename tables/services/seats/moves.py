"""A guest changes seats or tables, and a table goes on in the next gaming day (POK-2)."""

from datetime import datetime
from uuid import UUID

from payouts.db.constraints import refusing, require_transaction
from payouts.rules.ledger import stacks
from payouts.services import event_record
from tables.errors import NotCounted, SeatOccupied, TimeOwed
from tables.games.poker.buying import check_chips
from tables.models import PokerStay, StayChips, TableSession
from tables.selectors.stays import paid_until
from tables.services.floor.sessions import session_close, table_open
from tables.services.parts import session_of, table_locked
from tables.services.seats.between import check_between, check_no_hand
from tables.services.seats.parts import (
    PokerTable,
    booked_minor,
    check_day,
    check_seat,
    empty_if_last,
    guest_seated,
    poker_table,
    post,
    stay_at,
    table_of_stay,
)
from tables.services.seats.stays import pause, stay_end
from tables.services.seats.time_charge import paid_half_hours, time_due


def stay_move(
    *,
    house_id: UUID,
    stay_id: UUID,
    seat: int,
    table_id: UUID | None = None,
    counted_minor: int = 0,
    actor_id: UUID,
    croupier_id: UUID | None = None,
) -> PokerStay:
    """A guest takes another seat of the table, or goes on at another one with the chips that are
    counted before them; that is a new stay.

    `croupier_id`: who must have the table that the guest leaves. Raises StayGone, TableUnknown,
    TableClosed, CroupierWrong, NoStacks, MidHand, NotCounted, DayOver, SeatOutside, SeatOccupied,
    OffChip, TimeOwed.
    """
    require_transaction()
    from_id = table_of_stay(house_id, stay_id)
    to_id = table_id or from_id
    for each in sorted({from_id, to_id}):
        table_locked(house_id, each, any_jackpot=True)
    at = poker_table(house_id, from_id, croupier_id=croupier_id)
    stay = stay_at(at, stay_id)
    check_between(at.session, [stay_id], actor_id)
    if to_id == from_id:
        if counted_minor:
            raise NotCounted(counted_minor=counted_minor)
        return _other_seat(at, stay, seat, actor_id)
    to = poker_table(house_id, to_id)
    check_day(to.session)
    for table in (at, to):
        check_chips(table.posted.game, counted_minor, least=0)
    if (due := time_due(at, stay)).half_hours:
        raise TimeOwed(count=due.half_hours, amount_minor=due.amount_minor)
    moved = stay_continue(at, to, stay, seat=seat, counted_minor=counted_minor, actor_id=actor_id)
    empty_if_last(at, stay, actor_id=actor_id)
    return moved


def _other_seat(at: PokerTable, stay: PokerStay, seat: int, actor_id: UUID) -> PokerStay:
    check_seat(at, seat)
    guest, before = stay.guest, stay.guest.box
    guest.box = seat
    with refusing({"guest_one_owner_per_box": SeatOccupied(seat=seat)}):
        guest.save(update_fields=["box"])
    event_record(
        "stay.moved", stay, actor_id=actor_id, before={"seat": before}, after={"seat": seat}
    )
    return stay


def stay_continue(
    at: PokerTable,
    to: PokerTable,
    stay: PokerStay,
    *,
    seat: int,
    counted_minor: int,
    actor_id: UUID,
) -> PokerStay:
    """A guest goes on in another session, with half hours that they have paid. Raises SeatOutside,
    SeatOccupied.
    """
    guest = guest_seated(to, seat)
    charged = at.posted.charge is not None and to.posted.charge is not None
    times = {"time_from": paid_until(stay, paid=paid_half_hours(stay))} if charged else {}
    moved = PokerStay.objects.create(
        guest=guest,
        house_id=stay.house_id,
        came_from=stay,
        **times,
    )
    if stay.away_since is not None:
        pause(moved, actor_id=actor_id)
    booked = booked_minor(at, stay)
    transfer_id = None
    if booked or counted_minor:
        lines = stacks.move(booked, counted=counted_minor)
        owners = {"from_table": at.table.pk, "from_stay": stay.pk}
        key = f"stay:{moved.pk}:1"
        transfer_id = post(to, key, "move", lines, moved, actor_id=actor_id, **owners)
    for row, kind in ((stay, StayChips.Kind.MOVED_OUT), (moved, StayChips.Kind.MOVED_IN)):
        StayChips.objects.create(
            house_id=stay.house_id,
            stay=row,
            kind=kind,
            amount_minor=counted_minor,
            transfer_id=transfer_id,
        )
    stay_end(stay)
    after = {"stay": str(moved.pk), "table": str(to.table.pk), "seat": seat}
    after |= {"counted_minor": counted_minor, "difference_minor": counted_minor - booked}
    event_record("stay.moved", stay, actor_id=actor_id, after=after)
    return moved


def session_roll(
    *,
    house_id: UUID,
    table_id: UUID,
    croupier_id: UUID | None = None,
    actor_id: UUID,
    silent_since: datetime | None = None,
    unsent: int = 0,
    reason: str = "",
) -> TableSession:
    """A poker table goes on in the gaming day that is: its session closes, another one opens, and
    who sits there goes on with the chips that are booked before them.

    `croupier_id`: who has the table then; None: who has it now. Raises NoStacks, HandRuns, and as
    `table_close` and `table_open`.
    """
    require_transaction()
    at = poker_table(house_id, table_id)
    check_no_hand(at.session)
    stays = PokerStay.objects.filter(guest__session=at.session, left_at=None)
    sitting = list(stays.select_related("guest").order_by("guest__number"))
    closed = session_close(
        at.table,
        at.session,
        actor_id=actor_id,
        silent_since=silent_since,
        unsent=unsent,
        reason=reason,
    )
    table_open(
        house_id=house_id,
        table_id=table_id,
        croupier_id=croupier_id or at.session.croupier_id,
        entry_level=at.session.entry_level,
        actor_id=actor_id,
        closer=closed.closer,
    )
    to = poker_table(house_id, table_id)
    for stay in sitting:
        booked = booked_minor(at, stay)
        stay_continue(
            at, to, stay, seat=stay.guest.box or 0, counted_minor=booked, actor_id=actor_id
        )
    return session_of(to.table)
