"""A result of Ultimate Texas Hold'em as people read it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext

from casino.text.floor import RESULTS, DrawnCard, drawn_cards, say
from payouts.rules.rulesets.paytable import BY_NAME, WORDS


class BoxResult(NamedTuple):
    """One box of a result as it was entered."""

    box: str
    play: str
    result: str
    hand: str
    cards: list[DrawnCard]


class ResultSheet(NamedTuple):
    """A result as it was entered: the board, the dealer's cards, what was tapped at each box."""

    board: list[DrawnCard]
    dealer: list[DrawnCard]
    boxes: list[BoxResult]
    dealer_without_pair: bool
    dispute: bool


def readable_result(result: Mapping[str, Any]) -> ResultSheet:
    """A result as it was entered, to be read by people: cards to draw, words for taps. What is not
    readable is left out.
    """
    boxes = result.get("boxes")
    told = (
        [_box_result(str(number), box) for number, box in boxes.items() if isinstance(box, dict)]
        if isinstance(boxes, dict)
        else []
    )
    return ResultSheet(
        drawn_cards(result.get("board")),
        drawn_cards(result.get("dealer")),
        told,
        dealer_without_pair=result.get("dealer_without_pair") is True,
        dispute=result.get("dispute") is True,
    )


def _box_result(number: str, box: Mapping[str, Any]) -> BoxResult:
    hand = str(box.get("hand") or "")
    words = gettext(WORDS[BY_NAME[hand]]) if hand in BY_NAME else hand
    if words and box.get("on_board") is True:
        words = gettext("%(hand)s on the board") % {"hand": words}
    play = box.get("play")
    said = f"{play}\u00d7" if isinstance(play, int) and play else ""
    return BoxResult(
        number,
        said,
        say(RESULTS, str(box.get("result") or "")),
        words,
        drawn_cards(box.get("cards")),
    )
