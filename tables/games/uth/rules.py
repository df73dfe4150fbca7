"""What a house posts for Ultimate Texas Hold'em: limits, the rules that the game's text leaves
open, and two paytables.
"""

from dataclasses import dataclass, field
from typing import ClassVar

from payouts.errors import mark
from payouts.rules.hands.ranks import Category
from payouts.rules.rulesets.odds import Odds
from payouts.rules.rulesets.paytable import UTH_BLIND, UTH_TRIPS, Paytable
from payouts.rules.rulesets.schema import (
    EACH_ONCE,
    Posted,
    choice,
    flag,
    several,
    whole,
    whole_kind,
    wrong,
)

LIMITS = mark("at most the maximum %(high)s, both in steps of %(step)s")


@dataclass(frozen=True, slots=True, kw_only=True)
class UthRules(Posted):
    """Amounts in minor units. Each Open of the rules is a field here; the defaults are the rules'
    own.

    `no_play`: a box without a Play stake folds, or stays to the showdown with Ante and Blind
    (UTH-3). `odds_round_to`,
    `odds_round`: what odds pay is rounded to a multiple of this, down or up (UTH-11).
    `side_bets_survive_fold`: UTH-10.
    """

    KIND: ClassVar[str] = "uth_rules"

    ante_minimum_minor: int = whole(500, low=1)
    ante_maximum_minor: int = whole(5000, low=1)
    trips_minimum_minor: int = whole(500, low=1)
    trips_maximum_minor: int = whole(5000, low=1)
    stake_step: int = whole(500, low=1)
    play_multiples: tuple[int, ...] = several(whole_kind(1, 10), (4, 3, 2, 1), low=1, high=10)
    no_play: str = choice("fold", "showdown", default="fold")
    side_bets_survive_fold: bool = flag(default=True)
    odds_round_to: int = whole(1, low=1)
    odds_round: str = choice("down", "up", default="down")

    def verify(self) -> None:
        """Limits are on the step, minimum first, and no multiple of the Ante is named twice."""
        for name in ("ante", "trips"):
            low, high = (
                getattr(self, f"{name}_minimum_minor"),
                getattr(self, f"{name}_maximum_minor"),
            )
            if low > high or low % self.stake_step or high % self.stake_step:
                raise wrong(
                    f"uth_rules.{name}_minimum_minor", low, LIMITS, high=high, step=self.stake_step
                )
        if len(set(self.play_multiples)) != len(self.play_multiples):
            raise wrong("uth_rules.play_multiples", self.play_multiples, EACH_ONCE)


@dataclass(frozen=True, slots=True)
class UthGame:
    """All that settles a round: the versions of rules and paytables it was locked under. Build it
    once and keep it.
    """

    rules: UthRules = UthRules()
    blind: Paytable = UTH_BLIND
    trips: Paytable = UTH_TRIPS
    blind_odds: dict[Category, Odds] = field(init=False, repr=False, compare=False)
    trips_odds: dict[Category, Odds] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "blind_odds", self.blind.odds())
        object.__setattr__(self, "trips_odds", self.trips.odds())
