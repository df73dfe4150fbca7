"""Black Jack settled: what becomes of each stake when it is known how the hands and the bank ended
(BJ-3 to BJ-9).
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from payouts.errors import mark
from payouts.rules.lines import Reason, Stake, StakeLine
from payouts.rules.rulesets.odds import Odds
from tables.games.blackjack.points import MOST
from tables.games.blackjack.rules import BlackjackRules
from tables.games.blackjack.stakes import (
    DOUBLES,
    EVEN_MONEY,
    HANDS,
    INSURANCE,
    STAKE,
)

THREE_TO_TWO, EVEN, TWO_TO_ONE = Odds(3, 2), Odds(1, 1), Odds(2, 1)


class Result(StrEnum):
    """How a hand ended."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    BUST = "bust"
    BLACKJACK = "blackjack"


class Bank(StrEnum):
    """How the bank ended. `NONE`: no hand waited for it."""

    T17 = "17"
    T18 = "18"
    T19 = "19"
    T20 = "20"
    T21 = "21"
    BUST = "bust"
    BLACKJACK = "blackjack"
    NONE = "none"


class HandOutcome(NamedTuple):
    """How one hand ended. `doubled`: for what was doubled, where it ends otherwise: a Black Jack
    that was doubled as 11, while others on the box are paid it (BJ-5), or a co-player's one card,
    where the owner drew on (BJ-6).
    """

    result: Result
    doubled: Result | None = None


WON = Reason("blackjack.won", "BJ-3", mark("Higher than the bank: paid %(odds)s."))
LOST = Reason("blackjack.lost", "BJ-3", mark("Lost: the bank is higher."))
PUSH = Reason(
    "blackjack.push", "BJ-3", mark("Stand-off: as high as the bank, the stake goes back.")
)
BUST = Reason("blackjack.bust", "BJ-3", mark("Lost: more than 21."))
BLACKJACK_WON = Reason("blackjack.blackjack_won", "BJ-4", mark("Black Jack: paid %(odds)s."))
BLACKJACK_PUSH = Reason(
    "blackjack.blackjack_push", "BJ-4", mark("Stand-off: the bank has a Black Jack too.")
)
BANK_BLACKJACK = Reason(
    "blackjack.bank_blackjack", "BJ-4", mark("Lost: the bank has a Black Jack.")
)
ORIGINAL_ONLY = Reason(
    "blackjack.original_only",
    "BJ-4",
    mark("Goes back: a Black Jack of the bank takes the original stake only."),
)
EVEN_MONEY_PAID = Reason("blackjack.even_money", "BJ-9", mark("Even money: paid %(odds)s."))
EVEN_MONEY_MARK = Reason("blackjack.even_money_chosen", "BJ-9", mark("Even money was chosen."))
INSURANCE_WON = Reason(
    "blackjack.insurance_won", "BJ-8", mark("Insurance wins: the bank has a Black Jack, %(odds)s.")
)
INSURANCE_LOST = Reason(
    "blackjack.insurance_lost", "BJ-8", mark("Insurance is lost: the bank has no Black Jack.")
)

_GONE = {Result.LOSE: LOST, Result.BUST: BUST}


def settle_outcomes(
    rules: BlackjackRules,
    stakes: Sequence[Stake],
    outcomes: Mapping[int, Sequence[HandOutcome]],
    bank: Bank,
) -> tuple[StakeLine, ...]:
    """A line for each stake, in their order. `outcomes`: by box, how each of its hands ended; who
    made them has checked that they fit stakes and bank.

    What doubles a stake ends with it, whoever brought it (BJ-6): the payer's own stake is another
    one. But a Black Jack is only taken as 11 by its own guest (BJ-5): what another doubled is paid.
    3:2 of the stake is in whole minor units; half a unit stays with the house.
    """
    marks = {(one.box, one.guest) for one in stakes if one.kind == EVEN_MONEY}
    doubles = {
        (one.box, DOUBLES[one.kind], one.guest, one.source or one.guest)
        for one in stakes
        if one.kind in DOUBLES
    }
    doubled = {(box, hand, source) for box, hand, _guest, source in doubles}
    as_11 = {(box, hand, source) for box, hand, guest, source in doubles if guest == source}
    original = rules.bank_blackjack_takes == "original"
    lines = []
    for stake in stakes:
        box, kind = stake.box, stake.kind
        hand = HANDS.get(kind)
        if hand is None:
            lines.append(_beside(stake, bank))
            continue
        outcome = outcomes[box][hand - 1]
        result = outcome.result
        together = as_11 if result is Result.BLACKJACK else doubled
        if kind in DOUBLES or (box, hand, stake.guest) in together:
            result = outcome.doubled or result
        if result is Result.WIN:
            amount = stake.amount_minor
            lines.append(StakeLine(box, stake.guest, kind, amount, amount, amount, 0, WON, EVEN))
        elif result is Result.BLACKJACK:
            lines.append(_blackjack(stake, bank, even_money=(box, stake.guest) in marks))
        elif bank is Bank.BLACKJACK and result is Result.LOSE:
            back = original and kind != STAKE
            lines.append(_ended(stake, ORIGINAL_ONLY if back else BANK_BLACKJACK, back=back))
        else:
            back = result is Result.PUSH
            lines.append(_ended(stake, PUSH if back else _GONE[result], back=back))
    return tuple(lines)


def compare(total: int, bank: Bank) -> Result:
    """How a hand that is no Black Jack compares with the bank (BJ-3, BJ-4)."""
    if total > MOST:
        return Result.BUST
    if bank is Bank.BLACKJACK:
        return Result.LOSE
    if bank is Bank.BUST:
        return Result.WIN
    other = int(bank)
    return Result.WIN if total > other else Result.LOSE if total < other else Result.PUSH


def _ended(stake: Stake, reason: Reason, *, back: bool) -> StakeLine:
    amount = stake.amount_minor
    return StakeLine(
        stake.box, stake.guest, stake.kind, amount, amount if back else 0, 0, 0, reason
    )


def _blackjack(stake: Stake, bank: Bank, *, even_money: bool) -> StakeLine:
    box, guest, kind, amount = stake.box, stake.guest, stake.kind, stake.amount_minor
    if even_money:
        return StakeLine(box, guest, kind, amount, amount, amount, 0, EVEN_MONEY_PAID, EVEN)
    if bank is Bank.BLACKJACK:
        return _ended(stake, BLACKJACK_PUSH, back=True)
    won = THREE_TO_TWO.won(amount)
    return StakeLine(box, guest, kind, amount, amount, won, 0, BLACKJACK_WON, THREE_TO_TWO)


def _beside(stake: Stake, bank: Bank) -> StakeLine:
    box, guest, kind, amount = stake.box, stake.guest, stake.kind, stake.amount_minor
    if kind == EVEN_MONEY:
        return _ended(stake, EVEN_MONEY_MARK, back=False)
    if kind == INSURANCE and bank is Bank.BLACKJACK:
        won = TWO_TO_ONE.won(amount)
        return StakeLine(box, guest, kind, amount, amount, won, 0, INSURANCE_WON, TWO_TO_ONE)
    return _ended(stake, INSURANCE_LOST, back=False)
