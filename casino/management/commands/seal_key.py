"""`manage.py seal_key`: make the key that signs the seals, or put a new one in its place."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from payouts import seal_keys


class Command(BaseCommand):
    """Run as the user who seals (the worker's), in the environment of the house."""

    help = (
        "Make the key that signs the seals (SEAL_KEY_PATH). The public halves of former keys stay."
    )
    requires_system_checks = []  # it works without a database

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--replace", action="store_true", help="put a new key in place of the one there is"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        path = settings.SEAL_KEY_PATH
        if path.exists() and not options["replace"]:
            raise CommandError(
                f"There is a key at {path}. To put a new one in its place: --replace."
            )
        try:
            key = seal_keys.make(path)
        except OSError as error:
            raise CommandError(f"The key cannot be written to {path}: {error.strerror}.") from error
        self.stdout.write(
            f"Key {key} signs from the next seal on. Keep a copy of {path.with_name(f'{key}.pub')}"
            " elsewhere."
        )
