"""Chips of those who play a hand move before it and after it, not within (POK-2)."""

from collections.abc import Collection
from uuid import UUID

from payouts.selectors import house_now
from tables.errors import HandRuns, MidHand
from tables.models import Guest, TableSession
from tables.selectors.running import hand_running


def check_between(session: TableSession, stays: Collection[UUID], actor_id: UUID) -> None:
    """Refuse what moves chips of these stays while they are in a hand; whoever plays it on the
    tablet sends it when the hand has ended, and is not asked. Raises MidHand.
    """
    begun = hand_running(session)
    if begun is None or begun.begun_by_id == actor_id:
        return
    guests = Guest.objects.filter(pk__in={*stays} & {*begun.dealt}).order_by("box")
    if (guest := guests.first()) is not None:
        zone = house_now(house_id=session.house_id).zone
        raise MidHand(seat=guest.box, time=f"{begun.at.astimezone(zone):%H:%M}")


def check_no_hand(session: TableSession) -> None:
    """Refuse what is done to a whole table between two hands. Raises HandRuns."""
    begun = hand_running(session)
    if begun is not None:
        zone = house_now(house_id=session.house_id).zone
        raise HandRuns(number=begun.number, time=f"{begun.at.astimezone(zone):%H:%M}")
