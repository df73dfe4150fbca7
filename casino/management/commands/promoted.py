"""`manage.py promoted`: say that a standby has taken over, with everything that was committed."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from casino.ops.restores import RESTORED, lost
from jackpot.selectors.jackpots import servers
from jackpot.services import standby_promoted


class Command(BaseCommand):
    """The script of a fail-over may run it, where the standby is synchronous."""

    help = "After a fail-over to a synchronous standby: nothing is lost, the jackpots go on."

    def handle(self, *args: Any, **options: Any) -> None:
        known, now = servers()
        if known == now:
            self.stdout.write("This server is known: nothing to be said.")
            return
        if gone := lost():
            raise CommandError(
                f"Seal {gone.seal} of {gone.taken_at} is not in these books: something was lost."
                f" {RESTORED}"
            )
        if not now.succeeds(known):
            raise CommandError(f"This is no standby of the server that was known. {RESTORED}")
        with transaction.atomic():
            standby_promoted()
        self.stdout.write(f"The books go on along timeline {now.timeline}.")
