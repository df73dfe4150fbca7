"""Refusals about irregularities of a round, and what management decides of it (BJ-11, BJ-12)."""

from payouts.errors import Kind, mark
from tables.errors.floor import FloorRefused


class IrregularityUnknown(FloorRefused):
    """Something that the round's game does not list."""

    code = "irregularity.unknown"
    rule = "BJ-11"
    sentence = mark("“%(irregularity)s” is no irregularity of this game.")
    remedy = mark("Choose what happened from the list of the game.")


class DecisionNotAllowed(FloorRefused):
    """A decision that the rule does not allow for what happened."""

    code = "irregularity.decision_not_allowed"
    rule = "BJ-11"
    sentence = mark("“%(irregularity)s” cannot be decided as “%(decision)s”.")
    remedy = mark("Choose one of the decisions that the rule allows for it.")


class IrregularityBoxWrong(FloorRefused):
    """The box does not fit what happened. Data: `expected`."""

    code = "irregularity.box_wrong"
    rule = "BJ-11"
    sentence = mark("This is recorded with %(expected)s.")
    remedy = mark("Look at the round's boxes and choose again.")


class IrregularityHandWrong(FloorRefused):
    """The box has no such hand, or what happened concerns none."""

    code = "irregularity.hand_wrong"
    rule = "BJ-11"
    sentence = mark("This is not recorded with hand %(hand)s.")
    remedy = mark("Choose a hand that the box has, or none.")


class IrregularityLate(FloorRefused):
    """The croupier records it after the end of the round."""

    code = "irregularity.late"
    kind = Kind.CONFLICT
    rule = "BJ-12"
    sentence = mark("The round has ended: only the pit may still record what went wrong in it.")
    remedy = mark("Have the pit boss record it on the round's page.")


class OverrideStakeless(FloorRefused):
    """A guest who had nothing on that box."""

    code = "override.stakeless"
    rule = "BJ-12"
    sentence = mark("%(guest)s had no stake on box %(box)s.")
    remedy = mark("Choose a guest and a box of the round.")


class RoundRequestWaits(FloorRefused):
    """Something about the round waits for its signature."""

    code = "override.waits"
    kind = Kind.CONFLICT
    rule = "BJ-12"
    sentence = mark("A correction or an override of this round already waits for a signature.")
    remedy = mark("Sign or reject that one first.")
