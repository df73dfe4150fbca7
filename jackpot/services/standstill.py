"""A jackpot whose step fails is recorded, so that the pit is alarmed, until a step of it could be
looked at without failing.
"""

from uuid import UUID

from django.db import DatabaseError, transaction
from django.db.models import Case, F, Value, When
from django.db.models.functions import Now
from structlog import get_logger

from jackpot.models import Jackpot, Standstill

log = get_logger(__name__)
ERROR_MOST = 200


def stands(jackpot_id: UUID, error: Exception) -> None:
    """Advancing it has failed once more; what cannot be recorded is logged, and fails again in two
    seconds.
    """
    told = f"{type(error).__name__}: {error}"[:ERROR_MOST]
    try:
        with transaction.atomic():
            if not Jackpot.objects.filter(pk=jackpot_id).exists():
                return
            new = Standstill(jackpot_id=jackpot_id, since=Now(), failures=0, error=told)
            Standstill.objects.bulk_create([new], ignore_conflicts=True)
            Standstill.objects.filter(jackpot_id=jackpot_id).update(
                since=Case(When(over_at=None, then=F("since")), default=Now()),
                failures=Case(When(over_at=None, then=F("failures") + 1), default=Value(1)),
                error=told,
                over_at=None,
            )
    except DatabaseError:
        log.exception("standstill_not_recorded", jackpot=str(jackpot_id))


def moves(jackpot_id: UUID) -> None:
    """Advancing it did not fail: whatever stood before is over."""
    Standstill.objects.filter(jackpot_id=jackpot_id, over_at=None).update(over_at=Now())
