"""One round of which a shoe has read cards: the deals of them that explain the stakes, when these
came, and how the hands ended (BJ-1 to BJ-9).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from payouts.rules.lines import Stake
from tables.games.base import Came
from tables.games.blackjack.deal import (
    DealtHand,
    ReadCards,
    hands_dealt,
    is_doubling,
    is_pair,
    lengths,
    may_split,
)
from tables.games.blackjack.points import ACE, MOST, TEN, bank_stands, place_of, points_of
from tables.games.blackjack.rules import BlackjackRules
from tables.games.blackjack.settle import Bank
from tables.games.blackjack.stakes import EVEN_MONEY, INSURANCE

Where = tuple[int, int]  # a box, and the place of a hand on it, from 0
# Whether a hand ended so as it was entered: its cards, None where not all were read; those that
# were read from where it draws.
Fits = Callable[[Where, DealtHand, tuple[int, ...] | None, Sequence[int]], bool]


class BoxesDrawn(NamedTuple):
    """What is drawn when some hands have. `place`: of the next card; `waits`: whether a hand is
    compared with the bank's total, `asks`: or only with a Black Jack of it; `is_read`: whether all
    that was drawn was read.
    """

    place: int = 0
    waits: bool = False
    asks: bool = False
    is_read: bool = True


def fits_always(
    where: Where, hand: DealtHand, cards: tuple[int, ...] | None, read: Sequence[int]
) -> bool:
    """However it ended."""
    return True


def doubled_total(hand: DealtHand, cards: tuple[int, ...]) -> int:
    """What counts for the stakes that were doubled: the hand with its one card (BJ-6)."""
    return points_of(cards[:3] if hand.doubled else cards).total


class FedBank(NamedTuple):
    """How the bank ended by its cards, None where they cannot be the bank's; `is_whole`: whether
    these are all cards that it drew.
    """

    ended: Bank | None
    is_whole: bool
    cards: tuple[int, ...] = ()


class FedRound(NamedTuple):
    """A round with its stakes, the cards that were read, and how many were drawn when which of the
    stakes came.
    """

    rules: BlackjackRules
    stakes: Sequence[Stake]
    dealt: ReadCards
    came: Came

    @property
    def is_beside(self) -> bool:
        """Whether insurance or even money was taken."""
        return any(stake.kind in (INSURANCE, EVEN_MONEY) for stake in self.stakes)

    def ends(self, fits: Fits = fits_always) -> set[BoxesDrawn]:
        """How far the cards may be dealt when all boxes have drawn, so that each stake came before
        the card that decides it, and each hand ends as it fits.
        """
        ends = {BoxesDrawn()}
        for box in sorted(self.dealt.first):
            ends = self._box_drawn(box, ends, fits)
        beside = [
            drawn for (_box, kind), drawn in self.came.items() if kind in (INSURANCE, EVEN_MONEY)
        ]
        return {end for end in ends if not end.is_read or end.place >= max(beside, default=0)}

    def _box_drawn(self, box: int, ends: set[BoxesDrawn], fits: Fits) -> set[BoxesDrawn]:
        """When the hands of a box have drawn: two in their order, more of them in any, as it is not
        known.
        """
        two = self.dealt.first[box]
        hands = hands_dealt(self.stakes, box, two)
        count = len(hands)
        if count > 1 and len(two) == 2 and not may_split(two, count):
            return set()
        split = self.came.get((box, "split_2"), 0)
        begun = {end for end in ends if not end.is_read or end.place >= split}
        ways = {(end, frozenset(range(count)), max(count - 2, 0)) for end in begun}
        for _ in hands:
            ways = {
                (after, left - {number}, rest)
                for end, left, more in ways
                if more < len(left)  # else the hand is not there yet
                for number in (left if count > 2 else [min(left)])
                for start, rest in self._split_again(box, end, count, more)
                for after in self._after(start, (box, number), hands[number], fits)
            }
        return {end for end, _left, _more in ways}

    def _split_again(
        self, box: int, end: BoxesDrawn, count: int, more: int
    ) -> Iterator[tuple[BoxesDrawn, int]]:
        """Before a hand draws for itself: `more` of the box's hands are not there yet, and each may
        begin with the next card where that makes a pair.
        """
        yield end, more
        drawn, place = self.dealt.drawn, end.place
        if not end.is_read or place == len(drawn):
            yield from ((end._replace(is_read=False), rest) for rest in range(more))
            return
        split = self.came.get((box, f"split_{count - more + 1}"), 0)
        if more and split <= place + 1 and is_pair((self.dealt.first[box][0], drawn[place])):
            yield from self._split_again(box, end._replace(place=place + 1), count, more - 1)

    def _after(
        self, end: BoxesDrawn, where: Where, hand: DealtHand, fits: Fits
    ) -> Iterator[BoxesDrawn]:
        drawn: Iterable[tuple[int, tuple[int, ...] | None]] = [(end.place, None)]
        if end.is_read:
            if not self._may_draw(end.place, where, hand):
                return
            drawn = lengths(self.rules, hand, self.dealt.drawn, end.place)
        for place, cards in drawn:
            if not fits(where, hand, cards, self.dealt.drawn[end.place :]):
                continue
            if cards is None:
                yield BoxesDrawn(place, waits=True, asks=end.asks, is_read=False)
                continue
            total = points_of(cards).total
            doubled = doubled_total(hand, cards)
            waits = doubled <= MOST if hand.natural and hand.doubled else not hand.natural
            waits = waits and min(total, doubled) <= MOST
            yield BoxesDrawn(place, end.waits or waits, end.asks or hand.natural)

    def _may_draw(self, start: int, where: Where, hand: DealtHand) -> bool:
        """Whether a hand may draw from the card at `start`: what was doubled on it came in time,
        with two cards that may be.
        """
        box, number = where
        if self.came.get((box, f"double_{number + 1}"), 0) > start + hand.split:
            return False
        two = (*hand.begun, *self.dealt.drawn[start : start + 1])[:2]
        return not hand.doubled or len(two) < 2 or is_doubling(self.rules, two, split=hand.split)

    def bank(self, end: BoxesDrawn) -> FedBank:
        """The bank, when the boxes have drawn so far."""
        cards = self.dealt.bank + (self.dealt.drawn[end.place :] if end.is_read else ())
        scores = [points_of(cards[:number]) for number in range(2, len(cards) + 1)]
        hits = self.rules.bank_hits_soft_17
        stands = [bank_stands(score, hits_soft_17=hits) for score in scores]
        if any(stands[:-1]):
            return FedBank(ended=None, is_whole=False)
        if not end.is_read or not cards:
            return FedBank(ended=Bank.NONE, is_whole=False, cards=cards)
        if stands and stands[-1]:
            total = scores[-1].total
            natural = total == MOST and len(cards) == 2
            ended = Bank.BUST if total > MOST else Bank(str(total))
            return FedBank(Bank.BLACKJACK if natural else ended, is_whole=True, cards=cards)
        asks = (end.asks or self.is_beside) and place_of(cards[0]) in (ACE, TEN)
        is_whole = not end.waits and (len(cards) > 1 or not asks)
        return FedBank(Bank.NONE, is_whole, cards)

    def is_so(self, end: BoxesDrawn, tapped: Bank, *, is_whole: bool) -> bool:
        """Whether the bank may have ended as it was tapped. Where no hand waits for it, only its
        Black Jack counts.
        """
        bank = self.bank(end)
        if bank.ended is None or (is_whole and not bank.is_whole):
            return False
        if bank.is_whole and end.waits:
            return bank.ended is tapped
        if bank.is_whole:
            return (bank.ended is Bank.BLACKJACK) is (tapped is Bank.BLACKJACK)
        first = {place_of(card) for card in bank.cards}
        return tapped is not Bank.BLACKJACK or (len(bank.cards) < 2 and first <= {ACE, TEN})
