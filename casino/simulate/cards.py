"""A deck of cards and how it is shuffled: everything comes from the seed, so an evening can be
dealt again.
"""

import random  # noqa: TID251  (an evening that never was: the same seed deals it again)
from collections.abc import Sequence
from typing import NamedTuple

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)


class Deal(NamedTuple):
    """The cards of a round as they lie after the shuffle (UTH-1): board, dealer, two for each box
    that plays.
    """

    board: tuple[str, ...]
    dealer: tuple[str, ...]
    holes: dict[int, tuple[str, ...]]


def luck(*parts: object) -> random.Random:
    """A source of chance of its own for whatever the parts name: what one table draws moves no
    other.
    """
    return random.Random(":".join(map(str, parts)))


def deal(chance: random.Random, boxes: Sequence[int], *, royal_box: int | None = None) -> Deal:
    """Shuffle 52 cards and deal; with `royal_box` the deck is stacked so that this box makes a
    royal flush with one hole card.

    Raises ValueError for a royal of a box that does not play.
    """
    deck = list(DECK)
    chance.shuffle(deck)
    if royal_box is not None:
        deck = _stacked(chance, deck, boxes.index(royal_box))
    holes = {box: tuple(deck[5 + 2 * place : 7 + 2 * place]) for place, box in enumerate(boxes)}
    dealt = 5 + 2 * len(boxes)
    return Deal(tuple(deck[:5]), tuple(deck[dealt : dealt + 2]), holes)


def _stacked(chance: random.Random, deck: list[str], place: int) -> list[str]:
    """The same deck with four cards of a royal flush on the board, the fifth as the first card of
    the box at this place.
    """
    suit = chance.choice(SUITS)
    royal = [rank + suit for rank in "TJQKA"]
    chance.shuffle(royal)
    rest = [card for card in deck if card not in royal]
    low = next(card for card in rest if card[1] != suit)  # the board's fifth card
    rest.remove(low)
    board = [*royal[:4], low]
    chance.shuffle(board)
    return [*board, *rest[: 2 * place], royal[4], *rest[2 * place :]]
