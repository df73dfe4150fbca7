"""Refusals about guests at the seats of a poker table, and their chips."""

from payouts.errors import Kind, Refused, mark


class SeatsRefused(Refused):
    """Something that the seats of a table do not allow."""

    code = "poker.refused"


class NoStacks(SeatsRefused):
    """A seat at a table whose game is not played from stacks."""

    code = "poker.no_stacks"
    rule = "POK-2"
    sentence = mark("“%(game)s” is not played with chips before each seat.")
    remedy = mark("Choose a poker table.")


class SeatOutside(SeatsRefused):
    """A seat that the table or its posted game does not have."""

    code = "poker.seat_outside"
    rule = "BOX-1"
    sentence = mark("The table has seats 1 to %(layout)s; %(seat)s is not one of them.")
    remedy = mark(
        "Choose one of these seats. Whoever sits at another one moves before the table goes on in a"
        " new gaming day."
    )


class SeatOccupied(SeatsRefused):
    """A seat at which somebody sits."""

    code = "poker.seat_taken"
    kind = Kind.CONFLICT
    rule = "BOX-1"
    sentence = mark("Seat %(seat)s is taken.")
    remedy = mark("Choose a free seat.")


class BuyInNeeded(SeatsRefused):
    """A guest without chips at a table that is played with them."""

    code = "poker.buy_in_needed"
    rule = "POK-2"
    sentence = mark("At a poker table a guest sits down with chips.")
    remedy = mark("Choose a free seat and sell them a buy-in.")


class StayGone(SeatsRefused):
    """There is no such stay in this house, or its guest has left."""

    code = "poker.stay_gone"
    kind = Kind.UNKNOWN
    rule = "POK-2"
    sentence = mark("This guest does not sit at the table any more.")
    remedy = mark("Load the table again; who comes back buys in anew.")


class DealtGone(StayGone):
    """A guest of a hand who has left this table."""

    code = "poker.dealt_gone"
    sentence = mark("Guest %(number)s of seat %(seat)s does not sit at the table any more.")


class ChipsRefused(SeatsRefused):
    """Chips that are not moved in this way at the table."""

    code = "poker.chips_refused"
    rule = "POK-2"
    sentence = mark("“%(chips)s” is not taken as “%(means)s” at this table.")
    remedy = mark(
        "Chips are bought for cash or with chips from the pocket; tips and time are paid in chips,"
        " from the table or the pocket as the house posts it."
    )


class NotCounted(SeatsRefused):
    """Chips that are counted where a guest only changes the seat."""

    code = "poker.not_counted"
    rule = "POK-2"
    sentence = mark(
        "Whoever changes the seat takes the chips along; %(counted_minor)s would be booked nowhere."
    )
    remedy = mark("Count chips only where the guest changes the table or leaves.")


class NoTimeCharge(SeatsRefused):
    """A fee for time at a table that posts none."""

    code = "poker.no_time_charge"
    rule = "RAK-2"
    sentence = mark("The house takes no fee for the time at this table.")
    remedy = mark("A fee for time is posted with the game of the table.")


class NothingDue(SeatsRefused):
    """No guest has a half hour to pay."""

    code = "poker.nothing_due"
    kind = Kind.CONFLICT
    rule = "RAK-2"
    sentence = mark("No half hour is due before %(time)s.")
    remedy = mark("Each half hour is paid when it begins.")


class TimeOwed(SeatsRefused):
    """A guest who is to go on at another table owes half hours."""

    code = "poker.time_owed"
    kind = Kind.CONFLICT
    rule = "RAK-2"
    sentence = mark("Half hours begun and not paid: %(count)s, %(amount_minor)s.")
    remedy = mark("Take the fee for the time first.")


class StaysThere(SeatsRefused):
    """A table that closes while guests sit there."""

    code = "poker.stays_there"
    kind = Kind.CONFLICT
    sentence = mark(
        "Guests sit there with their chips at seats %(boxes)s, the first since %(time)s."
    )
    remedy = mark("Have each of them leave, or take the table over into the next gaming day.")


class HasChips(SeatsRefused):
    """A guest with chips at a seat, who is to move or leave without them."""

    code = "poker.has_chips"
    kind = Kind.CONFLICT
    rule = "POK-2"
    sentence = mark("This guest has chips at seat %(seat)s.")
    remedy = mark("Have them leave or change seats with their chips.")


class StacksUncounted(SeatsRefused):
    """Hands are to be booked where nobody knows what lies before the guests."""

    code = "poker.stacks_uncounted"
    kind = Kind.CONFLICT
    rule = "POK-2"
    sentence = mark("What lies before the guests of this table is not known.")
    remedy = mark("Count all stacks, and change the level before the next hand.")


class AntesCarried(SeatsRefused):
    """Hands are no longer to be booked while antes of passed hands lie in the pot."""

    code = "poker.antes_carried"
    kind = Kind.CONFLICT
    rule = "POK-4"
    sentence = mark("In the pot lie %(amount_minor)s of hands that all passed in.")
    remedy = mark("Change the level when a hand has been won.")


class StacksMissing(SeatsRefused):
    """A count that leaves out a guest who sits there, or has somebody else. Data: `seats`."""

    code = "poker.stacks_missing"
    rule = "POK-2"
    sentence = mark("The count does not have one stack for each guest at the seats %(seats)s.")
    remedy = mark("Load the table again, and count the chips of everybody who sits there.")


class CountDiffers(SeatsRefused):
    """Stacks that together, or where hands are booked each, are not what the books have."""

    code = "poker.count_differs"
    kind = Kind.CONFLICT
    rule = "POK-2"
    sentence = mark(
        "Counted are %(counted_minor)s, and the books have %(booked_minor)s on the table, before"
        " the guests or in play; a difference of %(missing_minor)s is not signed."
    )
    remedy = mark(
        "Count again. If it stays so, the floor signs the difference and the pit looks for its"
        " reason."
    )


class CountByFloor(SeatsRefused):
    """A croupier counts stacks that the books know."""

    code = "poker.count_by_floor"
    rule = "POK-2"
    sentence = mark("Where hands are booked each stack is known: only the floor counts them anew.")
    remedy = mark("Call the floor.")
