"""What the jackpot refuses. The rules' own refusals (PRG) come from the rules."""

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
    """A coin at a jackpot that nothing shows: once it was won, no display would open its tables again."""

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


# --- claims ---------------------------------------------------------------------------------------------------------------------
class CallRefused(JackpotRefused):
    """A *Royal!* call that cannot be one."""

    code = "jackpot.call_refused"
    rule = "PRG-3"


class CallNotRunning(CallRefused):
    """The round has ended, or never ran at a linked table."""

    code = "jackpot.call_not_running"
    kind = Kind.CONFLICT
    sentence = mark("This round does not run at a table of the jackpot.")
    remedy = mark("Enter the result, or have the pit correct it.")


class CallWithoutCoin(CallRefused):
    """No box of the round has a coin."""

    code = "jackpot.call_without_coin"
    rule = "PRG-13"
    sentence = mark("No box of this round has a coin: it cannot win the jackpot.")
    remedy = mark("Settle the round: a royal flush without a coin does not touch the meter.")


class SecondCall(CallRefused):
    """The round claims already."""

    code = "jackpot.second_call"
    kind = Kind.CONFLICT
    rule = "PRG-7"
    sentence = mark("This table claims the jackpot already.")
    remedy = mark("Settle the round: only one box of a table can hold the royal flush.")


class NotListed(JackpotRefused):
    """A round that did not run when the hit began."""

    code = "jackpot.not_listed"
    kind = Kind.CONFLICT
    rule = "PRG-8"
    sentence = mark("This round did not run when the jackpot was hit: it has no part in it.")
    remedy = mark("Correct it when the hit is decided; what is due then is paid as a late award.")


class RoundClaims(JackpotRefused):
    """A round with a claim or a call cannot simply be taken back."""

    code = "jackpot.round_claims"
    kind = Kind.CONFLICT
    rule = "PRG-8"
    sentence = mark("This round claims the jackpot: it can only be voided with an approval.")
    remedy = mark("Settle it, or ask for the approval to void it.")


class ClaimUnknown(JackpotRefused):
    """There is no such claim in this house."""

    code = "jackpot.claim_unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such claim.")
    remedy = mark("Choose a claim of the hit at hand.")


class ClaimState(JackpotRefused):
    """A claim that cannot be decided as it is."""

    code = "jackpot.claim_state"
    kind = Kind.CONFLICT
    sentence = mark("This claim cannot be decided: it is %(state)s.")
    remedy = mark("Decide the claims of the hit at hand whose rounds have ended.")


class ChecklistIncomplete(JackpotRefused):
    """Something that the house wants noted is missing."""

    code = "jackpot.checklist_incomplete"
    sentence = mark("The checklist is not complete: %(items)s.")
    remedy = mark("Note each item, in at most %(most)s signs.")


class DealerDecides(JackpotRefused):
    """Who dealt a claiming round, called it or entered its result decides nothing about the claim."""

    code = "jackpot.dealer_decides"
    kind = Kind.FORBIDDEN
    sentence = mark(
        "You dealt this round, entered its result or signed its correction: another person must look at the claim."
    )
    remedy = mark("Have another pit boss look and decide.")


# --- hits -----------------------------------------------------------------------------------------------------------------------
class HitUnknown(JackpotRefused):
    """There is no such hit in this house."""

    code = "jackpot.hit_unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such hit.")
    remedy = mark("Choose a hit from the list.")


class HitState(JackpotRefused):
    """A hit that is not at the point where this can be done."""

    code = "jackpot.hit_state"
    kind = Kind.CONFLICT
    sentence = mark("This cannot be done now: the hit is %(state)s.")
    remedy = mark("Look at the hit again.")


class ToClarifyOpen(JackpotRefused):
    """A listed round has an entry that nobody has clarified yet, or a correction of it is asked for and not signed."""

    code = "jackpot.to_clarify_open"
    kind = Kind.CONFLICT
    rule = "PRG-8"
    sentence = mark(
        "It is not clear yet how all rounds of this hit ended: %(count)s of them wait to be clarified or corrected."
    )
    remedy = mark("Take or dismiss what is to be clarified, sign or reject the corrections asked for; then sign here.")


