"""The words of Ultimate Texas Hold'em, as message ids of the catalogues, and what the API says of a
result and of fed cards.
"""

from collections.abc import Mapping
from typing import Any

from payouts.errors import mark
from payouts.rules.hands.ranks import Category
from tables.games.base import BY_BOX, CARDS
from tables.games.uth.settle import Result

STAKES: Mapping[str, str] = {
    "ante": mark("Ante"),
    "blind": mark("Blind"),
    "play": mark("Play"),
    "trips": mark("Trips"),
}
FIELDS: Mapping[str, str] = {
    "ante_minimum_minor": mark("Ante, minimum"),
    "ante_maximum_minor": mark("Ante, maximum"),
    "trips_minimum_minor": mark("Trips, minimum"),
    "trips_maximum_minor": mark("Trips, maximum"),
    "stake_step": mark("Step of stakes"),
    "play_multiples": mark("Play, multiples of the Ante"),
    "no_play": mark("Box without Play"),
    "side_bets_survive_fold": mark("Side bets stay after a fold"),
    "odds_round_to": mark("Odds are rounded to"),
    "odds_round": mark("Odds are rounded"),
}
CHOICES: Mapping[str, str] = {"fold": mark("folds"), "showdown": mark("goes to the showdown")}
LOGGED: Mapping[str, str] = {
    "blind": mark("Blind"),
    "trips": mark("Trips"),
    "uth_rules": mark("stakes of the game"),
}
RESULTS: Mapping[str, str] = {
    "win": mark("a win"),
    "lose": mark("a loss"),
    "tie": mark("a stand-off"),
    "fold": mark("a fold"),
}
WORDS: Mapping[str, Mapping[str, str]] = {"tapped": RESULTS, "cards": RESULTS}
PLACES: Mapping[str, str] = {
    "board": mark("cards on the board"),
    "dealer": mark("the dealer's cards"),
    "dealer_without_pair": mark("dealer without a pair"),
    "dispute": mark("disagreement"),
    "on_board": mark("on the board alone"),
    "play": mark("Play"),
}
BOX: Mapping[str, dict[str, Any]] = {
    "play": {
        "type": "integer",
        "minimum": 0,
        "maximum": 10,
        "description": "Play, as a multiple of the Ante.",
    },
    "cards": CARDS,
    "result": {"type": "string", "enum": [str(result) for result in Result]},
    "hand": {"type": "string", "enum": [category.name.lower() for category in Category]},
    "on_board": {"type": "boolean"},
    "guest": {
        "type": "string",
        "format": "uuid",
        "description": (
            "Whose box it is: for a royal flush without a coin where coins alone are entered."
        ),
    },
}
RESULT: Mapping[str, dict[str, Any]] = {
    "board": CARDS,
    "dealer": CARDS,
    "dealer_without_pair": {"type": "boolean"},
    "dispute": {"type": "boolean"},
}
FED: Mapping[str, dict[str, Any]] = {
    "board": CARDS,
    "dealer": CARDS,
    "boxes": BY_BOX | {"additionalProperties": CARDS},
}
