"""Hands that were really played, with what came of them: a hand in a line of `hands.jsonl`, facts alone, each with its source and
licence. Amounts are cents or chips.

`seats`: seat, stack before, what of it was matched, and dead chips if there were any; `left`: who did not fold, with the cards
that were seen; `uncalled`: seat and amount that went back, no part of what was matched; `side`: side pots after the fee as the
site states them; `pot`, `won`: what came of it. `odd_chip_differs`: the site gave the odd chip to another seat.
"""

import json
from pathlib import Path
from typing import Any

from payouts.rules.rulesets.hand_rules import HandRules
from payouts.rules.rulesets.rake import RakeSchedule
from tables.games.poker.entered import HandRuling, PotsEntry
from tables.games.poker.rules import PokerGame, PokerRules
from tables.games.poker.showdown import TableCards
from tables.games.poker.streets import Betting, Street
from tables.games.poker.variants import VARIANTS

ROWS = [json.loads(line) for line in Path(__file__).with_name("hands.jsonl").read_text("utf-8").splitlines()]
STREETS = {0: 1, 3: 2, 4: 3, 5: 4}  # by cards of the board


def entry_of(row: dict[str, Any]) -> PotsEntry:
    """The hand as a dealer enters it. How its bets were spread over the streets the record does not say: evenly, each fold where
    the next amount is more than it had paid.
    """
    seats = {seat: (stack, live, sum(dead)) for seat, stack, live, *dead in row["seats"]}
    back, uncalled = row.get("uncalled", (0, 0))
    left = {int(seat): cards for seat, cards in row["left"].items()}
    hands = {seat: cards for seat, cards in left.items() if cards and len(left) > 1}
    return PotsEntry(
        seats=tuple(seats),
        stacks=tuple(stack for stack, *_ in seats.values()),
        button=row.get("button", 0),
        betting=Betting(
            _streets(
                _rounds(row, len(left)),
                {seat: live + (uncalled if seat == back else 0) for seat, (_stack, live, _dead) in seats.items()},
                {*seats} - {*left},
            ),
            {seat: dead for seat, (_stack, _live, dead) in seats.items() if dead},
        ),
        cards=TableCards(row.get("board", "") if hands else "", hands),
    )


def _rounds(row: dict[str, Any], left: int) -> int:
    variant = VARIANTS[row["variant"]]
    if variant.board:
        return STREETS[len(row.get("board", "").split())]
    return variant.rounds if left > 1 else 2


def _streets(rounds: int, paid: dict[int, int], folded: set[int]) -> list[Street]:
    most = max(paid.values())
    ends_by_fold = len(paid) - len(folded) == 1
    spread = max(paid[seat] for seat in folded) if ends_by_fold else most
    levels = [*(spread * number // rounds for number in range(1, rounds)), most]
    streets, before, still = [], 0, {*folded}
    for number, level in enumerate(levels, 1):
        goes = {seat for seat in still if paid[seat] < level or number == rounds}
        streets.append(Street(level - before, {seat: paid[seat] - before for seat in sorted(goes)}))
        still -= goes
        before = level
    return streets


def ruling_of(row: dict[str, Any], rake: RakeSchedule | None) -> HandRuling:
    """As the game was posted, by the unit; the fee of a house."""
    code = row["variant"]
    variant = VARIANTS[code]
    game = PokerGame(
        variants=(code,),
        seats=variant.seats_most,
        chip_minor=1,
        small_blind_minor=1,
        big_blind_minor=2,
        bring_in_minor=1 if variant.doors else 0,
        ante_minor=row.get("ante", 0),
        buy_in_least_minor=40,
        buy_in_most_minor=None,
    )
    return HandRuling(game, PokerRules(draw_low="deuce_to_seven"), HandRules(), rake, code)
