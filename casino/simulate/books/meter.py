"""The meter in books of our own: what coins bring, what is won and how it is split, and the next
one (PRG-7 to PRG-12).
"""

from dataclasses import dataclass

from casino.simulate.books.rules import JackpotRules

CASH_UNIT = {"CHF": 5}  # the smallest coin there is; elsewhere each minor unit is one


@dataclass(frozen=True)
class Split:
    """A won meter: equal shares, what is left over, and what the next meter and the reserve begin
    with. Minor units.
    """

    shown_at_claim: int
    won: int
    share: int
    remainder: int
    overflow: int
    new_meter: int
    new_reserve: int


class Meter:
    """A meter and its reserve, in minor units."""

    def __init__(self, rules: JackpotRules, total: int, reserve: int) -> None:
        self.rules, self.total, self.reserve = rules, total, reserve
        self.coins = self.hits = self.won = 0

    @property
    def displayed(self) -> int:
        """What displays show: never more than the cap."""
        return self.total if self.rules.cap is None else min(self.total, self.rules.cap)

    def feed(self, coins: int) -> None:
        """Coins of a round that stays (PRG-11)."""
        self.total += coins * self.rules.to_meter
        self.reserve += coins * self.rules.to_reserve
        self.coins += coins

    def win(self, winners: int, *, shown_at_claim: int) -> Split:
        """The meter goes to so many winners in equal shares, floored to the payout unit; the rest
        stays (PRG-7, PRG-10, PRG-12).
        """
        rules, shown = self.rules, self.displayed
        won = shown_at_claim if rules.at_claim else shown
        share = won // (winners * rules.unit) * rules.unit
        overflow = self.total - shown
        reserve = self.reserve + overflow
        remainder = won - share * winners
        meter = rules.seed + remainder + max(shown - won, 0)
        split = Split(
            shown_at_claim, won, share, remainder, overflow, meter, max(reserve - rules.seed, 0)
        )
        self.total, self.reserve = split.new_meter, split.new_reserve
        self.hits, self.won = self.hits + 1, self.won + share * winners
        return split


def cash(amount: int, currency: str) -> int:
    """The nearest amount that coins can pay."""
    unit = CASH_UNIT.get(currency, 1)
    return (amount + unit // 2) // unit * unit
