"""The floor's words: states, reasons of stakes and lines, results, cards. All are message ids of
the catalogues.
"""

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from django.db.models import TextChoices
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from casino.text.formats import format_money
from casino.text.states import Words, labels, translated
from casino.text.vocabulary import LEVELS, STAKES
from casino.text.wording import guest_name, worded
from jackpot.rules import progressive
from payouts.errors import Refused, mark
from payouts.models import House
from payouts.rules.hands.cards import card_texts, read_cards
from payouts.rules.lines import Reason
from payouts.rules.rulesets.paytable import BY_NAME, WORDS
from tables.games import GAMES
from tables.models import RoundLine, RoundStake
from tables.rules import boxes, prime

# A table's state: its word and the picture beside it (`templates/pit/floor/_state.html`).
TABLE_STATES = {
    "open": mark("Open"),
    "running": mark("Round running"),
    "blocked": mark("On hold"),  # by the jackpot: no round may begin
    "closed": mark("Closed"),
    "closed_day": mark("Closed day"),
    "day_over": mark("Gaming day over"),
    "silent": mark("Offline"),  # its tablet is not heard of
}
SOURCES = {"cards": mark("from cards"), "taps": mark("from taps"), "coins": mark("coins only")}
RESULTS = {
    "win": mark("wins"),
    "lose": mark("loses"),
    "tie": mark("stand-off"),
    "fold": mark("folds"),
}
CAME = {
    "lock": mark("stakes of a round"),
    "settle": mark("result of a round"),
    "queued": mark("round played offline"),
    "withdraw": mark("withdrawal of a lock: the chips went back"),
    "hand_end": mark("hand played offline"),
}
OFFLINE = {"stop": mark("stops"), "play_flagged": mark("plays on without coins")}
HAND_CORRECTIONS = {
    "entry_wrong": mark("only the book was wrong"),
    "award_moved": mark("chips were carried to another seat"),
}
HALVES = {
    "whole": mark("whole pot"),
    "high": mark("high half"),
    "low": mark("low half"),
}
LINE_KINDS = STAKES | {"envy": mark("Envy")}
CLAIM_ORIGINS = {
    "called": mark("called by the table"),
    "settled": mark("by the result of its round"),
    "corrected": mark("by a correction"),
}
CLAIM_REASONS = {
    "the round's result does not claim": mark("The result of its round does not claim.")
}  # not said by anybody
KILL_REASONS = {  # why a request is void, where nobody has said so either
    "a claim was decided": mark("A claim was decided."),
    "approved with the hit": mark("Approved with the hit."),
    "the claims have changed": mark("The claims have changed."),
    "the result was corrected": mark("The result was corrected."),
    "withdrawn": mark("The version was withdrawn."),
}
CANCELS = {
    "unpaid": mark("not paid yet: cancelled"),
    "receivable": mark("paid: asked back"),
    "loss": mark("paid: lost to the house"),
}
COLON = mark("{what}: {text}")
# What to write beside each point of a claim's checklist.
CHECK_HINTS = {
    "cards_seen": mark("Which cards, and who saw them: “A K Q J 10 of hearts, R. Caduff”."),
    "deck_counted": mark(
        "How many cards, and whether one is missing or there twice: “52, each once”."
    ),
    "camera_time": mark(
        "When the hand is on camera, and on which: its time by the house’s clock stands there."
    ),
    "guest_papers": mark(
        "Which kind of identity paper, and who looked at it; neither name nor number."
    ),
}
UNTRUE = mark(
    "No claim is true: the hit is rejected by another person's signature, and the meter stays."
)
AWARD_KINDS = {
    "share": mark("share of the meter"),
    "late": mark("late award"),
    "prize": mark("prize"),
}
PAID_KINDS = LINE_KINDS | AWARD_KINDS  # of what a request about a prize or a slip is for

_REASONS: dict[str, Reason | prime.PrimeReason] = {
    reason.code: reason
    for module in (progressive, prime, boxes)
    for reason in vars(module).values()
    if isinstance(reason, Reason | prime.PrimeReason)
}


def _reason(code: str) -> Reason | prime.PrimeReason | None:
    """Why a stake or a line is what it is, as its game, the progressive or the prime rule says."""
    return next(
        (game.reasons[code] for game in GAMES.values() if code in game.reasons), _REASONS.get(code)
    )


