"""Black Jack on the floor: what may lie at the lock, and how a round settles by its result.

Entry levels: `full_cards` settles from cards alone; `fast` from taps, with cards where they were
entered. The progressive jackpot's coin is none of its stakes.
"""

from collections.abc import Sequence
from typing import NamedTuple

from payouts.errors import mark
from payouts.rules.lines import Stake, StakeLine
from tables.games.base import LevelRefused
from tables.games.blackjack.outcomes import Entry, ending_of
from tables.games.blackjack.rules import BlackjackRules
from tables.games.blackjack.settle import Bank, settle_outcomes

CARDS_NEEDED = mark("all cards are entered")


class Settled(NamedTuple):
    """A settled round: a line for each stake, how the bank ended, and whether cards said it."""

    lines: tuple[StakeLine, ...]
    bank: Bank
    by_cards: bool


def settle(rules: BlackjackRules, stakes: Sequence[Stake], entry: Entry, *, level: str) -> Settled:
    """Settle a round by what was entered. `stakes`: those of the lock and those that came later, in
    their order. Raises LevelRefused, and what `ending_of` raises.
    """
    ending = ending_of(rules, stakes, entry)
    if level == "full_cards" and not ending.by_cards:
        raise LevelRefused(level=level, why=CARDS_NEEDED)
    lines = settle_outcomes(rules, stakes, ending.outcomes, ending.bank)
    return Settled(lines, ending.bank, ending.by_cards)
