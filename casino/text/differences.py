"""What a signature changes: a line for each difference, in the words and the money of the house."""

from collections.abc import Iterable
from itertools import zip_longest
from typing import NamedTuple

from casino.text.floor import DrawnCard
from casino.text.formats import format_amount, format_money
from payouts.models import House

NOTHING = "–"
_SUITS = {"club": "♣", "diamond": "♦", "heart": "♥", "spade": "♠"}


class Difference(NamedTuple):
    """One thing as it is and as it is to be, in words; `by`: what that comes to, with its sign."""

    what: str
    before: str
    after: str
    by: str = ""


class Differences(NamedTuple):
    """What a signature changes, and what stays as it is."""

    changed: list[Difference]
    same: list[Difference]


def differences(rows: Iterable[Difference]) -> Differences:
    """The rows, each in its place."""
    lines = Differences([], [])
    for row in rows:
        (lines.same if row.before == row.after and not row.by else lines.changed).append(row)
    return lines


def money_difference(
    what: str, before_minor: int | None, after_minor: int | None, house: House
) -> Difference:
    """An amount (minor units) as it is and as it is to be; None: there is none."""
    before, after = (
        NOTHING if minor is None else format_money(minor, house.currency, house.locale)
        for minor in (before_minor, after_minor)
    )
    by_minor = (after_minor or 0) - (before_minor or 0)
    return Difference(what, before, after, signed_amount(by_minor, house))


def word_difference(
    what: str, words: tuple[Iterable[str], Iterable[str]], by_minor: int, house: House
) -> Difference:
    """Two descriptions that say the same things in the same order: of these only what differs, or
    all where nothing does.
    """
    pairs = list(zip_longest(*words, fillvalue=""))
    pairs = [pair for pair in pairs if pair[0] != pair[1]] or pairs
    before, after = (
        " · ".join(pair[side] for pair in pairs if pair[side]) or NOTHING for side in (0, 1)
    )
    return Difference(what, before, after, signed_amount(by_minor, house))


def signed_amount(minor: int, house: House) -> str:
    """What somebody gets more (minor units): `+40.00`; less with a minus, nothing as ""."""
    figure = format_amount(minor, house.currency, house.locale)
    return f"+{figure}" if minor > 0 else figure if minor else ""


def card_row(cards: Iterable[DrawnCard]) -> str:
    """Cards in a line of text: `A♠ 10♦`."""
    return " ".join(f"{card.rank}{_SUITS[card.suit]}" for card in cards)
