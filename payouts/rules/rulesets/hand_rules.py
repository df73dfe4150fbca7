"""What a house posts about poker hands, in whatever game they are held: what the printed rules
leave open (HAND-5, HAND-6).
"""

from dataclasses import dataclass
from typing import ClassVar

from payouts.rules.rulesets.schema import Posted, flag, whole


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRules(Posted):
    """Whoever ranks lows or weighs announcements hands these settings on.

    `low_qualifier`: the highest card that a qualifying low of a hi-lo game may hold, 8 or 7
    (HAND-5), for `best_low` and `best_omaha_low`. `cards_speak`: the cards count whatever was
    announced; with False a lower announcement binds (HAND-6), for `spoken_hand`.
    """

    KIND: ClassVar[str] = "hand_rules"

    low_qualifier: int = whole(8, low=7, high=8)
    cards_speak: bool = flag(default=True)
