"""What the newest cards of a feed contradict: refused to whoever deals, taken by the pit with a
reason, which stays on record.
"""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from payouts.models import Event
from payouts.rules.plain import check_text
from payouts.services import Subject, event_record
from tables.errors import FeedNeedsSecond, VoidByDealer, VoidNeedsSecond
from tables.games.base import AgainstFeed, FeedBarsVoid
from tables.services.later.staked import stakes_of
from tables.services.parts import dealt_by, rules_of

EVENT = "round.against_feed"


def contradiction(check: Callable[[], None]) -> AgainstFeed | None:
    """What a check of the feed refuses."""
    try:
        check()
    except AgainstFeed as against:
        return against
    return None


def check_pit(
    record: Mapping[str, Any],
    against: AgainstFeed,
    amount_minor: int,
    *,
    person_id: UUID,
    supervisor: bool,
    reason: str,
    second: type[FeedNeedsSecond] = FeedNeedsSecond,
) -> None:
    """Refuse what the feed contradicts unless the pit takes it with a reason, did not deal the
    round, and all that was so taken in it is about less than the house's threshold. Raises what
    contradicts, TextRefused, and `second`.
    """
    if not (supervisor and reason) or person_id in dealt_by(record):
        raise against
    check_text(reason, "reason", least=3, most=500)
    most = rules_of(record["versions"]).floor.approval_from_minor
    earlier = Event.objects.filter(name=EVENT, subject_kind="round", subject_id=record["id"])
    amounts = earlier.values_list("after__amount_minor", flat=True)
    amount_minor += sum(amount or 0 for amount in amounts)
    if amount_minor >= most:
        raise second(amount_minor=amount_minor, most_minor=most)


def check_void(record: Mapping[str, Any], person_id: UUID, reason: str) -> None:
    """Refuse to take back all of a round to who dealt it; where its cards were read, as `check_pit`
    does: it counts as all that lies there. Raises FeedBarsVoid, VoidByDealer, VoidNeedsSecond.
    """
    if record["feed"] is not None:
        by: Any = {"person_id": person_id, "supervisor": True, "reason": reason}
        check_pit(record, FeedBarsVoid(), at_stake(record), **by, second=VoidNeedsSecond)
    elif person_id in dealt_by(record):
        raise VoidByDealer


def void_record(record: Mapping[str, Any], person_id: UUID, reason: str) -> None:
    """Keep that a round was voided whose cards were read."""
    if record["feed"] is not None:
        against_record(record, FeedBarsVoid(), person_id, reason, amount_minor=at_stake(record))


def at_stake(record: Mapping[str, Any]) -> int:
    """All that lies in a round, in minor units."""
    locked, later = stakes_of(record)
    return sum(stake.amount_minor for stake in (*locked, *(placed.stake for placed in later)))


def against_record(
    record: Mapping[str, Any],
    against: AgainstFeed,
    person_id: UUID,
    reason: str,
    **what: str | int,
) -> None:
    """Keep that the feed was overruled. `what`: which stake or revision, and `amount_minor`."""
    event_record(
        EVENT,
        Subject("round", record["id"]),
        house_id=UUID(record["house_id"]),
        actor_id=person_id,
        after={**what, "feed": record["feed_id"], "code": against.code, "data": against.data},
        reason=reason,
    )
