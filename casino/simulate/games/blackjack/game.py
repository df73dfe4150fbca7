"""Black Jack as the simulator plays it, and how a croupier enters a round: the stakes at the lock,
those that come when the cards lie, and the result by cards or by taps.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from casino.simulate.books import blackjack
from casino.simulate.books.blackjack import (
    DOUBLE,
    EVEN_MONEY,
    INSURANCE,
    Act,
    BlackjackRules,
    Outcome,
    natural,
    pips,
)
from casino.simulate.books.rules import JackpotRules
from casino.simulate.cards import DECK
from casino.simulate.games.blackjack.plan import DECKS, BlackjackPlan
from casino.simulate.plan import FAST, FULL_CARDS, RoundPlan
from casino.simulate.texts import money

TITLE, NAME, LINKED = "Black Jack", "Black Jack", False
LEVELS = (FAST, FULL_CARDS)
OFF_STEP = ("box.off_step",)
IMPOSSIBLE = ("blackjack.cards_contradict", "blackjack.doubled_no_bust")
REFUSALS = {
    "blackjack.cards_contradict": "the cards say {says}, but {tapped} was entered",
    "blackjack.doubled_no_bust": "hand {hand} of box {box} was doubled and is never bust",
}
WRONG = {"win": "lose", "lose": "win", "push": "lose", "bust": "win"}  # what a finger slips to

Result = dict[str, Any]
rules_of, plan = blackjack.rules_of, BlackjackPlan


def settle(rules: BlackjackRules, jackpot: JackpotRules | None, plan: RoundPlan) -> Outcome:
    """Work a round out from its cards."""
    return blackjack.settle(rules, plan.boxes, plan.deal)


def stakes(plan: RoundPlan, guests: Mapping[str, str], coin: int) -> list[dict[str, Any]]:
    """All that is offered, also what the prime rule will give back."""
    return [
        {"box": one.box, "guest": guests[one.guest], "kind": "stake", "amount_minor": one.amount}
        for one in plan.boxes
    ]


def placements(level: str, plan: RoundPlan, guests: Mapping[str, str]) -> list[dict[str, Any]]:
    """What was doubled, split and insured, in its order; with the cards where they are entered."""
    return [_placement(level, plan, one, guests) for one in plan.deal.acts]


def _placement(level: str, plan: RoundPlan, act: Act, guests: Mapping[str, str]) -> dict[str, Any]:
    sent = {"box": act.box, "guest": guests[act.guest], "act": act.act, "hand": act.hand}
    if act.act == INSURANCE:
        sent["amount_minor"] = act.amount
    if act.source != act.guest:
        sent["instead_of"] = guests[act.source]
    if level == FULL_CARDS:
        sent["cards"] = " ".join(act.cards)
    return sent | {"bank": plan.deal.bank[0]}


def off_step(laid: list[dict[str, Any]], rules: BlackjackRules) -> list[dict[str, Any]]:
    """The same stakes with an amount within the limits that no step allows."""
    amount = laid[0]["amount_minor"]
    return [
        laid[0] | {"amount_minor": amount + (1 if amount < rules.amounts[-1] else -1)},
        *laid[1:],
    ]


def result(level: str, rules: BlackjackRules, plan: RoundPlan, outcome: Outcome) -> Result:
    """The result as it is entered at a table of this level."""
    return _cards(plan) if level == FULL_CARDS else _taps(outcome)


def _cards(plan: RoundPlan) -> Result:
    return {
        "bank_cards": " ".join(plan.deal.bank),
        "boxes": {
            str(box): {"hands": [{"cards": " ".join(hand)} for hand in hands]}
            for box, hands in plan.deal.hands.items()
        },
    }


def _taps(outcome: Outcome) -> Result:
    boxes = {}
    for box, results in outcome.results.items():
        hands = [
            {"result": one} | ({"doubled_result": doubled} if doubled else {})
            for one, doubled in results
        ]
        boxes[str(box)] = {"hands": hands}
    return {"bank": outcome.bank, "boxes": boxes}


def mistyped(level: str, rules: BlackjackRules, plan: RoundPlan, outcome: Outcome) -> Result | None:
    """A result that the service takes and that is wrong: another result of a hand, or another card.
    None where there is nothing to mistype.
    """
    entered = result(level, rules, plan, outcome)
    for box, hands in plan.deal.hands.items():
        mine = entered["boxes"][str(box)]["hands"]
        if level == FULL_CARDS:
            if card := _another(plan, box):
                mine[0]["cards"] = f"{hands[0][0]} {card}"
                return entered
        elif outcome.bank in ("17", "18", "19", "20"):
            for hand in mine:
                if hand["result"] in WRONG:
                    hand["result"] = WRONG[hand["result"]]
                    return entered
    return None


def _another(plan: RoundPlan, box: int) -> str | None:
    """Another second card for a hand of two that was neither split nor doubled; it makes no Black
    Jack.
    """
    hands = plan.deal.hands[box]
    first, second, *more = hands[0]
    acted = any(one.box == box and one.act in (DOUBLE, EVEN_MONEY) for one in plan.deal.acts)
    if len(hands) > 1 or more or acted or natural(hands[0]):
        return None
    dealt = [card for each in plan.deal.hands.values() for hand in each for card in hand]
    lying = Counter(dealt + plan.deal.bank)
    others = [card for card in DECK if pips(card) != pips(second) and lying[card] < DECKS]
    return next((card for card in others if not natural((first, card))), None)


def impossible(level: str, rules: BlackjackRules, plan: RoundPlan, outcome: Outcome) -> Result:
    """A result that must be refused: a doubled hand that is bust (BJ-6), or taps that the cards
    deny (HAND-6).
    """
    if level == FAST and (double := next((a for a in plan.deal.acts if a.act == DOUBLE), None)):
        tapped = _taps(outcome)
        hand = tapped["boxes"][str(double.box)]["hands"][double.hand - 1]
        hand["doubled_result" if "doubled_result" in hand else "result"] = "bust"
        return tapped
    entered = _cards(plan)
    box, results = next(iter(outcome.results.items()))
    right = results[0][0]
    entered["boxes"][str(box)]["hands"][0]["result"] = WRONG.get(right, "win")
    return entered


def story(plan: RoundPlan, outcome: Outcome) -> Iterator[str]:
    """What the prime rule gave back."""
    stayed: Counter[int] = Counter()
    for (box, what), line in outcome.lines.items():
        stayed[box] += line.stake if what.startswith("stake ") else 0
    for box in plan.deal.hands:
        back = sum(one.amount for one in plan.boxes if one.box == box) - stayed[box]
        if back:
            yield f"box {box}: more than its maximum; {money(back)} goes back (PRM-1)."
