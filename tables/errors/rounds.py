"""Refusals about rounds and their stakes."""

from payouts.errors import Kind, mark
from tables.errors.floor import FloorRefused


class StakesWrong(FloorRefused):
    """Stakes that cannot be read."""

    code = "round.stakes_wrong"
    rule = "BOX-4"
    sentence = mark("Stake %(place)s cannot be read: “%(field)s” is missing or wrong.")
    remedy = mark("A stake has a box, a guest, a kind and an amount in whole minor units.")


class StakeWrong(StakesWrong):
    """One value of a stake that cannot be. Data: `value` as JSON writes it, `expected` in English,
    `expects` its template.
    """

    code = "round.stake_wrong"
    sentence = mark(
        "Stake %(place)s cannot be read: “%(field)s” must be %(expected)s, not %(value)s."
    )


class TooManyStakes(FloorRefused):
    """More stakes than a table can hold."""

    code = "round.too_many_stakes"
    sentence = mark("%(count)s stakes are too many for one round.")
    remedy = mark("Send at most %(most)s.")


class RoundUnknown(FloorRefused):
    """There is no such round in this house."""

    code = "round.unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such round.")
    remedy = mark("Load the table again.")


class RoundBooked(FloorRefused):
    """A queued round that is in the books comes again with another result."""

    code = "round.booked_otherwise"
    kind = Kind.CONFLICT
    rule = "BOX-5"
    sentence = mark("This round is booked already, with another result.")
    remedy = mark(
        "Send nothing under another id. If what came now is right, the pit takes it, and the result"
        " is corrected."
    )


class RoundPlacedOtherwise(FloorRefused):
    """A queued round that is in the books comes again with other stakes after its lock."""

    code = "round.placed_otherwise"
    kind = Kind.CONFLICT
    rule = "BOX-5"
    sentence = mark("This round is booked already, with other stakes after its lock.")
    remedy = mark(
        "Send nothing under another id. The pit corrects the round if these stakes are the right"
        " ones, and then dismisses what came."
    )


class RoundTaken(FloorRefused):
    """The round's id stands for another round."""

    code = "round.id_taken"
    kind = Kind.CONFLICT
    rule = "BOX-5"
    sentence = mark("Another round has this id.")
    remedy = mark("Make a new id for a new round; repeat a lock unchanged.")


class RoundWithdrawn(FloorRefused):
    """The lock comes after its withdrawal: the chips went back."""

    code = "round.withdrawn"
    kind = Kind.CONFLICT
    rule = "BOX-5"
    sentence = mark("This round was withdrawn before its lock came.")
    remedy = mark("Give the chips back and lock a new round.")


class NothingPlaced(FloorRefused):
    """A round on which no stake lies that came after its lock."""

    code = "round.nothing_placed"
    kind = Kind.CONFLICT
    rule = "BOX-5"
    sentence = mark("No stake that came after the lock lies there, so none can be taken back.")
    remedy = mark("Load the table again.")


class NotNewestStake(FloorRefused):
    """Another stake than the newest one would be taken back. Data: `box`, `kind` and `placed`, the
    number, of the newest.
    """

    code = "round.stake_not_newest"
    kind = Kind.CONFLICT
    rule = "BOX-5"
    sentence = mark(
        "The newest stake after the lock is %(kind)s on box %(box)s: only that one can be taken"
        " back."
    )
    remedy = mark("Take the stakes back one by one, the newest first.")


class RoundState(FloorRefused):
    """What is asked for does not fit the round's state."""

    code = "round.state_refused"
    kind = Kind.CONFLICT
    sentence = mark("The round is %(state)s.")
    remedy = mark("Load the table again.")


class ReopenLate(FloorRefused):
    """The lock is too old to be taken back by the croupier."""

    code = "round.reopen_late"
    kind = Kind.CONFLICT
    rule = "BOX-5"
    sentence = mark("A lock can be taken back for %(seconds)s seconds only.")
    remedy = mark("Play the round, or have the pit boss void it.")