class EpochOver(JackpotRefused):
    """The epoch of a round is closed: its meter was paid."""

    code = "jackpot.epoch_over"
    kind = Kind.CONFLICT
    rule = "PRG-7"
    sentence = mark("The jackpot of this round has been paid.")
    remedy = mark("Ask for a late award: the house pays it.")


# --- displays -------------------------------------------------------------------------------------------------------------------
class GateRefused(JackpotRefused):
    """A confirmation that opens nothing."""

    code = "gate.refused"
    rule = "PRG-9"


class GateUnknown(GateRefused):
    """The jackpot has no such gate."""

    code = "gate.unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such confirmation to give.")
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
    remedy = mark("Close the other window; if nobody knows of one, revoke the display and enrol it anew.")


class DisplaySessionOver(GateRefused):
    """The session that speaks is not the live one any more."""

    code = "display.session_over"
    kind = Kind.CONFLICT
    sentence = mark("This display has not been heard for too long.")
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
    """The list of displays while a hit is at hand or a value is to be shown: two people change it together."""

    code = "display.list_closed"
    kind = Kind.CONFLICT
    sentence = mark("While the jackpot is %(state)s, nobody says alone for which displays its tables wait.")
    remedy = mark("Ask for it on the jackpot's page: another person signs.")


class DisplayLast(GateRefused):
    """The last display can only be replaced."""

    code = "display.last"
    kind = Kind.CONFLICT
    sentence = mark("This is the last display that can open the tables.")
    remedy = mark("Add another enrolled display first; then take this one out.")


# --- awards and slips -------------------------------------------------------------------------------------------------------------
class MeterOwes(JackpotRefused):
    """The meter paid more prizes than it held."""

    code = "jackpot.meter_owes"
    kind = Kind.CONFLICT
    rule = "PRG-5"
    sentence = mark("The meter has paid more in prizes than it held.")
    remedy = mark("Put the amount right first.")


class AwardThere(JackpotRefused):
    """The box has its award."""

    code = "award.there"
    kind = Kind.CONFLICT
    rule = "PRG-7"
    sentence = mark("This box has been awarded already.")
    remedy = mark("Look at the hit's awards.")


class PrizeAwarded(JackpotRefused):
    """A prize of this result has its slip."""

    code = "award.prize_there"
    kind = Kind.CONFLICT
    sentence = mark("A prize of this result has been approved and has its slip.")
    remedy = mark("Have the slip cancelled first; then correct the round.")


class PrizeUnknown(JackpotRefused):
    """There is no such prize in this house."""

    code = "prize.unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such prize.")
    remedy = mark("Load the page again.")


class PrizeNotToAsk(JackpotRefused):
    """A prize that people have not to ask for: it is paid, asked for, owed no more, or goes with the hit at hand."""

    code = "prize.not_to_ask"
    kind = Kind.CONFLICT
    sentence = mark(
        "This prize is not to be asked for again: it has its slip, waits for signatures, or is owed no more."
    )
    remedy = mark("Look at the prizes that nobody is asked about; one of a hit at hand goes with the hit.")


class NotALateRoyal(JackpotRefused):
    """The round's result does not say that this box won a jackpot that has been paid."""

    code = "award.not_late"
    rule = "PRG-3"
    sentence = mark("Box %(box)s of this round has no royal flush that was overlooked.")
    remedy = mark("Correct the round first; then ask for the late award.")


# --- standing -------------------------------------------------------------------------------------------------------------------
class JackpotPhase(JackpotRefused):
    """A step that the jackpot's phase does not allow."""

    code = "jackpot.phase"
    kind = Kind.CONFLICT
    sentence = mark("This cannot be done while the jackpot is %(state)s.")
    remedy = mark("Wait until the jackpot is in a phase that allows it.")
