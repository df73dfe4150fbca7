"""Rounds of Black Jack with cards as they fall, and what a croupier taps of them: stakes that guests change, decisions as they
come, the bank, the rest with one tap.
"""

import random  # noqa: TID251  (the numbers are chosen here, for a test)
from typing import Any, NamedTuple

from payouts.rules.hands.cards import DECK
from tables.games.blackjack.points import ACE, MOST, bank_stands, may_double, place_of, points_of
from tables.games.blackjack.points import counted as by_rank

DECKS = 6
CHANGED = 0.15  # of the boxes, a round
STAKES = (10, 20, 30, 50, 100)
INSURED = 0.1  # of the guests, against an ace
STIFF = range(2, 7)  # against these of the bank nobody draws a hand that may bust


class Tap(NamedTuple):
    """What is tapped: a key of a box, of the bank, or the tile of a stake and then its amount."""

    box: int
    key: str


def value(card: int) -> int:
    """What the bank's first card counts, an ace 11."""
    return 11 if place_of(card) == ACE else place_of(card) + 1


def stays(hand: list[int], bank: int) -> bool:
    total, soft = points_of(tuple(hand))
    if soft:
        return total >= (19 if bank >= 9 else 18)
    return total >= 17 or (total >= 12 and bank in STIFF)


def splits(hand: list[int], bank: int) -> bool:
    first, second = (place_of(card) + 1 for card in hand)
    return first == second and (first in (1, 8) or (first in (2, 3, 7, 9) and bank <= 7))


def doubles(hand: list[int], bank: int, *, split: bool) -> bool:
    total, soft = points_of(tuple(hand))
    if not may_double(by_rank(hand), soft=False, split=split) or soft:
        return False
    return total == 11 or (total == 10 and bank <= 9) or (total == 9 and bank in range(3, 7))


class Round:
    """One round: `taps` in their order, the bank's last."""

    def __init__(self, dice: random.Random, boxes: int) -> None:
        self.taps: list[Tap] = []
        self.shoe = dice.sample([card for card in DECK for _ in range(DECKS)], 60)
        first = {box: [self.shoe.pop()] for box in range(1, boxes + 1)}
        self.bank = [self.shoe.pop()]
        for hand in first.values():
            hand.append(self.shoe.pop())
        insured = [box for box in first if value(self.bank[0]) == 11 and dice.random() < INSURED]
        if insured:  # an ace is marked when somebody asks for what it brings
            self.taps += [Tap(0, "ace"), *(Tap(box, "insurance") for box in insured)]
        self.open: dict[tuple[int, int], int] = {}  # by box and hand, what waits for the bank
        self.asked = bool(insured)
        self.paid = False  # a Black Jack, at once
        for box, hand in first.items():
            self.play(box, hand)
        self.end()

    def play(self, box: int, hand: list[int]) -> None:
        bank = value(self.bank[0])
        if points_of(tuple(hand)).total == MOST:
            self.taps.append(Tap(box, "blackjack:1"))
            self.asked = self.asked or bank >= 10  # it is paid when the bank has none
            self.paid = self.paid or bank < 10
        elif splits(hand, bank):
            self.taps.append(Tap(box, "split:1"))
            aces = place_of(hand[0]) == ACE
            for number, card in enumerate(hand, 1):
                self.draw(box, number, [card, self.shoe.pop()], split=True, one=aces)
        else:
            self.draw(box, 1, hand, split=False, one=False)

    def draw(self, box: int, number: int, hand: list[int], *, split: bool, one: bool) -> None:
        bank = value(self.bank[0])
        if not one and doubles(hand, bank, split=split):
            self.taps.append(Tap(box, f"double:{number}"))
            hand.append(self.shoe.pop())
        else:
            while not one and not stays(hand, bank):
                hand.append(self.shoe.pop())
        total = points_of(tuple(hand)).total
        if total > MOST:
            self.taps.append(Tap(box, f"bust:{number}"))
        else:
            self.open[box, number] = total

    def end(self) -> None:
        """The bank draws, its total is tapped, then what differs from the most of the rest."""
        if not self.open and not self.asked:
            if self.paid:
                self.taps.append(Tap(0, "low"))
            return
        while not bank_stands(points_of(tuple(self.bank)), hits_soft_17=False) or len(self.bank) < 2:
            self.bank.append(self.shoe.pop())
        total = points_of(tuple(self.bank)).total
        if total > MOST:
            self.taps.append(Tap(0, "bust"))
        elif total == MOST and len(self.bank) == 2:
            self.taps.append(Tap(0, "blackjack"))
        else:
            self.taps.append(Tap(0, str(total)))
            self.compare(total)

    def compare(self, bank: int) -> None:
        ends = {key: "win" if own > bank else "lose" if own < bank else "push" for key, own in self.open.items()}
        most = max(("lose", "win", "push"), key=lambda one: list(ends.values()).count(one))
        others = [(box, hand, one) for (box, hand), one in ends.items() if one != most]
        self.taps += [Tap(box, f"{one}:{hand}") for box, hand, one in others]
        left = [(box, hand, one) for (box, hand), one in ends.items() if one == most]
        if len(left) == 1:
            self.taps += [Tap(box, f"{one}:{hand}") for box, hand, one in left]
        elif left:
            self.taps.append(Tap(0, f"rest:{most}"))


def evening(dice: random.Random, rounds: int, boxes: int) -> list[dict[str, Any]]:
    """Rounds as the script on the page reads them: `changes` of stakes in francs, then `taps`."""
    stakes = dict.fromkeys(range(1, boxes + 1), STAKES[0])
    found = []
    for _ in range(rounds):
        changes = []
        for box, there in stakes.items():
            if dice.random() < CHANGED:
                stakes[box] = dice.choice([one for one in STAKES if one != there])
                changes.append({"box": box, "to": str(stakes[box])})
        found.append({"changes": changes, "taps": [tap._asdict() for tap in Round(dice, boxes).taps]})
    return found
