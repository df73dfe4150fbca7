"""The exact edge of the house at Black Jack (BJ-1 to BJ-9): six fresh decks, the best play by the
composition of the hand, a split hand played by the best plan for a hand alone, no insurance.

A rule set takes half a minute or more of one processor, so a worker does it.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import perm
from typing import NamedTuple

from tables.games.blackjack.edge.bank import BLACKJACK, CARDS, NOTHING, SHOE, Bank, with_card
from tables.games.blackjack.edge.hands import Hands
from tables.games.blackjack.edge.splits import split_value
from tables.games.blackjack.points import RANKS, TEN, Counts, is_blackjack
from tables.games.blackjack.rules import BlackjackRules


class Edge(NamedTuple):
    """What the house wins of each unit that is staked, insured, or given up for even money."""

    stake: Fraction
    insurance: Fraction
    even_money: Fraction


def house_edge(rules: BlackjackRules) -> Edge:
    """The edges of a rule set, exactly; a minute or two of one processor."""
    won = Fraction(0)
    for up in RANKS:
        bank = Bank(up, rules.bank_hits_soft_17)
        hands = Hands(bank, rules)
        for hand in two_cards():
            won += _chance(up, hand) * value_of_deal(hands, hand)
    tens = Fraction(SHOE[TEN], CARDS - 1)
    against_blackjack = Fraction(SHOE[TEN] - 1, CARDS - 3)  # the box's own is gone
    return Edge(-won, 1 - 3 * tens, Fraction(3, 2) * (1 - against_blackjack) - 1)


def two_cards() -> Iterator[Counts]:
    """Every pair of cards that a box can be dealt, counted by ranks."""
    for place in RANKS:
        for other in range(place, 10):
            yield with_card(with_card(NOTHING, place), other)


def _chance(up: int, hand: Counts) -> Fraction:
    left = list(SHOE)
    ways = left[up]
    left[up] -= 1
    for place in RANKS:
        ways *= perm(left[place], hand[place])
    orders = 1 if max(hand) == 2 else 2
    return Fraction(ways * orders, perm(CARDS, 3))


def value_of_deal(hands: Hands, hand: Counts) -> Fraction:
    """What a unit on a box with these two cards wins on average: paid as a Black Jack, played, or
    split, whichever is best (BJ-4, BJ-7).
    """
    if is_blackjack(hand):
        return max(blackjack_value(hands, hand), hands.value(hand))
    if max(hand) == 2:
        return max(hands.value(hand), split_value(hands, hand.index(2)))
    return hands.value(hand)


def blackjack_value(hands: Hands, hand: Counts) -> Fraction:
    """What a Black Jack wins: 3:2 unless the bank has one too (BJ-4)."""
    ways = hands.bank.endings(hand)
    return Fraction(3, 2) * (1 - Fraction(ways[BLACKJACK - 17], sum(ways)))
