"""What nothing proves wrong and the pit hears of: it is on record, and raises an alert."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.db import transaction

from payouts.errors import Refused
from payouts.models import Event
from payouts.rules.plain import Json
from payouts.services import Subject, event_record
from tables.games import bank_game
from tables.models import Round

EVENT = "round.doubted"
ENDED = "round.doubt_ended"
OWNER_AWAY, OWNER_LEFT = "owner_away", "owner_left"
FEED_DENIES, FEED_OTHERWISE, FEED_ENROLLED = "feed_denies", "feed_otherwise", "feed_enrolled"
FEED_WAITS, FEED_VOIDED = "feed_waits", "feed_voided"


def doubt_record(
    record: Mapping[str, Any], person_id: UUID | None, *, why: str, **what: Json
) -> Event:
    """Keep a doubt about a round, in the caller's transaction."""
    return event_record(
        EVENT,
        Subject("round", record["id"]),
        house_id=UUID(record["house_id"]),
        actor_id=person_id,
        after={"why": why, **what},
    )


@contextmanager
def refused_result(*, house_id: UUID, round_id: UUID, person_id: UUID) -> Iterator[None]:
    """Keep once, in a transaction of its own, that a result was refused of which the pit hears: it
    speaks against stakes that lie there.
    """
    try:
        yield
    except Refused as refused:
        playing = Round.objects.filter(pk=round_id, house_id=house_id).select_related("table")
        for running in playing:
            if refused.code in bank_game(running.table.game).doubted:
                record = {"id": str(round_id), "house_id": str(house_id)}
                _record_once(record, person_id, refused.code)
        raise


def _record_once(record: Mapping[str, Any], person_id: UUID, code: str) -> None:
    with transaction.atomic():
        Round.objects.select_for_update(no_key=True).get(pk=record["id"])
        before = Event.objects.filter(name=EVENT, subject_kind="round", subject_id=record["id"])
        if not before.filter(after__why=code).exists():
            doubt_record(record, person_id, why=code)
