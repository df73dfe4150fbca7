"""What a coin of the progressive jackpot gives back, exactly (PRG-2 to PRG-6)."""

from fractions import Fraction
from typing import NamedTuple

from jackpot.rules.progressive import Prize, ProgressiveRules
from jackpot.rules.split import WINNERS_MOST, WinnersWrong, check_amount
from payouts.errors import mark
from payouts.rules.hands.ranks import Category
from payouts.rules.rulesets.funding import FundingSchedule
from payouts.rules.rulesets.own_hand import ClassCount, class_counts
from payouts.rules.rulesets.paytable import MadeHand
from payouts.rules.rulesets.paytable_odds import edge_advice
from payouts.rules.rulesets.schema import Advice, picture


class PrizeOdds(NamedTuple):
    """One prize: how often a coin wins it, and what that is worth per coin in minor units (None for
    the meter: it depends).
    """

    prize: Prize
    probability: Fraction
    worth_minor: Fraction | None


class CoinOdds(NamedTuple):
    """What a coin is worth, in minor units and exactly.

    `fixed_minor` is the worth of all fixed prizes, `envy_minor` that of Envy; `meter_probability`
    is how often a coin wins the meter, and `break_even_minor` the meter at which a coin is worth
    what it costs.
    """

    lines: tuple[PrizeOdds, ...]
    fixed_minor: Fraction
    envy_minor: Fraction
    meter_probability: Fraction
    break_even_minor: Fraction
    coin_minor: int

    def edge(self, meter_minor: int) -> Fraction:
        """What the house keeps of each coin while the meter stands at this amount; negative above
        break-even.
        """
        worth = self.fixed_minor + self.envy_minor + self.meter_probability * meter_minor
        return 1 - worth / self.coin_minor


def coin_odds(rules: ProgressiveRules, *, others: int = 0, coins: int = 1) -> CoinOdds:
    """The exact worth of a coin.

    `others`: boxes of other guests whose royal flush pays this coin Envy (0 leaves Envy out);
    `coins`: coins at the table among which a shared community royal flush is divided (PRG-4).
    Raises WinnersWrong, AmountWrong.

    >>> odds = coin_odds(ProgressiveRules())
    >>> round(float(odds.fixed_minor), 2), round(1 / odds.meter_probability)
    (256.38, 32487)
    >>> round(float(odds.break_even_minor))
    7914340
    """
    if type(coins) is not int or not 1 <= coins <= WINNERS_MOST:
        raise WinnersWrong(winners=picture(coins))
    check_amount(others, most=WINNERS_MOST)
    counts = class_counts()
    lines = tuple(_line(rules, prize, counts[prize.hand], coins) for prize in rules.prizes)
    fixed = sum((line.worth_minor for line in lines if line.worth_minor is not None), Fraction(0))
    meter = sum((line.probability for line in lines if line.worth_minor is None), Fraction(0))
    royal = counts[Category.ROYAL_FLUSH]
    envy = others * (royal.probability - royal.probability_on_board) * rules.envy_minor
    if others and rules.envy_on_community_royal:
        envy += royal.probability_on_board * rules.envy_minor
    break_even = (rules.coin_minor - fixed - envy) / meter
    return CoinOdds(lines, fixed, Fraction(envy), meter, break_even, rules.coin_minor)


def _line(rules: ProgressiveRules, prize: Prize, count: ClassCount, coins: int) -> PrizeOdds:
    """How often this prize is the one that its class wins, asked of the function that settles."""
    probability = Fraction(0)
    if rules.prize_for(MadeHand(prize.hand)) == prize:
        probability += count.probability - count.probability_on_board
    if rules.prize_for(MadeHand(prize.hand, on_board=True)) == prize:
        probability += count.probability_on_board
    if prize.amount_minor is None:
        return PrizeOdds(prize, probability, None)
    shared = prize.hand is Category.ROYAL_FLUSH and rules.community_royal == "shared"
    return PrizeOdds(
        prize, probability, probability * prize.amount_minor / (coins if shared else 1)
    )


def long_run_edge(rules: ProgressiveRules, funding: FundingSchedule) -> Fraction:
    """What the house keeps of each coin in the long run: fixed prizes, the cut for the meter and
    every seed go to the guests.

    Leaves out Envy and a cap. Between two hits a meter takes in on average as many cuts as coins
    are played, so its winners get the cuts and one seed.
    """
    odds = coin_odds(rules)
    worth = odds.fixed_minor + funding.meter_minor + odds.meter_probability * funding.seed_minor
    return 1 - worth / rules.coin_minor


def progressive_advice(rules: ProgressiveRules, funding: FundingSchedule) -> tuple[Advice, ...]:
    """The rules' own warnings, one when the edge in the long run is below zero or above 25 %, one
    when shares are nothing.
    """
    nothing = Advice(
        "jackpot.unit_above_seed",
        UNIT_ABOVE,
        {"unit_minor": rules.payout_unit, "seed_minor": funding.seed_minor},
    )
    above = (nothing,) if rules.payout_unit > funding.seed_minor else ()
    return (*rules.advice(), *edge_advice(long_run_edge(rules, funding)), *above)


def coin_advice(coin_minor: int, funding_minor: int) -> Advice:
    """The warning that prizes and funding speak of different coins (PRG-11): rounds under both
    would be refused (`check_coin`).
    """
    return Advice(
        "jackpot.coins_differ",
        COINS_DIFFER,
        {"coin_minor": coin_minor, "funding_minor": funding_minor},
    )


UNIT_ABOVE = mark(
    "Shares are paid in whole units of %(unit_minor)s, but the meter begins at %(seed_minor)s: who"
    " wins it then gets nothing."
)
COINS_DIFFER = mark(
    "The prizes are for a coin of %(coin_minor)s, but the funding cuts a coin of %(funding_minor)s."
)
