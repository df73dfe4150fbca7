"""Rounds of Black Jack whose results were tapped: what no cards could make true is refused (BJ-3 to
BJ-7).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from payouts.errors import mark
from payouts.rules.lines import Stake
from tables.games.blackjack.entries import BankMissing, Ending, Entry, OutcomeMissing, asking
from tables.games.blackjack.rules import BlackjackRules
from tables.games.blackjack.settle import Bank, HandOutcome, Result
from tables.games.blackjack.stakes import EVEN_MONEY, BlackjackRefused, doubled_on


class TapsImpossible(BlackjackRefused):
    """A result that cannot be beside how the bank ended."""

    code = "blackjack.taps_impossible"
    rule = "BJ-3"
    sentence = mark(
        "Hand %(hand)s of box %(box)s cannot be “%(result)s” when the bank is “%(bank)s”."
    )
    remedy = mark("Look at the table again and correct what was mistyped.")


class NothingApart(BlackjackRefused):
    """A result of its own for what was doubled on a hand, where it ends with the hand."""

    code = "blackjack.nothing_apart"
    rule = "BJ-6"
    sentence = mark("On hand %(hand)s of box %(box)s nothing was doubled that could end otherwise.")
    remedy = mark("Enter one result for the hand.")


class SplitIsNoBlackjack(BlackjackRefused):
    """A Black Jack on a hand of a split."""

    code = "blackjack.split_is_no_blackjack"
    rule = "BJ-7"
    sentence = mark("Box %(box)s was split: ace and ten count 21 there, no Black Jack.")
    remedy = mark("Enter how the hand compares with the bank.")


class DoubledNoBust(BlackjackRefused):
    """A doubled hand that is said to have passed 21 with its one card."""

    code = "blackjack.doubled_no_bust"
    rule = "BJ-6"
    sentence = mark("Hand %(hand)s of box %(box)s was doubled: one card more never passes 21.")
    remedy = mark("Enter how it compares with the bank, or take a mistaken double off.")


class DrawnLower(BlackjackRefused):
    """A hand that is said to have drawn on to less than its doubled stakes had."""

    code = "blackjack.drawn_lower"
    rule = "BJ-6"
    sentence = mark(
        "Hand %(hand)s of box %(box)s had %(bank)s when it was doubled and does not fall below by"
        " drawing on."
    )
    remedy = mark("Look at the table again and correct what was mistyped.")


def by_taps(
    rules: BlackjackRules, stakes: Sequence[Stake], hands: Mapping[int, int], entry: Entry
) -> Ending:
    """How a round ended by what was tapped. `hands`: by box, how many it has.

    Raises OutcomeMissing, BankMissing and the refusals of this module.
    """
    bank = Bank.NONE if entry.bank is None else entry.bank
    doubled = doubled_on(stakes)
    outcomes: dict[int, list[HandOutcome]] = {}
    for box, count in hands.items():
        outcomes[box] = []
        for hand, entered in enumerate(entry.boxes[box], 1):
            if entered.outcome is None:
                raise OutcomeMissing(box=box, hand=hand)
            tapped = _Tapped(box, hand, entered.outcome, bank)
            if count > 1 and entered.outcome.result is Result.BLACKJACK:
                raise SplitIsNoBlackjack(box=box)
            if (box, hand) in doubled:
                plays_on = doubled[box, hand] and rules.coplayer_doubles == "always"
                _check_doubled(tapped, plays_on=plays_on)
            elif entered.outcome.doubled is not None:
                raise NothingApart(box=box, hand=hand)
            _check_bank(tapped)
            outcomes[box].append(entered.outcome)
    naturals = {box for box, ends in outcomes.items() if ends[0].result is Result.BLACKJACK}
    low = all(stake.kind != EVEN_MONEY for stake in stakes)  # offered against an ace only (BJ-9)
    if bank is Bank.NONE and (boxes := asking(stakes, naturals, low=low)):
        raise BankMissing(box=boxes[0])
    return Ending(outcomes, bank, by_cards=False)


class _Tapped(NamedTuple):
    """How a hand ended, and the bank, as they were tapped."""

    box: int
    hand: int
    outcome: HandOutcome
    bank: Bank


# A hard hand only grows by drawing: below these it fell from a soft 20 or 21.
_NOT_SOFT = (Bank.T17, Bank.T18, Bank.T19)


def _check_doubled(tapped: _Tapped, *, plays_on: bool) -> None:
    """`plays_on`: somebody's stake on the hand is undoubled, for which it may draw on."""
    (box, hand, (result, doubled), bank) = tapped
    natural = result is Result.BLACKJACK
    if natural and doubled is None:
        raise OutcomeMissing(box=box, hand=hand)
    if doubled is not None and not natural and not plays_on:
        raise NothingApart(box=box, hand=hand)
    if (doubled or result) is Result.BUST:
        raise DoubledNoBust(box=box, hand=hand)
    if (doubled, result) == (Result.PUSH, Result.LOSE) and bank in _NOT_SOFT:
        raise DrawnLower(box=box, hand=hand, bank=str(bank))


_NEVER = {
    Bank.BUST: {Result.LOSE, Result.PUSH},
    Bank.BLACKJACK: {Result.WIN, Result.PUSH},
    Bank.T21: {Result.WIN},
    Bank.NONE: {Result.WIN, Result.LOSE, Result.PUSH},
}


def _check_bank(tapped: _Tapped) -> None:
    (box, hand, ends, bank) = tapped
    for result in ends:
        if result is None or result not in _NEVER.get(bank, ()):
            continue
        if bank is Bank.NONE:
            raise BankMissing(box=box)
        raise TapsImpossible(box=box, hand=hand, result=str(result), bank=str(bank))
