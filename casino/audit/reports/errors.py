"""What is refused of a report that is asked for."""

from payouts.errors import Kind, Refused, mark


class RangeWrong(Refused):
    """The range has no first or last day, or ends before it starts."""

    code = "report.range_wrong"
    sentence = mark("From %(first)s to %(last)s is no range of gaming days.")
    remedy = mark("Give two days, the earlier one first.")


class RangeTooLong(Refused):
    """More days at once than the report takes."""

    code = "report.range_too_long"
    sentence = mark("This report takes at most %(most)s gaming days at once, not %(days)s.")
    remedy = mark("Ask for a shorter range, and for the next one after it.")


class FilterUnknown(Refused):
    """A filter names what there is not in this house, or what no filter can be."""

    code = "report.filter_unknown"
    sentence = mark("Nothing in this house is found under “%(text)s” (%(field)s).")
    remedy = mark("Choose from the list, or leave the filter out.")


class FilterNotTaken(Refused):
    """The report is not filtered by this."""

    code = "report.filter_not_taken"
    sentence = mark("This report is not filtered by “%(field)s”.")
    remedy = mark("Leave it out.")


class FormatUnknown(Refused):
    """There is no such format."""

    code = "report.format_unknown"
    sentence = mark("There is no format “%(value)s”.")
    remedy = mark("Choose one of those that the page offers.")


class PlaceWrong(Refused):
    """The page of a report that was asked for is none."""

    code = "report.place_wrong"
    sentence = mark("There is no such page of this report.")
    remedy = mark("Begin at its first page.")


class TooLong(Refused):
    """Not answered while somebody waits: the worker makes it."""

    code = "report.too_long"
    sentence = mark("This report is too long to wait for.")
    remedy = mark("Have it made in the background: the page says when it is ready.")


class ReportGone(Refused):
    """The file of a finished report is no longer kept."""

    code = "report.gone"
    kind = Kind.UNKNOWN
    sentence = mark("This file is no longer kept.")
    remedy = mark("Ask for the report again: it is computed anew from the books.")
