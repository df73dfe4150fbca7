"""The log of who did what."""

from uuid import UUID

from payouts.db.constraints import refusing
from payouts.models import Event
from payouts.rules.ledger.postings import check_actor, check_house
from payouts.rules.plain import check_data, check_text


def event_record(
    *,
    name: str,
    house_id: UUID | None = None,
    actor_id: UUID | None = None,
    subject_kind: str = "",
    subject_id: object = "",
    before: object = None,
    after: object = None,
    reason: str = "",
    request_id: str = "",
) -> Event:
    """Write one event in the caller's transaction, and give it back. `before` and `after` are plain data.

    Raises TextRefused, DataRefused, HouseUnknown or ActorUnknown.
    """
    if house_id is not None:
        check_house(house_id)
    check_actor(actor_id)
    event = Event(
        name=check_text(name, "name", least=1, most=60),
        house_id=house_id,
        actor_id=actor_id,
        subject_kind=check_text(subject_kind, "subject_kind", most=30),
        subject_id=check_text(str(subject_id), "subject_id", most=64),
        before=check_data(before, "before"),
        after=check_data(after, "after"),
        reason=check_text(reason, "reason", most=500),
        request_id=check_text(request_id, "request_id", most=64),
    )
    with refusing({}, Event):
        event.save(force_insert=True)
    return event
