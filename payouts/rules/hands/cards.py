"""Cards of one 52-card deck: their text, their numbers, and the checks that every card passes
before a rule sees it (HAND-7).

A card is written `"As"`: rank `2`-`9`, `T`, `J`, `Q`, `K` or `A`, then suit `c`, `d`, `h` or `s`.
Inside, it is a number from 0 to 51, `rank * 4 + suit`, ranks counted from the two and suits in the
order c, d, h, s: 0 is `"2c"`, 51 is `"As"`.
"""

from collections.abc import Sequence

from payouts.errors import Refused, mark

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = tuple(range(52))
TEXTS = tuple(rank + suit for rank in RANKS for suit in SUITS)

Cards = str | Sequence[str | int]

_IDS = {text: card for card, text in enumerate(TEXTS)}
_MAX_SHOWN = 20
_MAX_TEXT = 1000


class CardUnknown(Refused):
    """Something is not a card of the deck. Data: `card`, what was found there."""

    code = "cards.unknown"
    sentence = mark("“%(card)s” is not a card.")
    remedy = mark(
        "Write rank and suit, such as As or Td: ranks 2 to 9, T, J, Q, K, A and suits c, d, h, s."
    )


class CardTwice(Refused):
    """A card turned up a second time. Data: `card`."""

    code = "cards.twice"
    rule = "HAND-7"
    sentence = mark("The card %(card)s appears more than once.")
    remedy = mark(
        "A deck has each card once: look at the cards on the table again and correct the one that"
        " was mistyped."
    )


class CardCount(Refused):
    """A hand has too few or too many cards. Data: `given`, a number, and `wanted`, such as
    `"5-7"`."""

    code = "cards.count"
    rule = "HAND-7"
    sentence = mark("There are %(given)s cards, but there must be %(wanted)s.")
    remedy = mark("Count the cards on the table again and enter each of them once.")


def card_text(card: int) -> str:
    """The text of a card number: 51 is `"As"`. Refuses with `CardUnknown`."""
    return TEXTS[_card_id(card)]


def card_texts(ids: Sequence[int]) -> tuple[str, ...]:
    """The texts of cards that were parsed already, in their order."""
    return tuple(TEXTS[card] for card in ids)


def parse_cards(cards: Cards, counts: Sequence[int] = ()) -> tuple[int, ...]:
    """The numbers of some cards, in the order given; each card at most once (HAND-7).

    `counts` are the numbers of cards that may be given, ascending; empty means any. Refuses with
    `CardUnknown`, `CardTwice` or `CardCount`.
    """
    return check_cards(read_cards(cards, counts), counts)


def read_cards(cards: Cards, counts: Sequence[int] = (), decks: int = 1) -> tuple[int, ...]:
    """The numbers of some cards, in the order given, no more than the decks have altogether.

    `cards` is a text (`"As Kd"`, with spaces or commas) or a list or tuple of texts and numbers.
    Refuses with `CardUnknown` or `CardCount`.
    """
    if isinstance(cards, str):
        if len(cards) > _MAX_TEXT * decks:
            raise CardUnknown(card=safe_text(cards))
        cards = cards.replace(",", " ").split()
    elif not isinstance(cards, list | tuple):
        raise CardUnknown(card=safe_text(cards))
    most = len(DECK) * decks
    if len(cards) > most:
        raise CardCount(given=len(cards), wanted=_range(counts or (0, most)))
    return tuple(_card_id(card) for card in cards)


def check_cards(ids: tuple[int, ...], counts: Sequence[int] = ()) -> tuple[int, ...]:
    """Give back parsed cards when no card is there twice and their number is one of `counts`
    (HAND-7).

    This is the check over cards of several hands, such as all cards of a round. Refuses with
    `CardTwice` or `CardCount`.
    """
    if len(set(ids)) != len(ids):
        raise CardTwice(
            card=TEXTS[next(card for place, card in enumerate(ids) if card in ids[:place])]
        )
    if counts and len(ids) not in counts:
        raise CardCount(given=len(ids), wanted=_range(counts))
    return ids


def _card_id(card: object) -> int:
    # Exact types: True and 1.0 are equal to 1, but they are nobody's card.
    if type(card) is int and 0 <= card < len(DECK):
        return card
    if type(card) is str and card in _IDS:
        return _IDS[card]
    raise CardUnknown(card=safe_text(card))


def safe_text(value: object) -> str:
    """A short, harmless text for a message, whatever was sent."""
    if type(value) is str:
        return "".join(letter if letter.isprintable() else "?" for letter in value[:_MAX_SHOWN])
    if type(value) is int and abs(value) < 10**_MAX_SHOWN:
        return str(value)
    return type(value).__name__


def _range(counts: Sequence[int]) -> str:
    return str(counts[0]) if len(counts) == 1 else f"{counts[0]}-{counts[-1]}"
