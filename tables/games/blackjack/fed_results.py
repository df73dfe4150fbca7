"""What the cards that a shoe read say against the result of a round: by cards they are the same, by
taps some deal of them ends so (BJ-1 to BJ-7, HAND-6).

A feed that can be a whole round is taken for one; another says only what it has.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

from payouts.rules.hands.cards import card_texts
from payouts.rules.lines import Stake
from tables.games.base import Came, FeedContradicts, FeedEndsOtherwise
from tables.games.blackjack.deal import DealtHand, deal
from tables.games.blackjack.entries import Entry
from tables.games.blackjack.fed_round import FedRound, Where, doubled_total
from tables.games.blackjack.points import ACE, MOST, place_of, points_of
from tables.games.blackjack.result import dealt as dealt_by_counts
from tables.games.blackjack.rules import BlackjackRules
from tables.games.blackjack.settle import Bank, HandOutcome, Result, compare
from tables.games.blackjack.shoe import parse_shoe


def check_result(
    rules: BlackjackRules,
    stakes: Sequence[Stake],
    entry: Entry,
    fed: Mapping[str, Any],
    came: Came,
) -> None:
    """Refuse a result that the read cards contradict: none of their deals explains it together with
    the stakes and when these came. Raises FeedContradicts, FeedEndsOtherwise.
    """
    cards = parse_shoe(fed["cards"])
    dealt = deal(fed, {stake.box for stake in stakes})
    is_whole = has_all_cards(rules, stakes, fed)
    round_ = FedRound(rules, stakes, dealt, came)
    by_cards = bool(
        entry.bank_cards or any(hand.cards for hands in entry.boxes.values() for hand in hands)
    )
    if by_cards:
        _check_cards(entry, cards, is_whole=is_whole)
        is_so = bool(round_.ends(partial(_has_cards, entry)))
    else:
        tapped = Bank.NONE if entry.bank is None else entry.bank
        low = round_.is_beside and dealt.bank and place_of(dealt.bank[0]) != ACE
        ends = round_.ends(partial(_ends_so, entry, tapped))
        is_so = not low and any(round_.is_so(end, tapped, is_whole=is_whole) for end in ends)
    if not is_so:
        raise FeedEndsOtherwise(fed=" ".join(card_texts(cards)))


def has_all_cards(rules: BlackjackRules, stakes: Sequence[Stake], fed: Mapping[str, Any]) -> bool:
    """Whether the read cards can be all of their round, whenever its stakes came."""
    round_ = FedRound(rules, stakes, deal(fed, {stake.box for stake in stakes}), {})
    return any(round_.bank(end).is_whole for end in round_.ends())


def _has_cards(
    entry: Entry,
    where: Where,
    hand: DealtHand,
    cards: tuple[int, ...] | None,
    read: Sequence[int],
) -> bool:
    """Whether a hand drew the cards that were entered of it."""
    box, number = where
    entered = entry.boxes[box][number].cards[1 if hand.split else 2 :]
    if cards is None:
        return entered[: len(read)] == tuple(read) and (len(entered) > len(read) or not read)
    return cards[len(hand.begun) :] == entered


def _ends_so(
    entry: Entry,
    bank: Bank,
    where: Where,
    hand: DealtHand,
    cards: tuple[int, ...] | None,
    _read: Sequence[int],
) -> bool:
    """Whether a hand ends as it was tapped."""
    box, number = where
    tapped = _both(entry.boxes[box][number].outcome)
    if cards is None:
        return not hand.is_read or hand.natural is (tapped.result is Result.BLACKJACK)
    return tapped == _outcome(hand, points_of(cards).total, doubled_total(hand, cards), bank)


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


def _outcome(
    hand: DealtHand, total: int, doubled: int, bank: Bank
) -> tuple[Result | None, Result | None]:
    result = Result.BLACKJACK if hand.natural else _compared(total, bank)
    same = doubled == total and not (hand.natural and hand.doubled)
    return result, result if same else _compared(doubled, bank)


def _compared(total: int, bank: Bank) -> Result | None:
    return None if bank is Bank.NONE and total <= MOST else compare(total, bank)
