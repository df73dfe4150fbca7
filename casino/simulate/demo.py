"""The evening of `make demo`: a whole life of a jackpot in a few minutes, for somebody who has
never seen one.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from casino.simulate.options import Options
from casino.simulate.report import Terminal
from casino.simulate.run import NOT_PLAYED, run

# an evening that costs no tray much: it can be played again and again, though nobody fills the
# trays
SEED = 62
SPEED = 8.0  # of life: to be followed by somebody who reads
NOBODY, BOSS, AUDITOR, MANAGER = "", "pit boss", "auditor", "manager"


class Place(NamedTuple):
    """A screen to look at: what it is called, where it is, as whom to sign in there, and what there
    is to see.
    """

    name: str
    path: str
    role: str
    shows: str


WATCH = (
    Place("the pit", "/pit/", BOSS, "all tables at once, alerts, the phase of the jackpot"),
    Place(
        "the control room",
        "/pit/jackpots/",
        BOSS,
        "the hit step by step: rounds that still run, claims, signatures",
    ),
    Place("the floor", "/floor/", BOSS, "each table with its rounds"),
    Place(
        "a display", "/display/", NOBODY, "one tap makes your browser the one that tables wait for"
    ),
)
LOOK = (
    Place(
        "the control room",
        "/pit/jackpots/",
        BOSS,
        "the hits with claims, split, signatures, slips and displays",
    ),
    Place(
        "the floor",
        "/floor/",
        BOSS,
        "tables, rounds and hands: what each stake was paid, each pot, and why",
    ),
    Place(
        "the audit desk",
        "/audit/",
        AUDITOR,
        "every record of the house, and the proof that it is unchanged",
    ),
    Place(
        "the reports",
        "/audit/reports/",
        AUDITOR,
        "the evening in figures: day, tables, jackpot, payments",
    ),
    Place(
        "the differences",
        "/cage/differences/",
        MANAGER,
        "how far trays and drop boxes were from the books, and why",
    ),
    Place(
        "what is posted",
        "/posted-tables/",
        MANAGER,
        "paytables, prizes and funding with their odds",
    ),
    Place("the API", "/api/docs/", MANAGER, "every command that the screens and this program use"),
)
INTRODUCTION = """
An evening at four tables of Ultimate Texas Hold'em, all linked to one progressive jackpot, with a
table of Black Jack and one of poker beside them: it takes two to three minutes. Croupiers, guests
and displays are played by this program, each over a connection of its own; what you see in the
browser is real.

Watch it meanwhile (the sign-in page fills itself in with one click):
{places}

What will happen: somebody calls a royal flush that is none, and the pit rejects it. Later two
tables have a royal flush in the same moment: everything freezes, running rounds end, two people
sign, the meter is split, displays confirm the new value (one shows a wrong digit, one stays dark),
betting opens again, and the cage pays. At Black Jack guests share boxes, double, split and insure
all the while; at poker they buy in, raise, fold and are all-in, and the dealer enters every pot:
its rake, who won it, who got the odd chip. Two people count each tray before its table opens, now
and then between, and before it closes; what people did amiss with chips and cash is a difference
then, and somebody writes why. In the end all of it is cleared away, and the house is yours as it
was. Ctrl-C ends the evening in order.
"""
AFTERWARDS = """
Look around now:
{places}
"""


def places_text(text: str, places: Sequence[Place], url: str) -> str:
    """A text with its places, a line each."""
    lines = [
        f"    {one.name:<17} {url + one.path:<42}"
        f" {one.shows}{f' (as {one.role})' if one.role else ''}"
        for one in places
    ]
    return text.format(places="\n".join(lines))


def asked(terminal: Terminal) -> Callable[[str], bool]:
    """Asks whoever sits there, if somebody does, whether tables may be taken at which somebody
    plays.
    """

    def ask(played: str) -> bool:
        if not sys.stdin.isatty():
            return False
        terminal.plain(f"{played[0].upper()}{played[1:]}.")
        answer = input(
            "The demo would void a running round, close these tables and play on them. Take them?"
            " [y/N] "
        )
        return answer.strip().lower() in ("y", "yes")

    return ask


def evening(url: str, left: Path, seed: str, speed: str = "", *, take: bool = False) -> int:
    """Play it on the house at this address; gives the exit code of the simulator. `left`: where it
    says what it sets up, until that is cleared away; `speed`: how many times faster than life;
    `take`: also tables at which somebody plays, without asking.
    """
    terminal = Terminal()
    if seed and not seed.isdigit():
        terminal.plain(f"Not played: SEED={seed} is no whole number.")
        return NOT_PLAYED
    try:
        fast = float(speed or SPEED)
    except ValueError:
        terminal.plain(f"Not played: SPEED={speed} is no number; 0 is without pauses.")
        return NOT_PLAYED
    options = Options(
        url=url,
        seed=int(seed or SEED),
        rounds=120,
        speed=fast,
        false_calls=("table=1,box=3,round=5",),
        royals=("table=2,box=4,round=14", "table=3,box=1,round=14"),
        tables=4,
        beside=("blackjack=1",),
        tell=True,
        keep=str(left),
        take=take,
    )
    options.ask, options.taking = asked(terminal), "make demo TAKE=1"
    options.poker = 1
    terminal.plain(places_text(INTRODUCTION, WATCH, url))
    status = run(options, terminal)
    if status != NOT_PLAYED:
        terminal.plain(places_text(AFTERWARDS, LOOK, url))
    return status
