"""`manage.py bootstrap`: the house and the first manager of an empty installation.

The second factor is left to the manager's first sign-in: so its secret is shown once, to him, on his own screen, and never stands
in a terminal's history or a log of the set-up, where whoever installs could read it.
"""

import sys
from getpass import getpass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.formats import STYLES
from casino.services import manager_bootstrap
from payouts import seal_keys
from payouts.errors import Refused


class Command(BaseCommand):
    """Make the house, if there is none, and the first manager; refuse if there is a manager."""

    help = "Make the house and the first manager of an empty installation."

    def add_arguments(self, parser: CommandParser) -> None:
        """What it is told."""
        parser.add_argument("--house", required=True, help="name of the house, such as “Casino Bad Ragaz”")
        parser.add_argument("--currency", required=True, help="three capital letters, such as CHF")
        parser.add_argument("--locale", default="de-CH", choices=sorted(STYLES), help="how amounts are written")
        parser.add_argument("--time-zone", default="Europe/Zurich", help="such as Europe/Zurich")
        parser.add_argument(
            "--gaming-day-change",
            default="06:00",
            help="local time at which one gaming day ends and the next begins, 04:00 to 12:00; it stays as it is given",
        )
        parser.add_argument("--username", required=True, help="the manager's sign-in name")
        parser.add_argument("--name", required=True, help="the manager's full name")
        parser.add_argument(
            "--all-houses",
            action="store_true",
            help="the manager is of no house: he makes people and reads in all of them, and signs in none",
        )
        parser.add_argument(
            "--password-file", help="a file that holds the password; - is standard input; else you are asked"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Make them, or say why not."""
        try:
            person, house = manager_bootstrap(
                username=options["username"],
                full_name=options["name"],
                password=self._password(options["password_file"]),
                house_name=options["house"],
                currency=options["currency"],
                locale=options["locale"],
                time_zone=options["time_zone"],
                gaming_day_change=options["gaming_day_change"],
                all_houses=options["all_houses"],
            )
        except Refused as refused:
            raise CommandError(f"{refused.text()} {refused.remedy % refused.data}") from refused
        if house:
            self.stdout.write(
                f"The house {house.name} was made; its amounts are in {house.currency},"
                f" its gaming day changes at {house.gaming_day_change:%H:%M}."
            )
        else:
            self.stdout.write("There is a house already; it was left as it is.")
        self._seal_key()
        self.stdout.write(f"{person.full_name} is the first manager and signs in as {person.username}.")
        self.stdout.write(
            "At the first sign-in the page shows how to set up the authenticator app: have a telephone at hand."
            " The start page then leads through the first steps of the house."
        )

    def _seal_key(self) -> None:
        """Make the key that signs the seals, unless there is one."""
        path = settings.SEAL_KEY_PATH
        if not path.exists():
            try:
                seal_keys.make(path)
            except OSError as error:
                self.stdout.write(
                    f"The key of the seals cannot be made at {path}: {error.strerror}. Run `manage.py seal_key`."
                )
            else:
                self.stdout.write(f"The key of the seals was made: {path}. Keep a copy of the public one elsewhere.")

    def _password(self, file: str | None) -> str:
        """From the file, from standard input, or asked for twice without echo."""
        if file == "-":
            return sys.stdin.readline().rstrip("\r\n")
        if file:
            try:
                return Path(file).read_text(encoding="utf-8").split("\n", 1)[0].rstrip("\r")
            except (OSError, UnicodeDecodeError) as error:
                raise CommandError(f"The password file {file} cannot be read: {error}") from error
        if not sys.stdin.isatty():
            raise CommandError(
                "There is no terminal to ask for a password: give --password-file, or - for standard input."
            )
        password = getpass("Password: ")
        if getpass("Password again: ") != password:
            raise CommandError("The two passwords differ. Nothing was made.")
        return password
