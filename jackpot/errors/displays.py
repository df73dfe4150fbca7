"""Refusals about gates and the displays that they wait for."""

from jackpot.errors.jackpot import JackpotRefused
from payouts.errors import Kind, mark


class GateRefused(JackpotRefused):
    """A confirmation that opens nothing."""

    code = "gate.refused"
    rule = "PRG-9"


class GateUnknown(GateRefused):
    """The jackpot has no such gate."""

    code = "gate.unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such confirmation.")
    remedy = mark("Load the display anew.")


class GateOver(GateRefused):
    """The gate was passed, or another amount made another one."""

    code = "gate.over"
    kind = Kind.CONFLICT
    sentence = mark("This value is no longer to be confirmed.")
    remedy = mark("Show the newest value and confirm that.")


class GateNonceWrong(GateRefused):
    """A confirmation made up, or of another gate."""

    code = "gate.nonce_wrong"
    sentence = mark("This confirmation does not belong to the value at hand.")
    remedy = mark("Load the display anew.")


class GateVersionWrong(GateRefused):
    """A confirmation of another version of the meter."""

    code = "gate.version_wrong"
    kind = Kind.CONFLICT
    sentence = mark("Another version of the meter is to be confirmed.")
    remedy = mark("Show the newest value and confirm that.")


class GateValueWrong(GateRefused):
    """The display shows something else."""

    code = "gate.value_wrong"
    sentence = mark("The display shows “%(shown)s”, not the new value.")
    remedy = mark("Load the display anew; if it stays wrong, take it out.")


class DisplayNotOnGate(GateRefused):
    """A display that this gate does not wait for."""

    code = "gate.display_unknown"
    sentence = mark("This display is not asked to confirm.")
    remedy = mark("Nothing is to be done.")


class DisplaySessionTaken(GateRefused):
    """The display runs elsewhere."""

    code = "display.session_taken"
    kind = Kind.CONFLICT
    sentence = mark("This display is running in another place.")
    remedy = mark(
        "Close the other window; if nobody knows of one, revoke the display and enrol it anew."
    )


class DisplaySessionOver(GateRefused):
    """The session that speaks is not the live one any more."""

    code = "display.session_over"
    kind = Kind.CONFLICT
    sentence = mark("This display has not been heard from for too long.")
    remedy = mark("It tries again by itself.")


class DisplayUnknown(GateRefused):
    """The jackpot has no such display."""

    code = "display.unknown"
    kind = Kind.UNKNOWN
    sentence = mark("The jackpot has no such display.")
    remedy = mark("Choose one of the displays that it needs.")


class DisplayRequired(GateRefused):
    """A display that is on the list already."""

    code = "display.required"
    kind = Kind.CONFLICT
    sentence = mark("This display is on the list already.")
    remedy = mark("Nothing is to be done.")


class DisplayListClosed(GateRefused):
    """The list of displays while a hit is at hand or a value is to be shown: two people change it
    together.
    """

    code = "display.list_closed"
    kind = Kind.CONFLICT
    sentence = mark(
        "While the jackpot is %(state)s, nobody says alone for which displays its tables wait."
    )
    remedy = mark("Ask for it on the jackpot's page: another person signs.")


class DisplayLast(GateRefused):
    """The last display can only be replaced."""

    code = "display.last"
    kind = Kind.CONFLICT
    sentence = mark("This is the last display that can open the tables.")
    remedy = mark("Add another enrolled display first; then take this one out.")
