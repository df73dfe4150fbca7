"""Refusals about a jackpot as a whole."""

from payouts.errors import Kind, Refused, mark


class JackpotRefused(Refused):
    """Something that the jackpot does not allow."""

    code = "jackpot.refused"


class JackpotUnknown(JackpotRefused):
    """There is no such jackpot in this house."""

    code = "jackpot.unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such jackpot.")
    remedy = mark("Choose a jackpot from the list.")


class JackpotNotOpen(JackpotRefused):
    """No stake for a new round may be placed at a linked table."""

    code = "jackpot.not_open"
    kind = Kind.CONFLICT
    rule = "PRG-9"
    sentence = mark("The jackpot is locked: no new round may begin at its tables.")
    remedy = mark("Wait until the displays show the new value.")


class DisplayMissing(JackpotRefused):
    """A coin at a jackpot that nothing shows: once it was won, no display would open its tables
    again.
    """

    code = "jackpot.no_display"
    kind = Kind.CONFLICT
    rule = "PRG-9"
    sentence = mark("The jackpot takes no coins yet: there is no display that its tables wait for.")
    remedy = mark("Play without coins; have a technician name a display of the jackpot.")


class JackpotNameTaken(JackpotRefused):
    """A name that another jackpot has."""

    code = "jackpot.name_taken"
    kind = Kind.CONFLICT
    sentence = mark("The name “%(name)s” is taken.")
    remedy = mark("Choose another name.")


class JackpotNeedsTwo(JackpotRefused):
    """A new jackpot of one person alone, in a house that plays: its seed is the house's money."""

    code = "jackpot.needs_two"
    kind = Kind.CONFLICT
    sentence = mark("From a house's first round on, a new jackpot needs a second person.")
    remedy = mark("Ask for it; it is made as soon as another person has signed.")


class JackpotPostedMissing(JackpotRefused):
    """Prizes or funding of which no version was released."""

    code = "jackpot.posted_missing"
    sentence = mark("No version of “%(name)s” (%(kind)s) was released.")
    remedy = mark("Have a version approved first.")


class OfflineUnknown(JackpotRefused):
    """A word for what a linked table does without the server that is none."""

    code = "jackpot.offline_unknown"
    sentence = mark("“%(offline)s” is not what a table can do without the server.")
    remedy = mark("Choose: stop, or play on without coins.")


class RoundsRunning(JackpotRefused):
    """A round is locked at a linked table."""

    code = "jackpot.rounds_running"
    kind = Kind.CONFLICT
    sentence = mark("A round is running at a linked table.")
    remedy = mark("Try again when no round is locked.")


class JackpotPhase(JackpotRefused):
    """A step that the jackpot's phase does not allow."""

    code = "jackpot.phase"
    kind = Kind.CONFLICT
    sentence = mark("This cannot be done while the jackpot is %(state)s.")
    remedy = mark("Wait until the jackpot is in a phase that allows it.")
