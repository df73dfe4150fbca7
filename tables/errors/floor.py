"""Refusals about pits, tables, sessions, and the guests and croupiers at them."""

from payouts.errors import Kind, Refused, mark


class FloorRefused(Refused):
    """Something that the floor does not allow."""

    code = "table.refused"


class PitUnknown(FloorRefused):
    """There is no such pit in this house."""

    code = "pit.unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such pit.")
    remedy = mark("Choose a pit from the list.")


class TableUnknown(FloorRefused):
    """There is no such table in this house."""

    code = "table.unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such table.")
    remedy = mark("Choose a table from the list.")


class GuestUnknown(FloorRefused):
    """There is no such guest at this table, or they have left."""

    code = "guest.unknown"
    kind = Kind.UNKNOWN
    rule = "BOX-1"
    sentence = mark("There is no such guest at this table.")
    remedy = mark("Load the table again, and seat the guest.")


class CroupierUnknown(FloorRefused):
    """There is no such person in this house, or they do not deal."""

    code = "table.croupier_unknown"
    sentence = mark("There is no such croupier in this house.")
    remedy = mark("Choose a croupier from the list.")


class NameRefused(FloorRefused):
    """A name that another of the same kind has."""

    code = "table.name_taken"
    kind = Kind.CONFLICT
    sentence = mark("The name “%(name)s” is taken.")
    remedy = mark("Choose another name.")


class LayoutRefused(FloorRefused):
    """A number of boxes or seats that the game does not have."""

    code = "table.layout_refused"
    sentence = mark("A table of this game has %(least)s to %(most)s boxes or seats.")
    remedy = mark("Correct the number.")


class TableUnchanged(FloorRefused):
    """A change that leaves the table as its newest version has it."""

    code = "table.unchanged"
    kind = Kind.CONFLICT
    sentence = mark("The table is set up like that already, or was changed meanwhile.")
    remedy = mark("Look at it again, and change what is to be otherwise.")


class TableOpened(FloorRefused):
    """A change without signatures of a table that was opened before."""

    code = "table.opened_before"
    kind = Kind.CONFLICT
    sentence = mark("The table has been opened before: it changes by signatures alone.")
    remedy = mark("Ask for the change.")


class TableLinked(FloorRefused):
    """A table that is linked to a jackpot does not retire."""

    code = "table.linked"
    kind = Kind.CONFLICT
    sentence = mark("%(place)s is linked to a jackpot, and would retire.")
    remedy = mark("Take the link away first.")


class TableRetired(FloorRefused):
    """A table that is retired, or retires when it is closed."""

    code = "table.retired"
    kind = Kind.CONFLICT
    sentence = mark("%(place)s is retired.")
    remedy = mark("Choose another table, or ask for its return.")


class PostedNamesRefused(FloorRefused):
    """A table must name exactly one posted table of each kind that its game needs."""

    code = "table.posted_names_refused"
    sentence = mark("The table must name one posted table each of: %(kinds)s.")
    remedy = mark("Give a name for each kind, and for no other.")


class PostedMissing(FloorRefused):
    """No version of a posted table is in force."""

    code = "table.posted_missing"
    rule = "BOX-4"
    sentence = mark("No version of “%(name)s” (%(kind)s) is in force.")
    remedy = mark(
        "Draft a version of this name under posted tables, valid from this gaming day, and have it"
        " approved. Then open the table."
    )


class TableClosed(FloorRefused):
    """Something that needs an open table."""

    code = "table.closed"
    kind = Kind.CONFLICT
    rule = "HSE-1"
    sentence = mark("The table is closed.")
    remedy = mark("The pit boss opens it first.")


class TableOpen(FloorRefused):
    """Something that needs a closed table."""

    code = "table.open"
    kind = Kind.CONFLICT
    sentence = mark("The table is open.")
    remedy = mark("Close it first.")


class DayClosed(FloorRefused):
    """The house is closed on this gaming day."""

    code = "table.day_closed"
    kind = Kind.CONFLICT
    rule = "HSE-1"
    sentence = mark("The house is closed on this gaming day.")
    remedy = mark(
        "Tables open again on the next open day; a wrong calendar is changed by a new version."
    )


class HoursClosed(FloorRefused):
    """Tables do not open at this time: the live game has not begun yet, or the house closes."""

    code = "table.hours_closed"
    kind = Kind.CONFLICT
    rule = "HSE-1"
    sentence = mark(
        "On this gaming day tables open from %(opens)s to %(closes)s; now it is %(now)s."
    )
    remedy = mark(
        "Open the table within the hours; other hours are posted by a new version of the calendar."
    )


