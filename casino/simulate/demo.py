"""The evening of `make demo`: a whole life of a jackpot in a few minutes, for somebody who has never seen one."""

from pathlib import Path

from casino.simulate.options import Options
from casino.simulate.report import Terminal
from casino.simulate.run import NOT_PLAYED, run

SEED = 62  # an evening that costs no tray much: it can be played again and again, though nobody fills the trays
INTRODUCTION = """
An evening at four tables of Ultimate Texas Hold'em, all linked to one progressive jackpot: it takes two to three minutes.
Croupiers, guests and displays are played by this program, each over a connection of its own; what you see in the browser is real.

Watch it meanwhile (the sign-in page fills itself in with one click; take “pit boss”):
    the floor      {url}/floor/
    the jackpot    {url}/floor/jackpots/
    a display      {url}/display/     (one tap makes your browser one)

What will happen: somebody calls a royal flush that is none, and the pit rejects it. Later two tables have a royal flush in the
same moment: everything freezes, running rounds end, two people sign, the meter is split, displays confirm the new value (one
shows a wrong digit, one stays dark), betting opens again, and the cage pays. Ctrl-C ends the evening in order.
"""
AFTERWARDS = """
Look around now:
    the floor      {url}/floor/                 tables, rounds and what each stake was paid, and why
    the jackpot    {url}/floor/jackpots/        the hits with claims, split, signatures, slips and displays
    what is posted {url}/posted-tables/         paytables, prizes and funding with their odds (as technician or manager)
    the API        {url}/api/docs/
"""


def evening(url: str, displays: Path, seed: str) -> int:
    """Play it on the house at this address; gives the exit code of the simulator."""
    terminal = Terminal()
    if seed and not seed.isdigit():
        terminal.plain(f"Not played: SEED={seed} is no whole number.")
        return NOT_PLAYED
    options = Options(
        url=url,
        seed=int(seed or SEED),
        rounds=96,
        speed=8.0,
        false_calls=("table=1,box=3,round=5",),
        royals=("table=2,box=4,round=14", "table=3,box=1,round=14"),
        tables=4,
        tell=True,
        keep=str(displays),
    )
    terminal.plain(INTRODUCTION.format(url=url))
    status = run(options, terminal)
    if status != NOT_PLAYED:
        terminal.plain(AFTERWARDS.format(url=url))
    return status
