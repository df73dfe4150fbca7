"""`manage.py bootstrap`: the house and the first manager of an empty installation.

In a terminal it asks for what its arguments do not say, until it is right: what is said of a house
stays. The second factor is left to the manager's first sign-in: so its secret is shown once, to
them, on their own screen, and never stands in a terminal's history or a log of the set-up, where
whoever installs could read it.
"""

import sys
from getpass import getpass
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.people.services import bootstrap_check, manager_bootstrap
from casino.text.formats import STYLES
from payouts import seal_keys
from payouts.errors import Refused
from payouts.models import House


class Question(NamedTuple):
    """Something to be known: its argument, what is asked for, how it is answered by Enter alone."""

    name: str
    asks: str
    usual: str = ""
    one_of: tuple[str, ...] = ()


OF_THE_HOUSE = (
    Question("house", "Name of the house, such as Casino Bad Ragaz"),
    Question("currency", "Currency, three capital letters", "CHF"),
    Question(
        "locale", f"How amounts are written: {', '.join(sorted(STYLES))}", "de-CH", tuple(STYLES)
    ),
    Question("time_zone", "Time zone", "Europe/Zurich"),
    Question(
        "gaming_day_change", "When one gaming day ends and the next begins, 04:00 to 12:00", "06:00"
    ),
)
OF_THE_MANAGER = (
    Question("username", "Sign-in name of the first manager, such as m.muster"),
    Question("name", "Full name, such as Maria Muster"),
)
QUESTIONS = (*OF_THE_HOUSE, *OF_THE_MANAGER)
NEEDED = ("house", "currency", "username", "name")  # where nobody can be asked


class Command(BaseCommand):
    """Make the house, if there is none, and the first manager; refuse if there is a manager."""

    help = (
        "Make the house and the first manager of an empty installation. In a terminal it asks for"
        " what is not given."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """What it is told."""
        parser.add_argument("--house", help="name of the house, such as “Casino Bad Ragaz”")
        parser.add_argument("--currency", help="three capital letters, such as CHF")
        parser.add_argument(
            "--locale", choices=sorted(STYLES), help="how amounts are written (de-CH)"
        )
        parser.add_argument("--time-zone", help="such as Europe/Zurich")
        parser.add_argument(
            "--gaming-day-change",
            help=(
                "local time at which one gaming day ends and the next begins, 04:00 to 12:00"
                " (06:00); it stays as it is given"
            ),
        )
        parser.add_argument("--username", help="the manager's sign-in name")
        parser.add_argument("--name", help="the manager's full name")
        parser.add_argument(
            "--all-houses",
            action="store_true",
            help=(
                "the manager is of no house: makes people and reads in all of them, and signs in"
                " none"
            ),
        )
        parser.add_argument(
            "--password-file",
            help="a file that holds the password; - is standard input; else you are asked",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Make them, or say why not."""
        if settings.DEMO:
            raise CommandError(
                "This is a demo house: its people are there already, and nobody in it is real."
            )
        try:
            self._until_made(options)
        except (EOFError, KeyboardInterrupt) as over:
            raise CommandError("Nothing was made.") from over

    def _until_made(self, options: dict[str, Any]) -> None:
        given = {question.name: options[question.name] for question in QUESTIONS}
        missing = [f"--{name}" for name in NEEDED if given[name] is None]
        is_asked = bool(missing) and sys.stdin.isatty()
        if missing and not is_asked:
            raise CommandError(f"Say {', '.join(missing)}: there is no terminal to ask for it.")
        usual: dict[str, str] = {}
        while True:
            try:
                bootstrap_check()
            except Refused as refused:
                raise CommandError(_sentence(refused)) from refused
            said = (
                self._asked(given, usual)
                if is_asked
                else {one.name: _or(given[one.name], one.usual) for one in QUESTIONS}
            )
            try:
                self._make(
                    said, self._password(options["password_file"]), all_houses=options["all_houses"]
                )
            except Refused as refused:
                if not is_asked:
                    raise CommandError(_sentence(refused)) from refused
                self.stderr.write(f"{_sentence(refused)}\n")
                # all is asked for again, and stands there as it was answered
                given, usual = dict.fromkeys(given), said
            else:
                return

    def _asked(self, given: dict[str, str | None], usual: dict[str, str]) -> dict[str, str]:
        """Ask for what is not given; nothing of a house that is there already."""
        there = House.objects.exists()
        if not there:
            self.stdout.write(
                "What is said of the house stays as it is given. Enter alone takes what stands in"
                " brackets."
            )
        said = {one.name: _or(given[one.name], one.usual) for one in QUESTIONS}
        for question in (*(() if there else OF_THE_HOUSE), *OF_THE_MANAGER):
            if given[question.name] is None:
                said[question.name] = _ask(question, usual.get(question.name, question.usual))
        return said

    def _make(self, said: dict[str, str], password: str, *, all_houses: bool) -> None:
        person, house = manager_bootstrap(
            username=said["username"],
            full_name=said["name"],
            password=password,
            house_name=said["house"],
            currency=said["currency"],
            locale=said["locale"],
            time_zone=said["time_zone"],
            gaming_day_change=said["gaming_day_change"],
            all_houses=all_houses,
        )
        if house:
            self.stdout.write(
                f"The house {house.name} was made; its amounts are in {house.currency},"
                f" its gaming day changes at {house.gaming_day_change:%H:%M}."
            )
        else:
            self.stdout.write("There is a house already; it was left as it is.")
        self._seal_key()
        self.stdout.write(
            f"{person.full_name} is the first manager and signs in as {person.username}."
        )
        self.stdout.write(
            "At the first sign-in the page shows how to set up the authenticator app: have a"
            " telephone at hand. The start page then leads through the first steps of the house."
        )

    def _seal_key(self) -> None:
        """Make the key that signs the seals, unless there is one."""
        path = settings.SEAL_KEY_PATH
        if not path.exists():
            try:
                seal_keys.make(path)
            except OSError as error:
                self.stdout.write(
                    f"The key of the seals cannot be made at {path}: {error.strerror}. Run"
                    " `manage.py seal_key`."
                )
            else:
                self.stdout.write(
                    f"The key of the seals was made: {path}. Keep a copy of the public one"
                    " elsewhere."
                )

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
                "There is no terminal to ask for a password: give --password-file, or - for"
                " standard input."
            )
        while True:
            password = getpass("Password: ")
            if getpass("Password again: ") == password:
                return password
            self.stderr.write("The two passwords differ.\n")


def _ask(question: Question, usual: str) -> str:
    told = f"{question.asks} [{usual}]: " if usual else f"{question.asks}: "
    while True:
        answer = input(told).strip() or usual
        if answer and (not question.one_of or answer in question.one_of):
            return answer


def _or(given: str | None, usual: str) -> str:
    return usual if given is None else given


def _sentence(refused: Refused) -> str:
    return f"{refused.text()} {refused.remedy % refused.data}"
