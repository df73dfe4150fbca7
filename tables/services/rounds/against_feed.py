"""What the newest cards of a feed contradict: refused to whoever deals, taken by the pit with a
reason, which stays on record.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from uuid import UUID

from payouts.models import Event
from payouts.rules.plain import check_text
from payouts.services import Subject, event_record
from tables.errors import FeedNeedsSecond
from tables.games.base import AgainstFeed
from tables.services.later.staked import rows_after
from tables.services.parts import rules_of

EVENT = "round.against_feed"
PLACED = "round.placed"


def contradiction(check: Callable[[], None]) -> AgainstFeed | None:
    """What a check of the feed refuses."""
    try:
        check()
    except AgainstFeed as against:
        return against
    return None


def read_events(events: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, Any]:
    """Of a round's events beside a feed, by name and in their order: the stakes as they came after
    the lock, and which of these and of the results the pit took against it.
    """
    after = list(events)
    overruled = [event for name, event in after if name == EVENT]
    return {
        "came": [event for name, event in after if name == PLACED],
        "overruled": {
            (name, event[name])
            for event in overruled
            for name in event.keys() & {"placed", "revision"}
        },
    }


def came_of(record: Mapping[str, Any], revision: int | None = None) -> dict[tuple[int, str], int]:
    """When the stakes came that count, by drawn cards that the feed had read (`games.base.Came`),
    without those that the pit took against it, or that a correction brought. `revision` as in
    `stakes_of`.
    """
    events = record if "came" in record else _events_read(record["id"])
    drawn = {
        event["placed"]: event.get("drawn") or 0
        for event in events["came"]
        if ("placed", event["placed"]) not in events["overruled"]
    }
    came: dict[tuple[int, str], int] = {}
    for row in rows_after(record, revision):
        kind = row["box"], row["kind"]
        came[kind] = max(came.get(kind, 0), drawn.get(row["placed"], 0))
    return came


def _events_read(round_id: str) -> dict[str, Any]:
    events = Event.objects.filter(
        name__in=(PLACED, EVENT), subject_kind="round", subject_id=round_id
    )
    rows = events.order_by("pk").values_list("name", "after")
    return read_events((name, after or {}) for name, after in rows)


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
