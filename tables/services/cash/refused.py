"""What a table entered without the server and what is not taken: the pit is told."""

from uuid import UUID

from payouts.errors import Refused
from payouts.models import Event
from payouts.rules.rulesets.schema import MAXIMUM_MINOR
from payouts.services import Subject, event_record
from tables.services.cash.kinds import CashKind

REFUSED = "refused"  # of the names of events


def entry_refused(
    *,
    kind: CashKind,
    house_id: UUID,
    table_id: UUID,
    entry_id: UUID,
    amount: object,
    actor_id: UUID,
    refused: Refused,
) -> None:
    """Write down, once, that a buy-in or a tip that was queued lies in no books."""
    name = f"{kind.name}.{REFUSED}"
    subject = Subject(kind.name, entry_id)
    if Event.objects.filter(
        name=name, subject_kind=subject.kind, subject_id=str(entry_id)
    ).exists():
        return
    event_record(
        name,
        subject,
        house_id=house_id,
        actor_id=actor_id,
        after={"table": str(table_id), "amount_minor": _shown_minor(amount), "code": refused.code},
    )


def _shown_minor(amount: object) -> int:
    """What can be written as money; nothing of what is no amount at all."""
    return amount if type(amount) is int and 0 < amount <= MAXIMUM_MINOR else 0
