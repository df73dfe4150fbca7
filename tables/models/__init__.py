"""The floor's tables. Guards: `floor_v1.sql`, `round_v1.sql`, `stay_v1.sql` and `hand_v1.sql` of
`tables/sql/`.
"""

from tables.models.cash import BuyIn, EntryReversal, Tip
from tables.models.differences import (
    Difference,
    DifferenceState,
    Explanation,
    ExplanationWords,
)
from tables.models.floor import Guest, HandOver, Pit, Table, TableSession, TableVersion
from tables.models.hands import BegunHand, Hand, HandResult
from tables.models.plays import Play, PlayKind
from tables.models.pots import HandPot, HandSeat, HandShare
from tables.models.rounds import CardFeed, ReviewItem, Round, RoundLine, RoundResult, RoundStake
from tables.models.rulings import HandIrregularity, HandOverride, Irregularity, Override
from tables.models.stays import PokerStay, StackCount, StayChips

__all__ = [
    "BegunHand",
    "BuyIn",
    "CardFeed",
    "Difference",
    "DifferenceState",
    "EntryReversal",
    "Explanation",
    "ExplanationWords",
    "Guest",
    "Hand",
    "HandIrregularity",
    "HandOver",
    "HandOverride",
    "HandPot",
    "HandResult",
    "HandSeat",
    "HandShare",
    "Irregularity",
    "Override",
    "Pit",
    "Play",
    "PlayKind",
    "PokerStay",
    "ReviewItem",
    "Round",
    "RoundLine",
    "RoundResult",
    "RoundStake",
    "StackCount",
    "StayChips",
    "Table",
    "TableSession",
    "TableVersion",
    "Tip",
]
