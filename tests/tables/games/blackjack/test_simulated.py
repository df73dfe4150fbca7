"""The exact edge of Black Jack against ten million simulated rounds of the same plan, and against a published one."""

from __future__ import annotations

import random  # noqa: TID251  (the dice are the same each time)
from collections.abc import Callable
from math import sqrt

import pytest

from tables.games.blackjack.edge import hands as edge_hands
from tables.games.blackjack.edge.bank import CARDS, NOTHING, SHOE, Bank, with_card
from tables.games.blackjack.edge.hands import Hands
from tables.games.blackjack.edge.house import house_edge, value_of_deal
from tables.games.blackjack.edge.splits import Split
from tables.games.blackjack.points import ACE, MOST, RANKS, TEN, Counts, bank_stands, is_blackjack, points
from tables.games.blackjack.rules import BlackjackRules

ROUNDS = 10_000_000
SHOE_IN_A_ROW = [place for place, count in enumerate(SHOE) for _ in range(count)]


def test_edge_is_the_published_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six decks, hit soft 17, no hole card, double any two and after splits, up to four hands: 0.72705 % (Wizard of
    Odds, Blackjack Appendix 9), whose splits look at less than ours."""
    monkeypatch.setattr(edge_hands, "may_double", lambda counts, *, soft, split: sum(counts) == 2)
    edge = house_edge(BlackjackRules(bank_hits_soft_17=True, max_hands_per_box=4))
    assert abs(float(edge.stake) - 0.0072705) < 0.000002


def test_simulated_rounds_lose_what_the_edge_says() -> None:
    """BJ-1 to BJ-9, the rules' own defaults; three standard errors. The dice are the same each time."""
    rules = BlackjackRules()
    edge = house_edge(rules)
    assert [round(float(one), 8) for one in edge] == [0.0066119, 0.07395498, 0.03883495]
    play = Simulated(rules, random.Random(611))
    total = squares = 0.0
    for _ in range(ROUNDS):
        won = play.round()
        total += won
        squares += won * won
    mean = total / ROUNDS
    error = sqrt((squares / ROUNDS - mean * mean) / ROUNDS)
    assert abs(mean + float(edge.stake)) < 3 * error


class Node:
    """A hand, what is done with it, and the hands that a card more makes of it, looked up once each."""

    __slots__ = ("act", "after", "hand", "plan", "total")

    def __init__(self, hand: Counts, plan: Callable[[Counts], str]) -> None:
        self.hand, self.plan = hand, plan
        self.total = points(hand).total
        self.act = plan(hand) if self.total <= MOST and sum(hand) > 1 else "hit"
        self.after: list[Node | None] = [None] * 10

    def next(self, place: int) -> Node:
        """The hand with this card."""
        found = self.after[place]
        if found is None:
            found = self.after[place] = Node(with_card(self.hand, place), self.plan)
        return found


class Simulated:
    """Rounds of one box and the bank, each from six fresh decks."""

    def __init__(self, rules: BlackjackRules, dice: random.Random) -> None:
        self.dice = dice
        hits = rules.bank_hits_soft_17

        def drawing(hand: Counts) -> str:
            return "stand" if bank_stands(points(hand), hits_soft_17=hits) else "hit"

        nothing = Node(NOTHING, drawing)
        self.banks = [nothing.next(up) for up in RANKS]
        self.hands = [Hands(Bank(up, hits), rules) for up in RANKS]
        self.whole = [Node(NOTHING, hands.act) for hands in self.hands]
        self.pairs = {(up, place): self.plan_of(up, place) for up in RANKS for place in RANKS}

    def plan_of(self, up: int, place: int) -> Node | None:
        """A hand of a split pair, or None where the pair is better played as one."""
        hands, pair = self.hands[up], with_card(with_card(NOTHING, place), place)
        if value_of_deal(hands, pair) == hands.value(pair):
            return None
        plan = Split(hands, place, lost=1).plan
        act = (lambda _hand: "stand") if place == ACE else plan.act
        return Node(with_card(NOTHING, place), act)

    def round(self) -> float:
        """What one unit won."""
        self.gone: set[int] = set()
        first, up, second = self.draw(), self.draw(), self.draw()
        hand = self.whole[up].next(first).next(second)
        if first + second == TEN and ACE in (first, second):
            bank = self.drawn(self.banks[up])[0]
            return 0.0 if is_blackjack(bank.hand) else 1.5
        pair = self.pairs[up, first] if first == second else None
        if pair is None:
            played = [self.drawn(hand)]
        else:
            played = [self.drawn(pair.next(self.draw())) for _ in range(2)]
        if all(one.total > MOST for one, _ in played):
            return -sum(units for _, units in played)
        bank = self.drawn(self.banks[up].next(self.draw()))[0]
        natural = bank.total == MOST and is_blackjack(bank.hand)
        won = 0.0
        for one, units in played:
            if one.total > MOST or natural:
                won -= units
            elif bank.total > MOST or one.total > bank.total:
                won += units
            elif one.total < bank.total:
                won -= units
        return won

    def draw(self) -> int:
        """The rank of the next card."""
        while (card := int(self.dice.random() * CARDS)) in self.gone:
            pass
        self.gone.add(card)
        return SHOE_IN_A_ROW[card]

    def drawn(self, hand: Node) -> tuple[Node, int]:
        """A hand in the end, and the units on it."""
        while hand.total <= MOST and hand.act != "stand":
            if hand.act == "double":
                return hand.next(self.draw()), 2
            hand = hand.next(self.draw())
        return hand, 1
