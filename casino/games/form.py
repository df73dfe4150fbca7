"""The fields of the plain forms in which a supervisor enters a result, and cards as people write
them.
"""

from collections.abc import Iterable
from typing import NamedTuple

from django import forms
from django.forms.boundfield import BoundField

from casino.people.pages.fields import Choice, Text

_SUITS = {"♥": "h", "♡": "h", "♦": "d", "♢": "d", "♣": "c", "♧": "c", "♠": "s", "♤": "s"}
PLAIN = {"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}


class BoxFields(NamedTuple):
    """A box with stakes, who plays there, whether with a coin, and what is asked for it."""

    box: int
    guests: str
    coin: bool
    fields: list[BoundField]


def cards_field(label: str, most: int = 20, **attrs: str) -> Text:
    """Cards as people write them."""
    return Text(label=label, widget=forms.TextInput({"maxlength": most} | PLAIN | attrs))


def choice_field(label: str, choices: Iterable[tuple[str, str]]) -> Choice:
    """One of these, or nothing."""
    return Choice(label=label, choices=[("", ""), *choices])


def tick_field(label: str) -> forms.BooleanField:
    """Yes, or nothing."""
    return forms.BooleanField(label=label, required=False)


def card_codes(text: str) -> str:
    """Cards as people write them ("10♥, kd" or "10hkd") as the rules read them ("Th Kd"); what is
    no card stays as it is.

    >>> card_codes("10♥, kd"), card_codes("ahKDqs"), card_codes("dunno")
    ('Th Kd', 'Ah Kd Qs', 'dunno')
    """
    for sign, letter in _SUITS.items():
        text = text.replace(sign, letter)
    letters = "".join(text.replace(",", " ").split()).replace("10", "T").replace("\ufe0f", "")
    pairs = [
        letters[at].upper() + letters[at + 1 :][:1].lower() for at in range(0, len(letters), 2)
    ]
    known = all(
        len(pair) == 2 and pair[0] in "23456789TJQKA" and pair[1] in "cdhs" for pair in pairs
    )
    return " ".join(pairs) if known else text.strip()
