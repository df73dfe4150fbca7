"""Refusals about hands of poker, and the fee that is taken out of their pots."""

from payouts.errors import Kind, Refused, mark


class HandsRefused(Refused):
    """Something that a hand does not allow."""

    code = "poker.hand_refused"


class HandMissing(HandsRefused):
    """There is no such hand in this house."""

    code = "poker.hand_unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such hand.")
    remedy = mark("Load the table again.")


class HandTaken(HandsRefused):
    """Another hand came under the same id."""

    code = "poker.hand_taken"
    kind = Kind.CONFLICT
    sentence = mark("This hand is in the books already, and otherwise.")
    remedy = mark("Look at the hand, and have it corrected if it is wrong.")


class HandDismissed(HandsRefused):
    """A queued hand that the pit has dismissed comes again."""

    code = "poker.hand_dismissed"
    kind = Kind.CONFLICT
    sentence = mark("The pit has dismissed this hand: it does not count.")
    remedy = mark("Ask the pit.")


class HandWrong(HandsRefused):
    """A hand that was kept cannot be read."""

    code = "poker.hand_wrong"
    sentence = mark("The hand cannot be read as it came.")
    remedy = mark("Enter the hand again, or dismiss it with what was taken as the reason.")


class HandVoided(HandsRefused):
    """A hand that was voided is put right, or voided once more."""

    code = "poker.hand_voided"
    kind = Kind.CONFLICT
    sentence = mark("Hand %(number)s was voided.")
    remedy = mark("Load the table again.")


class HandChanged(HandsRefused):
    """The hand was corrected since it was looked at."""

    code = "poker.revision_old"
    kind = Kind.CONFLICT
    sentence = mark("The hand was changed by somebody else.")
    remedy = mark("Load the hand again and look at what it says.")


class HandNeedsApproval(HandsRefused):
    """The hand can no longer be put right by one person."""

    code = "poker.approval_needed"
    sentence = mark("This correction needs an approval: %(why)s.")
    remedy = mark("Ask for the approval; the pit looks at the hand and signs.")


class NumberUsed(HandsRefused):
    """A hand begins under the number of one that has ended."""

    code = "poker.number_taken"
    kind = Kind.CONFLICT
    sentence = mark("Hand %(number)s has ended.")
    remedy = mark("Load the table again.")


class MidHand(HandsRefused):
    """Chips of a guest who is in the hand that runs."""

    code = "poker.mid_hand"
    kind = Kind.CONFLICT
    rule = "POK-2"
    sentence = mark("Seat %(seat)s is in a hand that has run since %(time)s.")
    remedy = mark(
        "Wait for its end. If nobody ends it, the pit gives it up on the page of the table."
    )


class HandRuns(HandsRefused):
    """What is done between two hands, while one runs."""

    code = "poker.hand_running"
    kind = Kind.CONFLICT
    sentence = mark("Hand %(number)s has run since %(time)s.")
    remedy = mark(
        "Wait for its end. If nobody ends it, the pit gives it up on the page of the table."
    )


class NoHandRuns(HandsRefused):
    """A hand is given up that does not run."""

    code = "poker.no_hand_runs"
    kind = Kind.CONFLICT
    sentence = mark("No hand runs at this table.")
    remedy = mark("Load the page again.")


class TooFew(HandsRefused):
    """A hand with fewer players than two."""

    code = "poker.too_few"
    rule = "POK-1"
    sentence = mark("A hand takes two players at least; dealt in: %(players)s.")
    remedy = mark("Mark who was dealt in.")


class NotThere(HandsRefused):
    """A guest was not at the table while the hand was played."""

    code = "poker.not_there"
    kind = Kind.CONFLICT
    rule = "POK-2"
    sentence = mark(
        "Guest %(number)s at seat %(seat)s did not sit at the table while this hand was played."
    )
    remedy = mark(
        "Enter the hand without this guest; an entry to clarify is dismissed, with what was taken"
        " as the reason."
    )


class VariantStands(HandsRefused):
    """A correction that makes a hand one of another variant."""

    code = "poker.variant_stands"
    kind = Kind.CONFLICT
    rule = "POK-1"
    sentence = mark("A correction does not make a hand one of “%(variant)s”.")
    remedy = mark("Have the hand voided, and enter it with its variant.")


class VariantMissing(HandsRefused):
    """A hand without its variant, at a table that posts several."""

    code = "poker.variant_missing"
    rule = "POK-1"
    sentence = mark("Several variants are posted at this table; which one was dealt is missing.")
    remedy = mark("Choose the variant of the hand.")


class VariantWrong(HandsRefused):
    """A variant that is not posted at the table."""

    code = "poker.variant_wrong"
    rule = "POK-1"
    sentence = mark("“%(variant)s” is not played at this table.")
    remedy = mark("Choose one of the variants that are posted at the table.")


class LevelOther(HandsRefused):
    """A hand that is entered at another level than its table."""

    code = "poker.level_other"
    kind = Kind.CONFLICT
    sentence = mark("Hands of this table are entered at the level “%(level)s”.")
    remedy = mark("Load the table again and enter the hand as it asks for it.")


class SeatOther(HandsRefused):
    """Seats of a hand that are not as many as its guests."""

    code = "poker.seats_other"
    rule = "POK-2"
    sentence = mark("The hand names %(seats)s seats for %(players)s guests.")
    remedy = mark("Load the table again: each guest who was dealt in has one seat.")


