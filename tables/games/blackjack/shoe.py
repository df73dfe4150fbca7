"""Cards out of six decks (BJ-1): each of the 52 at most six times."""

from collections import Counter
from collections.abc import Iterable

from payouts.errors import mark
from payouts.rules.hands.cards import Cards, card_text, read_cards
from tables.games.blackjack.rules import DECKS
from tables.games.blackjack.stakes import BlackjackRefused


class NotInShoe(BlackjackRefused):
    """A card more often than six decks have it."""

    code = "blackjack.not_in_shoe"
    rule = "BJ-1"
    sentence = mark("The card %(card)s is there %(count)s times; six decks have it six times.")
    remedy = mark("Look at the cards on the table again and correct the one that was mistyped.")


def parse_shoe(cards: Cards) -> tuple[int, ...]:
    """The numbers of some cards in their order, each at most six times. Raises CardUnknown,
    CardCount, NotInShoe.

    >>> parse_shoe("As As 2c")
    (51, 51, 0)
    """
    return check_shoe(read_cards(cards, decks=DECKS))


def check_shoe(cards: tuple[int, ...]) -> tuple[int, ...]:
    """The same cards, if six decks can hold them all. Raises NotInShoe."""
    if len(cards) > DECKS and (card := _too_often(cards)) is not None:
        raise NotInShoe(card=card_text(card), count=cards.count(card))
    return cards


def _too_often(cards: Iterable[int]) -> int | None:
    return next((card for card, count in Counter(cards).items() if count > DECKS), None)
