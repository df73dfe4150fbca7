"""All stacks of a table are counted between two hands, and the books say what is counted (POK-2):
before a level that needs them, or when the floor wants to know.
"""

from collections.abc import Mapping
from typing import NamedTuple
from uuid import UUID

from django.db.models import Max

from payouts.db.constraints import require_transaction
from payouts.rules.ledger import stacks
from payouts.services import event_record
from tables.errors import CountByFloor, CountDiffers, StacksMissing
from tables.games.poker.buying import check_chips
from tables.models import Hand, PokerStay, StackCount, StayChips
from tables.selectors.stays import in_play_minor
from tables.services.seats.between import check_no_hand
from tables.services.seats.parts import (
    PokerTable,
    booked_minor,
    chips_move,
    moves_stacks,
    poker_table,
)

STACKS_COUNTED = "stacks.counted"


class CountedStack(NamedTuple):
    """What lies before a guest, and how far that is from what was booked (minor units)."""

    stay: UUID
    counted_minor: int
    difference_minor: int


class CountedStacks(NamedTuple):
    """A count of a table, and its stacks by seat."""

    recorded: StackCount
    stacks: list[CountedStack]


def stacks_count(
    *,
    house_id: UUID,
    table_id: UUID,
    counted: Mapping[str, object],
    missing_minor: int | None = None,
    actor_id: UUID,
    croupier_id: UUID | None = None,
) -> CountedStacks:
    """Book what is counted before each guest who sits there; `counted`: minor units by the stay.

    Together it is what the books have on the table; else the floor signs the difference as
    `missing_minor`, which stays in `in_play`. `croupier_id`: who must have the table for this; None
    is the floor. Raises TableUnknown, TableClosed, CroupierWrong, NoStacks, CountByFloor,
    HandRuns, StacksMissing, OffChip, CountDiffers.
    """
    require_transaction()
    at = poker_table(house_id, table_id, croupier_id=croupier_id)
    if croupier_id is not None and moves_stacks(at.session):
        raise CountByFloor
    check_no_hand(at.session)
    stays = _all_stays(at, counted)
    stacked = [_stack(at, stay, counted[str(stay.pk)]) for stay in stays]
    counted_minor = sum(stack.counted_minor for stack in stacked)
    booked = counted_minor - sum(stack.difference_minor for stack in stacked)
    on_table = booked + in_play_minor(at.table.pk)
    missing = on_table - counted_minor
    if missing != (0 if croupier_id or missing_minor is None else missing_minor):
        raise CountDiffers(
            counted_minor=counted_minor, booked_minor=on_table, missing_minor=missing
        )
    for stay, stack in zip(stays, stacked, strict=True):
        before = stack.counted_minor - stack.difference_minor
        chips_move(
            at,
            stay,
            stacks.stacks_counted(before, counted=stack.counted_minor),
            kind=StayChips.Kind.COUNTED,
            amount_minor=stack.difference_minor,
            actor_id=actor_id,
        )
    last = Hand.objects.filter(session=at.session).aggregate(last=Max("number"))["last"]
    count = StackCount.objects.create(
        house_id=house_id,
        session=at.session,
        last_hand=last or 0,
        counted_minor=counted_minor,
        missing_minor=missing,
        counted_by_id=actor_id,
    )
    after = {"session": str(at.session.pk), "counted_minor": counted_minor}
    after |= {"missing_minor": missing}
    event_record(STACKS_COUNTED, at.table, actor_id=actor_id, after=after)
    return CountedStacks(count, stacked)


def _all_stays(at: PokerTable, counted: Mapping[str, object]) -> list[PokerStay]:
    """Who sits at the table, by seat. Raises StacksMissing."""
    rows = PokerStay.objects.filter(guest__session=at.session, left_at=None)
    stays = list(rows.select_related("guest").order_by("guest__box"))
    if {*counted} != {str(stay.pk) for stay in stays}:
        raise StacksMissing(seats=", ".join(str(stay.guest.box) for stay in stays) or "–")
    return stays


def _stack(at: PokerTable, stay: PokerStay, counted: object) -> CountedStack:
    counted_minor = check_chips(at.posted.game, counted, least=0)
    return CountedStack(stay.pk, counted_minor, counted_minor - booked_minor(at, stay))
