"""Refusals about entries to clarify."""

from payouts.errors import Kind, mark
from tables.errors.floor import FloorRefused


class ClarifyUnknown(FloorRefused):
    """There is no such entry to be clarified."""

    code = "clarify.unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such entry.")
    remedy = mark("Load the list again.")


class ClarifyGuestsUnknown(FloorRefused):
    """A round whose guests were never together in one session of the table."""

    code = "clarify.guests_unknown"
    kind = Kind.CONFLICT
    sentence = mark(
        "Those who staked were not at this table in the same session, so the round cannot be booked"
        " as it came."
    )
    remedy = mark("Dismiss the entry, with what was paid by hand as the reason.")


class ClarifyStaysUnknown(FloorRefused):
    """A hand whose players were never together in one session of the table."""

    code = "clarify.stays_unknown"
    kind = Kind.CONFLICT
    rule = "POK-2"
    sentence = mark(
        "Those who were dealt in did not sit at this table in the same session, so the hand cannot"
        " be booked as it came."
    )
    remedy = mark("Enter the hand again, or dismiss it with what was taken as the reason.")


class ClarifyRoundOver(FloorRefused):
    """A result of a round whose stakes went back: there is nothing to settle by it."""

    code = "clarify.round_over"
    kind = Kind.CONFLICT
    sentence = mark("The round is %(state)s: all its stakes went back, so no result can be booked.")
    remedy = mark(
        "Settle with the guests by hand and dismiss the entry, with what was paid as the reason."
    )


class ClarifyBooked(FloorRefused):
    """It was to be dismissed, and its round has come through meanwhile."""

    code = "clarify.booked"
    kind = Kind.CONFLICT
    sentence = mark("This round is in the books, just as it came: it cannot be dismissed.")
    remedy = mark("Take the entry; nothing is booked twice. If the round was wrong, correct it.")


class ClarifyPlayed(FloorRefused):
    """It was to be dismissed, and is no part of the books, which would take it."""

    code = "clarify.played"
    kind = Kind.CONFLICT
    sentence = mark("The books do not hold this, and would take it as it came.")
    remedy = mark("Take it, or say that it was never played, with the reason.")


class ClarifyClosed(FloorRefused):
    """It was taken or dismissed before."""

    code = "clarify.closed"
    kind = Kind.CONFLICT
    sentence = mark("This entry was clarified already.")
    remedy = mark("Load the list again.")


class ClarifyRepeated(FloorRefused):
    """More about one round or hand than an honest tablet sends: a lock, a result, a withdrawal and
    the whole of it. Data: `most`.
    """

    code = "clarify.repeated"
    kind = Kind.CONFLICT
    sentence = mark(
        "%(most)s messages of yours about this round or hand wait to be clarified already."
    )
    remedy = mark("The pit takes or dismisses one of them first.")


class ClarifyFull(FloorRefused):
    """More rounds and hands than anybody deals in a shift. Data: `most`."""

    code = "clarify.full"
    kind = Kind.CONFLICT
    sentence = mark("%(most)s messages of yours wait to be clarified at this table already.")
    remedy = mark("The pit takes or dismisses some of them first.")


class ClarifyNoneIdle(FloorRefused):
    """Entries were to be closed that change nothing, and there are none."""

    code = "clarify.none_idle"
    kind = Kind.CONFLICT
    sentence = mark("Each entry of this table may still change something.")
    remedy = mark("Take or dismiss them one by one.")
