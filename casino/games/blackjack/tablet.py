"""What a tablet needs to know of Black Jack, and its words.

The tablet works out the payouts and what the prime rule sends back itself; what counts is what the
server books (`tests/browser/tablet/test_blackjack_pays.py` holds both to the same lines).
"""

from typing import cast

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from casino.games.chips import CHIPS_MOST
from payouts.rules.lines import Reason
from payouts.rules.plain import Json
from tables.games import Rules
from tables.games.blackjack.game import BLACKJACK
from tables.games.blackjack.labels import STAKES
from tables.games.blackjack.rules import BlackjackRules
from tables.rules import prime
from tables.rules.limits import BoxLimits


def blackjack_data(rules: Rules) -> dict[str, Json]:
    """The rules of one round as plain JSON, amounts in minor units."""
    posted = cast(BlackjackRules, rules.posted["blackjack_rules"])
    return {
        "limits": {"stake": _limits(cast(BoxLimits, rules.posted["box_limits"]))},
        "bank_takes": posted.bank_blackjack_takes,
        "coplayer_doubles": posted.coplayer_doubles,
        "coplayer_blackjack": posted.coplayer_may_double_blackjack,
        "bank_hits_soft_17": posted.bank_hits_soft_17,
        "double_soft": posted.double_soft,
        "hands_most": posted.max_hands_per_box,
        "insurance_step": posted.insurance_step,
        "reasons": _reasons(),
    }


def _limits(limits: BoxLimits) -> dict[str, Json]:
    bands: list[Json] = [{"from": one.from_minor, "step": one.step_minor} for one in limits.steps]
    return {
        "minimum": limits.minimum_minor,
        "maximum": limits.maximum_minor,
        "step": limits.steps[0].step_minor,
        "bands": bands,
        "minimum_per": limits.minimum_per,
        "partial": limits.prime_partial,
        "chips": [*_keys(limits)],
    }


def _keys(limits: BoxLimits) -> list[int]:
    """Amounts that one tap enters: 1, 2, 3, 5, 10, 20 … times the minimum, where that may be
    staked, and the maximum.
    """
    times = [digit * 10**power for power in range(4) for digit in (1, 2, 3, 5)]
    amounts = [limits.minimum_minor * one for one in times]
    legal = [a for a in amounts if a < limits.maximum_minor and limits.step_at(a) is None]
    return [*legal[: CHIPS_MOST - 1], limits.maximum_minor]


def _reasons() -> dict[str, Json]:
    """By code, the rule and the sentence of every outcome and of chips that go back; `%(name)s`
    are put in by the script.
    """
    every = [one for one in vars(prime).values() if isinstance(one, prime.PrimeReason)]
    found: list[Reason | prime.PrimeReason] = [*BLACKJACK.reasons.values(), *every]
    return {one.code: {"rule": one.rule, "words": _(one.sentence)} for one in found}


def tablet_texts() -> dict[str, str]:
    """By name what the page says of this game alone; `{…}` are put in by the script."""
    lines = {f"line_{kind}": _(label) for kind, label in STAKES.items()}
    return lines | _boxes() | _hands() | _bank() | _help()


def _boxes() -> dict[str, str]:
    return {
        "goes_back": pgettext("chips of a guest before the cards", "{amount} back"),
        "stakes_of": _("{amount} · {count} guests"),
        "decides": pgettext("a guest for the box", "decides"),
        "who_decides": _("Who decides?"),
        "decider_unclear": _("It is unclear who decides: tap as away who does not"),
        "away": _("Who is away?"),
        "is_away": _("Guest {number} is away"),
        "instead_of": _("Instead of guest {number}"),
    }


def _hands() -> dict[str, str]:
    return {
        "doubles": pgettext("a hand", "Double"),
        "split": pgettext("a pair", "Split"),
        "not_there": pgettext("a stake, when a round is put right", "{words} was not there"),
        "insurance": _("Insurance"),
        "insurance_short": pgettext("insurance on a narrow key", "Ins."),
        "even_money": _("Even money"),
        "hand_of": _("Hand {hand}"),
        "hand_short": pgettext("a hand of a box, very short", "H{hand}"),
        "guest_short": pgettext("a guest, very short", "G{number}"),
        "ends_win": pgettext("a hand against the bank", "wins"),
        "ends_lose": pgettext("a hand against the bank", "loses"),
        "ends_push": pgettext("a hand against the bank", "stand-off"),
        "ends_bust": pgettext("a hand above 21", "bust"),
        "ends_blackjack": _("Black Jack"),
        "doubled_ends": pgettext("what was doubled, how it ended", "Double: {words}"),
        "if_low": pgettext("a Black Jack is paid, by the bank's first card", "at once against 2–9"),
        "rests": pgettext("a hand draws no more", "Stands"),
        "rested_before": _("Box {box} had stood: the card goes on"),
        "card_next": _("{whose}: next card"),
        "card_or_rest": _("{whose}: card or stand"),
        "hint_hand": _("Tap how each hand ends"),
        "dispute_help": _(
            "In a dispute the cards of the bank and of every box in play are entered; then the"
            " cards decide."
        ),
    }


def _bank() -> dict[str, str]:
    return {
        "bank": _("Bank"),
        "bust": pgettext("a hand above 21", "bust"),
        "ace": pgettext("a card", "Ace"),
        "low": "2–9",
        "first_card": _("first card"),
        "rest": pgettext("of the hands, on a narrow key", "Rest"),
        "rest_win": _("The rest wins"),
        "rest_lose": _("The rest loses"),
        "rest_push": _("The rest is a stand-off"),
        "undo_bank": _("Bank: {words}"),
        "bank_missing": _("Bank missing"),
        "bank_missing_help": _("Tap how the bank ended"),
        "bank_or_low": _("Tap how it ended, or 2–9"),
    }


def _help() -> dict[str, str]:
    return {
        "help_bj_bets": _("Before the round"),
        "help_bj_bets_words": _(
            "Tap an empty box to seat its owner; in its drawer others stake on it too. What is"
            " above the maximum of the box goes back when bets are locked: it is said before."
        ),
        "help_bj_lock": _("No more bets"),
        "help_bj_lock_words": _(
            "The blue key says how many boxes play. Tapped too early? Open again, for a few"
            " seconds, as long as no card is out."
        ),
        "help_bj_hand": _("Hands"),
        "help_bj_hand_words": _(
            "Black Jack (BJ) and bust (>21) are tapped when they happen, then − loses, = stand-off,"
            " + wins. “Rest” ends all hands that are still open."
        ),
        "help_bj_split": _("Double and split"),
        "help_bj_split_words": _(
            "Tap ×2 or Split when the chips are laid: it is the decision of the owner. Tap the"
            " number of the box for what others on it do, for who decides, and to insure less."
        ),
        "help_bj_ace": _("First card of the bank"),
        "help_bj_ace_words": _(
            "Tap “Ace”: Insurance (half of the stake) and, for a Black Jack, Even money (1:1) can"
            " be tapped then. Tap “2–9” when only a Black Jack waits for the bank: it is paid at"
            " once."
        ),
        "help_bj_bank": _("Bank"),
        "help_bj_bank_words": _(
            "Tap its total. A bust bank pays every hand that is left, a Black Jack of the bank"
            " takes them."
        ),
    }
