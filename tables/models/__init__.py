"""The floor's tables. Guards: `tables/sql/floor_v1.sql` and `tables/sql/round_v1.sql`."""

from tables.models.floor import Guest, HandOver, Pit, Table, TableSession
from tables.models.plays import Play, PlayKind
from tables.models.rounds import CardFeed, ReviewItem, Round, RoundLine, RoundResult, RoundStake
from tables.models.rulings import Irregularity, Override

__all__ = [
    "CardFeed",
    "Guest",
    "HandOver",
    "Irregularity",
    "Override",
    "Pit",
    "Play",
    "PlayKind",
    "ReviewItem",
    "Round",
    "RoundLine",
    "RoundResult",
    "RoundStake",
    "Table",
    "TableSession",
]
