"""Models of the money floor, one file a subject."""

from payouts.models.approval import Approval, ApprovalList, ApprovalRule, ApprovalSignature
from payouts.models.base import AppendOnly, Guarded, codes
from payouts.models.command import CommandKey
from payouts.models.count import (
    Count,
    CountEntry,
    CountLine,
    CountPlace,
    CountPurpose,
    CountSignature,
    CountState,
)
from payouts.models.event import Event
from payouts.models.house import House
from payouts.models.ledger import Account, Entry, Transfer
from payouts.models.posted import PostedState, PostedTable
from payouts.models.seal import Seal, SealedRows

__all__ = [
    "Account",
    "AppendOnly",
    "Approval",
    "ApprovalList",
    "ApprovalRule",
    "ApprovalSignature",
    "CommandKey",
    "Count",
    "CountEntry",
    "CountLine",
    "CountPlace",
    "CountPurpose",
    "CountSignature",
    "CountState",
    "Entry",
    "Event",
    "Guarded",
    "House",
    "PostedState",
    "PostedTable",
    "Seal",
    "SealedRows",
    "Transfer",
    "codes",
]
