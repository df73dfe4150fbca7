"""What goes wrong in a round, and what may be decided about it (BJ-11, BJ-12): choices that a game
lists, and those that every game has.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from payouts.errors import mark


class About(StrEnum):
    """What an irregularity concerns: the round; a box that plays, one on which nobody plays, or
    either none or one that plays; a hand of a box.
    """

    ROUND = "round"
    BOX = "box"
    EMPTY_BOX = "empty_box"
    BOX_OR_NONE = "box_or_none"
    HAND = "hand"


class IrregularityKind(NamedTuple):
    """One choice: what happened, as a message id, and the decisions that the rule allows."""

    title: str
    about: About
    decisions: tuple[str, ...]
    rule: str


DECISIONS: Mapping[str, str] = {
    "put_right": mark("put right in order, the surplus burnt"),
    "burnt": mark("card burnt"),
    "kept": mark("card kept"),
    "stays": mark("card stays with its hand"),
    "play_on": mark("the round goes on"),
    "void": mark("the round is void"),
}
OF_A_CARD = frozenset({"burnt", "kept", "stays"})  # what becomes of one that may be named
_MANAGEMENT = "BJ-12"  # its decision is final, at every game
COMMON: Mapping[str, IrregularityKind] = {
    "misdeal": IrregularityKind(mark("Misdeal"), About.ROUND, ("play_on", "void"), _MANAGEMENT),
    "cards_exposed": IrregularityKind(
        mark("Cards exposed"), About.BOX_OR_NONE, ("burnt", "play_on", "void"), _MANAGEMENT
    ),
    "deck_wrong": IrregularityKind(
        mark("Deck incomplete"), About.ROUND, ("play_on", "void"), _MANAGEMENT
    ),
    "technical": IrregularityKind(
        mark("Technical fault"), About.ROUND, ("play_on", "void"), _MANAGEMENT
    ),
}
