"""Refusals about buy-ins and tips at a table."""

from payouts.errors import Kind, Refused, mark


class CashRefused(Refused):
    """A buy-in or a tip that is not taken, or not taken back."""

    code = "cash.refused"


class BuyInAmountWrong(CashRefused):
    """A buy-in of nothing, less than that, beyond all reason, or of what no chips come to."""

    code = "buyin.amount_wrong"
    rule = "DRP-1"
    sentence = mark("A buy-in cannot be %(amount_minor)s.")
    remedy = mark("Enter a multiple of %(least_minor)s up to %(most_minor)s.")


class TipAmountWrong(BuyInAmountWrong):
    """The same of a tip."""

    code = "tip.amount_wrong"
    rule = "TRN-2"
    sentence = mark("A tip cannot be %(amount_minor)s.")


class CashUnknown(CashRefused):
    """There is no such buy-in or tip in this house, or at this table."""

    code = "cash.unknown"
    kind = Kind.UNKNOWN
    rule = "DRP-1"
    sentence = mark("There is no such buy-in or tip.")
    remedy = mark("Load the table again and choose one of its list.")


class CashIdUsed(CashRefused):
    """An id under which another buy-in or tip stands."""

    code = "cash.id_used"
    kind = Kind.CONFLICT
    rule = "DRP-1"
    sentence = mark("Under this id another buy-in or tip was entered.")
    remedy = mark("Give each buy-in and each tip an id of its own.")


class CashAtSeat(CashRefused):
    """A buy-in or a tip of a poker table, where chips lie before each guest."""

    code = "cash.at_seat"
    rule = "DRP-1"
    sentence = mark("Buy-ins and tips of a poker table go by its seats.")
    remedy = mark(
        "Enter them at the guest's seat; what was entered wrongly is put right by counting the"
        " stacks."
    )


class CashTakenBack(CashRefused):
    """What is taken back already."""

    code = "cash.taken_back"
    kind = Kind.CONFLICT
    rule = "DRP-1"
    sentence = mark("This is taken back already.")
    remedy = mark("Load the table again.")


class BuyInTakeBackOver(CashRefused):
    """A buy-in that is not its croupier's own to take back, any more or at all."""

    code = "buyin.take_back_over"
    kind = Kind.CONFLICT
    rule = "DRP-1"
    sentence = mark(
        "A buy-in is taken back by the croupier who entered it, within %(seconds)s seconds."
    )
    remedy = mark("The pit takes it back, with a reason.")


class TipTakeBackOver(BuyInTakeBackOver):
    """The same of a tip."""

    code = "tip.take_back_over"
    rule = "TRN-2"
    sentence = mark(
        "A tip is taken back by the croupier who entered it, within %(seconds)s seconds."
    )
