"""Cards of poker at the showdown, and which seats they win a pot for: one file, to which the rules are held by
`tests/book/test_pok_vectors.py` and the tablet's copy of them by `tests/browser/tablet/test_poker_money.py`.
"""

import json
import random  # noqa: TID251  (the cards are chosen here, for a test)
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import Any

from payouts.rules.rulesets.hand_rules import HandRules
from tables.games.poker.pots import GrossPot
from tables.games.poker.rules import PokerRules
from tables.games.poker.settle import winners_by_rank
from tables.games.poker.showdown import CardRules, TableCards, ranks_of
from tables.games.poker.variants import VARIANTS

FILE = Path(__file__).with_name("poker_showdowns.json")
COUNT, SEED = 40, 43
DECK = [rank + suit for rank, suit in product("23456789TJQKA", "shdc")]
LOWS = ("ace_to_five", "ace_to_six", "deuce_to_seven")


def dealt(count: int, seed: int) -> Iterable[dict[str, Any]]:
    """So many of each variant, from decks of few ranks more often than not, so that hands tie and lows are made."""
    dice = random.Random(seed)
    for code, variant in VARIANTS.items():
        for number in range(count):
            ranks = dice.choice(["23456789TJQKA", "A2345678", "A234567", "89TJQKA"])
            deck = dice.sample([card for card in DECK if card[0] in ranks], 28)
            board, deck = deck[: variant.board], deck[variant.board :]
            seats = sorted(dice.sample(range(1, 10), dice.randint(2, 3)))
            hands = {
                str(seat): " ".join(deck[at * variant.hole : (at + 1) * variant.hole]) for at, seat in enumerate(seats)
            }
            yield {
                "variant": code,
                "board": " ".join(board),
                "hands": hands,
                "qualifier": dice.choice([7, 8]),
                "draw_low": LOWS[number % 3],
            }


def won(showdown: dict[str, Any]) -> dict[str, list[int]]:
    rules = CardRules(
        showdown["variant"],
        PokerRules(draw_low=showdown["draw_low"]),
        HandRules(low_qualifier=showdown["qualifier"]),
    )
    hands = {int(seat): hole for seat, hole in showdown["hands"].items()}
    pot = GrossPot(100, tuple(sorted(hands)))
    [winners] = winners_by_rank([pot], *ranks_of(TableCards(showdown["board"], hands), rules))
    return {"high": sorted(winners.high), "low": sorted(winners.low)}


def showdowns_text() -> str:
    rows = [json.dumps([showdown, won(showdown)]) for showdown in dealt(COUNT, SEED)]
    return "[\n" + ",\n".join(rows) + "\n]\n"
