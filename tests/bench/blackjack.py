"""Black Jack against its limits: rounds of seven boxes settled in a second on one core, from cards and from taps, without a
database; and a round with three stakes after its lock through the services, against the same rows by bare SQL.

The rounds are dealt beforehand; timed is everything from the result as it is sent to the lines: read, checked, compared, paid.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from payouts.rules.hands.cards import card_texts
from payouts.rules.lines import Stake
from tables.games.base import Rules
from tables.games.blackjack.game import BLACKJACK
from tables.games.blackjack.outcomes import ending_of
from tables.games.blackjack.points import ACE, bank_stands, counted, is_blackjack, may_double, place_of, points_of
from tables.games.blackjack.result import read_result
from tables.games.blackjack.rules import BOXES, DECKS, BlackjackRules
from tables.rules.floor import FloorRules
from tables.rules.limits import ten_table
from tests.bench import blackjack_floor
from tests.bench.rounds import rates

ROUNDS, ASKED = 2_000, 10_000
POSTED = BlackjackRules()
RULES = Rules({"blackjack_rules": POSTED, "box_limits": ten_table(50_000)}, None, FloorRules())

Round = tuple[list[Stake], dict[str, Any]]  # what lies there, and a result


def measure() -> dict[str, dict[str, float]]:
    """Rounds a second against the 10 000 that are asked, and through the services against bare SQL."""
    dealt = deal(ROUNDS)
    rows: dict[str, dict[str, float]] = {}
    for name, rounds in (("cards", dealt), ("taps", [tapped(one) for one in dealt])):
        for clock, ours in zip(("wall clock", "processor"), rates(settling(rounds)), strict=True):
            row = {"limit": ASKED, "ours": round(ours), "ratio": round(ours / ASKED, 2), "asked": 1.0}
            rows[f"rounds of 7 boxes, {name}, {clock}"] = row
    return rows | blackjack_floor.measure()


def settling(rounds: list[Round]) -> Callable[[], int]:
    def work() -> int:
        for stakes, result in rounds:
            BLACKJACK.end(RULES, stakes, result, level="fast")
        return len(rounds)

    return work


def tapped(one: Round) -> Round:
    """The same round as a croupier taps it."""
    stakes, result = one
    ending = ending_of(POSTED, stakes, read_result(result))
    boxes = {
        str(box): {"hands": [{"result": str(hand.result)} for hand in hands]} for box, hands in ending.outcomes.items()
    }
    return stakes, {"bank": str(ending.bank), "boxes": boxes}


def deal(rounds: int, seed: int = 7) -> list[Round]:
    """Every box doubles what may be doubled, splits eights, and draws to 15; the same ones every time."""
    chance = np.random.default_rng(seed)
    return [_dealt(iter([int(card) % 52 for card in chance.permutation(52 * DECKS)[:150]])) for _ in range(rounds)]


def _dealt(shoe: Any) -> Round:
    stakes: list[Stake] = []
    boxes: dict[str, Any] = {}
    bank = [next(shoe)]
    for box in range(1, BOXES + 1):
        guest = f"guest-{box}"
        stakes.append(Stake(box, guest, "stake", 1500))
        if place_of(bank[0]) == ACE and box == 1:
            stakes.append(Stake(box, guest, "insurance", 500))
        two, hands = [next(shoe), next(shoe)], []
        if place_of(two[0]) == place_of(two[1]) == 7:
            stakes.append(Stake(box, guest, "split_2", 1500))
            hands = [_drawn([card], shoe) for card in two]
        elif not is_blackjack(counted(two)) and may_double(counted(two), soft=False, split=False):
            stakes.append(Stake(box, guest, "double_1", 1500))
            hands = [[*two, next(shoe)]]
        else:
            hands = [_drawn(two, shoe)]
        boxes[str(box)] = {"hands": [{"cards": " ".join(card_texts(hand))} for hand in hands]}
    bank.append(next(shoe))
    while not bank_stands(points_of(bank), hits_soft_17=False):
        bank.append(next(shoe))
    return stakes, {"bank_cards": " ".join(card_texts(bank)), "boxes": boxes}


def _drawn(hand: list[int], shoe: Any) -> list[int]:
    while len(hand) < 2 or points_of(hand).total < 15:
        hand = [*hand, next(shoe)]
    return hand
