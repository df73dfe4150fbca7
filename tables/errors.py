"""What the floor refuses. The rules' own refusals (UTH, BOX, PRM, HAND) stand with them (`tables/games/uth/`, `tables/rules/`)."""

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
    """There is no such guest at this table, or he has left."""

    code = "guest.unknown"
    kind = Kind.UNKNOWN
    rule = "BOX-1"
    sentence = mark("There is no such guest at this table.")
    remedy = mark("Load the table again, and seat the guest.")


class CroupierUnknown(FloorRefused):
    """There is no such person in this house, or he does not deal."""

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
    """A number of boxes that the game does not have."""

    code = "table.layout_refused"
    sentence = mark("A table of this game has 1 to %(most)s boxes.")
    remedy = mark("Correct the number of boxes.")


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
        "Draft a version of this name under posted tables, valid from this gaming day, and have it approved."
        " Then open the table."
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
    remedy = mark("Tables open again on the next open day; a wrong calendar is changed by a new version.")


class HoursClosed(FloorRefused):
    """Tables do not open at this time: the live game has not begun yet, or the house closes."""

    code = "table.hours_closed"
    kind = Kind.CONFLICT
    rule = "HSE-1"
    sentence = mark("On this gaming day tables open from %(opens)s to %(closes)s; now it is %(now)s.")
    remedy = mark("Open the table within the hours; other hours are posted by a new version of the calendar.")


class DayOver(FloorRefused):
    """The table was opened on another gaming day."""

    code = "table.day_over"
    kind = Kind.CONFLICT
    rule = "HSE-1"
    sentence = mark("This table was opened for gaming day %(opened)s; now it is %(day)s.")
    remedy = mark("The pit boss closes the table and opens it again.")


class LevelUnknown(FloorRefused):
    """An entry level that there is not."""

    code = "table.level_unknown"
    sentence = mark("“%(level)s” is not an entry level.")
    remedy = mark("Choose: jackpot only, fast, or full cards.")


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
    remedy = mark("A box has one owner: the guest who sits at it, or the one declared while its seat is free.")


class SeatWithoutBox(FloorRefused):
    """A seated guest without a box, or a distance that is none."""

    code = "guest.place_refused"
    rule = "BOX-1"
    sentence = mark("A seated guest has a box, and a distance is a whole number from 0 to 99.")
    remedy = mark("Say at which box the guest sits and how far from the shoe he stands.")


class StakesWrong(FloorRefused):
    """Stakes that cannot be read."""

    code = "round.stakes_wrong"
    rule = "BOX-4"
    sentence = mark("Stake %(place)s cannot be read: “%(field)s” is missing or wrong.")
    remedy = mark("A stake has a box, a guest, a kind and an amount in whole minor units.")


class StakeWrong(StakesWrong):
    """One value of a stake that cannot be. Data: `value` as JSON writes it, `expected` in English, `expects` its template."""

    code = "round.stake_wrong"
    sentence = mark("Stake %(place)s cannot be read: “%(field)s” must be %(expected)s, not %(value)s.")


class TooManyStakes(FloorRefused):
    """More stakes than a table can hold."""

    code = "round.too_many_stakes"
    sentence = mark("%(count)s stakes are too many for one round.")
    remedy = mark("Send at most %(most)s.")


class RoundUnknown(FloorRefused):
    """There is no such round in this house."""

    code = "round.unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such round.")
    remedy = mark("Load the table again.")


class RoundBooked(FloorRefused):
    """A queued round that is in the books comes again with another result."""

    code = "round.booked_otherwise"
    kind = Kind.CONFLICT
    rule = "BOX-5"
    sentence = mark("This round is booked already, with another result.")
    remedy = mark(
        "Send nothing under another id. If what came now is right, the pit takes it, and the result is corrected."
    )


class RoundTaken(FloorRefused):
    """The round's id stands for another round."""

    code = "round.id_taken"
    kind = Kind.CONFLICT
    rule = "BOX-5"
    sentence = mark("Another round has this id.")
    remedy = mark("Make a new id for a new round; repeat a lock unchanged.")


class RoundWithdrawn(FloorRefused):
    """The lock comes after its withdrawal: the chips went back."""

    code = "round.withdrawn"
    kind = Kind.CONFLICT
    rule = "BOX-5"
    sentence = mark("This round was withdrawn before its lock came.")
    remedy = mark("Give the chips back and lock a new round.")


