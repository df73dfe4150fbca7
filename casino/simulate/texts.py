"""Amounts and refusals as they are told in the terminal: in the words of the story, whatever
language the house speaks.

What its people write into the books is in the language of the demo house, German: it stands on its
pages.
"""

from collections.abc import Mapping
from typing import Any

REFUSALS = {
    "box.off_step": "only in steps of {step_minor}, not {amount_minor}",
    "cards.twice": "the card {card} appears more than once",
    "jackpot.not_open": "the jackpot is not open",
    "round.withdrawn": "the round was withdrawn before",
    "table.day_closed": "the house is closed on this gaming day",
    "table.hours_closed": (
        "on this gaming day tables open from {opens} to {closes}; now it is {now}"
    ),
}

NO_ROYAL = "Die Karten ergeben keinen Royal Flush"
SEEN_BY = "gesehen von {name}"
DARK = "dunkel, gesehen von {name}"
BROKEN_OFF = "Der Abend wurde abgebrochen"
OVER = "Der Abend ist vorbei"
TAKEN = "Der Tisch wird für eine Vorführung gebraucht"
WENT_BACK = "Die Jetons gingen zurück"
MISDEAL = "Falsch gegeben"
LOCKED_BY_MISTAKE = "Aus Versehen gesperrt und zu spät bemerkt"
MISTYPED = "Vertippt"
RECONCILED = "Nach einer Wiederherstellung: die bezahlten Belege wurden mit den Büchern verglichen"


def money(minor: int) -> str:
    """Minor units as an amount, as the demo house writes them.

    >>> money(1_003_400)
    '10’034.00'
    """
    return f"{minor / 100:,.2f}".replace(",", "’")


def refusal(problem: Mapping[str, Any], of_game: Mapping[str, str] = REFUSALS) -> str:
    """What the house refuses, by its code; one that nobody expected by the code itself. `of_game`:
    the words of a game for its own refusals.

    >>> data = {"step_minor": 1000, "amount_minor": 1501}
    >>> refusal({"code": "box.off_step", "data": data})
    'only in steps of 10.00, not 15.01'
    >>> refusal({"code": "table.on_fire", "data": {}}), refusal({})
    ('table.on_fire', 'no reason was given')
    """
    code, data = str(problem.get("code", "")), problem.get("data") or {}
    told = {
        name: money(value) if name.endswith("_minor") else str(value).rstrip(".")
        for name, value in data.items()
    }
    try:
        return {**REFUSALS, **of_game}.get(code, code or "no reason was given").format(**told)
    except KeyError:
        return code
