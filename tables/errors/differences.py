"""Refusals about differences of counts."""

from payouts.errors import Kind, mark
from tables.errors.floor import FloorRefused


class DifferenceUnknown(FloorRefused):
    """There is no such difference in this house."""

    code = "difference.unknown"
    kind = Kind.UNKNOWN
    rule = "RES-4"
    sentence = mark("There is no such difference.")
    remedy = mark("Choose a difference from the list.")


class DifferenceClosed(FloorRefused):
    """It is explained, or was settled by what came later."""

    code = "difference.closed"
    kind = Kind.CONFLICT
    rule = "RES-4"
    sentence = mark("This difference is no longer open.")
    remedy = mark("Look at it again: it was explained, or what came later has settled it.")


class DifferenceClassUnknown(FloorRefused):
    """A class of explanation that there is not."""

    code = "difference.class_unknown"
    rule = "RES-4"
    sentence = mark("A difference is not explained as “%(name)s”.")
    remedy = mark("Choose one of the explanations in the list.")
