"""The words of Black Jack, as message ids of the catalogues, and what the API says of a result
and of fed cards.
"""

from collections.abc import Mapping
from typing import Any

from payouts.errors import mark
from tables.games.base import CARDS
from tables.games.blackjack.rules import DECKS
from tables.games.blackjack.settle import Bank, Result
from tables.games.irregular import COMMON, About, IrregularityKind

STAKES: Mapping[str, str] = {
    "stake": mark("Stake"),
    "split_2": mark("Stake of hand 2"),
    "split_3": mark("Stake of hand 3"),
    "split_4": mark("Stake of hand 4"),
    "double_1": mark("Double"),
    "double_2": mark("Double on hand 2"),
    "double_3": mark("Double on hand 3"),
    "double_4": mark("Double on hand 4"),
    "insurance": mark("Insurance"),
    "even_money": mark("Even money"),
}
FIELDS: Mapping[str, str] = {
    "bank_hits_soft_17": mark("Bank draws on a soft 17"),
    "bank_blackjack_takes": mark("A Black Jack of the bank takes"),
    "coplayer_may_double_blackjack": mark("Co-players double a Black Jack"),
    "double_soft": mark("Ace-8 and ace-9 may be doubled"),
    "coplayer_doubles": mark("Co-players double"),
    "max_hands_per_box": mark("Hands of a box, at most"),
    "insurance_step": mark("Step of insurance"),
}
CHOICES: Mapping[str, str] = {
    "original": mark("the original stake only"),
    "with_owner": mark("only with the box owner"),
    "always": mark("always"),
}
LOGGED: Mapping[str, str] = {"blackjack_rules": mark("rules of the game")}
EDGES: Mapping[str, str] = {
    "stake": mark("House edge"),
    "insurance": mark("House edge of insurance"),
    "even_money": mark("House edge of even money"),
}
RESULTS: Mapping[str, str] = {
    "win": mark("a win"),
    "lose": mark("a loss"),
    "push": mark("a stand-off"),
    "bust": mark("bust"),
    "blackjack": mark("Black Jack"),
}
ACTS: Mapping[str, str] = {
    "double": mark("doubles"),
    "split": mark("splits"),
    "insurance": mark("takes insurance"),
    "even_money": mark("takes even money"),
}
ENDINGS = {**RESULTS, "none": mark("not needed")}
WORDS: Mapping[str, Mapping[str, str]] = {
    "act": ACTS,
    "result": RESULTS,
    "doubled_result": RESULTS,
    "bank": ENDINGS,
    "says": ENDINGS,
    "tapped": ENDINGS,
}
PLACES: Mapping[str, str] = {
    "bank": mark("the bank"),
    "bank_cards": mark("the bank's cards"),
    "hands": mark("hands"),
    "doubled_result": mark("result of what was doubled"),
}
_MOST = 22  # cards of a hand: 21 aces, and one
_HAND = CARDS | {"maxLength": 3 * _MOST}
_RESULT = {"type": "string", "enum": [str(one) for one in Result]}
BOX: Mapping[str, dict[str, Any]] = {
    "hands": {
        "type": "array",
        "minItems": 1,
        "maxItems": 4,
        "description": "Hands of a box of Black Jack, the first one and those of a split.",
        "items": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "result": _RESULT,
                "doubled_result": _RESULT
                | {"description": "Of what was doubled, where it ended otherwise than the rest."},
                "cards": _HAND,
                "count": {
                    "type": "integer",
                    "minimum": 2,
                    "maximum": _MOST,
                    "description": "How many cards the hand has, where a shoe reads them.",
                },
            },
        },
    }
}
RESULT: Mapping[str, dict[str, Any]] = {
    "bank": {"type": "string", "enum": [str(one) for one in Bank]},
    "bank_cards": _HAND,
}
FED: Mapping[str, dict[str, Any]] = {"cards": CARDS | {"maxLength": 3 * 52 * DECKS}}


def _cards(title: str, about: About, *decisions: str) -> IrregularityKind:
    return IrregularityKind(title, about, decisions, "BJ-11")


IRREGULARITIES: Mapping[str, IrregularityKind] = {
    "empty_box_dealt": _cards(mark("Card dealt to an empty box"), About.EMPTY_BOX, "put_right"),
    "box_missed": _cards(mark("Box missed in the deal"), About.BOX, "put_right"),
    "call_misunderstood": _cards(
        mark("Card drawn through a misunderstood call"), About.HAND, "kept", "burnt"
    ),
    "split_aces_surplus": _cards(mark("Surplus card at split aces"), About.HAND, "put_right"),
    "double_surplus": _cards(mark("Surplus card at a doubled hand"), About.HAND, "burnt"),
    "bank_surplus": _cards(mark("Surplus card at the bank"), About.ROUND, "burnt"),
    "value_unseen": _cards(mark("Value of a card not seen"), About.HAND, "stays"),
    **COMMON,
}
