"""Refusals about counts of trays (CNT)."""

from payouts.errors import Kind, Refused, mark


class CountRefused(Refused):
    """Something that counts do not allow."""

    code = "count.refused"


class CountUnknown(CountRefused):
    """There is no such count in this house."""

    code = "count.unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such count.")
    remedy = mark("Look at the page of the table.")


class PurposeUnknown(CountRefused):
    """A purpose of a count that there is not."""

    code = "count.purpose_unknown"
    rule = "CNT-5"
    sentence = mark("“%(purpose)s” is not a purpose of a count.")
    remedy = mark("Choose one from the list.")


class NoChipSet(CountRefused):
    """A table that names no chips is not counted by the piece."""

    code = "count.no_chip_set"
    kind = Kind.CONFLICT
    rule = "CNT-1"
    sentence = mark("No chip set is named for %(place)s.")
    remedy = mark("Name one among what is posted at the table; then its tray can be counted.")


class CountRunning(CountRefused):
    """A second count of the same tray."""

    code = "count.running"
    kind = Kind.CONFLICT
    rule = "CNT-9"
    sentence = mark("The tray is being counted already, or its closer is signed.")
    remedy = mark("Have that count signed, or give it up.")


class PiecesWrong(CountRefused):
    """Pieces that are no whole number, or far too many."""

    code = "count.pieces_wrong"
    rule = "CNT-1"
    sentence = mark("“%(pieces)s” is no number of pieces of %(value_minor)s.")
    remedy = mark("Enter a whole number from 0 to %(most)s.")


class DenominationUnknown(CountRefused):
    """A denomination that the chip set does not have, or one that is entered twice."""

    code = "count.denomination_unknown"
    rule = "CNT-1"
    sentence = mark("“%(value)s” is no denomination of the table's chips, or stands there twice.")
    remedy = mark("Enter each denomination of the table's chip set once.")


class CountIncomplete(CountRefused):
    """A denomination without a figure: 0 is entered, too."""

    code = "count.incomplete"
    rule = "CNT-1"
    sentence = mark("No pieces are entered for %(missing)s of the denominations.")
    remedy = mark("Enter 0 where there are none.")


class CountEntered(CountRefused):
    """An entry of a count whose last one waits for its witness."""

    code = "count.entered"
    kind = Kind.CONFLICT
    rule = "CNT-2"
    sentence = mark("The count is entered and waits for its witness.")
    remedy = mark("Have it signed; if it is wrong, the witness says no, and it is entered anew.")


class CountSigned(CountRefused):
    """A count that is signed or given up."""

    code = "count.signed"
    kind = Kind.CONFLICT
    rule = "CNT-6"
    sentence = mark("This count has ended: what is signed stays as it is.")
    remedy = mark("Begin another count.")


class CountChanged(CountRefused):
    """A witness who saw another entry than the newest."""

    code = "count.changed"
    kind = Kind.CONFLICT
    rule = "CNT-2"
    sentence = mark("The count was entered anew, or is not entered yet.")
    remedy = mark("Look at the tray and at the newest entry, and sign that.")


class SamePerson(CountRefused):
    """A witness who counted."""

    code = "count.same_person"
    kind = Kind.FORBIDDEN
    rule = "CNT-2"
    sentence = mark("Who counted does not witness the count.")
    remedy = mark("Have a pit boss or a manager sign who did not count.")


class CountNotYours(CountRefused):
    """A count that somebody else has begun, at a table of another croupier."""

    code = "count.not_yours"
    kind = Kind.FORBIDDEN
    rule = "CNT-2"
    sentence = mark("Somebody else counts here.")
    remedy = mark("Leave it to who has the table or began the count, or call the pit.")


class DropCounterDealt(CountRefused):
    """Somebody counts the drop box of a table at which they dealt."""

    code = "count.drop_dealt"
    kind = Kind.FORBIDDEN
    rule = "DRP-4"
    sentence = mark("Who dealt at a table does not count its drop box.")
    remedy = mark("Have two people of cage or management count it who did not.")


class SecondCounterSame(CountRefused):
    """The second count of a drop box by who made the first."""

    code = "count.drop_same_person"
    kind = Kind.FORBIDDEN
    rule = "DRP-4"
    sentence = mark("Who counted a drop box first does not count it the second time.")
    remedy = mark("Have another person of cage or management count it.")


class DropCounterOther(CountRefused):
    """A third person where the two who counted go on together."""

    code = "count.drop_other_person"
    kind = Kind.FORBIDDEN
    rule = "DRP-4"
    sentence = mark("The two people who counted this drop box count it together.")
    remedy = mark("Have one of them enter what they find, and the other sign it.")


class DropCountRunning(CountRefused):
    """A second count of the same drop box."""

    code = "count.drop_running"
    kind = Kind.CONFLICT
    rule = "DRP-6"
    sentence = mark("The drop box of this table is being counted already.")
    remedy = mark("Have that count signed, or give it up.")


class BoxCounted(CountRefused):
    """A buy-in whose drop box was taken."""

    code = "box.counted"
    kind = Kind.CONFLICT
    rule = "DRP-1"
    sentence = mark("The drop box in which this buy-in lies was taken to be counted.")
    remedy = mark("It explains the difference of that count.")


class TableUncounted(CountRefused):
    """A table opens and closes on a signed count only."""

    code = "table.not_counted"
    kind = Kind.CONFLICT
    rule = "CNT-3"
    sentence = mark("The tray of %(place)s has not been counted.")
    remedy = mark("Have it counted and the count signed by two people.")


class OpenerDiffers(CountRefused):
    """An opener that is not what the books have."""

    code = "table.opener_differs"
    kind = Kind.CONFLICT
    rule = "CNT-4"
    sentence = mark("The opener of %(place)s differs by %(difference_minor)s from the books.")
    remedy = mark("Look for the reason. If the table is to open all the same, enter why.")


class CardsUnconfirmed(CountRefused):
    """A table closes on its counts, and nobody confirms that its cards are complete."""

    code = "table.cards_unconfirmed"
    kind = Kind.CONFLICT
    rule = "CNT-8"
    sentence = mark("Nobody has confirmed that all cards of %(place)s are there.")
    remedy = mark(
        "The pit counts the cards and confirms it, or says why the table closes all the same."
    )


class TableBeingCounted(CountRefused):
    """Something that moves a tray while it is counted; it may be sent again."""

    code = "table.being_counted"
    kind = Kind.CONFLICT
    rule = "CNT-9"
    sentence = mark("The tray of this table is being counted.")
    remedy = mark("Wait until the count is signed or given up; then do it again.")

    def __init__(self) -> None:
        super().__init__(retry_after_s=5)
