"""Hands that were played without the server and refused when they came: the pit takes or dismisses
them.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from payouts.rules.rulesets.schema import MAXIMUM_MINOR
from tables.errors import ClarifyStaysUnknown, HandWrong, StayGone, TableClosed, TooFew
from tables.games.poker.raking import RakeMissing
from tables.games.poker.reading import PotsWrong
from tables.games.poker.variants import VARIANTS
from tables.models import Hand, ReviewItem
from tables.services.hands.end import hand_end, hand_was
from tables.services.hands.entry import PLAYERS_LEAST, PlayedHand, entry_of

HAND_END = "hand_end"
DEFAULTS: dict[str, Any] = {
    "dealt": (),
    "rake_minor": None,
    "pot_minor": None,
    "flop": True,
    "walk": False,
    "variant": None,
    "pots": None,
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
            entry=_entry(entry.payload),
            person_id=actor_id,
            supervisor=True,
            clarified=True,
            croupier_id=entry.sent_by_id or actor_id,
            began_at=_began_at(entry.payload),
            reason=reason,
        )
    except (StayGone, TableClosed) as gone:
        raise ClarifyStaysUnknown from gone


def hand_is_booked(entry: ReviewItem) -> bool:
    """Whether a hand is in the books just as it came."""
    where = {"house_id": entry.house_id, "table_id": entry.table_id, "hand_id": entry.round_id}
    try:
        return hand_was(**where, entry=_entry(entry.payload))
    except HandWrong:
        return False


def check_hand_form(payload: Mapping[str, Any]) -> None:
    """Refuse what is no hand, whoever sits there. Raises HandWrong, TooFew, RakeMissing."""
    _began_at(payload)
    entry = _entry(payload)
    if len({*entry.dealt}) < PLAYERS_LEAST:
        raise TooFew(players=len({*entry.dealt}))
    for amount in (entry.pot.rake_minor, entry.pot.pot_minor):
        if amount is not None and (type(amount) is not int or not 0 <= amount <= MAXIMUM_MINOR):
            raise RakeMissing
    if entry.variant and entry.variant not in VARIANTS:
        raise HandWrong


def _began_at(payload: Mapping[str, Any]) -> datetime | None:
    """When a hand began, as it came. Raises HandWrong."""
    text = payload.get("began_at")
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except (TypeError, ValueError) as error:
        raise HandWrong from error
    if moment.tzinfo is None:
        raise HandWrong
    return moment


def _entry(payload: Mapping[str, Any]) -> PlayedHand:
    """A hand as it came; what it does not say is as the API has it. Raises HandWrong."""
    values = {**DEFAULTS, **payload}
    try:
        dealt = [UUID(stay) for stay in values["dealt"]]
    except (AttributeError, TypeError, ValueError) as error:
        raise HandWrong from error
    flags = all(type(values[name]) is bool for name in ("flop", "walk"))
    if not flags or not isinstance(values["variant"], str | None):
        raise HandWrong
    try:
        return entry_of(values | {"dealt": dealt})
    except PotsWrong as error:
        raise HandWrong from error
