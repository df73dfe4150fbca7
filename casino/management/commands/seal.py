"""`manage.py seal`: seal what was committed, at once."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from casino.ops.models import SealRun
from casino.ops.seals import seals_take


class Command(BaseCommand):
    """Run as the worker's user; the worker does the same by the clock."""

    help = "Seal what was committed since the last seal. Ends with status 1 and why, if it cannot."

    def handle(self, *args: Any, **options: Any) -> None:
        count = seals_take()
        sealing = SealRun.objects.get(pk="seal")
        if sealing.failed:
            raise CommandError(sealing.failed)
        self.stdout.write(f"Seals taken: {count}. The newest is seal {sealing.number}.")
