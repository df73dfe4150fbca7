"""Hands that were played without the server and refused when they came: the pit takes or dismisses
them.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from tables.errors import ClarifyStaysUnknown, HandWrong, StayGone, TableClosed
from tables.models import Hand, ReviewItem
from tables.services.hands.end import hand_end, hand_was
from tables.services.hands.entry import PlayedHand, entry_of

HAND_END = "hand_end"
DEFAULTS: dict[str, Any] = {
    "dealt": (),
    "rake_minor": None,
    "pot_minor": None,
    "flop": True,
    "walk": False,
    "variant": None,
}


def hand_take(entry: ReviewItem, actor_id: UUID, reason: str) -> Hand:
    """Book a hand as it was played, in the session in which it was dealt, whose guests may have
    left since. Raises ClarifyStaysUnknown and what keeps it out.
    """
    try:
        return hand_end(
            house_id=entry.house_id,
            table_id=entry.table_id,
            hand_id=entry.round_id,
            entry=_entry(entry),
            person_id=actor_id,
            supervisor=True,
            clarified=True,
            croupier_id=entry.sent_by_id or actor_id,
            began_at=_began_at(entry),
            reason=reason,
        )
    except (StayGone, TableClosed) as gone:
        raise ClarifyStaysUnknown from gone


def hand_is_booked(entry: ReviewItem) -> bool:
    """Whether a hand is in the books just as it came."""
    where = {"house_id": entry.house_id, "table_id": entry.table_id, "hand_id": entry.round_id}
    try:
        return hand_was(**where, entry=_entry(entry))
    except HandWrong:
        return False


def _began_at(item: ReviewItem) -> datetime | None:
    """When a hand began, as it came. Raises HandWrong."""
    text = item.payload.get("began_at")
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except (TypeError, ValueError) as error:
        raise HandWrong from error
    if moment.tzinfo is None:
        raise HandWrong
    return moment


def _entry(item: ReviewItem) -> PlayedHand:
    """A hand as it came; what it does not say is as the API has it. Raises HandWrong."""
    values = DEFAULTS | item.payload
    try:
        dealt = [UUID(stay) for stay in values["dealt"]]
    except (AttributeError, TypeError, ValueError) as error:
        raise HandWrong from error
    if not all(type(values[name]) is bool for name in ("flop", "walk")):
        raise HandWrong
    return entry_of(values | {"dealt": dealt})
