"""Refusals about hits."""

from jackpot.errors.jackpot import JackpotRefused
from payouts.errors import Kind, mark


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


class ReviewItemOpen(JackpotRefused):
    """A listed round has an entry that nobody has clarified yet, or a correction of it is asked for
    and not signed.
    """

    code = "jackpot.to_clarify_open"
    kind = Kind.CONFLICT
    rule = "PRG-8"
    sentence = mark(
        "It is not clear yet how all rounds of this hit ended: %(count)s of them wait to be"
        " clarified or corrected."
    )
    remedy = mark(
        "Take or dismiss what is to be clarified, sign or reject the corrections asked for; then"
        " sign here."
    )


class EpochOver(JackpotRefused):
    """The epoch of a round is closed: its meter was paid."""

    code = "jackpot.epoch_over"
    kind = Kind.CONFLICT
    rule = "PRG-7"
    sentence = mark("The jackpot of this round has been paid.")
    remedy = mark("Ask for a late award: the house pays it.")
