"""What the simulator is asked for: flags, read strictly, each wrong one with its sentence."""

import math
import os
import urllib.parse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from casino.simulate.display import MANNERS
from casino.simulate.games import GAMES
from casino.simulate.plan import Royal

TABLES_MOST = 64
ROYAL_FIELDS = {"table", "box", "round"}


class Wrong(Exception):
    """The simulator cannot do what it is asked for. Ends with 2."""


@dataclass
class Options:
    """A whole evening. `rounds` are of all tables together; with `minutes` tables play until the
    time is over instead.
    """

    url: str = "http://127.0.0.1:8000"
    seed: int = 1
    tables: int | None = None  # of the jackpot; None: those that the house has
    beside: tuple[str, ...] = ()  # of other games, such as "blackjack=2"
    rounds: int = 40
    minutes: float | None = None
    speed: float = 0.0  # how many times faster than life; 0: without pauses
    royals: tuple[str, ...] = ()
    false_calls: tuple[str, ...] = ()
    displays: str = ",".join(MANNERS)
    jackpot: str = ""
    offline: bool = False
    mistakes: bool = True
    lossy: float = 3.0  # per cent of commands whose first answer is lost
    tell: bool = False
    json: str = ""
    keep: str = (
        # a file that says what is set up, until it is cleared away: after a broken evening the next
        # one does it
        ""
    )
    theft: bool = False  # a chip of 500 leaves a tray
    take: bool = False  # also tables at which somebody plays
    poker: int = field(default=0, init=False)  # tables of poker beside the others
    ask: Callable[[str], bool] | None = field(
        default=None, init=False
    )  # whether they may be taken, where `take` does not say
    taking: str = field(default="--take", init=False)  # how one says so
    manners: tuple[str, ...] = field(default=(), init=False)

    def by_game(self) -> dict[str, int | None]:
        """How many tables of each game play, None for those of the house. Raises Wrong."""
        first, *others = GAMES
        return {first: self.tables} | dict(_beside(one, others) for one in self.beside)

    def may_take(self, played: str) -> bool:
        """Whether tables may be taken at which somebody plays."""
        return self.take or bool(self.ask and self.ask(played))

    def check(self) -> "Options":
        """Read what is written. Raises Wrong."""
        if not _an_address(self.url):
            raise Wrong(
                f"--url: “{self.url}” is no address of a house, such as http://127.0.0.1:8000."
            )
        self.url = self.url.rstrip("/")
        if self.tables is not None and not 1 <= self.tables <= TABLES_MOST:
            raise Wrong(f"--tables: a number from 1 to {TABLES_MOST}, not {self.tables}.")
        self.by_game()
        if self.rounds < 1:
            raise Wrong(f"--rounds: at least one, not {self.rounds}.")
        if self.minutes is not None and not 0 < self.minutes <= 24 * 60:
            raise Wrong(f"--minutes: more than 0 and at most a day, not {self.minutes:g}.")
        if not (math.isfinite(self.speed) and self.speed >= 0):
            raise Wrong(f"--speed: 0 (no pauses) or more, not {self.speed:g}.")
        if not 0 <= self.lossy <= 50:
            raise Wrong(f"--lossy: per cent from 0 to 50, not {self.lossy:g}.")
        _writable("--keep", self.keep)
        _writable("--json", "" if self.json == "-" else self.json)
        self.manners = tuple(one.strip() for one in self.displays.split(",") if one.strip())
        if unknown := [one for one in self.manners if one not in MANNERS]:
            raise Wrong(f"--displays: “{unknown[0]}” is none of {', '.join(MANNERS)}.")
        if not self.manners:
            raise Wrong(f"--displays: name one at least of {', '.join(MANNERS)}.")
        if set(self.manners) == {"never"}:
            raise Wrong(
                "--displays: one at least must confirm; the last display cannot be taken out."
            )
        return self

    def planned(self, tables: Sequence[int], rounds: int) -> tuple[Royal, ...]:
        """The royal flushes and false calls for tables of so many boxes, each playing so many
        rounds. Raises Wrong.
        """
        middle = max(2, (rounds + 1) // 2)
        found = [_royal("--royal", text, tables, middle, false_call=False) for text in self.royals]
        found += [
            _royal("--false-call", text, tables, 2, false_call=True) for text in self.false_calls
        ]
        for one in found:
            if self.minutes is None and one.round > rounds:
                raise Wrong(
                    f"Each table plays {rounds} rounds, so there is no round {one.round} for a"
                    " royal flush."
                )
            if sum((other.table, other.round) == (one.table, one.round) for other in found) > 1:
                raise Wrong(
                    f"Table {one.table} has two royal flushes in round {one.round}: only one box"
                    " can hold it."
                )
        if {one.round for one in found if one.false_call} & {
            one.round for one in found if not one.false_call
        }:
            raise Wrong(
                "A false call and a royal flush in one round are one hit: give one of them another"
                " round."
            )
        return tuple(found)


def _an_address(url: str) -> bool:
    """Whether it says a house and nothing besides: no page, no question, nobody's password."""
    try:
        parts = urllib.parse.urlsplit(url)
        (parts.hostname or "").encode("idna")  # as whoever connects will write it
        there = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return there and url.isascii() and not (parts.path.strip("/") or set("?#@") & set(url))


def _writable(flag: str, name: str) -> None:
    """Raise Wrong now, not at the end of the evening, where a file is to be written that cannot
    be."""
    path = Path(name)
    try:
        there = not name or path.resolve().parent.is_dir()
        free = not name or (
            not path.is_dir()
            and os.access(path if path.exists() else path.resolve().parent, os.W_OK)
        )
    except (OSError, ValueError):  # no file can have such a name
        there, free = True, False
    if not there:
        raise Wrong(f"{flag}: there is no folder for {name}.")
    if not free:
        raise Wrong(f"{flag}: {name} cannot be written.")


def _beside(text: str, games: Sequence[str]) -> tuple[str, int]:
    """Read `blackjack=2`. Raises Wrong."""
    code, _equals, number = text.partition("=")
    if code not in games or not _whole(number) or not 1 <= int(number) <= TABLES_MOST:
        raise Wrong(
            f"--beside: “{text}” cannot be read; write one of {', '.join(games)} and how many"
            f" tables of it, from 1 to {TABLES_MOST}, such as {games[0]}=2."
        )
    return code, int(number)


def _royal(flag: str, text: str, tables: Sequence[int], middle: int, *, false_call: bool) -> Royal:
    """Read `table=2,box=4` (and `round=9`). Raises Wrong."""
    fields = dict(part.partition("=")[::2] for part in text.split(","))
    if not {"table", "box"} <= set(fields) <= ROYAL_FIELDS or not all(
        _whole(value) for value in fields.values()
    ):
        raise Wrong(
            f"{flag}: “{text}” cannot be read; write table=2,box=4 or table=2,box=4,round=9."
        )
    table, box, number = int(fields["table"]), int(fields["box"]), int(fields.get("round", middle))
    if not 1 <= table <= len(tables):
        raise Wrong(f"{flag}: there are tables 1 to {len(tables)}, not {table}.")
    if not 1 <= box <= tables[table - 1]:
        raise Wrong(f"{flag}: table {table} has boxes 1 to {tables[table - 1]}, not {box}.")
    if number < 1:
        raise Wrong(f"{flag}: rounds are counted from 1, not {number}.")
    return Royal(table, box, number, false_call)


def _whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 7
