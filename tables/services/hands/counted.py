"""Stacks that were fixed since a hand: all of them were counted, or go on in another gaming day
(POK-2).
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from tables.errors import StacksRolled
from tables.models import Hand, HandSeat, PokerStay, StackCount
from tables.services.seats.parts import PokerTable, sessions_on


def counted_since(hand: Hand) -> bool:
    """Whether all stacks of its table were counted after a hand: what lies there now is what was
    counted, whatever comes out about the hand.
    """
    own = Q(session=hand.session_id, last_hand__gte=hand.number)
    later = sessions_on(hand.session) - {hand.session_id}
    if StackCount.objects.filter(own | Q(session__in=later)).exists():
        return True
    return hand.queued and _moved_no_stack(hand)


def counted_later(at: PokerTable, began_at: datetime | None) -> bool:
    """As `counted_since`, of a hand that comes late and has no number yet. `began_at`: by the
    tablet's clock; of one that does not say it, any count is a later one.
    """
    own = Q(session=at.session)
    if began_at is not None:
        own &= Q(at__gt=began_at)
    later = sessions_on(at.session) - {at.session.pk}
    return StackCount.objects.filter(own | Q(session__in=later)).exists()


def check_rolled(at: PokerTable, before: Mapping[UUID, int], after: Mapping[UUID, int]) -> None:
    """Refuse other nets than before (minor units by stay) of guests who go on in another gaming
    day, where a hand of this one does not reach their stacks. Raises StacksRolled.
    """
    stays = {*before, *after}
    changed = {stay for stay in stays if before.get(stay, 0) != after.get(stay, 0)}
    if at.session.closed_at is not None and _goes_on(at, changed):
        raise StacksRolled(day=at.session.gaming_day.isoformat())


def nets_of(hand: Hand) -> dict[UUID, int]:
    """By stay what the last result of a hand has it win less what it paid."""
    rows = HandSeat.objects.filter(hand=hand, revision=hand.revision)
    return {row.stay_id: _net(row) for row in rows}


def _net(row: HandSeat) -> int:
    paid_minor = row.ante_minor + row.live_minor + row.dead_minor
    return row.returned_minor + row.won_minor - paid_minor


def _moved_no_stack(hand: Hand) -> bool:
    """Whether a hand that came late was one of before a count: it has moved nothing."""
    rows = [*HandSeat.objects.filter(hand=hand, revision=1)]
    return any(map(_net, rows)) and not any(row.booked_minor for row in rows)


def _goes_on(at: PokerTable, stays: Collection[UUID]) -> bool:
    """Whether a guest of these stays sits at the table, in a later gaming day."""
    at_table = PokerStay.objects.filter(guest__session__table=at.table)
    while stays:
        rows = [*at_table.filter(came_from__in=stays).values_list("pk", "left_at")]
        if any(left_at is None for _stay, left_at in rows):
            return True
        stays = [stay for stay, _left_at in rows]
    return False
