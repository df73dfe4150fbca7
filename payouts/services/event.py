"""The log of who did what."""

import re
from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from django.db.models import Model

from payouts.db.constraints import refusing
from payouts.models import Event, House
from payouts.rules.ledger.postings import check_actor, check_house
from payouts.rules.plain import check_data, check_text


class Subject(NamedTuple):
    """What an event is about, where no row is at hand: its kind and its id."""

    kind: str = ""
    pk: object = ""


NOTHING = Subject()


def event_record(
    name: str,
    subject: Model | Subject = NOTHING,
    *,
    house_id: UUID | None = None,
    actor_id: UUID | None = None,
    before: object = None,
    after: object = None,
    reason: str = "",
    request_id: str = "",
) -> Event:
    """Write one event in the caller's transaction, and give it back. `before` and `after` are plain
    data.

    `subject`: a row, whose house it is then, or its kind and id. Raises TextRefused, DataRefused,
    HouseUnknown or ActorUnknown.
    """
    event = event_of(
        name,
        subject,
        house_id=house_id,
        actor_id=actor_id,
        before=before,
        after=after,
        reason=reason,
        request_id=request_id,
    )
    with refusing({}, Event):
        event.save(force_insert=True)
    return event


def events_record(events: Iterable[Event]) -> None:
    """Write many events, in their order, by one statement. Raises HouseUnknown or ActorUnknown."""
    with refusing({}, Event):
        Event.objects.bulk_create(events)


def event_of(
    name: str,
    subject: Model | Subject = NOTHING,
    *,
    house_id: UUID | None = None,
    actor_id: UUID | None = None,
    before: object = None,
    after: object = None,
    reason: str = "",
    request_id: str = "",
) -> Event:
    """An event that is not written yet. Raises TextRefused, DataRefused."""
    if isinstance(subject, Model):
        house_id = (
            subject.pk if isinstance(subject, House) else getattr(subject, "house_id", house_id)
        )
        subject = Subject(_kind(subject), subject.pk)
    if house_id is not None:
        check_house(house_id)
    check_actor(actor_id)
    return Event(
        name=check_text(name, "name", least=1, most=60),
        house_id=house_id,
        actor_id=actor_id,
        subject_kind=check_text(subject.kind, "subject_kind", most=30),
        subject_id=check_text(str(subject.pk), "subject_id", most=64),
        before=check_data(before, "before"),
        after=check_data(after, "after"),
        reason=check_text(reason, "reason", most=500),
        request_id=check_text(request_id, "request_id", most=64),
    )


def _kind(row: Model) -> str:
    """The kind of a row as events name it: `posted_table` of a PostedTable."""
    return (
        getattr(row, "event_kind", "")
        or re.sub(r"(?<=.)([A-Z])", r"_\1", str(row._meta.object_name)).lower()
    )
