"""What is refused of stakes that come when the cards lie, and of their hands (BJ-5 to BJ-9, BOX-2,
BOX-5).
"""

from payouts.errors import mark
from tables.games.blackjack.stakes import BlackjackRefused


class ActUnknown(BlackjackRefused):
    """Something else than the four that a round allows after the lock."""

    code = "blackjack.act_unknown"
    rule = "BOX-5"
    sentence = mark("After the lock there is no %(act)s.")
    remedy = mark("Only doubling, splitting, insurance and even money come after the lock.")


class NoStakeThere(BlackjackRefused):
    """A guest who has nothing on that hand."""

    code = "blackjack.no_stake_there"
    rule = "BOX-5"
    sentence = mark("The guest has no stake on hand %(hand)s of box %(box)s.")
    remedy = mark("Choose a guest whose stake lies there. A new stake waits for the next round.")


class NotFirst(BlackjackRefused):
    """A co-player who would double or split before the box's decider does."""

    code = "blackjack.not_first"
    rule = "BOX-2"
    sentence = mark("%(decider)s decides for this box, and has not done this.")
    remedy = mark("Take the decision of the guest who decides first; the others may follow it.")


class PlacedAlready(BlackjackRefused):
    """A stake that was doubled, or brought for a second hand, before."""

    code = "blackjack.placed_already"
    rule = "BJ-6"
    sentence = mark("This stake on hand %(hand)s of box %(box)s was placed before.")
    remedy = mark("Look at the box: the chips lie there already.")


class NotToDouble(BlackjackRefused):
    """Cards that may not be doubled."""

    code = "blackjack.not_to_double"
    rule = "BJ-6"
    sentence = mark("Hand %(hand)s of box %(box)s counts %(total)s and cannot be doubled.")
    remedy = mark(
        "Two cards that count 9, 10 or 11 may be doubled; what an ace may count is posted."
    )


class HandDoubled(BlackjackRefused):
    """A hand that was doubled and would be split."""

    code = "blackjack.hand_doubled"
    rule = "BJ-7"
    sentence = mark("Hand %(hand)s of box %(box)s was doubled: it has more than two cards.")
    remedy = mark("Only two first cards may be split. Take a mistaken double back first.")


class SplitUnclear(BlackjackRefused):
    """A guest who follows one of several splits, and has not the same on all hands."""

    code = "blackjack.split_unclear"
    rule = "BJ-7"
    sentence = mark("Box %(box)s was split again: it is not clear which hand the guest splits too.")
    remedy = mark("Enter the number of the hand that was split.")


class NotAPair(BlackjackRefused):
    """Cards of unequal points that would be split."""

    code = "blackjack.not_a_pair"
    rule = "BJ-7"
    sentence = mark("The cards of hand %(hand)s of box %(box)s do not count the same.")
    remedy = mark("Only two first cards of equal points may be split.")


class AcesOnce(BlackjackRefused):
    """Split aces that would be split again or doubled."""

    code = "blackjack.aces_once"
    rule = "BJ-7"
    sentence = mark("Each of the split aces on box %(box)s gets one card and no other stake.")
    remedy = mark("Go on with the next hand.")


class HandsMost(BlackjackRefused):
    """A split on a box that has its most hands."""

    code = "blackjack.hands_most"
    rule = "BJ-7"
    sentence = mark("Box %(box)s has %(hands)s hands and may have no more.")
    remedy = mark("Play the hand on without a split.")


class NoAce(BlackjackRefused):
    """Insurance or even money where the bank's first card is no ace."""

    code = "blackjack.no_ace"
    rule = "BJ-8"
    sentence = mark("The bank's first card is no ace.")
    remedy = mark("Insurance and even money are offered only against an ace of the bank.")


class OwnStakesOnly(BlackjackRefused):
    """Insurance or even money for another guest's stake."""

    code = "blackjack.own_stakes_only"
    rule = "BJ-8"
    sentence = mark("Insurance and even money are for a guest's own stakes only.")
    remedy = mark("Choose the guest whose stake it is, and no other guest's stake beside it.")


class InsuranceTooMuch(BlackjackRefused):
    """Insurance above half of what the guest has on the box."""

    code = "blackjack.insurance_too_much"
    rule = "BJ-8"
    sentence = mark(
        "Insurance on box %(box)s is at most %(maximum_minor)s, half of the guest's stakes, not"
        " %(amount_minor)s."
    )
    remedy = mark("Give back what is above half of the stakes.")


class InsuranceOffStep(BlackjackRefused):
    """Insurance that is not in its steps."""

    code = "blackjack.insurance_off_step"
    rule = "BJ-8"
    sentence = mark("Insurance comes in steps of %(step_minor)s, not %(amount_minor)s.")
    remedy = mark("Change the insurance to the nearest step.")


class EvenMoneyOrInsurance(BlackjackRefused):
    """Even money beside insurance."""

    code = "blackjack.even_money_or_insurance"
    rule = "BJ-9"
    sentence = mark("On box %(box)s the guest may have even money or insurance, not both.")
    remedy = mark("Leave it at what was chosen first.")


class EvenMoneyTaken(BlackjackRefused):
    """More on a stake that is paid even money."""

    code = "blackjack.even_money_taken"
    rule = "BJ-9"
    sentence = mark("On box %(box)s the guest has chosen even money already.")
    remedy = mark("Leave it at that, or take the mistaken even money back first.")


class NoBlackjack(BlackjackRefused):
    """Even money on a hand that is no Black Jack, or is played on."""

    code = "blackjack.no_blackjack"
    rule = "BJ-9"
    sentence = mark("Box %(box)s has no Black Jack that could be paid even money.")
    remedy = mark("Even money is for two first cards that are a Black Jack.")


class AmountDiffers(BlackjackRefused):
    """An amount beside what is as large as the stake that it goes with, or brings no chips."""

    code = "blackjack.amount_differs"
    rule = "BJ-6"
    sentence = mark("“%(kind)s” on box %(box)s is %(amount_minor)s, not %(given_minor)s.")
    remedy = mark("Leave the amount out, or place as much as lies there; even money brings none.")


class WithoutItsStake(BlackjackRefused):
    """A stake that stays where the one that it goes with is taken off."""

    code = "blackjack.without_its_stake"
    rule = "BOX-5"
    sentence = mark(
        "“%(kind)s” on box %(box)s goes with a stake that did not lie there by this correction."
    )
    remedy = mark("Take it off too, and add what lay there instead.")
