"""How the bank's hand can end behind its first card, counted exactly (BJ-1, BJ-2)."""

from dataclasses import dataclass, field
from functools import lru_cache
from math import perm
from typing import NamedTuple

from tables.games.blackjack.points import RANKS, Counts, bank_stands, is_blackjack, points
from tables.games.blackjack.rules import DECKS

SHOE: Counts = (4 * DECKS,) * 9 + (16 * DECKS,)
CARDS = sum(SHOE)
NOTHING: Counts = (0,) * 10
BUST, BLACKJACK = 22, 23  # how the bank can end beside 17 to 21
ENDINGS = range(17, 24)


class Draws(NamedTuple):
    """Cards that end the bank's hand: by rank how many, in how many orders, and how it ends."""

    cards: tuple[tuple[int, int], ...]
    number: int
    orders: int
    ending: int


def with_card(counts: Counts, place: int) -> Counts:
    """The hand with one card more."""
    return (*counts[:place], counts[place] + 1, *counts[place + 1 :])


@lru_cache(maxsize=32)
def bank_draws(up: int, *, hits_soft_17: bool) -> tuple[Draws, ...]:
    """Every way in which the bank's hand can end behind its first card, each set of cards once."""
    found: dict[tuple[Counts, int], int] = {}
    first = with_card(NOTHING, up)
    begun: list[tuple[Counts, Counts]] = [(first, NOTHING)]
    while begun:
        hand, drawn = begun.pop()
        ending = _ending(hand, hits_soft_17=hits_soft_17)
        if ending is not None:
            found[drawn, ending] = found.get((drawn, ending), 0) + 1
            continue
        begun.extend((with_card(hand, place), with_card(drawn, place)) for place in RANKS)
    return tuple(
        Draws(tuple((p, n) for p, n in enumerate(drawn) if n), sum(drawn), orders, ending)
        for (drawn, ending), orders in found.items()
    )


def _ending(hand: Counts, *, hits_soft_17: bool) -> int | None:
    held = points(hand)
    if sum(hand) == 1 or not bank_stands(held, hits_soft_17=hits_soft_17):
        return None
    if is_blackjack(hand):
        return BLACKJACK
    return min(held.total, BUST)


@dataclass
class Bank:
    """The bank behind one first card: how it ends, by what is gone from the shoe."""

    up: int
    hits_soft_17: bool
    _known: dict[Counts, tuple[int, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.draws = bank_draws(self.up, hits_soft_17=self.hits_soft_17)
        self.longest = max(draws.number for draws in self.draws)

    def left(self, gone: Counts) -> Counts:
        """The shoe without the bank's first card and what is gone."""
        return tuple(
            full - taken - (place == self.up)
            for place, (full, taken) in enumerate(zip(SHOE, gone, strict=True))
        )

    def endings(self, gone: Counts) -> tuple[int, ...]:
        """In how many ways of the next `longest` cards the bank ends with 17 … 21, bust, Black
        Jack."""
        known = self._known.get(gone)
        if known is None:
            known = self._known[gone] = self._count(gone)
        return known

    def _count(self, gone: Counts) -> tuple[int, ...]:
        left = self.left(gone)
        ways = [[perm(count, drawn) for drawn in range(self.longest + 1)] for count in left]
        cards = sum(left)
        rest = [perm(cards - drawn, self.longest - drawn) for drawn in range(self.longest + 1)]
        found = [0] * len(ENDINGS)
        for drawn, number, orders, ending in self.draws:
            product = orders * rest[number]
            for place, count in drawn:
                product *= ways[place][count]
            found[ending - 17] += product
        return tuple(found)
