"""`manage.py simulate`: an evening on a running demo house, played over HTTP and sockets, compared
with books of its own.
"""

import signal
import sys
from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from casino.simulate.display import MANNERS
from casino.simulate.options import Options
from casino.simulate.report import Terminal
from casino.simulate.run import run


class Command(BaseCommand):
    """Only flags are read here: the simulator is a stranger to the project and knows the API
    alone."""

    help = (
        "Play a seeded evening on a running demo house and compare every amount. Ends with 0 (all"
        " equal), 1 (something differs) or 2 (wrong flags, nobody there, house closed)."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        start = Options()
        parser.add_argument(
            "--url", default=start.url, help="where the house answers (%(default)s)"
        )
        parser.add_argument(
            "--seed",
            type=int,
            default=start.seed,
            help="the same seed is the same evening (%(default)s)",
        )
        parser.add_argument(
            "--tables",
            type=int,
            help="how many tables play; missing ones are set up (those of the house)",
        )
        parser.add_argument(
            "--beside",
            action="append",
            default=[],
            metavar="blackjack=2",
            help="so many tables of another game play too; missing ones are set up",
        )
        length = parser.add_mutually_exclusive_group()
        length.add_argument(
            "--rounds", type=int, default=start.rounds, help="of all tables together (%(default)s)"
        )
        length.add_argument("--minutes", type=float, help="play so long instead")
        parser.add_argument(
            "--speed", type=float, default=start.speed, help="times faster than life; 0: no pauses"
        )
        self._hit_arguments(parser, start)
        parser.add_argument(
            "--offline",
            action="store_true",
            help="let tables play without the server for the evening",
        )
        parser.add_argument("--theft", action="store_true", help="a chip of 500 leaves a tray")
        parser.add_argument("--no-mistakes", action="store_true", help="nobody makes a mistake")
        parser.add_argument(
            "--lossy",
            type=float,
            default=start.lossy,
            help="per cent of answers that get lost (%(default)s)",
        )
        parser.add_argument(
            "--tell", action="store_true", help="say what happens at the jackpot, step by step"
        )
        parser.add_argument(
            "--keep",
            default="",
            metavar="FILE",
            help="says what is set up, so that a broken evening can be cleared away",
        )
        parser.add_argument(
            "--take", action="store_true", help="also tables at which somebody plays"
        )
        parser.add_argument(
            "--json", default="", metavar="FILE", help="write a report (- for the terminal)"
        )

    def _hit_arguments(self, parser: CommandParser, start: Options) -> None:
        parser.add_argument(
            "--royal", action="append", default=[], metavar="table=2,box=4",
            help="a royal flush at this table and box, in the middle or with round=9; several in"
            " one round are one hit",
        )  # fmt: skip
        parser.add_argument(
            "--false-call",
            action="append",
            default=[],
            metavar="table=1,box=2",
            help="“Royal!” is called, and it is none",
        )
        parser.add_argument(
            "--displays",
            default=start.displays,
            help=f"how each confirms: {', '.join(MANNERS)} (%(default)s)",
        )
        parser.add_argument("--jackpot", default="", help="its name, where the house has several")

    def handle(self, *args: Any, **given: Any) -> None:
        # whoever ends it finds the floor in order
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        sys.exit(run(options_of(given), Terminal(self.stdout)))


def options_of(given: Mapping[str, Any]) -> Options:
    """What the flags ask for."""
    names = (
        "url",
        "seed",
        "tables",
        "rounds",
        "minutes",
        "speed",
        "displays",
        "jackpot",
        "offline",
        "lossy",
        "take",
    )
    options = Options(**{name: given[name] for name in (*names, "tell", "keep", "json")})
    options.royals, options.false_calls = tuple(given["royal"]), tuple(given["false_call"])
    options.beside = tuple(given["beside"])
    options.mistakes = not given["no_mistakes"]
    options.theft = given["theft"]
    return options
