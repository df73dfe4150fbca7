"""A worker that raises alerts, for tests that have none: without it every board says that nobody does."""

from datetime import timedelta

from django.utils import timezone

from casino.pit.alerts import SIGN
from jackpot.models import SignOfLife


def watched(*, for_s: int = 86_400) -> None:
    """Alerts were derived just now, and will have been for so many seconds."""
    values = {"at": timezone.now() + timedelta(seconds=for_s), "worker": "test"}
    SignOfLife.objects.update_or_create(kind=SIGN, defaults=values)
