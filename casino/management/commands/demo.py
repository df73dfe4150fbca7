"""`manage.py demo`: the demo house and its people; may be run again at any time. `--show` prints
how to sign in.
"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.demo.people import demo_load, demo_sign_ins
from payouts.errors import Refused


class Command(BaseCommand):
    """Load the demo house; refuse outside demo mode."""

    help = "Load the demo house and its people (needs SAALCHEF_DEMO=1)."

    def add_arguments(self, parser: CommandParser) -> None:
        """What it is told."""
        parser.add_argument(
            "--show",
            action="store_true",
            help="print sign-in names, password and the codes of this moment",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Load, then show if asked."""
        try:
            house = demo_load()
        except Refused as refused:
            raise CommandError(f"{refused.text()} {refused.remedy % refused.data}") from refused
        self.stdout.write(f"The demo house is {house.name}.")
        if options["show"]:
            self._show()

    def _show(self) -> None:
        people = demo_sign_ins()
        widths = [
            max(len(getattr(person, column)) for person in people)
            for column in ("role", "username", "password")
        ]
        for person in people:
            columns = zip((person.role, person.username, person.password), widths, strict=True)
            self.stdout.write(
                "  ".join(text.ljust(width) for text, width in columns) + f"  {person.code}"
            )
        self.stdout.write("The codes change every 30 seconds; the sign-in page shows them too.")
