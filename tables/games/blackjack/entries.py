"""What was entered of a round of Black Jack, and who waits for its bank."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from payouts.errors import mark
from payouts.rules.lines import Stake
from tables.games.blackjack.settle import Bank, HandOutcome
from tables.games.blackjack.stakes import EVEN_MONEY, INSURANCE, STAKE, BlackjackRefused


class OutcomeMissing(BlackjackRefused):
    """A hand, or the bank, of which it is not known how it ended."""

    code = "blackjack.outcome_missing"
    rule = "BJ-3"
    sentence = mark("Hand %(hand)s of box %(box)s has no result.")
    remedy = mark("Enter how the hand ended.")


class BankMissing(BlackjackRefused):
    """Hands that wait for the bank, which has not been entered."""

    code = "blackjack.bank_missing"
    rule = "BJ-2"
    sentence = mark("It is not known how the bank ended, and box %(box)s waits for it.")
    remedy = mark("Enter the bank's total or its cards.")


class HandEntry(NamedTuple):
    """What was entered of one hand: taps, cards, or both."""

    outcome: HandOutcome | None = None
    cards: tuple[int, ...] = ()


class Entry(NamedTuple):
    """What was entered of a round."""

    boxes: Mapping[int, Sequence[HandEntry]]
    bank: Bank | None = None
    bank_cards: tuple[int, ...] = ()


class Ending(NamedTuple):
    """How every hand and the bank ended, and whether cards said it."""

    outcomes: dict[int, list[HandOutcome]]
    bank: Bank
    by_cards: bool


def asking(stakes: Sequence[Stake], naturals: Collection[int], *, low: bool) -> list[int]:
    """Boxes that ask only whether the bank has a Black Jack: insured, or with one of their own that
    not everybody has taken even money for, unless the bank's first card is `low`, neither an ace
    nor a ten-value (BJ-4, BJ-8).
    """
    insured = [stake.box for stake in stakes if stake.kind == INSURANCE]
    if low:
        return insured
    chosen = {(stake.box, stake.guest) for stake in stakes if stake.kind == EVEN_MONEY}
    staked = {(stake.box, stake.guest) for stake in stakes if stake.kind == STAKE}
    return insured + sorted({box for box, _guest in staked - chosen} & set(naturals))
