"""Amounts and refusals as they are told in the terminal: in the words of the story, whatever
language the house speaks.

What its people write into the books is in the language of the demo house, German: it stands on its
pages.
"""

from collections.abc import Mapping
from typing import Any

REFUSALS = {
    "cards.twice": "the card {card} appears more than once",
    "jackpot.not_open": "the jackpot is not open",
    "round.withdrawn": "the round was withdrawn before",
    "table.day_closed": "the house is closed on this gaming day",
    "table.hours_closed": (
        "on this gaming day tables open from {opens} to {closes}; now it is {now}"
    ),
    "uth.board_in_every_hand": "what lies on the board is in every hand",
    "uth.cards_contradict": "{says}",
    "uth.dealer_between": "no two cards of the dealer fit all that was tapped",
    "uth.off_step": "box {box}, {kind}: only in steps of {step_minor}, not {amount_minor}",
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


def refusal(problem: Mapping[str, Any]) -> str:
    """What the house refuses, by its code; one that nobody expected by the code itself.

    >>> data = {"box": 2, "kind": "ante", "step_minor": 500, "amount_minor": 1501}
    >>> refusal({"code": "uth.off_step", "data": data})
    'box 2, ante: only in steps of 5.00, not 15.01'
    >>> refusal({"code": "table.on_fire", "data": {}}), refusal({})
    ('table.on_fire', 'no reason was given')
    """
    code, data = str(problem.get("code", "")), problem.get("data") or {}
    told = {
        name: money(value) if name.endswith("_minor") else str(value).rstrip(".")
        for name, value in data.items()
    }
    try:
        return REFUSALS.get(code, code or "no reason was given").format(**told)
    except KeyError:
        return code
