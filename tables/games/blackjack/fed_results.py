"""What the cards that a shoe read say against the result of a round: by cards they are the same, by
taps some deal of them ends so (BJ-1 to BJ-7, HAND-6).

A feed that can be a whole round is taken for one; another says only what it has.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from payouts.rules.hands.cards import card_texts
from payouts.rules.lines import Stake
from tables.games.base import FeedContradicts, FeedEndsOtherwise
from tables.games.blackjack.deal import (
    DealtHand,
    ReadCards,
    deal,
    hands_dealt,
    is_doubling,
    is_pair,
    lengths,
)
from tables.games.blackjack.entries import Entry
from tables.games.blackjack.points import ACE, MOST, TEN, bank_stands, place_of, points_of
from tables.games.blackjack.result import dealt as dealt_by_counts
from tables.games.blackjack.rules import BlackjackRules
from tables.games.blackjack.settle import Bank, HandOutcome, Result, compare
from tables.games.blackjack.shoe import parse_shoe
from tables.games.blackjack.stakes import EVEN_MONEY, INSURANCE, hands_on

Taps = Mapping[int, Sequence[HandOutcome]]


class BoxesDrawn(NamedTuple):
    """What is drawn when some hands have. `place`: of the next card; `waits`: whether a hand is
    compared with the bank's total, `asks`: or only with a Black Jack of it; `is_read`: whether all
    that was drawn was read.
    """

    place: int = 0
    waits: bool = False
    asks: bool = False
    is_read: bool = True


def check_result(
    rules: BlackjackRules,
    stakes: Sequence[Stake],
    entry: Entry,
    fed: Mapping[str, Any],
) -> None:
    """Refuse a result that the read cards contradict. Raises FeedContradicts, FeedEndsOtherwise."""
    cards = parse_shoe(fed["cards"])
    dealt = deal(fed, {stake.box for stake in stakes})
    round_ = _FedRound(rules, stakes, dealt)
    is_whole = any(round_.bank(end).is_whole for end in round_.ends())
    if entry.bank_cards or any(hand.cards for hands in entry.boxes.values() for hand in hands):
        _check_cards(entry, cards, is_whole=is_whole)
        return
    tapped = Bank.NONE if entry.bank is None else entry.bank
    taps = {box: [_both(hand.outcome) for hand in hands] for box, hands in entry.boxes.items()}
    ends = round_.ends(taps, tapped)
    low = round_.is_beside and dealt.bank and place_of(dealt.bank[0]) != ACE
    if low or not any(round_.is_so(end, tapped, is_whole=is_whole) for end in ends):
        raise FeedEndsOtherwise(fed=" ".join(card_texts(cards)))


def is_whole(rules: BlackjackRules, stakes: Sequence[Stake], fed: Mapping[str, Any]) -> bool:
    """Whether the read cards can be all of their round."""
    round_ = _FedRound(rules, stakes, deal(fed, {stake.box for stake in stakes}))
    return any(round_.bank(end).is_whole for end in round_.ends())


def _both(outcome: HandOutcome | None) -> HandOutcome:
    """Also where what was doubled ends with the rest."""
    if outcome is None:
        raise RuntimeError("a hand of a result without cards has an outcome")
    return outcome._replace(doubled=outcome.doubled or outcome.result)


def _check_cards(entry: Entry, cards: Sequence[int], *, is_whole: bool) -> None:
    counts = {box: [len(hand.cards) for hand in hands] for box, hands in entry.boxes.items()}
    boxes, bank = dealt_by_counts(cards, sorted(counts), counts)
    for box, hands in boxes.items():
        entered = [hand.cards for hand in entry.boxes[box]]
        if len(hands) > 2:  # in which order they drew is not known
            every = tuple(chain(*hands))
            own = tuple(chain(*entered))
            if Counter(every) - Counter(own):
                raise _contradiction(f"boxes.{box}.hands", every, own)
            continue
        for place, (fed, own) in enumerate(zip(hands, entered, strict=True)):
            # the first two of a hand that was not split may lie in any order
            turned = (*own[1::-1], *own[2:]) if len(hands) == 1 else own
            if fed not in (own[: len(fed)], turned[: len(fed)]):
                raise _contradiction(f"boxes.{box}.hands[{place}].cards", fed, own)
    if entry.bank_cards and entry.bank_cards[: len(bank)] != bank:
        raise _contradiction("bank_cards", bank, entry.bank_cards)
    count = sum(chain(*counts.values())) + len(entry.bank_cards)
    if is_whole and count > len(cards):
        raise FeedEndsOtherwise(fed=" ".join(card_texts(cards)))


def _contradiction(field: str, fed: Sequence[int], entered: Sequence[int]) -> FeedContradicts:
    return FeedContradicts(
        field=field, fed=" ".join(card_texts(fed)), entered=" ".join(card_texts(entered))
    )


class _FedBank(NamedTuple):
    """How the bank ended by its cards, None where they cannot be the bank's; `is_whole`: whether
    these are all cards that it drew.
    """

    ended: Bank | None
    is_whole: bool
    cards: tuple[int, ...] = ()


class _FedRound(NamedTuple):
    """A round with its stakes and the cards that were read."""

    rules: BlackjackRules
    stakes: Sequence[Stake]
    dealt: ReadCards

    @property
    def is_beside(self) -> bool:
        """Whether insurance or even money was taken."""
        return any(stake.kind in (INSURANCE, EVEN_MONEY) for stake in self.stakes)

    def ends(self, taps: Taps | None = None, bank: Bank = Bank.NONE) -> set[BoxesDrawn]:
        """How far the cards may be dealt when all boxes have drawn, so that each hand ends as it
        was tapped; None: however it ends.
        """
        ends = {BoxesDrawn()}
        for box, two in sorted(self.dealt.first.items()):
            count = hands_on(self.stakes, box)
            if count > 1 and len(two) == 2 and not is_pair(two):
                return set()
            if count > 2:
                ends = {after for end in ends for after in self._any_after(end, count)}
                continue
            for number, hand in enumerate(hands_dealt(self.stakes, box, two)):
                tapped = None if taps is None else taps[box][number]
                ends = {after for end in ends for after in self._after(end, hand, tapped, bank)}
        return ends

    def _any_after(self, end: BoxesDrawn, count: int) -> Iterator[BoxesDrawn]:
        """After hands of a second split: in which order they draw is not known."""
        read = len(self.dealt.drawn)
        yield BoxesDrawn(read, waits=True, asks=end.asks, is_read=False)
        for place in range(end.place + 2 * count - 2, read + 1) if end.is_read else ():
            for waits in (True, end.waits):
                yield BoxesDrawn(place, waits, end.asks)

    def _after(
        self, end: BoxesDrawn, hand: DealtHand, tapped: HandOutcome | None, bank: Bank
    ) -> Iterator[BoxesDrawn]:
        drawn: Iterable[tuple[int, tuple[int, ...] | None]] = [(end.place, None)]
        if end.is_read:
            drawn = lengths(self.rules, hand, self.dealt.drawn, end.place)
        for place, cards in drawn:
            if hand.doubled and not self._may_be_doubled(hand, cards):
                continue
            if cards is None:
                natural = tapped is not None and tapped.result is Result.BLACKJACK
                if tapped is None or not hand.is_read or hand.natural is natural:
                    yield BoxesDrawn(place, waits=True, asks=end.asks, is_read=False)
                continue
            total = points_of(cards).total
            doubled = points_of(cards[:3]).total if hand.doubled else total
            if tapped is None or tapped == _outcome(hand, total, doubled, bank):
                waits = doubled <= MOST if hand.natural and hand.doubled else not hand.natural
                waits = waits and min(total, doubled) <= MOST
                yield BoxesDrawn(place, end.waits or waits, end.asks or hand.natural)

    def _may_be_doubled(self, hand: DealtHand, cards: tuple[int, ...] | None) -> bool:
        two = hand.begun if cards is None else cards[:2]
        return len(two) < 2 or is_doubling(self.rules, two, split=hand.split)

    def bank(self, end: BoxesDrawn) -> _FedBank:
        """The bank, when the boxes have drawn so far."""
        cards = self.dealt.bank + (self.dealt.drawn[end.place :] if end.is_read else ())
        scores = [points_of(cards[:number]) for number in range(2, len(cards) + 1)]
        hits = self.rules.bank_hits_soft_17
        stands = [bank_stands(score, hits_soft_17=hits) for score in scores]
        if any(stands[:-1]):
            return _FedBank(ended=None, is_whole=False)
        if not end.is_read or not cards:
            return _FedBank(ended=Bank.NONE, is_whole=False, cards=cards)
        if stands and stands[-1]:
            total = scores[-1].total
            natural = total == MOST and len(cards) == 2
            ended = Bank.BUST if total > MOST else Bank(str(total))
            return _FedBank(Bank.BLACKJACK if natural else ended, is_whole=True, cards=cards)
        asks = (end.asks or self.is_beside) and place_of(cards[0]) in (ACE, TEN)
        is_whole = not end.waits and (len(cards) > 1 or not asks)
        return _FedBank(Bank.NONE, is_whole, cards)

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


def _outcome(
    hand: DealtHand, total: int, doubled: int, bank: Bank
) -> tuple[Result | None, Result | None]:
    result = Result.BLACKJACK if hand.natural else _compared(total, bank)
    same = doubled == total and not (hand.natural and hand.doubled)
    return result, result if same else _compared(doubled, bank)


def _compared(total: int, bank: Bank) -> Result | None:
    return None if bank is Bank.NONE and total <= MOST else compare(total, bank)
