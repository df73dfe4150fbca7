"""Refusals about irregularities of a round (BJ-11)."""

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
    """The box, or its hand, does not fit what happened. Data: `field` and `expected`."""

    code = "irregularity.box_wrong"
    rule = "BJ-11"
    sentence = mark("For what happened “%(field)s” must be %(expected)s.")
    remedy = mark("Look at the round's boxes and choose again.")


class IrregularityLate(FloorRefused):
    """The croupier records it after the end of the round."""

    code = "irregularity.late"
    kind = Kind.CONFLICT
    rule = "BJ-12"
    sentence = mark("The round has ended: only the pit may still record what went wrong in it.")
    remedy = mark("Have the pit boss record it on the round's page.")
