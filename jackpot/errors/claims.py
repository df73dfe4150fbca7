"""Refusals about claims."""

from jackpot.errors.jackpot import JackpotRefused
from payouts.errors import Kind, mark


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


class ClaimUnchanged(JackpotRefused):
    """A claim that is verified again as it was: what waits for signatures would begin anew."""

    code = "jackpot.claim_unchanged"
    kind = Kind.CONFLICT
    sentence = mark("This claim is verified with these notes already, and its payment waits.")
    remedy = mark("Sign the payment, or reject it; or note what is new.")


class ChecklistIncomplete(JackpotRefused):
    """Something that the house wants noted is missing."""

    code = "jackpot.checklist_incomplete"
    sentence = mark("The checklist is not complete: %(items)s.")
    remedy = mark("Note each item, in at most %(most)s signs.")


class DealerDecides(JackpotRefused):
    """Who dealt a claiming round, called it or entered its result decides nothing about the
    claim."""

    code = "jackpot.dealer_decides"
    kind = Kind.FORBIDDEN
    sentence = mark(
        "You dealt this round, entered its result or signed its correction: another person must"
        " look at the claim."
    )
    remedy = mark("Have another pit boss look and decide.")
