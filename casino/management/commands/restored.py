"""`manage.py restored`: say that this database was restored from a backup."""

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from casino.ops.restores import lost
from jackpot.services import jackpots_restored


class Command(BaseCommand):
    """To be run once, before web and workers start, by a user who can read the folder of heads."""

    help = (
        "After a restore: suspend every jackpot until two people have reconciled its slips; screens"
        " take the older values."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        with transaction.atomic():
            gone = lost()
            count = jackpots_restored(lost_head=gone.head if gone else "")
        if gone:
            self.stdout.write(f"Lost: what was sealed up to {gone.taken_at} (seal {gone.seal}).")
        self.stdout.write(
            f"Jackpots suspended: {count}. Two people resume each once its slips are reconciled."
        )