def say(words: Words | type[TextChoices], code: str) -> str:
    """The word for a code in the language of the page; an unknown code stands for itself."""
    found = labels(words) if isinstance(words, type) else words
    return translated(found.get(code, code)) if code else ""


def colon(what: object, text: object) -> str:
    """Two things with a colon between them, as the language of the page writes it."""
    return gettext(COLON).format(what=what, text=text)


def signatures(have: int, need: int) -> str:
    """How many people have signed, of how many."""
    text = ngettext("%(have)s of %(need)s signature.", "%(have)s of %(need)s signatures.", need)
    return text % {"have": have, "need": need}


def below_zero(amount_minor: int, house: House) -> str:
    """That a meter owes so much (minor units)."""
    amount = {"amount": format_money(amount_minor, house.currency, house.locale)}
    return (
        gettext(
            "The meter is %(amount)s below zero: it paid more prizes than it held, and cannot be"
            " split."
        )
        % amount
    )


def turned_down(who: str, reason: str) -> str:
    """That people said no to a payment."""
    return gettext("%(who)s has rejected the payment: %(reason)s.") % {"who": who, "reason": reason}


def level(code: str) -> str:
    """An entry level in words."""
    return say(LEVELS, code)


def line_text(line: RoundLine, house: House) -> str:
    """Why a line is what it is, with its amounts."""
    reason = _reason(line.code)
    if reason is None:
        return line.code
    hand = WORDS[BY_NAME[line.hand]] if line.hand in BY_NAME else ""
    data = {"odds": line.odds, "hand": hand, "prize_minor": line.prize_minor, "box": line.box}
    return worded(
        reason.sentence,
        data | {"guest": guest_name(line.guest.number), "paid_by": line.paid_by},
        house,
    )


def stake_text(stake: RoundStake, house: House) -> str:
    """Why chips of a stake went back, or it was taken back; nothing when the whole stake stays."""
    reason = _reason(stake.reason)
    if reason is None or not (stake.returned_minor or stake.takes_back):
        return ""
    data = {"room_minor": 0, "maximum_minor": 0, "minimum_minor": 0} | (stake.data or {})
    data |= {
        "rank": stake.rank,
        "returned_minor": stake.returned_minor,
        "guest": guest_name(stake.guest.number),
    }
    return worded(reason.sentence, data, house)


_RANKS = {
    "2": _("Two"),
    "3": _("Three"),
    "4": _("Four"),
    "5": _("Five"),
    "6": _("Six"),
    "7": _("Seven"),
    "8": _("Eight"),
    "9": _("Nine"),
    "T": _("Ten"),
    "J": _("Jack"),
    "Q": _("Queen"),
    "K": _("King"),
    "A": _("Ace"),
}
_SUITS = {
    "c": ("club", _("%(rank)s of clubs")),
    "d": ("diamond", _("%(rank)s of diamonds")),
    "h": ("heart", _("%(rank)s of hearts")),
    "s": ("spade", _("%(rank)s of spades")),
}


class DrawnCard(NamedTuple):
    """A card as it is drawn: rank, picture of the suit, and the words for who does not see it."""

    rank: str
    suit: str
    words: str


def drawn_cards(text: object) -> list[DrawnCard]:
    """Cards such as "Ah Kd" to draw, the same one as often as it was entered; nothing for what is
    no cards.
    """
    try:
        texts = card_texts(read_cards(text if isinstance(text, str | list | tuple) else ""))
    except Refused:
        return []
    return [_drawn_card(one[0], one[1]) for one in texts]


def _drawn_card(rank: str, suit: str) -> DrawnCard:
    name, words = _SUITS[suit]
    return DrawnCard("10" if rank == "T" else rank, name, str(words) % {"rank": _RANKS[rank]})


def box_list(boxes: Iterable[int]) -> str:
    """Numbers of boxes in a row: 1, 2, 5."""
    return ", ".join(str(box) for box in sorted(boxes))


def uuid_or_none(text: object) -> UUID | None:
    """An id that came from a form or an address."""
    try:
        return UUID(str(text))
    except ValueError:
        return None