class StacksDiffer(HandsRefused):
    """Chips before a guest that are not what the books have there."""

    code = "poker.stacks_differ"
    kind = Kind.CONFLICT
    rule = "POK-2"
    sentence = mark(
        "Before seat %(seat)s the books have %(booked_minor)s, and the hand began with"
        " %(entered_minor)s."
    )
    remedy = mark("Load the table again; nothing was booked, and what was entered stays.")


class CarriedDiffers(HandsRefused):
    """Antes of hands before that are not those that the books have carried into the pot."""

    code = "poker.carried_differs"
    kind = Kind.CONFLICT
    rule = "POK-4"
    sentence = mark(
        "Of hands before, the books have %(booked_minor)s in the pot, and the hand began with"
        " %(entered_minor)s."
    )
    remedy = mark("Load the table again; nothing was booked, and what was entered stays.")


class StackLost(HandsRefused):
    """A guest who is taken out of a hand whose chips they have no more."""

    code = "poker.stack_short"
    kind = Kind.CONFLICT
    rule = "POK-2"
    sentence = mark(
        "What this hand gave seat %(seat)s is not before the guest any more: %(amount_minor)s go"
        " back, %(stack_minor)s lie there."
    )
    remedy = mark(
        "Leave the guest among those who were dealt in. What cannot be carried back is for the"
        " management to decide."
    )


class CorrectionUnknown(HandsRefused):
    """A correction that is neither of the book nor of chips."""

    code = "poker.correction_unknown"
    sentence = mark("“%(correction)s” is no kind of correction.")
    remedy = mark("Say whether only the book was wrong, or chips were carried to another seat.")


class AwardGone(HandsRefused):
    """A pot goes to another seat once a guest of the hand has left."""

    code = "poker.gone"
    kind = Kind.CONFLICT
    rule = "POK-9"
    sentence = mark("The guest of seat %(seat)s has left: no chips are carried any more.")
    remedy = mark("Correct the entry alone, or let the management decide.")


class ClaimLate(HandsRefused):
    """A pot goes to another seat once it lies in the winner's stack."""

    code = "poker.claim_late"
    kind = Kind.CONFLICT
    rule = "POK-9"
    sentence = mark(
        "The next hand has ended: the pot of hand %(number)s lies in the winner's stack and stays"
        " there."
    )
    remedy = mark("Correct the entry alone, or let the management decide.")


class CountStands(HandsRefused):
    """A correction would move stacks that were counted after the hand."""

    code = "poker.counted_since"
    kind = Kind.CONFLICT
    rule = "POK-2"
    sentence = mark("All stacks were counted after hand %(number)s: what lay there then stays.")
    remedy = mark(
        "Correct the entry alone, with everybody who was dealt in. What a guest is owed, the"
        " management pays as a mistake of the house."
    )


class StacksRolled(HandsRefused):
    """A hand would move stacks that go on in another gaming day, and were not counted there."""

    code = "poker.stacks_rolled"
    kind = Kind.CONFLICT
    rule = "POK-2"
    sentence = mark(
        "This hand is of gaming day %(day)s, and its guests play on in another one: it no longer"
        " moves their stacks."
    )
    remedy = mark(
        "Have the floor count all stacks first. Then the hand is booked, and what was counted"
        " stays."
    )


class HandDecisionUnknown(HandsRefused):
    """Something that is not listed at a poker table, or a decision that its rule does not allow."""

    code = "poker.decision_unknown"
    rule = "POK-9"
    sentence = mark("“%(irregularity)s” is not decided as “%(decision)s”.")
    remedy = mark(
        "Choose what happened and a decision from the list; the floor may decide otherwise, with a"
        " reason."
    )


class HandOverrideByFloor(HandsRefused):
    """A croupier decides otherwise than the rule."""

    code = "poker.override_needs_floor"
    rule = "POK-9"
    sentence = mark("Only the floor decides otherwise than the rule.")
    remedy = mark("Call the floor.")


class HandPotsUnknown(HandsRefused):
    """Management pays for a hand of which only the fee was entered."""

    code = "poker.pots_unknown"
    kind = Kind.CONFLICT
    rule = "POK-9"
    sentence = mark(
        "The pots of hand %(number)s were not entered: nobody knows what a seat could win."
    )
    remedy = mark("Only at tables where pots are entered does the management pay for a pot.")


class HandStakeless(HandsRefused):
    """Management pays a guest who was not in the hand."""

    code = "poker.not_in_hand"
    rule = "POK-9"
    sentence = mark("This guest was not dealt in at hand %(number)s.")
    remedy = mark("Choose a guest of the hand.")


class OverrideAbove(HandsRefused):
    """Management pays more than the pots that the seat was in have left for it. Data: `most_minor`
    is what is left, after what it won and was paid already.
    """

    code = "poker.override_above"
    rule = "POK-9"
    sentence = mark(
        "In this hand seat %(seat)s could have won %(most_minor)s more at most, and would be paid"
        " %(amount_minor)s."
    )
    remedy = mark("Pay at most what the pots that the seat was in have left for it.")


class HandRequestWaits(HandsRefused):
    """Something about the hand waits for its signature."""

    code = "poker.request_waits"
    kind = Kind.CONFLICT
    rule = "POK-9"
    sentence = mark("A request about hand %(number)s already waits for a signature.")
    remedy = mark("Sign or reject that one first.")
