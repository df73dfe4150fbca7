"""Events about people, written in the caller's transaction."""

import structlog

from casino.people.models import Person
from payouts.services import event_record
from payouts.services.event import NOTHING


def record(
    name: str,
    *,
    person: Person | None = None,
    by: Person | None = None,
    before: object = None,
    after: object = None,
    reason: str = "",
) -> None:
    """Write one event about a person. `by` is who did it; None: nobody who has proved who they are,
    or the system itself.
    """
    event_record(
        name,
        person or NOTHING,
        actor_id=by.pk if by else None,
        before=before,
        after=after,
        reason=reason,
        request_id=request_id(),
    )


def request_id() -> str:
    """The id under which the present request stands in the logs; empty outside a request."""
    return str(structlog.contextvars.get_contextvars().get("request_id", ""))[:64]
