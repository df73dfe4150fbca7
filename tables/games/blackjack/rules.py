"""What a house posts for Black Jack: the rules that the game's text leaves open (BJ-1 to BJ-8).

Minimum, box maximum, steps and the prime rule are those of shared boxes (`tables/rules/limits.py`).
"""

from dataclasses import dataclass
from typing import ClassVar

from payouts.rules.rulesets.schema import Posted, choice, flag, whole

DECKS = 6
BOXES = 7
DOUBLES = (9, 10, 11)  # what two cards must count to be doubled (BJ-6)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlackjackRules(Posted):
    """Each Open of the rules is a field here; the defaults are the rules' own.

    `bank_hits_soft_17`: BJ-1. `bank_blackjack_takes`: whether a Black Jack of the bank takes
    doubled and split stakes too (BJ-4). `coplayer_may_double_blackjack`, `coplayer_doubles`: only
    where the box's owner doubles, or always (BJ-5, BJ-6). `double_soft`: ace-8 and ace-9 count as 9
    and 10 (BJ-6). `max_hands_per_box`: 2 is one split (BJ-7). `insurance_step`: in minor units
    (BJ-8).
    """

    KIND: ClassVar[str] = "blackjack_rules"

    bank_hits_soft_17: bool = flag(default=False)
    bank_blackjack_takes: str = choice("all", "original", default="all")
    coplayer_may_double_blackjack: str = choice("with_owner", "always", default="with_owner")
    double_soft: bool = flag(default=False)
    coplayer_doubles: str = choice("with_owner", "always", default="with_owner")
    max_hands_per_box: int = whole(2, low=2, high=4)
    insurance_step: int = whole(1, low=1)
