"""Ultimate Texas Hold'em as the simulator plays it, and how a croupier enters a round: the stakes
at the lock, and the result by cards, by taps, or for coins alone.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from casino.simulate.books import uth
from casino.simulate.books.hands import HIGH_CARD, NAMES, ROYAL, STRAIGHT, THREE, Made
from casino.simulate.books.rules import JackpotRules
from casino.simulate.books.uth import Box, GameRules, Outcome, game_rules
from casino.simulate.cards import Deal
from casino.simulate.games.uth.plan import UthPlan
from casino.simulate.plan import FAST, FULL_CARDS, JACKPOT_ONLY, RoundPlan
from casino.simulate.texts import money

TITLE, NAME, LINKED = "Ultimate Texas Hold'em", "UTH", True
LEVELS = (FULL_CARDS, FAST, FAST, FULL_CARDS, FAST, JACKPOT_ONLY)
OFF_STEP = ("uth.off_step", "uth.coin_wrong")
IMPOSSIBLE = (
    "uth.cards_contradict",
    "uth.board_in_dealers_hand",
    "uth.board_in_every_hand",
    "uth.board_not_beaten",
    "uth.board_ties",
    "uth.dealer_between",
    "uth.no_such_board",
    "cards.twice",
)
REFUSALS = {
    "uth.board_in_dealers_hand": "what lies on the board is in the dealer's hand too",
    "uth.board_in_every_hand": "what lies on the board is in every hand",
    "uth.board_not_beaten": "box {box} has no more than the board",
    "uth.board_ties": "box {box} cannot lose to a dealer who has no more than the board",
    "uth.cards_contradict": "{says}",
    "uth.no_such_board": "no five cards on the board make all of these hands",
    "uth.dealer_between": "no two cards of the dealer fit all that was tapped",
    "uth.off_step": "box {box}, {kind}: only in steps of {step_minor}, not {amount_minor}",
}

Result = dict[str, Any]
rules_of, plan = game_rules, UthPlan


def settle(rules: GameRules, jackpot: JackpotRules | None, plan: RoundPlan) -> Outcome:
    """Work a round out from its cards."""
    return uth.settle(rules, jackpot, plan.boxes, plan.deal)


def stakes(plan: RoundPlan, guests: Mapping[str, str], coin: int) -> list[dict[str, Any]]:
    """What lies there at the lock; `guests`: the house's ids by our names, `coin`: what a coin is
    worth.
    """
    found = []
    for box in plan.boxes:
        laid = {
            "ante": box.ante,
            "blind": box.ante,
            "trips": box.trips,
            "coin": coin if box.coin else 0,
        }
        laid["play"] = box.play * box.ante if box.blind else 0
        where = {"box": box.box, "guest": guests[box.guest]}
        found += [
            where | {"kind": kind, "amount_minor": amount}
            for kind, amount in laid.items()
            if amount
        ]
    return found


def placements(level: str, plan: RoundPlan, guests: Mapping[str, str]) -> list[dict[str, Any]]:
    """Nothing is staked after the lock but Play, which comes with the result (UTH-3)."""
    return []


def off_step(laid: list[dict[str, Any]], rules: GameRules) -> list[dict[str, Any]]:
    """The same stakes with an amount within the limits that no step allows."""
    amount = laid[0]["amount_minor"]
    return [laid[0] | {"amount_minor": amount + (1 if amount < rules.ante[1] else -1)}, *laid[1:]]


def result(level: str, rules: GameRules, plan: RoundPlan, outcome: Outcome) -> Result:
    """The result as it is entered at a table of this level."""
    if level == FULL_CARDS:
        boxes: Result = {
            str(box.box): {"play": box.play, "cards": _hole(plan.deal, box)} for box in plan.boxes
        }
        return {
            "board": " ".join(plan.deal.board),
            "dealer": " ".join(plan.deal.dealer),
            "boxes": boxes,
        }
    if level == FAST:
        boxes = {str(box.box): _tapped(rules, plan, box, outcome) for box in plan.boxes}
        found: Result = {"boxes": boxes, "dealer_without_pair": not outcome.dealer_pair}
    else:
        boxes = {
            str(box.box): _hand_of(rules, plan, box, outcome.hands[box.box], least=HIGH_CARD)
            for box in plan.boxes
        }
        found = {"boxes": boxes}
    if any("cards" in box for box in boxes.values()):
        found["board"] = " ".join(plan.deal.board)
    return found


def mistyped(level: str, rules: GameRules, plan: RoundPlan, outcome: Outcome) -> Result | None:
    """A result that the service takes and that is wrong: another Play, or another hand. None where
    there is nothing to mistype.
    """
    entered = result(level, rules, plan, outcome)
    for box in plan.boxes:
        mine = entered["boxes"][str(box.box)]
        if box.play and not box.blind:
            mine["play"] = next((one for one in rules.multiples if one != box.play), box.play)
            return entered if mine["play"] != box.play else None
        if not box.ante and outcome.hands[box.box].category < STRAIGHT:
            mine |= {"hand": NAMES[STRAIGHT], "on_board": False}
            return entered
    return None


def impossible(level: str, rules: GameRules, plan: RoundPlan, outcome: Outcome) -> Result:
    """A result that must be refused: a class that the cards deny (HAND-6), or a card that lies
    there twice (HAND-7).
    """
    entered = result(level, rules, plan, outcome)
    box = plan.boxes[0]
    mine = entered["boxes"][str(box.box)]
    if level == FULL_CARDS:
        mine["cards"] = f"{plan.deal.board[0]} {plan.deal.holes[box.box][1]}"
        return entered
    wrong = NAMES[(outcome.hands[box.box].category + 1) % ROYAL]
    mine |= {"hand": wrong, "on_board": False, "cards": _hole(plan.deal, box)}
    return entered | {"board": " ".join(plan.deal.board)}


def _tapped(rules: GameRules, plan: RoundPlan, box: Box, outcome: Outcome) -> Result:
    taps: Result = {"play": box.play, "result": outcome.results[box.box]}
    return taps | _hand_of(rules, plan, box, outcome.hands[box.box], least=THREE)


def _hand_of(rules: GameRules, plan: RoundPlan, box: Box, hand: Made, *, least: int) -> Result:
    """The class from `least` on, and the cards where the house wants them."""
    if hand.category < least:
        return {}
    told: Result = {"hand": hand.name, "on_board": hand.on_board}
    if hand.category == ROYAL or (box.coin and hand.category >= rules.cards_from):
        told["cards"] = _hole(plan.deal, box)
    return told


def _hole(deal: Deal, box: Box) -> str:
    return " ".join(deal.holes[box.box])


def story(plan: RoundPlan, outcome: Outcome) -> Iterator[str]:
    """What coins have won."""
    for box in outcome.winners:
        yield f"box {box}: a royal flush with the coin! It claims the jackpot."
    for (box, kind), line in sorted(outcome.lines.items()):
        if line.prize and kind == "coin":
            hand = outcome.hands[box].name.replace("_", " ")
            yield f"box {box}: {hand}, the coin wins {money(line.prize)}."
    envied = [line.prize for (_box, kind), line in outcome.lines.items() if kind == "envy"]
    if envied:
        yield f"Envy, {money(envied[0])} for each other coin at the table ({len(envied)})."
