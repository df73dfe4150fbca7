"""What pokerkit makes of a hand at *pots*: a second opinion, which moves no chip (POK-6, HAND-5).

Where it is no judge: a fold that nothing asks for, of which it warns, or which it refuses; side
pots of hi-lo, which it halves where nobody in them has a low; pots that it pays, whose odd chips
all go to one seat. So it makes the pots, and ranks the cards, and pays nothing.
"""

import warnings
from collections.abc import Sequence, Set
from typing import Any

from pokerkit import (
    Automation,
    BettingStructure,
    Card,
    Deck,
    EightOrBetterLowHand,
    Mode,
    OmahaEightOrBetterLowHand,
    OmahaHoldemHand,
    Opening,
    RegularLowHand,
    StandardHighHand,
    StandardLowHand,
    State,
    Street,
)

from payouts.rules.rulesets.hand_rules import HandRules
from tables.games.poker.entered import HandRuling, PlayedPots, PotsEntry
from tables.games.poker.pots import GrossPot, HandPots, Payment, Uncalled
from tables.games.poker.rules import PokerRules
from tables.games.poker.settle import SettledPot
from tables.games.poker.showdown import TableCards
from tables.games.poker.variants import VARIANTS

_DEAD_FOLD = "There is no reason for this player to fold"
_ONE_ROUND = (
    Street(
        card_burning_status=False,
        hole_dealing_statuses=(False,),
        board_dealing_count=0,
        draw_status=False,
        opening=Opening.POSITION,
        min_completion_betting_or_raising_amount=1,
        max_completion_betting_or_raising_count=None,
    ),
)
_LOW_ONLY = {"ace_to_five": RegularLowHand, "deuce_to_seven": StandardLowHand}


def differs(entry: PotsEntry, ruling: HandRuling, played: PlayedPots) -> str | None:
    """In what pokerkit is of another opinion, `pots` or `winners`; None where in nothing."""
    if entry.passed:
        return None
    settled = played.settled
    made = HandPots(tuple(pot.pot for pot in settled.pots), settled.uncalled)
    again = pots_again(played.course.payments, carried_minor=entry.carried_minor)
    if again is not None and again != made:
        return "pots"
    by_half = _hands(ruling.variant, ruling.house, ruling.hands)
    for half, kind in by_half.items():
        ranked = _ranked(kind, entry.cards)
        for pot in settled.pots:
            if not _agrees(pot, half, ranked, entry.cards.hands.keys()):
                return "winners"
    return None


def pots_again(payments: Sequence[Payment], *, carried_minor: int = 0) -> HandPots | None:
    """The pots, from all that was matched as one bet of each seat; None where only one is left, or
    one folded who had nothing to call.
    """
    bets = [payment for payment in payments if payment.matched_minor]
    most_minor = max((payment.matched_minor for payment in bets), default=0)
    called = any(payment.folded and payment.matched_minor == most_minor for payment in bets)
    if called or sum(not payment.folded for payment in bets) < 2:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", _DEAD_FOLD)
        state = _all_in(bets)
    beneath = carried_minor + sum(payment.dead_minor for payment in payments)
    pots = []
    if beneath and any(not payment.folded for payment in payments if payment not in bets):
        left = sorted(payment.seat for payment in payments if not payment.folded)
        pots.append(GrossPot(beneath, tuple(left)))  # somebody is all-in by dead chips alone
        beneath = 0
    for pot in state.pots:
        seats = tuple(sorted(bets[index].seat for index in pot.player_indices))
        pots.append(GrossPot(pot.amount + beneath, seats))
        beneath = 0
    returned = {
        payment.seat: stack - payment.folded
        for payment, stack in zip(bets, state.stacks, strict=True)
    }
    back = [Uncalled(seat, minor) for seat, minor in returned.items() if minor]
    return HandPots(tuple(pots), back[0] if back else None)


def _all_in(bets: Sequence[Payment]) -> State:
    """Everybody has posted what they paid; who folded has a chip more, and folds with it."""
    posted = [payment.matched_minor for payment in bets]
    state = State(
        (Automation.BLIND_OR_STRADDLE_POSTING, Automation.BET_COLLECTION),
        Deck.STANDARD,
        (StandardHighHand,),
        _ONE_ROUND,
        BettingStructure.NO_LIMIT,
        ante_trimming_status=True,
        raw_antes=0,
        raw_blinds_or_straddles=posted if len(posted) > 2 else posted[::-1],  # it turns two round
        bring_in=0,
        raw_starting_stacks=[payment.matched_minor + payment.folded for payment in bets],
        player_count=len(bets),
        mode=Mode.CASH_GAME,
    )
    for _ in bets:
        state.deal_hole("??")
    for _ in range(sum(payment.folded for payment in bets)):
        state.fold()
    return state


def _hands(variant: str, house: PokerRules, hands: HandRules) -> dict[str, Any]:
    """By half how its hands are ranked, as far as pokerkit can."""
    dealt = VARIANTS[variant]
    if dealt.low == "only":
        low = house.draw_low if dealt.hole == 5 else "ace_to_five"
        return {"high": _LOW_ONLY[low]} if low in _LOW_ONLY else {}
    by_half: dict[str, Any] = {"high": OmahaHoldemHand if dealt.hole == 4 else StandardHighHand}
    if dealt.low == "half" and hands.low_qualifier == 8:
        by_half["low"] = OmahaEightOrBetterLowHand if dealt.hole == 4 else EightOrBetterLowHand
    return by_half


def _ranked(kind: Any, cards: TableCards) -> dict[int, Any]:
    """By seat the hand that was shown, where it counts."""
    board = tuple(Card.parse(cards.board))
    ranked = {seat: kind.from_game_or_none(hole, board) for seat, hole in cards.hands.items()}
    return {seat: hand for seat, hand in ranked.items() if hand is not None}


def _agrees(pot: SettledPot, half: str, ranked: dict[int, Any], seats: Set[int]) -> bool:
    """Whether those of a pot's seats win the half whose hands are the best."""
    hands = {seat: hand for seat, hand in ranked.items() if seat in pot.pot.seats}
    if len(pot.pot.seats) == 1 or not seats & {*pot.pot.seats}:
        return True
    best = max(hands.values(), default=None)
    halves = ("low",) if half == "low" else ("high", "whole")
    won = {share.seat for share in pot.shares if share.half in halves}
    return won == {seat for seat, hand in hands.items() if hand == best}
