"""The jackpot's tables: meters, hits, awards, displays. Tables, rounds, guests and devices are
known by id only.
"""

from jackpot.models.alive import SignOfLife, Standstill
from jackpot.models.award import Award, Share, Slip, Split, TakenBack, WaitingPrize
from jackpot.models.display import DisplaySession, Gate, GateDisplay, RequiredDisplay
from jackpot.models.hit import Claim, Hit, ListedRound
from jackpot.models.incarnation import Incarnation
from jackpot.models.meter import Contribution, Epoch, EpochEnd, Fed, Jackpot, RunningRound
from jackpot.models.states import Phase

__all__ = [
    "Award",
    "Claim",
    "Contribution",
    "DisplaySession",
    "Epoch",
    "EpochEnd",
    "Fed",
    "Gate",
    "GateDisplay",
    "Hit",
    "Incarnation",
    "Jackpot",
    "ListedRound",
    "Phase",
    "RequiredDisplay",
    "RunningRound",
    "Share",
    "SignOfLife",
    "Slip",
    "Split",
    "Standstill",
    "TakenBack",
    "WaitingPrize",
]