class DayOver(FloorRefused):
    """The table was opened on another gaming day."""

    code = "table.day_over"
    kind = Kind.CONFLICT
    rule = "HSE-1"
    sentence = mark("This table was opened for gaming day %(opened)s; now it is %(day)s.")
    remedy = mark("The pit boss closes the table and opens it again.")


class HoursOver(FloorRefused):
    """The gaming day for which the table was opened has closed."""

    code = "table.hours_over"
    kind = Kind.CONFLICT
    rule = "HSE-1"
    sentence = mark(
        "This table was opened for gaming day %(opened)s, which closed at %(closes)s; now it is"
        " %(now)s."
    )
    remedy = mark("The pit takes the round by hand, with a reason; then the table is closed.")


class LevelUnknown(FloorRefused):
    """An entry level that there is not."""

    code = "table.level_unknown"
    sentence = mark("“%(level)s” is not an entry level.")
    remedy = mark("Choose one of the entry levels of the table's game.")


class LevelNeedsJackpot(FloorRefused):
    """Only coins are to be entered, at a table without a jackpot."""

    code = "table.level_needs_jackpot"
    sentence = mark("A table without a jackpot cannot enter coins only.")
    remedy = mark("Choose another entry level, or link the table first.")


class RoundRunning(FloorRefused):
    """A round is locked at the table."""

    code = "table.round_running"
    kind = Kind.CONFLICT
    sentence = mark("A round is running at this table.")
    remedy = mark("Settle or void it first.")


# what a prize lacks, in words
PRIZE_LACKS = {
    "signers": mark("too few people can sign it"),
    "cashier": mark("nobody of the cage can pay it"),
    "both": mark("too few people can sign it, and nobody of the cage can pay it"),
}


class HouseNotReady(FloorRefused):
    """A table is to open at a jackpot whose prizes nobody could sign or pay now."""

    code = "table.house_not_ready"
    kind = Kind.CONFLICT
    rule = "HSE-1"
    sentence = mark(
        "%(place)s is linked to a jackpot. If its prize were won now, it would have to wait:"
        " %(why)s."
    )
    remedy = mark(
        "See to it first: the list of what is ready for tonight, on the pit's overview, says what"
        " is missing. If coins are to be taken all the same, enter why."
    )


class TabletSilent(FloorRefused):
    """A table is to close whose tablet is silent: what was played since is not in the books."""

    code = "table.tablet_silent"
    kind = Kind.CONFLICT
    rule = "HSE-1"
    sentence = mark(
        "The tablet of %(place)s has not been heard of since %(time)s. The last that came from it"
        " has number %(last)s: what was played after that is not known here."
    )
    remedy = mark(
        "Bring it to where it has a network, until it has sent everything. If that cannot be done,"
        " enter why and do it all the same."
    )


class TabletUnsent(FloorRefused):
    """A table is to close while entries lie on its tablet that have not come."""

    code = "table.tablet_unsent"
    kind = Kind.CONFLICT
    rule = "HSE-1"
    sentence = mark(
        "On the tablet of %(place)s entries lie that have not been sent: %(count)s. The last that"
        " came from it has number %(last)s."
    )
    remedy = mark(
        "Wait until it has sent everything. If that cannot be done, enter why and do it all the"
        " same."
    )


class ClarifyOpen(FloorRefused):
    """A table is to close of which something waits to be clarified."""

    code = "table.clarify_open"
    kind = Kind.CONFLICT
    rule = "HSE-1"
    sentence = mark("At %(place)s there is still to be clarified: %(count)s.")
    remedy = mark("Clarify that first. If that cannot be done, enter why and do it all the same.")


class CroupierWrong(FloorRefused):
    """Somebody else has the table."""

    code = "round.croupier_wrong"
    kind = Kind.FORBIDDEN
    sentence = mark("Another croupier has this table.")
    remedy = mark("Have the pit boss hand the table over to you.")


class BoxOutside(FloorRefused):
    """A box that the layout does not have."""

    code = "guest.box_outside"
    rule = "BOX-1"
    sentence = mark("The table has boxes 1 to %(layout)s; %(box)s is not one of them.")
    remedy = mark("Check the number of the box.")


class BoxOwned(FloorRefused):
    """A box that has an owner."""

    code = "guest.box_owned"
    kind = Kind.CONFLICT
    rule = "BOX-1"
    sentence = mark("Box %(box)s has an owner.")
    remedy = mark(
        "A box has one owner: the guest who sits at it, or the one declared while its seat is free."
    )


class SeatWithoutBox(FloorRefused):
    """A seated guest without a box, or a distance that is none."""

    code = "guest.place_refused"
    rule = "BOX-1"
    sentence = mark("A seated guest has a box, and a distance is a whole number from 0 to 99.")
    remedy = mark("Say at which box the guest sits and how far from the shoe they stand.")