class WithdrawLate(FloorRefused):
    """The lock came, and is too old for its answer to be still on the way."""

    code = "round.withdraw_late"
    kind = Kind.CONFLICT
    rule = "BOX-5"
    sentence = mark("The round stands: a lock can be withdrawn for %(seconds)s seconds only.")
    remedy = mark("Play the round, or have the pit boss void it.")


class RoundStands(FloorRefused):
    """The lock came, and the round is one whose stakes do not simply go back."""

    code = "round.stands"
    kind = Kind.CONFLICT
    rule = "BOX-5"
    sentence = mark("The round stands and cannot be withdrawn: %(why)s.")
    remedy = mark("Play the round, or have the pit boss void it.")


class CardsOut(FloorRefused):
    """The table's feed has read cards of the round: its stakes stay."""

    code = "round.cards_out"
    kind = Kind.CONFLICT
    rule = "BOX-5"
    sentence = mark("Cards of this round were dealt: its stakes cannot be taken back.")
    remedy = mark("Play the round, or have the pit boss void it.")


class ApprovalNeeded(FloorRefused):
    """The result can no longer be put right by one person."""

    code = "round.approval_needed"
    sentence = mark("This correction needs an approval: %(why)s.")
    remedy = mark("Ask for the approval; the pit looks at the round and signs.")


class FeedNeedsSecond(FloorRefused):
    """What the feed contradicts is too much for the pit boss alone. Data: `amount_minor`, and
    `most_minor` from which it is so.
    """

    code = "round.feed_needs_second"
    rule = "HAND-6"
    sentence = mark(
        "The feed contradicts this, and it is about %(amount_minor)s: from %(most_minor)s on, a"
        " second person looks at it."
    )
    remedy = mark(
        "Settle the round by the cards, and ask for the approval of what they do not say."
    )


class VoidNeedsSecond(FeedNeedsSecond):
    """Of a round whose cards were read too much would go back by the pit boss alone. Data as
    FeedNeedsSecond.
    """

    code = "round.void_needs_second"
    sentence = mark(
        "The feed has read cards of this round, and %(amount_minor)s would go back: from"
        " %(most_minor)s on, a second person looks at it."
    )
    remedy = mark(
        "Ask for the void on the page of the round: another person looks at it and signs."
    )


class VoidByDealer(FloorRefused):
    """Whoever dealt a round would take back all of it: nothing else shows how it went."""

    code = "round.void_by_dealer"
    kind = Kind.FORBIDDEN
    sentence = mark("You dealt this round: another person voids it.")
    remedy = mark(
        "Have a pit boss void it who did not deal it, or ask for the void: another person signs."
    )


class WinNeedsSecond(FloorRefused):
    """A first result that wins much, entered in the office by one person. Data: `amount_minor`, and
    `most_minor` from which it is so.
    """

    code = "round.win_needs_second"
    rule = "BOX-5"
    sentence = mark(
        "By this result %(amount_minor)s are won: from %(most_minor)s on, it is entered at the"
        " tablet, or a second person looks at it."
    )
    remedy = mark(
        "Ask for the approval of the result: another person looks at the round and signs."
    )


class CorrectionWaits(FloorRefused):
    """Another correction of the round was asked for and is not signed yet."""

    code = "round.correction_waits"
    kind = Kind.CONFLICT
    sentence = mark("Another correction of this round already waits for a signature.")
    remedy = mark("Sign or reject that one first.")


class RoundChanged(FloorRefused):
    """The round was corrected since it was looked at."""

    code = "round.changed"
    kind = Kind.CONFLICT
    sentence = mark("The round was changed by somebody else.")
    remedy = mark("Load the round again and look at its lines.")


class QueuedStopped(FloorRefused):
    """A round played without the server at a table that must stop then."""

    code = "round.queued_stopped"
    rule = "PRG-9"
    sentence = mark("A table linked to this jackpot does not play without the server.")
    remedy = mark("The pit clarifies the round.")


class QueuedCoins(FloorRefused):
    """A coin taken without the server."""

    code = "round.queued_coins"
    rule = "PRG-9"
    sentence = mark("A coin was taken while the table had no server.")
    remedy = mark("The pit clarifies the round and gives the coin back.")
