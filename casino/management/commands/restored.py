"""`manage.py restored`: say that this database was restored from a backup."""

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from jackpot.services import jackpots_restored


class Command(BaseCommand):
    """To be run once, before web and workers start."""

    help = "After a restore: suspend every jackpot until two people have reconciled its slips; screens take the older values."

    def handle(self, *args: Any, **options: Any) -> None:
        with transaction.atomic():
            count = jackpots_restored()
        self.stdout.write(f"Jackpots suspended: {count}. Two people resume each once its slips are reconciled.")
