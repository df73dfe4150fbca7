"""Refusals of the cage: a slip that is not paid, a payment that is not taken back."""

from jackpot.errors.jackpot import JackpotRefused
from payouts.errors import Kind, mark


class SlipUnknown(JackpotRefused):
    """There is no such slip in this house."""

    code = "slip.unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such slip.")
    remedy = mark("Check its number.")


class SlipState(JackpotRefused):
    """A slip that was paid or cancelled."""

    code = "slip.state"
    kind = Kind.CONFLICT
    sentence = mark("This slip is %(state)s.")
    remedy = mark("A slip is paid once; look at its history.")


class SlipCashWrong(JackpotRefused):
    """Another amount than the slip says, in coins that exist."""

    code = "slip.cash_wrong"
    sentence = mark("The slip is paid with %(cash_minor)s.")
    remedy = mark("Pay exactly this amount.")


class SlipSignerPays(JackpotRefused):
    """Who signed an award does not pay it."""

    code = "slip.signer_pays"
    kind = Kind.FORBIDDEN
    sentence = mark("You signed this award: another person must pay it.")
    remedy = mark("Have the cage pay it.")


class SlipPartPays(JackpotRefused):
    """Who asked for an award, had a part in its round or looked at its claim does not pay it."""

    code = "slip.part_pays"
    kind = Kind.FORBIDDEN
    sentence = mark("You took part in this award: another person must pay it.")
    remedy = mark("Have the cage pay it.")


class SlipDoubted(JackpotRefused):
    """The round's result says by now that this box did not win."""

    code = "slip.doubted"
    kind = Kind.CONFLICT
    rule = "PRG-3"
    sentence = mark("The round was corrected since: its result no longer says that this box won.")
    remedy = mark("Have the award cancelled, or the round corrected back.")


class SlipNotYours(JackpotRefused):
    """Only who made a payment takes it back alone."""

    code = "slip.not_yours"
    kind = Kind.FORBIDDEN
    sentence = mark("Another person paid this slip.")
    remedy = mark("Have it taken back by who paid it, or cancelled by two people.")


class SlipTakeBackOver(JackpotRefused):
    """The minute is over, or the slip was taken back before."""

    code = "slip.take_back_over"
    kind = Kind.CONFLICT
    sentence = mark("A payment is taken back once, within a minute.")
    remedy = mark("Have the slip cancelled by two people.")
