"""What the newest cards of a feed contradict: refused to whoever deals, taken by the pit with a
reason, which stays on record.
"""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from payouts.rules.plain import check_text
from payouts.services import Subject, event_record
from tables.errors import FeedNeedsSecond
from tables.games.base import AgainstFeed
from tables.services.parts import rules_of

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
    supervisor: bool,
    reason: str,
) -> None:
    """Refuse what the feed contradicts unless the pit takes it with a reason, and it is about less
    than the house's threshold. Raises what contradicts, TextRefused, FeedNeedsSecond.
    """
    if not (supervisor and reason):
        raise against
    check_text(reason, "reason", least=3, most=500)
    most = rules_of(record["versions"]).floor.approval_from_minor
    if amount_minor >= most:
        raise FeedNeedsSecond(amount_minor=amount_minor, most_minor=most)


def against_record(
    record: Mapping[str, Any],
    against: AgainstFeed,
    person_id: UUID,
    reason: str,
    **what: str | int,
) -> None:
    """Keep that the feed was overruled. `what`: which stake or revision."""
    event_record(
        EVENT,
        Subject("round", record["id"]),
        house_id=UUID(record["house_id"]),
        actor_id=person_id,
        after={**what, "feed": record["feed_id"], "code": against.code, "data": against.data},
        reason=reason,
    )