class RoundState(FloorRefused):
    """What is asked for does not fit the round's state."""

    code = "round.state_refused"
    kind = Kind.CONFLICT
    sentence = mark("The round is %(state)s.")
    remedy = mark("Load the table again.")


class ReopenLate(FloorRefused):
    """The lock is too old to be taken back by the croupier."""

    code = "round.reopen_late"
    kind = Kind.CONFLICT
    rule = "BOX-5"
    sentence = mark("A lock can be taken back for %(seconds)s seconds only.")
    remedy = mark("Play the round, or have the pit boss void it.")


class WithdrawLate(FloorRefused):
    """The lock came, and is too old for its answer to be still on the way."""

    code = "round.withdraw_late"
    kind = Kind.CONFLICT
    rule = "BOX-5"
    sentence = mark("The round stands: a lock can be withdrawn for %(seconds)s seconds only.")
    remedy = mark("Play the round, or have the pit boss void it.")


class RoundStands(FloorRefused):
    """The lock came, and the round is one whose stakes do not simply go back."""

    code = "round.stands"
    kind = Kind.CONFLICT
    rule = "BOX-5"
    sentence = mark("The round stands and cannot be withdrawn: %(why)s.")
    remedy = mark("Play the round, or have the pit boss void it.")


class CardsOut(FloorRefused):
    """The table's feed has read cards of the round: its stakes stay."""

    code = "round.cards_out"
    kind = Kind.CONFLICT
    rule = "BOX-5"
    sentence = mark("Cards of this round were dealt: its stakes cannot be taken back.")
    remedy = mark("Play the round, or have the pit boss void it.")


class ApprovalNeeded(FloorRefused):
    """The result can no longer be put right by one person."""

    code = "round.approval_needed"
    sentence = mark("This correction needs an approval: %(why)s.")
    remedy = mark("Ask for the approval; the pit looks at the round and signs.")


class CorrectionWaits(FloorRefused):
    """Another correction of the round was asked for and is not signed yet."""

    code = "round.correction_waits"
    kind = Kind.CONFLICT
    sentence = mark("Another correction of this round already waits for a signature.")
    remedy = mark("Sign or reject that one first.")


class RoundChanged(FloorRefused):
    """The round was corrected since it was looked at."""

    code = "round.changed"
    kind = Kind.CONFLICT
    sentence = mark("The round was changed by somebody else.")
    remedy = mark("Load the round again and look at its lines.")


class QueuedStopped(FloorRefused):
    """A round played without the server at a table that must stop then."""

    code = "round.queued_stopped"
    rule = "PRG-9"
    sentence = mark("A table linked to this jackpot does not play without the server.")
    remedy = mark("The pit clarifies the round.")


class QueuedCoins(FloorRefused):
    """A coin taken without the server."""

    code = "round.queued_coins"
    rule = "PRG-9"
    sentence = mark("A coin was taken while the table had no server.")
    remedy = mark("The pit clarifies the round and gives the coin back.")


class ClarifyUnknown(FloorRefused):
    """There is no such entry to be clarified."""

    code = "clarify.unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such entry.")
    remedy = mark("Load the list again.")


class ClarifySessionOver(FloorRefused):
    """A round whose guests are none of the table's present session, so nobody is there for it to be booked with."""

    code = "clarify.session_over"
    kind = Kind.CONFLICT
    sentence = mark("The guests of this round are not of the table's present session, so it can no longer be booked.")
    remedy = mark("Settle with the guests by hand and dismiss the entry, with what was paid as the reason.")


class ClarifyRoundOver(FloorRefused):
    """A result of a round whose stakes went back: there is nothing to settle by it."""

    code = "clarify.round_over"
    kind = Kind.CONFLICT
    sentence = mark("The round is %(state)s: all its stakes went back, so no result can be booked.")
    remedy = mark("Settle with the guests by hand and dismiss the entry, with what was paid as the reason.")


class ClarifyBooked(FloorRefused):
    """It was to be dismissed, and its round has come through meanwhile."""

    code = "clarify.booked"
    kind = Kind.CONFLICT
    sentence = mark("This round is in the books, just as it came: it cannot be dismissed.")
    remedy = mark("Take the entry; nothing is booked twice. If the round was wrong, correct it.")


class ClarifyClosed(FloorRefused):
    """It was taken or dismissed before."""

    code = "clarify.closed"
    kind = Kind.CONFLICT
    sentence = mark("This entry was clarified already.")
    remedy = mark("Load the list again.")
