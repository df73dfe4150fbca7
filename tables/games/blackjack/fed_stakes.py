"""What the cards that a shoe read say against a stake that comes after the lock (BJ-5 to BJ-9)."""

from collections.abc import Collection, Sequence

from payouts.rules.hands.cards import card_texts
from payouts.rules.lines import Stake
from tables.games.base import FeedBarsStake, FeedContradicts, FeedReadOn, Placed
from tables.games.blackjack.deal import (
    ReadCards,
    hands_dealt,
    is_doubling,
    is_pair,
    lengths,
    places_after,
)
from tables.games.blackjack.placing import Placement
from tables.games.blackjack.points import ACE, place_of
from tables.games.blackjack.rules import BlackjackRules
from tables.games.blackjack.stakes import EVEN_MONEY, INSURANCE, STAKE, hands_on


def check_stake(
    rules: BlackjackRules,
    stakes: Sequence[Stake],
    later: Sequence[Placed],
    placement: Placement,
    dealt: ReadCards,
) -> None:
    """Refuse a stake that the read cards do not allow, or that comes after the card about which it
    is. Raises FeedContradicts, FeedBarsStake, FeedReadOn.
    """
    lie = [*stakes, *(placed.stake for placed in later)]
    places = {0}
    for box in sorted(dealt.first):
        if box == placement.box:
            break
        places = places_after(rules, lie, dealt, box, places)
    if placement.act in (INSURANCE, EVEN_MONEY):
        _check_beside(rules, lie, placement, dealt)
    else:
        count = hands_on(lie, placement.box)
        follows = placement.act == "split" and not any(
            placed.stake.kind == f"split_{count}" and placed.source == placement.source
            for placed in later
        )
        _check_hand(rules, lie, placement, dealt, places, follows=follows)


def _check_beside(
    rules: BlackjackRules, lie: Sequence[Stake], placement: Placement, dealt: ReadCards
) -> None:
    """Insurance and even money come before the first card is drawn; more insurance, for what was
    doubled or split, before the bank draws (BJ-8, BJ-9).
    """
    box, two = placement.box, dealt.first[placement.box]
    if dealt.bank and place_of(dealt.bank[0]) != ACE:
        raise _barred(placement, dealt.bank)
    if placement.act == EVEN_MONEY:
        [hand] = hands_dealt([], box, two)
        if hand.is_read and not hand.natural:
            raise _barred(placement, two)
    own = {stake.kind for stake in lie if (stake.box, stake.guest) == (box, placement.guest)}
    places = {0}
    if own - {STAKE, INSURANCE}:
        for other in sorted(dealt.first):
            places = places_after(rules, lie, dealt, other, places)
    if len(dealt.drawn) not in places:
        raise FeedReadOn(box=box)


def _check_hand(
    rules: BlackjackRules,
    lie: Sequence[Stake],
    placement: Placement,
    dealt: ReadCards,
    places: Collection[int],
    *,
    follows: bool,
) -> None:
    """Doubling and splitting come when all drawn cards are other hands', and this one has two."""
    box = placement.box
    read = len(dealt.drawn)
    two = dealt.first[box]
    count = hands_on(lie, box)
    if count > 2:  # whose the drawn cards are is not known
        return
    if count == 1 or follows:
        if read not in places:
            raise FeedReadOn(box=box)
        if len(two) == 2 and not _allowed(rules, placement.act, two, split=False):
            raise _barred(placement, two)
        if placement.cards and len(two) == 2 and sorted(placement.cards) != sorted(two):
            raise FeedContradicts(
                field="cards",
                fed=" ".join(card_texts(two)),
                entered=" ".join(card_texts(placement.cards)),
            )
        return
    *before, own = hands_dealt(lie, box, two)[: placement.hand]
    for hand in before:
        places = {end for start in places for end, _ in lengths(rules, hand, dealt.drawn, start)}
    second = dealt.drawn[-1:]
    fits = read - 1 in places and _allowed(rules, placement.act, own.begun + second, split=True)
    if read not in places and not fits:
        raise FeedReadOn(box=box)


def _allowed(rules: BlackjackRules, act: str, two: Sequence[int], *, split: bool) -> bool:
    return is_doubling(rules, two, split=split) if act == "double" else is_pair(two)


def _barred(placement: Placement, cards: Sequence[int]) -> FeedBarsStake:
    return FeedBarsStake(box=placement.box, act=placement.act, fed=" ".join(card_texts(cards)))
