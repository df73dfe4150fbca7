"""What comes too late from a tablet is refused, and kept for the pit: never lost, never booked
twice.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

from casino.api.schemas import rounds
from casino.api.schemas.read import read_body
from casino.api.who import AccessScope
from casino.text.request_errors import FieldWrong, KeptForReview, KeyRefused
from jackpot.errors import RoundClaims
from payouts.commands import AnswerUnknown, Busy, InFlight, KeyReused
from payouts.errors import Refused, mark
from tables.errors import (
    CardsOut,
    CroupierWrong,
    HoursOver,
    RoundChanged,
    RoundStands,
    RoundState,
    RoundWithdrawn,
    TableBeingCounted,
    WithdrawLate,
)
from tables.models import ReviewItem, Round
from tables.services import review_item_record
from tables.services.rounds.lock import BOX_MOST

# Nothing is known of the round, its tray is being counted, or the caller mixed its keys up: they
# ask again, and nothing goes to the pit.
NOT_OF_THE_ROUND = (AnswerUnknown, Busy, InFlight, KeyRefused, KeyReused, TableBeingCounted)
BOXES = mark("a list of boxes with what each was paid")
FOR_REVIEW = mark("What was sent is kept: the pit looks at it and takes or dismisses it.")


@contextmanager
def review_if_late(
    scope: AccessScope,
    table_id: UUID | None,
    round_id: UUID,
    kind: str,
    payload: object,
    *,
    whatever: bool = False,
) -> Iterator[None]:
    """Run a lock, a withdrawal or a settlement. If it comes too late from a tablet, keep it in a
    transaction of its own, and say so in the refusal.

    `whatever`: the croupier gives it to the pit, for whatever reason it is refused. `table_id` is
    None elsewhere than at a table.
    """
    try:
        yield
    except NOT_OF_THE_ROUND:
        raise
    except Refused as refused:
        if scope.device is None or table_id is None:
            raise
        if not (
            _is_late(refused, scope, table_id, round_id, kind)
            or (whatever and not _is_at_another(table_id, round_id))
        ):
            raise
        kept = review_record(scope, table_id, round_id, kind, payload, refused)
        raise KeptForReview(refused, described(kept)) from refused


def _is_late(
    refused: Refused, scope: AccessScope, table_id: UUID, round_id: UUID, kind: str
) -> bool:
    """Whether the round went on without what was sent: it changed while the result was being worked
    out, or is over; or who dealt it has handed the table over meanwhile.
    """
    if isinstance(refused, CroupierWrong):
        return kind in ("settle", "withdraw") and _has_dealt(scope, table_id, round_id)
    if kind == "withdraw":  # the guests have their chips by now
        return isinstance(refused, WithdrawLate | CardsOut | RoundClaims | RoundStands | RoundState)
    if kind == "lock" and isinstance(refused, HoursOver):  # the last round of an evening
        return True
    return isinstance(refused, RoundWithdrawn | RoundState | RoundChanged)


def _is_at_another(table_id: UUID, round_id: UUID) -> bool:
    return Round.objects.filter(pk=round_id).exclude(table_id=table_id).exists()


def _has_dealt(scope: AccessScope, table_id: UUID, round_id: UUID) -> bool:
    """Whether who sends this had the table in the session of the round."""
    had = Q(croupier_id=scope.actor) | Q(session__hand_overs__from_croupier_id=scope.actor)
    return Round.objects.filter(had, pk=round_id, table_id=table_id).exists()


def review_record(
    scope: AccessScope, table_id: UUID, round_id: UUID, kind: str, payload: object, refused: Refused
) -> ReviewItem:
    """Keep what was refused; the same thing once. Raises as `review_item_record`."""
    with transaction.atomic():
        return review_item_record(
            house_id=scope.house(),
            table_id=table_id,
            round_id=round_id,
            kind=kind,
            payload=payload,
            refused=refused,
            person_id=scope.actor,
        )


def check_reckoned(reckoned: list[Any]) -> None:
    """Look at what a tablet had the boxes paid. Raises FieldWrong and as `read_body`."""
    if len(reckoned) > BOX_MOST:
        raise FieldWrong(name="reckoned", value=len(reckoned), expected=BOXES)
    for row in reckoned:
        read_body(rounds.PaidAtBox, row)


def described(kept: ReviewItem) -> dict[str, str]:
    """Where it stands now, for who sent it."""
    return {"id": str(kept.pk), "state": kept.state, "detail": gettext(FOR_REVIEW)}
