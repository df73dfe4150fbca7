"""What to expect of a progressive: how often it is won, how it grows, at which amount, and what
another seed or cut would change.

From the exact odds of the rules (`jackpot.rules.progressive_odds`). A coin wins the meter with a
fixed chance, whatever the coins before it did, so the coins from one hit to the next are
geometrically distributed. What can be an exact fraction is one; powers of a chance are floats, and
no amount is ever paid by them. Two winners of one hit are left out: that they share changes what
each of them gets, not what is won.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from jackpot.rules.meter import check_coin
from jackpot.rules.progressive import ProgressiveRules
from jackpot.rules.progressive_odds import coin_odds, long_run_edge
from jackpot.rules.split import check_amount
from payouts.errors import Refused, mark
from payouts.rules.rulesets.funding import FundingSchedule
from payouts.rules.rulesets.schema import picture

COINS_MOST = 100_000  # an hour
LEVELS = (1, 5, 10, 25, 50, 75, 90, 95, 99)  # per cent of all hits


class PaceWrong(Refused):
    """A number of coins an hour that no house has."""

    code = "jackpot.pace_wrong"
    rule = "PRG-11"
    sentence = mark("%(coins)s coins an hour is not possible.")
    remedy = mark(
        "Give the coins that all linked tables take in an hour together, from 1 to 100000."
    )


@dataclass(frozen=True, slots=True)
class Wins:
    """A meter that begins at `start_minor`, grows by `cut_minor` with each coin up to `cap_minor`,
    and is won by each coin with `chance`. The winning coin feeds it too. Amounts in minor units.
    """

    chance: Fraction
    start_minor: int
    cut_minor: int
    cap_minor: int | None = None

    def amount_after(self, coins: int) -> int:
        """What the meter shows after so many coins."""
        grown = self.start_minor + coins * self.cut_minor
        return grown if self.cap_minor is None else min(grown, self.cap_minor)

    def coins_to(self, amount_minor: int) -> int | None:
        """Coins after which the meter shows at least this; None if it never does."""
        if amount_minor <= self.amount_after(0):
            return 0
        beyond = self.cap_minor is not None and amount_minor > self.cap_minor
        return (
            None
            if beyond or not self.cut_minor
            else -(-(amount_minor - self.start_minor) // self.cut_minor)
        )

    def lives(self, coins: int) -> float:
        """The chance that none of so many coins wins it."""
        return math.exp(coins * math.log1p(-self.chance)) if self.chance < 1 else float(coins == 0)

    def at_least(self, amount_minor: int) -> float:
        """The chance that it is won at this amount or more: it lives until the coin before the one
        that brings it there.
        """
        coins = self.coins_to(amount_minor)
        return 0.0 if coins is None else self.lives(max(coins - 1, 0))

    def mean_minor(self) -> Fraction:
        """The mean of the amounts at which it is won: exact without a cap, within a float's
        precision with one.
        """
        coins = 1 / self.chance
        if self.cap_minor is not None and self.cut_minor:
            # coins that count in full
            whole = max(self.cap_minor - self.start_minor, 0) // self.cut_minor
            # what the next one still brings
            rest = max(self.cap_minor - self.start_minor, 0) % self.cut_minor
            counted = coins * Fraction(1 - self.lives(whole)) * self.cut_minor + rest * Fraction(
                self.lives(whole)
            )
            return min(self.start_minor, self.cap_minor) + counted
        return self.amount_after(0) + coins * self.cut_minor

    def quantile(self, percent: int) -> int:
        """The amount that this share of hits does not exceed."""
        if self.chance == 1:
            return self.amount_after(1)
        coins = math.log1p(-percent / 100) / math.log1p(-self.chance)
        return self.amount_after(
            max(1, math.ceil(coins - 1e-9))
        )  # a whole number that came out a hair above stays itself


class Forecast(NamedTuple):
    """What to expect at a pace of coins an hour. Amounts in minor units; chances and shares from 0
    to 1.

    `topped_up_minor`: what the house adds to each seed on average because the reserve's cuts do not
    reach. `break_even_hours`: hours until the meter stands at break-even, where a coin is worth
    what it costs, if nobody wins it (None: it never does, 0: it does already); `break_even_chance`:
    how many of all hits happen there or above.
    """

    coins_a_hit: Fraction
    hours_a_hit: Fraction
    growth_minor_an_hour: int
    mean_minor: Fraction
    quantiles: tuple[tuple[int, int], ...]
    break_even_minor: Fraction
    break_even_hours: Fraction | None
    break_even_chance: float
    reserve_a_hit_minor: Fraction
    topped_up_minor: Fraction
    edge: Fraction
    wins: Wins


class ForecastChange(NamedTuple):
    """One figure that another seed or funding changes."""

    figure: str
    before: Fraction | int | float | None
    after: Fraction | int | float | None


def forecast(
    rules: ProgressiveRules,
    funding: FundingSchedule,
    *,
    coins_an_hour: int,
    now_minor: int | None = None,
) -> Forecast:
    """What to expect of these rules and this funding. `now_minor`: what the meter holds now
    (default: the seed).

    Raises CoinsDiffer, PaceWrong, AmountWrong.

    >>> soon = forecast(ProgressiveRules(), FundingSchedule(), coins_an_hour=300)
    >>> round(soon.coins_a_hit), round(soon.hours_a_hit), round(soon.mean_minor)
    (32487, 108, 4248700)
    """
    check_coin(rules, funding)
    if type(coins_an_hour) is not int or not 1 <= coins_an_hour <= COINS_MOST:
        raise PaceWrong(coins=picture(coins_an_hour))
    if now_minor is not None:
        check_amount(now_minor)
    odds = coin_odds(rules)
    chance, even = odds.meter_probability, odds.break_even_minor
    wins = Wins(
        chance,
        funding.seed_minor if now_minor is None else now_minor,
        funding.meter_minor,
        funding.cap_minor,
    )
    coins = wins.coins_to(math.ceil(even))
    reserve = funding.reserve_minor / chance
    return Forecast(
        coins_a_hit=1 / chance,
        hours_a_hit=1 / chance / coins_an_hour,
        growth_minor_an_hour=funding.meter_minor * coins_an_hour,
        mean_minor=wins.mean_minor(),
        quantiles=tuple((level, wins.quantile(level)) for level in LEVELS),
        break_even_minor=even,
        break_even_hours=None if coins is None else Fraction(coins, coins_an_hour),
        break_even_chance=wins.at_least(math.ceil(even)),
        reserve_a_hit_minor=reserve,
        topped_up_minor=max(funding.seed_minor - reserve, Fraction(0)),
        edge=long_run_edge(rules, funding),
        wins=wins,
    )


def compare_forecasts(before: Forecast, after: Forecast) -> tuple[ForecastChange, ...]:
    """Every figure in which two forecasts differ; the amounts at the hit by their share, as
    `quantile_50`.
    """
    pairs = [
        (name, getattr(before, name), getattr(after, name))
        for name in Forecast._fields
        if name not in _WHOLE
    ]
    ways = zip(before.quantiles, after.quantiles, strict=True)
    pairs += [(f"quantile_{level}", old, new) for (level, old), (_, new) in ways]
    return tuple(ForecastChange(*pair) for pair in pairs if pair[1] != pair[2])


_WHOLE = ("quantiles", "wins")
