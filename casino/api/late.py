"""What comes too late from a tablet is refused, and kept for the pit: never lost, never booked twice."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

from casino.api.errors import KeptForThePit
from casino.api.who import Reach
from payouts.errors import Refused, mark
from tables.errors import CroupierWrong, RoundChanged, RoundState, RoundWithdrawn
from tables.models import Round, ToClarify
from tables.services import to_clarify_record

KEPT = mark("What was sent is kept: the pit looks at it and takes or dismisses it.")


@contextmanager
def kept_if_late(reach: Reach, table_id: UUID, round_id: UUID, kind: str, payload: object) -> Iterator[None]:
    """Run a lock or settle. If it comes too late from a tablet, keep it in a transaction of its own, and say so in the refusal."""
    try:
        yield
    # changed: while the result was being worked out; wrong: who dealt the round has handed the table over meanwhile
    except (RoundWithdrawn, RoundState, RoundChanged, CroupierWrong) as refused:
        late = not isinstance(refused, CroupierWrong) or (kind == "settle" and _has_dealt(reach, table_id, round_id))
        if reach.device is not None and late:
            kept = keep(reach, table_id, round_id, kind, payload, refused)
            raise KeptForThePit(refused, described(kept)) from refused
        raise


def _has_dealt(reach: Reach, table_id: UUID, round_id: UUID) -> bool:
    """Whether who sends this had the table in the session of the round."""
    had = Q(croupier_id=reach.actor) | Q(session__hand_overs__from_croupier_id=reach.actor)
    return Round.objects.filter(had, pk=round_id, table_id=table_id).exists()


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
