"""Refusals about awards, prizes and slips."""

from jackpot.errors.jackpot import JackpotRefused
from payouts.errors import Kind, mark


class MeterOwes(JackpotRefused):
    """The meter paid more prizes than it held."""

    code = "jackpot.meter_owes"
    kind = Kind.CONFLICT
    rule = "PRG-5"
    sentence = mark("The meter has paid more in prizes than it held.")
    remedy = mark("Put the amount right first.")


class AwardExists(JackpotRefused):
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
    """A prize that people have not to ask for: it is paid, asked for, owed no more, or goes with
    the hit at hand.
    """

    code = "prize.not_to_ask"
    kind = Kind.CONFLICT
    sentence = mark(
        "This prize is not to be asked for again: it has its slip, waits for signatures, or is owed"
        " no more."
    )
    remedy = mark(
        "Look at the prizes that nobody is asked about; one of a hit at hand goes with the hit."
    )


class NotALateRoyal(JackpotRefused):
    """The round's result does not say that this box won a jackpot that has been paid."""

    code = "award.not_late"
    rule = "PRG-3"
    sentence = mark("Box %(box)s of this round has no royal flush that was overlooked.")
    remedy = mark("Correct the round first; then ask for the late award.")


class LateAwardTooMuch(JackpotRefused):
    """A late award above what the ended epoch gives. Data: `most_minor`."""

    code = "award.late_too_much"
    rule = "PRG-7"
    sentence = mark("Of this epoch the box can still get %(most_minor)s, not more.")
    remedy = mark("Ask for its part of what was won, beside the awards that stand.")
