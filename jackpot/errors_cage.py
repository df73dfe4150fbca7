"""Refusals of the cage: a payment that is not taken back."""

from jackpot.errors import JackpotRefused
from payouts.errors import mark


class SlipNotYours(JackpotRefused):
    """Only who made a payment takes it back alone."""

    code = "slip.not_yours"
    sentence = mark("Another person paid this slip.")
    remedy = mark("Have it taken back by who paid it, or cancelled by two people.")


class SlipTakeBackOver(JackpotRefused):
    """The minute is over, or the slip was taken back before."""

    code = "slip.take_back_over"
    sentence = mark("A payment is taken back once, within a minute.")
    remedy = mark("Have the slip cancelled by two people.")
