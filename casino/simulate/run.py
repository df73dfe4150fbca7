"""One evening from its flags to its exit code: 0 all equal, 1 something differs, 2 it could not be
played.
"""

import dataclasses
import shlex

from casino.simulate import report
from casino.simulate.books.rules import NotPlayable
from casino.simulate.broken import clear_away
from casino.simulate.clients import Client, Refused, Tally, Unreachable
from casino.simulate.floor import Evening
from casino.simulate.options import Options, Wrong
from casino.simulate.people import NoEntry
from casino.simulate.texts import refusal

# where they are called otherwise
FLAGS = {"royals": "royal", "false_calls": "false-call", "mistakes": "no-mistakes"}
EQUAL, DIFFERENT, NOT_PLAYED, STOPPED = 0, 1, 2, 130
FIRST_ANSWER_S = 5.0  # whoever does not answer at all at the beginning is not there


def run(options: Options, terminal: report.Terminal) -> int:
    """Play it, compare, report. Gives the exit code; every way it can go wrong has a sentence."""
    evening: Evening | None = None
    try:
        options.check()
        check_house(options)
        evening = Evening(options, terminal.say if options.tell else lambda _text: None)
        if evening.left:
            clear_away(options.url, evening.left, terminal.say)
        return play(evening, terminal)
    except KeyboardInterrupt:
        terminal.plain("Stopped; what had begun was brought to its end.")
        return STOPPED
    except (Wrong, NoEntry, NotPlayable, Unreachable) as error:
        terminal.plain(f"Not played: {error}")
    except Refused as refused:
        terminal.plain(
            f"Not played: the house refuses ({refused.status}): {refusal(refused.problem)}."
        )
    return NOT_PLAYED


def check_house(options: Options) -> None:
    """Ask whether anybody is there, and whether it is a demo house. Raises Unreachable, Wrong."""
    client = Client(options.url, Tally())
    client.patience_s = FIRST_ANSWER_S
    try:
        client.ask("/sign-in/demo/")
    except Refused as refused:
        if refused.status >= 500:
            raise Unreachable(
                f"{options.url} answers {refused.status}: the house is not ready."
            ) from refused
        raise Wrong(
            f"{options.url} is no demo house: the simulator signs in as its people."
        ) from refused
    finally:
        client.close()


def play(evening: Evening, terminal: report.Terminal) -> int:
    """Play an evening to its end, whatever happens, and compare. Gives the exit code; raises what
    `Evening.open` raises.
    """
    try:
        try:
            evening.open()
            evening.play(lambda: terminal.progress(evening))
        finally:
            evening.close()
        return finish(evening, terminal)
    finally:
        evening.end()


def finish(evening: Evening, terminal: report.Terminal) -> int:
    """Compare the books of an evening that is over, report, and give the exit code. Raises Refused,
    Unreachable.
    """
    evening.compare()
    told = report.report(evening)
    for line in report.summary(told):
        terminal.plain(line)
    if evening.options.json:
        report.write(told, evening.options.json)
    for what in told["differences"][:40]:
        terminal.plain(f"DIFFERS: {what}")
    if told["differences"]:
        terminal.plain(
            f"{len(told['differences'])} of {told['compared']} figures differ. Again:"
            f" {again(evening.options)}"
        )
        return DIFFERENT
    terminal.plain(
        f"All {told['compared']} figures are equal. Plan {told['plan']}, history {told['history']}."
    )
    return EQUAL


def again(options: Options) -> str:
    """The command that plays the same evening again: every option that is not as it would be
    without a word.
    """
    words = ["manage.py", "simulate"]
    for one in dataclasses.fields(options):
        value = getattr(options, one.name)
        if one.init and (one.name == "seed" or value != one.default):
            words += _option_texts(one.name, value)
    return shlex.join(words)


def _option_texts(name: str, value: object) -> list[str]:
    """An option as it is written."""
    flag = "--" + FLAGS.get(name, name)
    if isinstance(value, bool):
        return [flag]
    return [f"{flag}={each}" for each in (value if isinstance(value, tuple) else (value,))]
