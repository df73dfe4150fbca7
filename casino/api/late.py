"""What comes too late from a tablet is refused, and kept for the pit: never lost, never booked twice."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext

from casino.api.errors import KeptForThePit
from casino.api.who import Reach
from payouts.errors import Refused, mark
from tables.errors import RoundChanged, RoundState, RoundWithdrawn
from tables.models import ToClarify
from tables.services import to_clarify_record

KEPT = mark("What was sent is kept: the pit looks at it and takes or dismisses it.")


@contextmanager
def kept_if_late(reach: Reach, table_id: UUID, round_id: UUID, kind: str, payload: object) -> Iterator[None]:
    """Run a lock or settle. If it comes too late from a tablet, keep it in a transaction of its own, and say so in the refusal."""
    try:
        yield
    except (RoundWithdrawn, RoundState, RoundChanged) as refused:  # changed: while the result was being worked out
        if reach.device is not None:
            kept = keep(reach, table_id, round_id, kind, payload, refused)
            raise KeptForThePit(refused, described(kept)) from refused
        raise


def keep(reach: Reach, table_id: UUID, round_id: UUID, kind: str, payload: object, refused: Refused) -> ToClarify:
    """Keep what was refused; the same thing once. Raises TableUnknown, DataRefused."""
    with transaction.atomic():
        return to_clarify_record(
            house_id=reach.house(),
            table_id=table_id,
            round_id=round_id,
            kind=kind,
            payload=payload,
            refused=refused,
            person_id=reach.actor,
        )


def described(kept: ToClarify) -> dict[str, str]:
    """Where it stands now, for who sent it."""
    return {"id": str(kept.pk), "state": kept.state, "detail": gettext(KEPT)}
