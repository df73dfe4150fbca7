"""The meter among its winners, and the next one's beginning (PRG-7, PRG-10, PRG-12)."""

from collections.abc import Sequence
from typing import NamedTuple

from payouts.errors import Refused, mark
from payouts.rules.rulesets.schema import MAXIMUM_MINOR, picture

WINNERS_MOST = 1_000
AMOUNT_MOST = 10**15


class SplitRefused(Refused):
    """A meter that cannot be split as asked."""

    code = "jackpot.split_refused"
    rule = "PRG-10"


class AmountWrong(SplitRefused):
    """An amount or a payout unit that is none."""

    code = "jackpot.amount_wrong"
    sentence = mark("%(amount)s is not an amount of a jackpot.")
    remedy = mark("Give whole minor units.")


class WinnersWrong(SplitRefused):
    """No winner, or more than there can be."""

    code = "jackpot.winners_wrong"
    rule = "PRG-7"
    sentence = mark("A jackpot cannot be split among %(winners)s winners.")
    remedy = mark("Name at least one verified winner.")


class WinnerTwice(SplitRefused):
    """One claim named twice."""

    code = "jackpot.winner_twice"
    rule = "PRG-7"
    sentence = mark("%(winner)s is named twice among the winners.")
    remedy = mark("Each winning box has one share.")


class EqualSplit(NamedTuple):
    """Equal shares in minor units, and what is left over because it does not divide."""

    share_minor: int
    winners: int
    remainder_minor: int


class Award(NamedTuple):
    """What each winner is paid, in the order named, and the remainder that stays on top of the new
    seed.
    """

    shares: tuple[tuple[str, int], ...]
    remainder_minor: int


def split_equally(amount_minor: int, winners: int, unit_minor: int = 1) -> EqualSplit:
    """Equal shares of an amount, floored to the payout unit; nothing is lost (PRG-10). Raises
    AmountWrong, WinnersWrong.

    >>> split_equally(4_831_735, 3)
    EqualSplit(share_minor=1610578, winners=3, remainder_minor=1)
    """
    check_amount(amount_minor)
    check_amount(unit_minor, least=1, most=MAXIMUM_MINOR)
    if type(winners) is not int or not 1 <= winners <= WINNERS_MOST:
        raise WinnersWrong(winners=picture(winners))
    share = amount_minor // (winners * unit_minor) * unit_minor
    return EqualSplit(share, winners, amount_minor - share * winners)


def award(amount_minor: int, winners: Sequence[str], unit_minor: int = 1) -> Award:
    """The meter split equally among the boxes that won it (PRG-7, PRG-10). `winners`: a name for
    each verified claim.

    The shares and the remainder sum to the amount. Raises AmountWrong, WinnersWrong, WinnerTwice.
    """
    for place, winner in enumerate(winners):
        if winner in winners[:place]:
            raise WinnerTwice(winner=picture(winner))
    share, _, remainder = split_equally(amount_minor, len(winners), unit_minor)
    return Award(tuple((winner, share) for winner in winners), remainder)


def check_amount(amount: int, *, least: int = 0, most: int = AMOUNT_MOST) -> None:
    """Refuse what is no amount of a jackpot; raises AmountWrong."""
    if type(amount) is not int or not least <= amount <= most:
        raise AmountWrong(amount=picture(amount))
