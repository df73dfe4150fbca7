"""What a paytable on the box's own seven cards gives back, exactly: house edge, hit rate, variance,
return per line (Trips).
"""

from fractions import Fraction
from typing import NamedTuple

from payouts.errors import mark
from payouts.rules.hands.ranks import Category
from payouts.rules.rulesets.odds import Odds
from payouts.rules.rulesets.own_hand import class_counts
from payouts.rules.rulesets.paytable import Paytable
from payouts.rules.rulesets.schema import Advice

HIGHEST_EDGE = Fraction(25, 100)


class LineOdds(NamedTuple):
    """One line: how often it is hit, and what it gives back of each unit staked, the stake
    included.
    """

    hand: Category
    odds: Odds
    probability: Fraction
    returned: Fraction


class TableOdds(NamedTuple):
    """Per unit staked: what the house keeps, how often the stake wins, and the variance of what the
    guest gains.
    """

    edge: Fraction
    hit_rate: Fraction
    variance: Fraction
    lines: tuple[LineOdds, ...]


class LineChange(NamedTuple):
    """A class whose odds differ between two versions; None where a version does not pay it."""

    hand: Category
    before: Odds | None
    after: Odds | None


def frequencies() -> dict[Category, Fraction]:
    """How often a box makes each class: all that can be said of Blind, whose edge depends on how
    the guest plays.

    >>> float(round(frequencies()[Category.FLUSH], 6))
    0.030255
    """
    return {hand: count.probability for hand, count in class_counts().items()}


def table_odds(table: Paytable) -> TableOdds:
    """The exact odds of a table that pays on the box's own hand alone, for stakes on which the odds
    pay whole amounts (UTH-11).

    >>> from payouts.rules.rulesets.paytable import UTH_TRIPS
    >>> f"{float(table_odds(UTH_TRIPS).edge):.4%}"
    '3.4979%'
    """
    chances = frequencies()
    lines = []
    for hand, odds in table.odds().items():
        lines.append(LineOdds(hand, odds, chances[hand], chances[hand] * (1 + _per_unit(odds))))
    hit_rate = sum((line.probability for line in lines), Fraction(0))
    gain = sum((line.returned for line in lines), Fraction(0)) - 1
    squares = sum((line.probability * _per_unit(line.odds) ** 2 for line in lines), Fraction(0))
    return TableOdds(-gain, hit_rate, squares + (1 - hit_rate) - gain**2, tuple(lines))


def own_hand_advice(table: Paytable) -> tuple[Advice, ...]:
    """The table's own warnings, and one when its edge is below zero or above 25 %: to be confirmed
    with a reason.
    """
    return (*table.advice(), *edge_advice(table_odds(table).edge))


def edge_advice(edge: Fraction) -> tuple[Advice, ...]:
    """A warning when an edge is below zero or above 25 %."""
    if edge < 0:
        return (Advice("paytable.edge_negative", EDGE_NEGATIVE, {"edge": percent(edge)}),)
    if edge > HIGHEST_EDGE:
        return (Advice("paytable.edge_high", EDGE_HIGH, {"edge": percent(edge)}),)
    return ()


EDGE_NEGATIVE = mark("The house loses: its edge is %(edge)s.")
EDGE_HIGH = mark("The house's edge is %(edge)s, more than a quarter.")


def percent(share: Fraction, digits: int = 4) -> str:
    """A share as a percentage, rounded to so many digits, exactly.

    >>> percent(Fraction(1, 3)), percent(Fraction(-1, 3), 1)
    ('33.3333 %', '-33.3 %')
    """
    scaled = round(share * 100 * 10**digits)
    whole, rest = divmod(abs(scaled), 10**digits)
    return f"{'-' if scaled < 0 else ''}{whole}.{rest:0{digits}d} %"


def _per_unit(odds: Odds) -> Fraction:
    return Fraction(odds.pays, odds.per)
