"""What the jackpot refuses. The rules' own refusals (PRG) come from the rules."""

from payouts.errors import Refused, mark


class JackpotRefused(Refused):
    """Something that the jackpot does not allow."""

    code = "jackpot.refused"


class JackpotUnknown(JackpotRefused):
    """There is no such jackpot in this house."""

    code = "jackpot.unknown"
    sentence = mark("There is no such jackpot.")
    remedy = mark("Choose a jackpot from the list.")


class JackpotNotOpen(JackpotRefused):
    """No stake for a new round may be placed at a linked table."""

    code = "jackpot.not_open"
    rule = "PRG-9"
    sentence = mark("The jackpot is locked: no new round may begin at its tables.")
    remedy = mark("Wait until the displays show the new value.")


class ClaimUnavailable(JackpotRefused):
    """A round that wins, or is paid by, the meter."""

    code = "jackpot.claim_unavailable"
    rule = "PRG-3"
    sentence = mark("This round wins the jackpot, which cannot be paid out yet.")
    remedy = mark("Keep the cards, leave the round locked and call the floor manager.")


class JackpotNameTaken(JackpotRefused):
    """A name that another jackpot has."""

    code = "jackpot.name_taken"
    sentence = mark("The name “%(name)s” is taken.")
    remedy = mark("Choose another name.")


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
    sentence = mark("A round is running at a linked table.")
    remedy = mark("Try again when no round is locked.")
