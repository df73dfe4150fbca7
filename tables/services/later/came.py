"""How stakes came after the lock: what was entered with them, and what a feed had read by then."""

from collections.abc import Iterable, Mapping
from typing import Any

from payouts.models import Event
from tables.games.base import Entered
from tables.services.later.staked import rows_after
from tables.services.rounds.against_feed import EVENT
from tables.services.rounds.doubts import EVENT as DOUBTED

PLACED = "round.placed"
ON_RECORD = {EVENT: {"placed", "revision"}, DOUBTED: {"revision"}}


def read_events(events: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, Any]:
    """Of a round's events beside a feed, by name and in their order: the stakes as they came after
    the lock, and which of these and of the results the pit took against it, or hears of since they
    were contradicted later.
    """
    after = list(events)
    return {
        "came": [event for name, event in after if name == PLACED],
        "overruled": {
            (what, event[what])
            for name, event in after
            for what in event.keys() & ON_RECORD.get(name, set())
        },
    }


def came_of(record: Mapping[str, Any], revision: int | None = None) -> dict[tuple[int, str], int]:
    """When the stakes came that count, by drawn cards that the feed had read (`games.base.Came`),
    without those that the pit took against it, or that a correction brought. `revision` as in
    `stakes_of`.
    """
    events = events_of(record)
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


def entered_of(record: Mapping[str, Any]) -> list[Entered]:
    """What was entered with the stakes that lie there, without those that a correction brought."""
    lie = {row["placed"] for row in rows_after(record)}
    return [
        (event["box"], event["entered"])
        for event in events_of(record)["came"]
        if event["placed"] in lie and "entered" in event
    ]


def events_of(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Those that the record has, else those of the database."""
    if "came" in record:
        return record
    events = Event.objects.filter(
        name__in=(PLACED, EVENT), subject_kind="round", subject_id=record["id"]
    )
    rows = events.order_by("pk").values_list("name", "after")
    return read_events((name, after or {}) for name, after in rows)
