"""What the cards that a shoe read say against a stake that comes after the lock (BJ-5 to BJ-9)."""

from collections.abc import Sequence

from payouts.rules.hands.cards import card_texts
from payouts.rules.lines import Stake
from tables.games.base import Came, FeedBarsStake, FeedContradicts, FeedReadOn, Placed
from tables.games.blackjack.deal import DealtHand, ReadCards, hands_dealt, is_doubling, is_pair
from tables.games.blackjack.fed_round import FedRound, Where
from tables.games.blackjack.placing import Placement, goes_with
from tables.games.blackjack.points import ACE, place_of
from tables.games.blackjack.rules import BlackjackRules
from tables.games.blackjack.stakes import EVEN_MONEY, INSURANCE, STAKE, hands_on


def check_stake(
    rules: BlackjackRules,
    stakes: Sequence[Stake],
    later: Sequence[Placed],
    placement: Placement,
    dealt: ReadCards,
    came: Came,
) -> None:
    """Refuse a stake that the read cards do not allow, or that comes after the card about which it
    is: one deal of them has to explain it with all that came before it, each by when it came.

    Raises FeedContradicts, FeedBarsStake, FeedReadOn.
    """
    round_ = FedRound(rules, [*stakes, *(placed.lies for placed in later)], dealt, came)
    if placement.act in (INSURANCE, EVEN_MONEY):
        kind = placement.act
        _check_beside(round_, placement)
    else:
        kind = _kind(round_.stakes, later, placement)
        _check_hand(round_, placement, kind)
    brought = Stake(placement.box, placement.guest, kind, 0, source=placement.source)
    now = {**came, (placement.box, kind): len(dealt.drawn)}
    if not round_._replace(stakes=[*round_.stakes, brought], came=now).ends():
        raise FeedReadOn(box=placement.box)


def _kind(lie: Sequence[Stake], later: Sequence[Placed], placement: Placement) -> str:
    """Of a stake that doubles or splits; who has nothing on the newest hand follows its split."""
    if placement.act == "double":
        return f"double_{placement.hand}"
    count = hands_on(lie, placement.box)
    on_box = [placed for placed in later if placed.stake.box == placement.box]
    newest = f"split_{count}"
    follows = count > 1 and not goes_with(on_box, newest, placement.source)
    return newest if follows else f"split_{count + 1}"


def _check_beside(round_: FedRound, placement: Placement) -> None:
    """Insurance and even money come before the first card is drawn; more insurance, for what was
    doubled or split, before the bank draws (BJ-8, BJ-9).
    """
    dealt = round_.dealt
    box = placement.box
    two = dealt.first[box]
    if dealt.bank and place_of(dealt.bank[0]) != ACE:
        raise _barred(placement, dealt.bank)
    if placement.act == EVEN_MONEY:
        [hand] = hands_dealt([], box, two)
        if hand.is_read and not hand.natural:
            raise _barred(placement, two)
    own = {
        stake.kind for stake in round_.stakes if (stake.box, stake.guest) == (box, placement.guest)
    }
    if dealt.drawn and not own - {STAKE, INSURANCE}:
        raise FeedReadOn(box=box)


def _check_hand(round_: FedRound, placement: Placement, kind: str) -> None:
    """Doubling and splitting are for two cards that allow it; each split ace gets one card."""
    box = placement.box
    count = hands_on(round_.stakes, box)
    two = round_.dealt.first[box]
    if count == 1 or kind == "split_2":
        _check_two(round_.rules, placement, two)
    elif two and place_of(two[0]) == ACE and kind != f"split_{count}":
        raise _barred(placement, two)
    if count == 2 and kind == "split_3":
        _check_split_again(round_, placement)


def _check_two(rules: BlackjackRules, placement: Placement, two: Sequence[int]) -> None:
    if len(two) < 2:
        return
    if not (is_doubling(rules, two, split=False) if placement.act == "double" else is_pair(two)):
        raise _barred(placement, two)
    if placement.cards and sorted(placement.cards) != sorted(two):
        fed, entered = (" ".join(card_texts(cards)) for cards in (two, placement.cards))
        raise FeedContradicts(field="cards", fed=fed, entered=entered)


def _check_split_again(round_: FedRound, placement: Placement) -> None:
    """The first of two hands draws before the second, and a hand is split with two cards: as one
    is doubled.
    """
    box = placement.box
    hand = placement.hand
    now = {**round_.came, (box, f"double_{hand}"): len(round_.dealt.drawn)}

    def is_split(
        where: Where, dealt: DealtHand, _cards: tuple[int, ...] | None, read: Sequence[int]
    ) -> bool:
        return where != (box, hand - 1) or not read or is_pair((*dealt.begun, read[0]))

    if not round_._replace(came=now).ends(is_split):
        raise FeedReadOn(box=box)


def _barred(placement: Placement, cards: Sequence[int]) -> FeedBarsStake:
    return FeedBarsStake(box=placement.box, act=placement.act, fed=" ".join(card_texts(cards)))
